"""Exact hands from a street on: equal to enumeration and to whole boards, zero where play is alike."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from doyle.agents import resolve_agent
from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.games import CALL, FOLD, Action, Deal, Game, State
from doyle.games.policies import policy_row, policy_rows, walked_reach
from doyle.measuring.exact_hands.evaluators import BoardHands, Floats, PolicyEvaluator
from doyle.measuring.exact_hands.run import late_outcome, run_exact_hands
from doyle.measuring.runs import drawn_deal
from tests.measuring.small_policies import RandomPolicy

GAME = Game.named("holdem-nl-20bb")
DEEP = Game.named("holdem-nl-200bb")
"""The game that `starter` plays."""
RIVER = 3


class LateRandom(RandomPolicy):
    """Calls before the river, plays at random with every hand there."""

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        actions, found = super().probabilities(state)
        if state.round < RIVER:
            found = np.zeros_like(found)
            found[:, actions.index(CALL)] = 1.0
        return actions, found

    def reach(self, state: State, seat: int) -> Floats:
        return walked_reach(self, state, seat)


class Stepwise:
    """Half its hands raise before the flop and fold to a bet on the river, or all of them bet there."""

    name = "stepwise"

    def __init__(self, *, raises_first: bool) -> None:
        self.raises_first = raises_first

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        rows = np.arange(policy_rows(GAME))
        raised = any(action > CALL for action in state.betting[-1])
        actions = [FOLD, CALL] if state.can_fold else [CALL]
        other = None
        if self.raises_first and state.round == RIVER and state.can_fold:
            other = FOLD
        elif state.round == (0 if self.raises_first else RIVER) and not raised:
            other = state.min_raise_to
            actions.append(other)
        chosen = rows % 2 == 1 if self.raises_first else rows >= 0
        found = np.zeros((len(rows), len(actions)))
        found[:, actions.index(CALL)] = 1.0
        if other is not None:
            found[chosen] = 0.0
            found[chosen, actions.index(other)] = 1.0
        return tuple(actions), found

    def reach(self, state: State, seat: int) -> Floats:
        return walked_reach(self, state, seat)


def late_pair() -> tuple[LateRandom, LateRandom]:
    return LateRandom(GAME, seed=1, sizes=1), LateRandom(GAME, seed=2, sizes=1)


def enumerated(state: State, policies: tuple[LateRandom, LateRandom]) -> tuple[float, float]:
    """What seat 0 wins with two given hands, and its square: every action, one by one."""
    if state.actor < 0:
        won = float(state.payoffs()[0])
        return won, won * won
    assert state.deal is not None
    actions, shares = policies[state.actor].probabilities(state.public())
    row = shares[policy_row(GAME, state.deal.hole[state.actor])]
    after = [enumerated(state.apply(action), policies) for action in actions]
    return float(row @ [one[0] for one in after]), float(row @ [one[1] for one in after])


def test_pairs_of_weighted_hands_equal_enumeration() -> None:
    board = (46, 22, 11, 3, 38)
    hands, policies = BoardHands.of(GAME, board), late_pair()
    rng = np.random.default_rng(3)
    chosen = rng.choice(len(hands.rows), 14, replace=False)
    begin = np.zeros((2, len(hands.rows)))
    begin[:, chosen] = rng.random((2, len(chosen)))
    state = State.start(GAME, Deal(((), ()), board))
    while state.round < RIVER:
        state = state.apply(CALL)
    total = np.zeros(3)
    for first, second in product(chosen, repeat=2):
        hole = [tuple(hands.cards[one].tolist()) for one in (first, second)]
        if set(hole[0]) & set(hole[1]):
            continue
        weight = begin[0, first] * begin[1, second]
        dealt = state.with_deal(Deal((hole[0], hole[1]), board))
        total += weight * np.array([1.0, *enumerated(dealt, policies)])
    found = PolicyEvaluator(GAME, policies).outcome_from(state, hands, (begin[0], begin[1]))
    assert found == pytest.approx((total[1] / total[0], total[2] / total[0]), rel=1e-9)


def test_where_all_hands_arrive_it_is_the_whole_board() -> None:
    pair = PolicyEvaluator(GAME, late_pair())
    for number in range(3):
        board = drawn_deal(GAME, np.random.default_rng((5, number))).board
        found = late_outcome(pair, RIVER, np.random.default_rng((5, number)))
        assert found == pytest.approx(pair.outcome(board), rel=1e-9)


def test_the_mean_is_that_of_whole_boards() -> None:
    """Hands that raised fold later, so what a hand did before the street decides what it wins there."""
    agents = [Stepwise(raises_first=True), Stepwise(raises_first=False)]
    whole = run_exact_hands(GAME, agents, boards=20, seed=3)
    late = run_exact_hands(GAME, agents, boards=1500, seed=4, street="river")
    assert whole.ci95 is not None
    assert late.ci95 is not None
    assert late.ci95 < -whole.mbb_per_hand / 10
    assert abs(whole.mbb_per_hand - late.mbb_per_hand) < 1.5 * (whole.ci95 + late.ci95)


def test_play_before_the_street_cancels() -> None:
    agent = resolve_agent("search:starter:iterations=10", DEEP)
    found = run_exact_hands(
        DEEP, [agent, resolve_agent("starter", DEEP)], boards=40, street="river"
    )
    assert 10 <= np.count_nonzero(found.values == 0.0) <= 35


def test_workers_change_nothing() -> None:
    texts = ["search:starter:iterations=5", "starter"]
    alone, two = (
        run_exact_hands(DEEP, texts, boards=30, seed=2, street="river", workers=workers)
        for workers in (Workers(1), Workers(2))
    )
    np.testing.assert_array_equal(alone.values, two.values)
    assert alone.square == two.square


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["match", DEEP.name, "search:starter:iterations=5", "starter", "--hands", "8"]
    assert main([*command, "--exact-from", "river", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["street"], document["boards"]) == ("river", 8)
    assert main([*command, "--exact-from", "river"]) == 0
    assert "all pairs of hands from the river, 8 deals" in capsys.readouterr().out
    assert main([*command, "--exact-from", "flop"]) == 2
    assert "expected turn or river" in capsys.readouterr().err
    assert main([*command, "--exact-from", "river", "--exact-hands"]) == 2
    assert "leave out --exact-hands" in capsys.readouterr().err
    assert main([*command, "--exact-from", "river", "--sealed"]) == 2
    assert "--exact-from: no hands are dealt" in capsys.readouterr().err


def test_other_games_are_refused() -> None:
    with pytest.raises(DoyleError, match="no-limit Hold'em for two"):
        run_exact_hands(Game.named("holdem-limit-2p"), ["ev", "ev"], street="river")
