"""Agents that remember: hands in order, memories reset between seatings, pure agents unchanged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from doyle.agents import Random
from doyle.base.workers import Workers
from doyle.games import Game, remembers
from doyle.games.histories import Hand, read_log
from doyle.matches import Apart, play_league, play_match
from doyle.testing import check_agent
from tests.matches.remembering_agents import Counting, Dicing, Passing

HOLDEM = Game.named("holdem-nl-200bb")
LEDUC = Game.named("leduc")


def logged(path: Path) -> list[Hand]:
    return [hand for hand in read_log(path, HOLDEM, check=True) if isinstance(hand, Hand)]


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("workers", [1, 2])
def test_an_agent_that_counts_hands_sees_all_of_them_in_each_seating(
    workers: int, apart: bool, tmp_path: Path
) -> None:
    path = tmp_path / "match.log"
    agent = Apart(Counting()) if apart else Counting()
    agents = [agent, "always-call"]
    result = play_match(HOLDEM, agents, hands=90, seed=4, log=path, workers=Workers(workers))
    assert result.forfeits == ()
    hands = logged(path)
    assert [hand.number for hand in hands] == list(range(180))
    seat = [hand.players.index("counting") for hand in hands]
    assert seat == [0] * 90 + [1] * 90
    # In the second seating it acts first and bets what it has counted: 0, 1, ..., 89.
    opened = [hand.state.betting[0][0] for hand in hands[90:]]
    assert opened == [200 + count for count in range(90)]


def test_the_result_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    logs = []
    for count in (1, 2):
        path = tmp_path / f"{count}.log"
        agents = [Dicing(), "random"]
        play_match(HOLDEM, agents, hands=100, seed=9, log=path, workers=Workers(count))
        logs.append(path.read_bytes())
    assert logs[0] == logs[1]


def test_each_seating_is_also_what_a_match_of_that_seating_alone_would_be(tmp_path: Path) -> None:
    """What is remembered from the first half has no effect on the second."""
    twice = play_match(HOLDEM, [Dicing(), "always-call"], hands=60, seed=2)
    swapped = play_match(HOLDEM, ["always-call", Dicing()], hands=60, seed=2)
    assert np.array_equal(twice.units[:, 0], swapped.units[:, 1])


def test_two_players_do_not_share_a_memory() -> None:
    agent = Dicing()
    same = play_match(HOLDEM, [agent, agent], hands=50, seed=5)
    apart = play_match(HOLDEM, [Dicing(), Dicing()], hands=50, seed=5)
    assert np.array_equal(same.units, apart.units)
    # The dice belong to the position, so even these tie exactly.
    assert not same.units.any()


@pytest.mark.parametrize("duplicate", [True, False])
def test_pure_agents_play_the_same_hands_in_either_order(duplicate: bool, tmp_path: Path) -> None:
    sets = []
    for name, agent in (("pure", Random()), ("passing", Passing(Random(), "random"))):
        path = tmp_path / name
        play_match(HOLDEM, [agent, "always-call"], hands=80, seed=6, log=path, duplicate=duplicate)
        sets.append({(hand.state, hand.players) for hand in logged(path)})
    assert sets[0] == sets[1]
    assert len(sets[0]) == (160 if duplicate else 80)


def test_three_players_and_leagues() -> None:
    game = Game.named("holdem-limit-3p")
    result = play_match(game, [Counting(), "always-call", "random"], hands=10, seed=1)
    assert result.forfeits == ()
    assert not result.units.sum(axis=1).any()
    league = play_league(LEDUC, [Counting(), "random", "always-raise"], hands=30, seed=1)
    assert len(league.matches) == 3
    assert all(match.forfeits == () for match in league.matches.values())


def test_the_check_of_agents_takes_those_that_remember() -> None:
    assert remembers(Counting())
    assert not remembers(Random())
    agent = Counting()
    assert check_agent(agent, LEDUC, hands=12) >= 24
    assert agent.hands == 12


class FailsAtTheEnd(Counting):
    def hand_over(self, view: object) -> None:
        raise ZeroDivisionError


def test_failing_at_the_end_of_a_hand_forfeits_what_comes_after() -> None:
    result = play_match(HOLDEM, [FailsAtTheEnd(), "always-all-in"], hands=4, seed=1)
    assert [(f.hand, f.reason) for f in result.forfeits] == [(0, "ZeroDivisionError")]
    folded = play_match(HOLDEM, ["always-fold", "always-all-in"], hands=4, seed=1)
    assert np.array_equal(result.units[1:], folded.units[1:])


def test_progress_is_reported_while_a_seating_is_played() -> None:
    seen: list[tuple[int, int]] = []
    play_match(
        LEDUC,
        [Counting(), "always-call"],
        hands=40,
        progress=lambda label, done, total: seen.append((done, total)),
    )
    assert seen[-1] == (80, 80)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
