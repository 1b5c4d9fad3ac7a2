"""Agents that play apart: whatever they do to their process, the match and its document go on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.games import Game
from doyle.matches import Apart, MatchResult, apart, play_match
from doyle.matches.play import Forfeit
from tests.matches.attacking_agents import ATTACKS, Attacking, factory
from tests.matches.failing_agents import Crashing, Dying, Hanging, Slow, keys_of_deal
from tests.matches.remembering_agents import Counting
from tests.plugins import install_plugins

HOLDEM = Game.named("holdem-nl-200bb")
KUHN = Game.named("kuhn")


@pytest.fixture(autouse=True)
def short_practice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "PRACTICE_LIMIT", 1.0)


def attack(name: str, *, workers: int = 1) -> MatchResult:
    """A match against an attacking agent, limited to a second an action and 1 GiB of memory."""
    agent = Apart(Attacking(ATTACKS[name][0]), memory=1 << 30)
    return play_match(
        KUHN, [agent, "always-raise"], hands=5, time_limit=1.0, workers=Workers(workers)
    )


@pytest.mark.parametrize("name", [name for name in ATTACKS if name != "hang-in-c"])
def test_no_attack_ends_the_match(name: str) -> None:
    result = attack(name)
    reason = ATTACKS[name][1]
    expected = () if reason is None else (Forfeit(player=0, hand=3, reason=reason),)
    assert result.forfeits == expected
    assert result.hands == 5
    assert not result.units.sum(axis=1).any()


def test_an_attack_is_the_same_with_two_workers() -> None:
    one, two = (attack("hang-in-c", workers=count) for count in (1, 2))
    assert one.forfeits == two.forfeits == (Forfeit(0, 3, "took longer than 1 s"),)
    assert np.array_equal(one.units, two.units)


def test_the_document_of_the_command_is_whole_whatever_a_plugin_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    names = ("print-much", "leave")
    install_plugins(tmp_path, monkeypatch, {name: factory(name) for name in names})
    assert main(["match", "kuhn", *names, "--hands", "6", "--json", "--workers", "1"]) == 0
    captured = capfd.readouterr()
    document = json.loads(captured.out)
    assert [forfeit["reason"] for forfeit in document["forfeits"]] == ["its process died"]
    assert "xxxx" in captured.err


def test_forfeits_stand_in_the_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install_plugins(tmp_path, monkeypatch, {"leave": factory("leave")})
    assert main(["match", "kuhn", "leave", "always-call", "--hands", "6", "--workers", "1"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "attacking forfeited: attacking - always-call, from hand 3 on: its process died" in shown


def test_an_agent_that_hangs_in_practice_is_not_waited_for_again() -> None:
    start = time.monotonic()
    agents = [Apart(Hanging()), "always-raise"]
    result = play_match(HOLDEM, agents, hands=50, seed=1, time_limit=0.2)
    assert result.forfeits == (Forfeit(player=0, hand=0, reason="took longer than 0.2 s"),)
    assert result.mbb_per_hand(0).mean == -750
    assert time.monotonic() - start < 30


def test_practice_costs_an_agent_no_time() -> None:
    """Its first action of all takes longer than the limit, as compiling does."""
    result = play_match(KUHN, [Apart(SlowAtFirst()), "always-raise"], hands=4, time_limit=0.3)
    assert result.forfeits == ()


class SlowAtFirst:
    name = "slow-at-first"

    def __init__(self) -> None:
        self.asked = False

    def act(self, view: Any) -> int:
        if not self.asked:
            self.asked = True
            time.sleep(0.6)
        return 1


def test_a_pure_agent_plays_the_same_apart() -> None:
    keys = keys_of_deal(HOLDEM, seed=1, deal=70)
    result = play_match(HOLDEM, ["always-raise", Apart(Dying(keys))], hands=150, seed=1)
    assert result.forfeits == (Forfeit(player=1, hand=70, reason="its process died"),)
    inside = play_match(HOLDEM, ["random", "always-raise"], hands=100, seed=3)
    outside = play_match(HOLDEM, [Apart("random"), "always-raise"], hands=100, seed=3)
    assert np.array_equal(inside.units, outside.units)


def test_memory_is_reset_between_seatings_even_if_the_agent_does_not() -> None:
    result = play_match(KUHN, [Apart(NeverStarts(), memory=1 << 30), "always-call"], hands=7)
    assert result.forfeits == ()
    assert result.illegal_actions == (0, 0)


class NeverStarts(Counting):
    """Keeps what it remembers when a match starts, and fails if it remembers a match before it."""

    def start(self, game: Game, rng: np.random.Generator) -> None:
        if self.hands:
            raise RuntimeError("an earlier seating is still remembered")


def test_an_agent_that_cannot_be_sent_is_refused_in_one_line() -> None:
    with pytest.raises(DoyleError, match="define its class in a module"):
        play_match(KUHN, [Apart(Attacking(lambda: 1)), "always-call"], hands=1)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("tests.agents.test_resolve:make_nothing", "which has no `name` and `act"),
        ("tests.agents.test_resolve:make_trouble", "RuntimeError: no strategy for kuhn"),
        ("no_such_module:make", "ModuleNotFoundError"),
        ("tests.matches.attacking_agents:leave_at_once", "its process died"),
    ],
)
def test_plugins_that_cannot_load_are_refused(
    value: str,
    problem: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    install_plugins(tmp_path, monkeypatch, {"theirs": value})
    assert main(["match", "kuhn", "theirs", "always-call", "--hands", "2"]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("doyle: agent 'theirs'")
    assert captured.err.count("\n") == 1
    assert problem in captured.err


def test_nothing_is_left_running(tmp_path: Path) -> None:
    """Not even what a forked copy or a thread of the agent keeps alive."""
    mark = f"doyle-test-{os.getpid()}"
    script = (
        "from doyle.games import Game\n"
        "from doyle.matches import Apart, play_match\n"
        "from tests.matches.attacking_agents import ATTACKS, Attacking\n"
        "agents = [Apart(Attacking(ATTACKS[name][0])) for name in ('fork', 'start-threads')]\n"
        "play_match(Game.named('kuhn'), agents, hands=5, time_limit=2.0)\n"
    )
    environment = os.environ | {"DOYLE_TEST_MARK": mark}
    done = subprocess.run([sys.executable, "-c", script], env=environment, timeout=60, check=False)
    assert done.returncode == 0
    assert _marked(mark) == []


def test_killing_the_match_ends_its_agents(tmp_path: Path) -> None:
    mark = f"doyle-test-killed-{os.getpid()}"
    script = (
        "from doyle.games import Game\n"
        "from doyle.matches import Apart, play_match\n"
        "from tests.matches.failing_agents import Slow\n"
        "agents = [Apart(Slow(60.0)), 'always-call']\n"
        "play_match(Game.named('kuhn'), agents, hands=5, time_limit=100.0)\n"
    )
    environment = os.environ | {"DOYLE_TEST_MARK": mark}
    match = subprocess.Popen([sys.executable, "-c", script], env=environment)
    _wait_until(lambda: len(_marked(mark)) == 2)
    time.sleep(1.0)  # the agent has loaded and is at its first action, or about to be
    match.kill()
    match.wait()
    _wait_until(lambda: not _marked(mark))
    assert _marked(mark) == []


def _marked(mark: str) -> list[int]:
    """The processes whose environment carries the mark, zombies aside."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if f"DOYLE_TEST_MARK={mark}\0".encode() in environment:
                found.append(int(entry.name))
    return found


def _wait_until(condition: Any, seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)


def test_crashes_apart_are_named_as_inside() -> None:
    result = play_match(KUHN, [Apart(Crashing(error=KeyError)), "always-call"], hands=2)
    assert result.forfeits == (Forfeit(player=0, hand=0, reason="KeyError"),)


def test_slow_agents_apart_are_not_waited_for() -> None:
    start = time.monotonic()
    result = play_match(HOLDEM, [Apart(Slow(30.0)), "always-raise"], hands=3, time_limit=0.1)
    assert result.forfeits == (Forfeit(player=0, hand=0, reason="took longer than 0.1 s"),)
    assert time.monotonic() - start < 20
