"""Values of actions: against enumeration, as a decomposition of what a player loses, plan against asking."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from doyle.agents.completed_policy import CompletedPolicy
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.errors import DoyleError
from doyle.cards import parse_cards
from doyle.games import CALL, FOLD, Action, Deal, Game, Policy, State
from doyle.games.histories import parse_betting
from doyle.games.policies import decisions_of
from doyle.measuring.reviewing.action_values import ActionValues, Valuer
from tests.agents.synthetic import synthetic_agent
from tests.measuring.exact_hands.test_evaluators import small_agent
from tests.measuring.small_policies import Remembered, every_hand
from tests.reference.action_values import action_value

KUHN, LEDUC = Game.named("kuhn"), Game.named("leduc")
NOLIMIT_LEDUC = Game.named("leduc-nl12")
HOLDEM = Game.named("holdem-nl-200bb")


class AlwaysAsked(Valuer):
    """Follows histories one by one, without plans."""

    def _planned(self, *arguments: object, **options: object) -> None:  # type: ignore[override]
        return None


def loss(valuer: Valuer, state: State, hole: tuple[int, ...], taken: Action) -> float:
    values = valuer.values(state, hole, taken=taken, rng=np.random.default_rng(0))
    assert values.exact
    return values.loss(taken)[0]


@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=lambda game: game.name)
@pytest.mark.parametrize("seat", [0, 1])
def test_the_mean_loss_is_what_the_player_loses_by_not_being_the_policy(
    game: Game, seat: int
) -> None:
    policy, player = Remembered(game, seed=1), Remembered(game, seed=2)
    valuer = Valuer(game, policy)

    @cache
    def found(betting: object, board: object, hole: tuple[int, ...], taken: Action) -> float:
        return loss(valuer, states[betting, board], hole, taken)

    states: dict[object, State] = {}
    pair: tuple[Policy, Policy] = (player, policy) if seat == 0 else (policy, player)
    lost = won = 0.0
    for probability, state in every_hand(game, pair):
        assert state.deal is not None
        won += probability * float(state.payoffs()[seat])
        for now, taken in decisions_of(state, seat):
            states[now.betting, now.board] = now
            hole = state.deal.hole[seat]
            lost += probability * found(now.betting, now.board, hole, taken)
    own = sum(p * float(state.payoffs()[seat]) for p, state in every_hand(game, (policy, policy)))
    assert lost == pytest.approx(own - won, abs=1e-9)
    assert abs(own - won) > 1e-3  # else the test could not fail


@pytest.mark.parametrize("agent", ["random", "strategy"])
def test_values_equal_enumeration_in_leduc(agent: str) -> None:
    policy: Policy = (
        Remembered(LEDUC, seed=3)
        if agent == "random"
        else small_agent(LEDUC, "limit", "det-arith", seed=4)
    )
    valuer = Valuer(LEDUC, policy)
    checked = 0
    for betting, board in (("", ()), ("r", ()), ("cr", ()), ("rc/", (3,)), ("rc/r", (5,))):
        cards = tuple(LEDUC.deck[number] for number in board)
        state = parse_betting(LEDUC, betting, deal=Deal(((), ()), cards))
        for hole in ((LEDUC.deck[0],), (LEDUC.deck[4],)):
            values = valuer.values(state, hole, taken=CALL, rng=np.random.default_rng(0))
            if values.range_assumed:
                continue
            for action, value in zip(values.actions, values.values, strict=True):
                expected = action_value(state, hole, action, valuer.policy)
                assert value == pytest.approx(expected, abs=1e-9), (betting, hole, action)
                checked += 1
    assert checked >= 12


def test_a_bet_that_the_tree_lacks_is_read() -> None:
    agent = small_agent(NOLIMIT_LEDUC, "fcpa", "rand-pshar", seed=5)
    completed = CompletedPolicy(agent)
    start = State.start(NOLIMIT_LEDUC, Deal(((), ()), ()))
    raises = [a for a in range(start.min_raise_to, start.max_raise_to) if a > CALL]
    known = {a for a in agent.probabilities(start)[0] if a > CALL}
    odd = next(a for a in raises if a not in known)
    state = start.apply(odd)
    assert not agent.reach(state, start.actor).any()
    assert completed.reach(state, start.actor).any()


def test_where_the_agent_has_reach_it_is_asked_itself() -> None:
    agent = synthetic_agent("rand-pshar")
    completed = CompletedPolicy(agent)
    deal = Deal(((), ()), parse_cards("2s7dKh9cTh"))
    for betting in ("", "r300", "r300c/", "r300c/r500", "r300c/cr700c/", "r300c/cr700c/cc/r900"):
        state = parse_betting(HOLDEM, betting, deal=deal)
        here = agent.reach(state, state.actor) > 0
        actions, shares = agent.probabilities(state)
        every, found = completed.probabilities(state)
        columns = [every.index(action) for action in actions]
        np.testing.assert_allclose(found[here][:, columns], shares[here], atol=1e-12)
        for seat in (0, 1):
            if agent.reach(state, seat).any():
                np.testing.assert_allclose(completed.reach(state, seat), agent.reach(state, seat))


def valued(
    kind: type[Valuer], agent: StrategyAgent, betting: str, taken: Action, board: str
) -> ActionValues:
    state = parse_betting(HOLDEM, betting, deal=Deal(((), ()), parse_cards(board)))
    hole = tuple(sorted(parse_cards("AsKs")))
    return kind(HOLDEM, agent).values(state, hole, taken=taken, rng=np.random.default_rng(0))


@pytest.mark.parametrize("translation", ["rand-pshar", "polaris-soft+aa"])
@pytest.mark.parametrize(
    ("betting", "taken"), [("r300c/cr900c/cc/", 1300), ("r300c/cr700c/r2000c/r5000", CALL)]
)
def test_plans_and_asking_agree_on_the_river(translation: str, betting: str, taken: int) -> None:
    agent = synthetic_agent(translation)
    first, second = (
        valued(kind, agent, betting, taken, "2s7dKh9cTh") for kind in (Valuer, AlwaysAsked)
    )
    assert first.exact
    np.testing.assert_allclose(first.values, second.values, rtol=1e-9)
    folded = parse_betting(HOLDEM, betting)
    if FOLD in first.actions:
        assert first.values[0] == pytest.approx(-folded.spent[folded.actor])


@pytest.mark.slow
def test_drawn_boards_agree_with_all_of_them() -> None:
    agent = synthetic_agent("rand-pshar")
    state = parse_betting(HOLDEM, "r300c/", deal=Deal(((), ()), parse_cards("2s7dKh")))
    hole = tuple(sorted(parse_cards("AsKs")))

    def found(boards: int, seed: int) -> ActionValues:
        valuer = Valuer(HOLDEM, agent, boards)
        return valuer.values(state, hole, taken=900, rng=np.random.default_rng(seed))

    many, error = found(3000, 1).loss(900)
    assert error is not None
    for seed in range(2, 8):
        few, wide = found(64, seed).loss(900)
        assert wide is not None
        assert abs(few - many) < 4 * np.hypot(error, wide)


def test_games_without_a_review() -> None:
    with pytest.raises(DoyleError, match="two players"):
        Valuer(Game.named("kuhn-3p"), Remembered(KUHN, seed=1))
    with pytest.raises(DoyleError, match="boards"):
        Valuer(HOLDEM, synthetic_agent("rand-pshar"), 1)
