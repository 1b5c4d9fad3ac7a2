"""Reach, expected value and best response over public games, against twins and other modules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.betting import BettingModel, BettingTree
from doyle.cards.suits.relabelling import SAME_SUITS
from doyle.errors import DoyleError
from doyle.games import Game, State
from doyle.measuring.full_cards.response import OWN, FullCardResponse, StrategyPlay
from doyle.solving.best_response import best_response, measured
from doyle.solving.expected_value import expected_value
from doyle.solving.games import PublicGame, outline, poker_game, whole_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.reach import reach_at
from doyle.solving.vector import VectorSolver
from doyle.strategy import Layout, TableStrategy
from tests.measuring.full_cards.test_response import BUCKETS, SMALL, HashedBuckets
from tests.reference import solving_tree_walk as plain
from tests.solving import games
from tests.solving.public_games import holdem, small
from tests.solving.test_random_games import random_game


def random_profile(game: PublicGame, seed: int) -> Profile:
    form, rng = SequenceForm(game), np.random.default_rng(seed)
    behaviours = [plain.random_behaviour(form, seat, rng) for seat in (0, 1)]
    return Profile.of_behaviours(form, (behaviours[0], behaviours[1]))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_values_of_any_game_over_states(seed: int) -> None:
    game = random_game(seed)
    profile = random_profile(game, seed)
    tables = plain.tables(profile.form, profile.behaviours)
    value = plain.expected_value(game, tables)
    assert expected_value(game, (profile, profile)) == pytest.approx(value, abs=1e-12)
    assert expected_value(game, (profile, profile), 1) == pytest.approx(-value, abs=1e-12)
    for seat in (0, 1):
        expected = plain.best_response_value(game, seat, tables)
        assert best_response(game, seat, profile) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", games.NAMES)
def test_exploitability_is_that_of_the_sequence_form(name: str) -> None:
    profile = random_profile(games.game(name), 1)
    found = measured(profile.form.game, (profile, profile))
    assert found.best_responses == pytest.approx(profile.best_response_values, abs=1e-12)
    assert found.total == pytest.approx(profile.exploitability, abs=1e-12)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(lambda: small("leduc"), id="leduc"),
        pytest.param(lambda: holdem("Td9d6hQc2s", "AA,KTs,87s:0.5", "KK,AQs,JTs"), id="river"),
        pytest.param(lambda: holdem("2s3s4s5c", "AA,KK,76s", "QQ,AKs,98s"), id="turn, merged"),
    ],
)
def test_what_the_vector_solver_measures(game) -> None:  # type: ignore[no-untyped-def]
    solver = VectorSolver(game(), precision="double")
    solver.advance(20)
    ours = solver.measure()
    found = measured(solver.game, (solver, solver))
    assert found.best_responses == pytest.approx(ours.best_responses, abs=1e-9)
    assert expected_value(solver.game, (solver, solver)) == pytest.approx(ours.expected, abs=1e-9)
    assert expected_value(solver.game, (solver, solver), 1) == pytest.approx(
        -ours.expected, abs=1e-9
    )


@pytest.mark.parametrize("name", ["leduc", "lopsided"])
def test_reach_is_the_product_of_own_probabilities(name: str) -> None:
    game = games.game(name)
    profile = random_profile(game, 2)
    reach = plain.reaches(game, plain.tables(profile.form, profile.behaviours))
    checked = 0
    for board in range(len(game.boards)):
        chain = [board]
        while chain[0] > 0:
            chain.insert(0, int(game.boards.parent[chain[0]]))
        for node in np.flatnonzero(game.tree.round == int(game.boards.level[board])).tolist():
            for seat in (0, 1):
                found = reach_at(game, profile, seat, node, [game.boards[one] for one in chain])
                expected = reach[node][seat][game.states_on(seat, board)]
                assert np.allclose(found[: len(expected)], expected, atol=1e-15)
                assert not found[len(expected) :].any()
                checked += 1
    assert checked > 20


@pytest.mark.parametrize("suits_alike", [False, True])
def test_boards_dealt_on_demand_need_no_kernel(suits_alike: bool) -> None:
    """A whole game by the functions of every public game, and by the kernel for its last round."""
    strategy, game, bucketing = _whole(suits_alike)
    play = StrategyPlay(strategy, bucketing)
    by_kernel = FullCardResponse(strategy, bucketing, game).run()
    for seat in (0, 1):
        assert best_response(game, seat, play) == pytest.approx(by_kernel[seat], abs=2e-6)
    assert expected_value(game, (play, play)) == pytest.approx(by_kernel[OWN], abs=2e-6)
    found = measured(game, (play, play))
    assert found.best_responses == pytest.approx(by_kernel[:2], abs=2e-6)
    assert by_kernel[0] + by_kernel[1] > abs(by_kernel[OWN])


def test_boards_dealt_on_demand_and_boards_that_are_listed() -> None:
    """The same game with its boards listed, suits apart: the same values and the same reach."""
    strategy, dealt, bucketing = _whole(True)
    play = StrategyPlay(strategy, bucketing)
    listed = poker_game(
        outline(BettingModel.parse("fcpa"), State.start(strategy.tree.game), suits=(SAME_SUITS,))
    )
    for seat in (0, 1):
        expected = best_response(listed, seat, play)
        assert best_response(dealt, seat, play) == pytest.approx(expected, abs=1e-12)
    assert expected_value(dealt, (play, play)) == pytest.approx(
        expected_value(listed, (play, play)), abs=1e-12
    )
    boards = [dealt.root]
    while boards[-1].level < dealt.levels - 1:
        boards.append(next(iter(dealt.below(boards[-1]))))
    last = int(np.flatnonzero(dealt.tree.round == dealt.levels - 1)[-1])
    chain = listed.boards.find([one.cards[-1:] for one in boards[1:]])
    assert chain[1] == SAME_SUITS
    path = [listed.boards[chain[0]]]
    while path[0].level:
        path.insert(0, listed.boards[int(listed.boards.parent[path[0].number])])
    for seat in (0, 1):
        reach = reach_at(dealt, play, seat, last, boards)
        assert np.array_equal(reach, reach_at(listed, play, seat, last, path))
        assert reach.max() > 0


def test_boards_dealt_on_demand_are_not_listed() -> None:
    game = whole_game(BettingTree.build(BettingModel.parse("fca"), Game.named("holdem-nl-20bb")))
    assert game.mass == 1326 * 1225
    assert sum(1 for _ in game.below(game.root)) == 1755
    for needs_all in (lambda: game.boards, lambda: VectorSolver(game), lambda: SequenceForm(game)):
        with pytest.raises(DoyleError, match="dealt one at a time"):
            needs_all()


def _whole(suits_alike: bool) -> tuple[TableStrategy, PublicGame, HashedBuckets]:
    text = SMALL.format(ranks=4, flop=1, turn="1", stack=4, rounds=3, first="1 1")
    tree = BettingTree.build(BettingModel.parse("fcpa"), Game.parse(text))
    rng = np.random.default_rng(7)
    tables = [rng.random((BUCKETS, width)).astype(np.float32) for width in Layout.of(tree).widths]
    game = whole_game(tree, suits_alike=suits_alike)
    return TableStrategy(tree, tables), game, HashedBuckets(game, 1)
