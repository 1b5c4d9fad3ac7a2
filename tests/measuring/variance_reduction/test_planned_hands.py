"""AIVAT by plans of rounds: the same terms as by asking the policy at every history."""

from __future__ import annotations

from pathlib import Path

import pytest

from doyle.agents import AlwaysCall
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.errors import DoyleError
from doyle.games import Agent, Deal, Game, State
from doyle.games.histories import Hand, read_hands
from doyle.matches import play_match
from doyle.measuring.variance_reduction import planned_hands, round_plan
from doyle.measuring.variance_reduction.aivat import Aivat, Corrected
from doyle.strategy import Purified
from doyle.strategy.translation.walk import Branch
from tests.agents.synthetic import AnyBet, betting_tree, random_strategy, synthetic_agent

HOLDEM = Game.named("holdem-nl-200bb")


def in_seat(agent: StrategyAgent, seat: int) -> Aivat:
    return Aivat.of(HOLDEM, (agent, None) if seat == 0 else (None, agent))


def by_asking(agent: StrategyAgent, seat: int) -> Aivat:
    """The plain reference."""
    aivat = in_seat(agent, seat)
    aivat.__dict__["_planned"] = None
    return aivat


def hands_against(agent: StrategyAgent, other: Agent, folder: Path, *, deals: int) -> list[Hand]:
    """Hands of both seatings."""
    log = folder / "match.log"
    play_match(HOLDEM, [agent, other], hands=deals, seed=3, log=log)
    return list(read_hands(log, HOLDEM))


def check_same_terms(agent: StrategyAgent, hands: list[Hand]) -> None:
    plans, plain = ([make(agent, seat) for seat in (0, 1)] for make in (in_seat, by_asking))
    for hand in hands:
        seat = 1 - hand.players.index("any-bet")
        found, expected = plans[seat].corrected(hand.state), plain[seat].corrected(hand.state)
        assert found == pytest.approx(expected, abs=1e-9, rel=1e-12), hand.number


@pytest.mark.parametrize(
    "translation",
    ["rand-pshar", "rand-pshar+defend", "absolute", "polaris-soft+aa+cisc+ec", "polaris-nd+real"],
)
def test_terms_are_those_of_asking(translation: str, tmp_path: Path) -> None:
    agent = synthetic_agent(translation, fold_weight=0.3)
    hands = hands_against(agent, AnyBet(), tmp_path, deals=15)
    assert {0, 1, 3} <= {hand.state.round for hand in hands}
    check_same_terms(agent, hands)


def test_purified_strategies_have_the_same_terms(tmp_path: Path) -> None:
    source = random_strategy(betting_tree("fcpa", HOLDEM.name), seed=2, fold_weight=0.3)
    agent = synthetic_agent("rand-pshar", strategy=Purified(source))
    check_same_terms(agent, hands_against(agent, AnyBet(), tmp_path, deals=10))


def test_what_is_kept_may_be_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = synthetic_agent("rand-pshar", fold_weight=0.3)
    hands = hands_against(agent, AnyBet(), tmp_path, deals=10)
    monkeypatch.setattr(planned_hands, "MOST_KEPT", 100)
    check_same_terms(agent, hands)


def test_rounds_too_large_for_a_plan_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = synthetic_agent("rand-pshar", fold_weight=0.3)
    hands = hands_against(agent, AnyBet(), tmp_path, deals=6)
    root = round_plan.Writer(0, (round_plan.Columns(agent),) * 2)
    history = agent.make_cache(100).start()
    branches = (Branch(0),)
    place = round_plan.Place(history.state, (history, history), (branches, branches))
    size = len(root.plan(place).nodes)
    for most in (size, 3):  # the first round is planned and later ones are not; none is
        monkeypatch.setattr(round_plan, "MOST_NODES", most)
        check_same_terms(agent, hands)


def test_a_hand_that_plans_cover_asks_no_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = synthetic_agent("rand-pshar", fold_weight=0.3)
    hands = hands_against(agent, AlwaysCall(), tmp_path, deals=10)
    seats = [in_seat(agent, seat) for seat in (0, 1)]
    assert all(abs(aivat.expected) < HOLDEM.stacks[0] for aivat in seats)  # asks, once

    def refused(*arguments: object) -> None:
        raise AssertionError("the policy was asked")

    monkeypatch.setattr(StrategyAgent, "walk", refused)
    for hand in hands:
        seats[1 - hand.players.index("always-call")].corrected(hand.state)


def outcome(aivat: Aivat, state: State) -> Corrected | str:
    """The terms of a hand, or why it is refused."""
    try:
        return aivat.corrected(state)
    except DoyleError as error:
        return str(error)


def test_hands_that_the_agent_never_plays_are_refused() -> None:
    agent = synthetic_agent("rand-pshar")
    cards = Deal(((51, 50), (0, 5)), (10, 20, 30, 40, 45))
    refused = set()
    for action in (1, 300, 500, 20_000):
        state = State.start(HOLDEM, cards).apply(action)
        while state.actor >= 0:
            state = state.apply(1)
        for seat in (0, 1):
            expected = outcome(by_asking(agent, seat), state)
            found = outcome(in_seat(agent, seat), state)
            if isinstance(expected, str):
                refused.add(expected)
                assert found == expected
            else:
                assert found == pytest.approx(expected, abs=1e-9, rel=1e-12)
    assert any("never plays its cards like this" in text for text in refused)
    assert any("never does this" in text for text in refused)
