"""Reach, expected value and best response over public games, against twins and other modules."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.cards.suits.relabelling import SAME_SUITS
from doyle.games import Game, State
from doyle.measuring.full_cards.response import OWN, FullCardResponse, StrategyPlay
from doyle.solving.board_walk import reach_at
from doyle.solving.games import PublicGame, outline, poker_game, whole_game
from doyle.solving.games.small_games import small_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.vector import VectorSolver
from doyle.strategy import Layout, TableStrategy
from tests.measuring.full_cards.test_response import BUCKETS, SMALL, HashedBuckets
from tests.reference import solving_tree_walk as plain
from tests.reference.board_values import ProfilePlay, best_response, expected_value, measured
from tests.solving.public_games import holdem, small


def random_profile(game: PublicGame, seed: int) -> Profile:
    form, rng = SequenceForm(game), np.random.default_rng(seed)
    behaviours = [plain.random_behaviour(form, seat, rng) for seat in (0, 1)]
    return Profile.of_behaviours(form, (behaviours[0], behaviours[1]))


def random_play(name: str, seed: int) -> tuple[PublicGame, ProfilePlay]:
    """A game with hands, and a random profile over the states of its cards."""
    form, rng = (
        SequenceForm(small_game(Game.named(name), lossless=False)),
        np.random.default_rng(seed),
    )
    behaviours = [plain.random_behaviour(form, seat, rng) for seat in (0, 1)]
    game = small(name, merged=False)
    return game, ProfilePlay(Profile.of_behaviours(form, (behaviours[0], behaviours[1])), game)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["kuhn", "leduc", "leduc-nl12"])
def test_values_are_those_of_the_sequence_form(name: str, seed: int) -> None:
    """Boards and hands by the evaluator; matrices counted over deals by another module."""
    game, play = random_play(name, seed)
    profile = play.profile
    assert expected_value(game, (play, play)) == pytest.approx(profile.value, abs=1e-12)
    assert expected_value(game, (play, play), 1) == pytest.approx(-profile.value, abs=1e-12)
    found = measured(game, (play, play))
    assert found.best_responses == pytest.approx(profile.best_response_values, abs=1e-12)
    assert found.total == pytest.approx(profile.exploitability, abs=1e-12)
    for seat in (0, 1):
        assert best_response(game, seat, play) == found.best_responses[seat]


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


def test_reach_is_the_product_of_own_probabilities() -> None:
    game, play = random_play("leduc", 2)
    form = play.profile.form
    reach = plain.reaches(form.game, plain.tables(form, play.profile.behaviours))
    checked = 0
    for number in range(len(game.boards)):
        chain = [game.boards[number]]
        while chain[0].level:
            chain.insert(0, game.boards[int(game.boards.parent[chain[0].number])])
        for node in np.flatnonzero(game.tree.round == chain[-1].level).tolist():
            for seat in (0, 1):
                found = reach_at(game, play, seat, node, chain)
                live = game.live(seat, chain[-1])
                expected = reach[node][seat][play.states(seat, chain[-1])]
                assert np.allclose(found[live], expected[live], atol=1e-15)
                assert not found[~live].any()
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
    for needs_all in (lambda: game.boards, lambda: VectorSolver(game)):
        with pytest.raises(DoyleError, match="dealt one at a time"):
            needs_all()


def _whole(suits_alike: bool) -> tuple[TableStrategy, PublicGame, HashedBuckets]:
    text = SMALL.format(ranks=4, flop=1, turn="1", stack=4, rounds=3, first="1 1")
    tree = BettingTree.build(BettingModel.parse("fcpa"), Game.parse(text))
    rng = np.random.default_rng(7)
    tables = [rng.random((BUCKETS, width)).astype(np.float32) for width in Layout.of(tree).widths]
    game = whole_game(tree, suits_alike=suits_alike)
    return TableStrategy(tree, tables), game, HashedBuckets(game, 1)
