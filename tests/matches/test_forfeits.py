"""Agents that crash, hang or answer nonsense: the stated rules, and never a broken match."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.agents import Random
from doyle.base.workers import Workers
from doyle.games import Game
from doyle.games.histories import Hand, read_log
from doyle.matches import play, play_league, play_match
from doyle.matches.chance import Dealer, as_deal
from doyle.matches.play import Forfeit
from tests.matches.failing_agents import (
    Crashing,
    CrashingOnTheFlop,
    Returning,
    Slow,
    keys_of_deal,
)

HOLDEM = Game.named("holdem-nl-200bb")


def test_a_crash_forfeits_this_hand_and_all_later_ones(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    agents = [Crashing(keys_of_deal(HOLDEM, seed=1, deal=100)), "always-raise"]
    result = play_match(HOLDEM, agents, hands=200, seed=1, log=path)
    assert result.forfeits == (Forfeit(player=0, hand=200, reason="RuntimeError"),)
    whole = play_match(HOLDEM, ["always-call", "always-raise"], hands=100, seed=1)
    folded = play_match(HOLDEM, ["always-fold", "always-raise"], hands=200, seed=1)
    assert np.array_equal(result.units[:100], whole.units)
    assert np.array_equal(result.units[100:], folded.units[100:])
    assert "# forfeit crashing hand 200: RuntimeError\n" in path.read_text()
    assert len([hand for hand in read_log(path, HOLDEM) if isinstance(hand, Hand)]) == 400


def test_a_forfeit_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    logs = []
    for count in (1, 2):
        path = tmp_path / f"{count}.log"
        agents = [
            Crashing(keys_of_deal(HOLDEM, seed=1, deal=70)),
            Crashing(keys_of_deal(HOLDEM, seed=1, deal=150), error=KeyError, name="second"),
        ]
        play_match(HOLDEM, agents, hands=400, seed=1, log=path, workers=Workers(count))
        logs.append(path.read_bytes())
    assert logs[0] == logs[1]
    assert logs[0].count(b"# forfeit") == 2


def test_what_was_bet_before_the_crash_is_lost() -> None:
    result = play_match(HOLDEM, [CrashingOnTheFlop(), "always-raise"], hands=1, seed=1)
    # First seating: it calls the least raise to 200, then folds to the bet on the flop.
    assert [forfeit.hand for forfeit in result.forfeits] == [0]
    assert result.total_chips[0] == -200 - 50


@pytest.mark.parametrize("error", [SystemExit, MemoryError, RecursionError, GeneratorExit])
def test_no_exception_gets_out(error: type[BaseException]) -> None:
    result = play_match(HOLDEM, [Crashing(error=error), "always-call"], hands=2)
    assert result.forfeits == (Forfeit(player=0, hand=0, reason=error.__name__),)


def test_the_user_can_still_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt):
        play_match(HOLDEM, [Crashing(error=KeyboardInterrupt), "always-call"], hands=2)


def stopped() -> Callable[[], float]:
    """A clock that jumps an hour each time it is read, as after a process was stopped."""
    hours = itertools.count()
    return lambda: 3600.0 * next(hours)


def test_agents_of_the_package_are_limited_in_processor_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(play, "perf_counter", stopped())
    table = play.HandRunner(HOLDEM, [Random(), Random()], time_limit=10.0)
    deal = as_deal(HOLDEM, Dealer(HOLDEM, seed=1).draw(1)[0])
    keys = [bytes([1, seat]) for seat in (0, 1)]
    table.play(deal, (0, 1), dice_keys=keys)
    assert table.forfeits == []
    monkeypatch.setattr(play, "thread_time", stopped())
    table.play(deal, (0, 1), dice_keys=keys)
    assert {forfeit.reason for forfeit in table.forfeits} == {"took longer than 10 s"}


def test_too_slow_an_agent_forfeits() -> None:
    agents = [Slow(seconds=0.2), "always-raise"]
    result = play_match(HOLDEM, agents, hands=50, seed=1, time_limit=0.1)
    assert result.forfeits == (Forfeit(player=0, hand=0, reason="took longer than 0.1 s"),)
    assert result.mbb_per_hand(0).mean == -750


@pytest.mark.parametrize(
    ("answer", "same_as"),
    [
        (0, "always-fold"),  # folding with nothing to call becomes a check
        (-5, "always-call"),
        (None, "always-call"),
        (2.5, "always-call"),
        (True, "always-call"),
        ("r200", "always-call"),
        (2, "always-raise"),  # too small: the least raise
        (10**9, "always-all-in"),  # too large: all-in
        (np.int64(1), "always-call"),
    ],
)
@pytest.mark.parametrize("name", ["holdem-nl-200bb", "holdem-limit-2p", "leduc"])
def test_illegal_actions_follow_the_dealers_rule(name: str, answer: Any, same_as: str) -> None:
    game = Game.named(name)
    result = play_match(game, [Returning(answer), "always-call"], hands=40, seed=2)
    expected = play_match(game, [same_as, "always-call"], hands=40, seed=2)
    assert np.array_equal(result.units, expected.units)
    assert result.forfeits == ()
    repaired = result.illegal_actions[0]
    assert result.illegal_actions[1] == 0
    assert (repaired == 0) == (isinstance(answer, np.int64))


def test_a_league_goes_on_without_the_failing() -> None:
    agents = [Crashing(), "always-call", Slow(seconds=0.5), "always-raise"]
    league = play_league(HOLDEM, agents, hands=20, seed=1, time_limit=0.1)
    assert len(league.matches) == 6
    assert set(league.total_bankroll.names) == {"crashing", "always-call", "slow", "always-raise"}
    failed = {
        league.names[seats[forfeit.player]]
        for seats, match in league.matches.items()
        for forfeit in match.forfeits
    }
    assert failed == {"crashing", "slow"}
    assert league.against("crashing", "always-raise").mean == -750
