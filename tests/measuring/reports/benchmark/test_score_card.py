"""The benchmark: what is frozen stays frozen, cards repeat, and black boxes get one too."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.games import Game
from doyle.matches import play_match
from doyle.measuring.reports.benchmark import version_1
from doyle.measuring.reports.benchmark.score_card import score_card

FROZEN = "cf5651ba3df61054"
"""Of version 1. If this fails, make a version 2: cards that were made before would no longer compare."""


def test_version_1_is_frozen(tmp_path: Path) -> None:
    """Names, seeds, sizes, the description of the reference, and how every opponent plays."""
    game = Game.named("holdem-nl-200bb")
    parts = [
        version_1.VERSION, version_1.SEED, version_1.PROBE_SEED, version_1.POTS,
        version_1.BASELINES, version_1.SCRIPTS, version_1.REFERENCE_ITERATIONS, version_1.DEALS,
        version_1.reference_file().read_text(),
    ]  # fmt: skip
    for opponent in version_1.opponents(game):
        log = tmp_path / "match.log"
        play_match(game, [opponent, "random"], hands=12, seed=version_1.SEED, log=log)
        parts.append([line for line in log.read_text().splitlines() if line.startswith("STATE")])
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    assert (version_1.VERSION, digest[:16]) == (1, FROZEN)


def test_a_card_is_the_same_again_and_its_numbers_are_those_of_the_instruments(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = ["benchmark", "always-call", "--game", "leduc-nl12", "--hands", "60"]
    assert main([*arguments, "--json", "--output", str(tmp_path / "card.html")]) == 0
    first = json.loads(capsys.readouterr().out)
    assert (first["version"], first["agent"], first["game"]) == (1, "always-call", "leduc-nl12")
    assert [row["opponent"] for row in first["matches"]] == list(
        version_1.opponents(Game.named("leduc-nl12"))
    )
    assert all(row["ci95"] is not None for row in first["matches"])
    assert first["lbr"][0]["mbb_per_hand"] > 0
    assert sum(row["answer_count"] for row in first["probes"]["sizes"]) > 20
    assert all(row["call"] in (None, 1.0) for row in first["probes"]["sizes"])
    assert "benchmark version 1" in (tmp_path / "card.html").read_text()
    assert main([*arguments, "--workers", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == first
    assert main(arguments) == 0
    assert "a bluff wins, pots" in capsys.readouterr().out


SLOW = """
import time

class Slow:
    name = "slow"

    def __init__(self, game):
        pass

    def act(self, view):
        time.sleep(1.0)
        return 1
"""
BOX = """
from doyle.games import CALL

class Caller:
    name = "caller"

    def __init__(self, game):
        pass

    def act(self, view):
        return CALL
"""


def test_an_agent_from_a_file_has_a_card_without_a_local_best_response(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version_1, "opponents", lambda game: ("ev",))
    (tmp_path / "box.py").write_text(BOX)
    game = Game.named("leduc-nl12")
    card = score_card(f"{tmp_path}/box.py:Caller", game, deals=10)
    twin = score_card("always-call", game, deals=10)
    assert card.lbr == ()
    assert card.probes == twin.probes
    assert {row.method for row in card.matches} == {"duplicate"}


def test_the_time_limit_reaches_every_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(version_1, "opponents", lambda game: ("always-raise",))
    (tmp_path / "slow.py").write_text(SLOW)
    arguments = ["benchmark", f"{tmp_path}/slow.py:Slow", "--game", "leduc-nl12", "--hands", "10"]
    assert main([*arguments, "--time-limit", "0.05", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["matches"]
    assert "took longer than 0.05 s" in row["note"]


def test_games_without_sizes_have_no_probe() -> None:
    card = score_card("always-call", Game.named("kuhn"), deals=10)
    assert card.probes is None
    assert len(card.matches) == len(version_1.BASELINES)


def _caller(port: int, matches: int) -> None:
    """A bot that always calls, by plain sockets; it connects again for every match."""
    for _ in range(matches):
        for _attempt in range(3000):
            try:
                connection = socket.create_connection(("127.0.0.1", port), timeout=60)
                break
            except OSError:
                time.sleep(0.02)
        # It answers the last state of a match too, when nobody listens any more.
        with suppress(OSError), connection, connection.makefile("rb") as lines:
            connection.sendall(b"VERSION:2.0.0\r\n")
            for line in lines:
                connection.sendall(line.strip() + b":c\r\n")


def test_a_bot_on_the_network_has_a_card(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    count = len(version_1.BASELINES)
    bot = threading.Thread(target=_caller, args=(port, count), daemon=True)
    bot.start()
    assert main(["benchmark", f"acpc:{port}", "--game", "kuhn", "--hands", "10", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["lbr"] == []
    assert not any("note" in row for row in document["matches"])
    assert [row["opponent"] for row in document["matches"]] == list(version_1.BASELINES)
    bot.join(timeout=20)
    assert not bot.is_alive()


def test_forfeits_are_on_the_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_1, "opponents", lambda game: ("ev",))
    (tmp_path / "box.py").write_text(BOX.replace("return CALL", "raise RuntimeError"))
    card = score_card(f"{tmp_path}/box.py:Caller", Game.named("kuhn"), deals=10)
    (row,) = card.matches
    assert row.note is not None
    assert "forfeited from hand 0 on" in row.note
    assert card.document()["matches"][0]["note"] == row.note


def test_a_reference_that_was_built_further_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Built:
        class info:  # noqa: N801
            iterations = version_1.REFERENCE_ITERATIONS + 1

    monkeypatch.setattr(version_1, "agent_folder", lambda name: tmp_path)
    (tmp_path / "strategy").mkdir()
    monkeypatch.setattr(version_1, "load_strategy", lambda folder: Built)
    with pytest.raises(Exception, match="remove the folder"):
        version_1.reference_is_built()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["always-cal"], "did you mean 'always-call'"),
        (["random", "--game", "holdem-limit-3p"], "games of two players"),
        (["random", "--game", "kuhn", "--output", "card.txt"], "must end in .html"),
        (["acpc:0", "--game", "kuhn"], "a port from 1 to 65535"),
        (["random", "--game", "kuhn", "--time-limit", "nan"], "time limit must be above 0"),
        (["random", "--game", "kuhn", "--time-limit", "-1"], "time limit must be above 0"),
        (["default-small", "--game", "kuhn"], "kuhn"),
    ],
)
def test_bad_questions_are_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    assert main(["benchmark", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert problem in captured.err
    assert captured.err.count("\n") == 1
