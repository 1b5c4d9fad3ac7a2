"""Logs as artifacts: made once, part by part, the same whatever interrupts them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.experiments.training import Lesson, LogRequest, league_winners, logs, make_log
from doyle.games import Game
from doyle.games.histories import Score, read_log
from doyle.matches import match
from tests.experiments.training.experts_of_no_strength import save_random, use_rank_cards


@pytest.fixture
def expert(fresh_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    use_rank_cards(monkeypatch)
    monkeypatch.setattr(logs, "FAST_PART_DEALS", 40)
    monkeypatch.setattr(logs, "PART_DEALS", 10)
    monkeypatch.setattr(match, "LEAST_FAST_DEALS", 1)
    return save_random(tmp_path / "expert")


def test_a_log_is_whole_and_made_once(expert: str, monkeypatch: pytest.MonkeyPatch) -> None:
    request = LogRequest("holdem-limit-2p", (expert, expert), 100, seed=7)
    log = make_log(request)
    assert log.names == ("expert", "expert#2")
    assert log.hands == 200
    assert len(log.paths) == 3
    hands = list(log.read())
    assert len(hands) == 200
    assert len({hand.state.deal for hand in hands}) == 200  # no hand is played again
    assert len({hand.players for hand in hands}) == 2
    for path in log.paths:  # the score of each part is the sum of its hands
        *_, last = read_log(path, Game.named("holdem-limit-2p"))
        assert isinstance(last, Score)
    monkeypatch.setattr(logs, "_play", None)
    assert make_log(request).paths == log.paths


def test_an_interrupted_log_is_resumed(expert: str, monkeypatch: pytest.MonkeyPatch) -> None:
    request = LogRequest("holdem-limit-2p", (expert, expert), 100, seed=8)
    whole = [path.read_bytes() for path in make_log(request).paths]
    again = LogRequest("holdem-limit-2p", (expert, expert), 100, seed=8)
    monkeypatch.setattr(logs, "VERSION", 1000)  # another name in the store
    real: Any = logs._part
    played = []

    def failing(request: Any, number: int, *rest: Any) -> str:
        played.append(number)
        if len(played) == 3:
            raise KeyboardInterrupt
        return str(real(request, number, *rest))

    monkeypatch.setattr(logs, "_part", failing)
    with pytest.raises(KeyboardInterrupt):
        make_log(again)
    resumed = make_log(again)
    assert played == [0, 1, 2, 2]
    assert [path.read_bytes() for path in resumed.paths] == whole


def test_agents_that_remember_play_hand_by_hand(expert: str) -> None:
    request = LogRequest("holdem-limit-2p", (expert, "random"), 25, seed=1)
    log = make_log(request)
    assert len(log.paths) == 3
    hands = list(log.read())
    assert len(hands) == 50
    assert {name for hand in hands for name in hand.players} == {"expert", "random"}


def test_three_players_take_turns(expert: str) -> None:
    log = make_log(LogRequest("holdem-limit-3p", ("random", "random", "always-call"), 12))
    hands = list(log.read())
    assert len(log.paths) == 2
    assert len(hands) == 72
    for seat in range(3):
        assert {hand.players[seat] for hand in hands} == {*log.names}


def test_a_changed_strategy_is_another_log(expert: str) -> None:
    request = LogRequest("holdem-limit-2p", (expert, expert), 10)
    first = request.description().digest
    purified = LogRequest("holdem-limit-2p", (f"{expert}:purification=full", expert), 10)
    assert purified.description().digest != first
    save_random(Path(expert), seed=99)
    assert request.description().digest != first


def test_lessons_watch_their_experts(expert: str, tmp_path: Path) -> None:
    partner = save_random(tmp_path / "partner", seed=5)
    lesson = Lesson("holdem-limit-2p", (expert,), (partner,), deals=21)
    found = lesson.logs(workers=Workers(1))
    assert [one.experts for one in found] == [("expert", "expert#2"), ("expert",)]
    assert [one.log.hands for one in found] == [22, 20]
    assert found[1].log.names == ("expert", "partner")
    three = Lesson("holdem-limit-3p", ("always-call",), ("random",), deals=2)
    assert [agents for _, agents in three.tables()] == [
        ("always-call",) * 3,
        ("always-call", "random", "random"),
    ]


@pytest.mark.parametrize(
    ("agents", "deals", "problem"),
    [
        (("always-call",), 5, "needs 2 agents"),
        (("always-call", "random"), 0, "needs 1 to"),
        (("always-call", "nobody"), 5, "no such agent"),
    ],
)
def test_requests_that_make_no_sense(agents: tuple[str, ...], deals: int, problem: str) -> None:
    with pytest.raises(DoyleError, match=problem):
        LogRequest("holdem-limit-2p", agents, deals)


def test_winners_of_a_league() -> None:
    agents = ["always-fold", "always-call", "always-raise"]
    best = league_winners("kuhn", agents, hands=40, seed=3, count=2)
    assert "always-fold" not in best
    assert best[0] == "always-raise"  # it wins most from who always folds, and loses to the other
    assert league_winners("kuhn", agents, hands=40, seed=3, rule="instant-runoff") == best[1:]
    with pytest.raises(DoyleError, match="1 to 3"):
        league_winners("kuhn", agents, hands=4, count=4)
