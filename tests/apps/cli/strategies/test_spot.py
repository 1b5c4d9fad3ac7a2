"""`doyle spot` as a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.apps.cli import main

SPOT = (
    "spot", "--board", "Ks7h4d2cJs", "--ranges", "QQ+,AKs", "22+,A2s+", "--pot", "200",
    "--stacks", "800", "--betting", "fcpa",
)  # fmt: skip


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SPOT, "--target", "0.3%", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["exploitability_percent_of_pot"] <= 0.3
    assert sorted(document["root"]["actions"]) == ["c", "r300", "r900"]
    assert sum(document["root"]["frequencies"]) == pytest.approx(1.0, abs=1e-5)
    assert len(document["root"]["values"]) == 3
    for name in ("value", "iterations", "seconds", "memory_bytes"):
        assert document[name] is not None


def test_saved_shown_and_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder, figure = tmp_path / "spot", tmp_path / "grid.png"
    arguments = [*SPOT, "--target", "1%", "--save", str(folder), "--plot", str(figure)]
    assert main([*arguments, "--output", str(tmp_path / "spot.html")]) == 0
    page = (tmp_path / "spot.html").read_text()
    assert "Ks7h4d2cJs" in page
    assert "After c: seat 1" in page
    assert "classes by value" in page
    assert "exploitability" in capsys.readouterr().out
    assert figure.read_bytes()[:4] == b"\x89PNG"
    assert main(["spot", "show", str(folder), "--history", "c", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["seat"] == 1
    assert "JJ" in shown["by_class"]
    (tmp_path / "lock.json").write_text(json.dumps(shown))
    locked = [*SPOT, "--target", "1%", "--lock", f"@{tmp_path / 'lock.json'}", "--json"]
    assert main(locked) == 0
    assert json.loads(capsys.readouterr().out)["locks"] == [f"@{tmp_path / 'lock.json'}"]


def test_checkpoints_are_resumed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = ["--checkpoint", str(tmp_path / "kept")]
    assert main([*SPOT, "--iterations", "20", *folder]) == 0
    capsys.readouterr()
    assert main([*SPOT, "--iterations", "50", *folder]) == 2
    assert "holds the checkpoint of an earlier solve" in capsys.readouterr().err
    assert main([*SPOT, "--iterations", "50", "--resume", "--json", *folder]) == 0
    resumed = json.loads(capsys.readouterr().out)
    assert main([*SPOT, "--iterations", "50", "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert resumed["iterations"] == 50
    assert resumed["root"] == whole["root"]
    assert resumed["exploitability_percent_of_pot"] == whole["exploitability_percent_of_pot"]


def test_ranges_from_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "first.txt").write_text("QQ+,AKs\n")
    arguments = list(SPOT)
    arguments[4] = f"@{tmp_path / 'first.txt'}"
    assert main([*arguments, "--iterations", "10", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["spot"]["ranges"][0] == "QQ+,AKs"
    assert document["iterations"] == 10


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (("--target", "x"), "expected a percentage"),
        (("--stacks", "²"), "expected chips at character 1"),
        (("--memory", "nan"), "--memory nan: expected a number of GB above 0"),
        (("--stacks", "8x"), "expected chips at character 1"),
        (("--stacks", "800,900,1"), "one or two stacks"),
        (("--lock", "r7=c"), "no such action"),
        (("--precision", "tiny"), "precision 'tiny'"),
        (("--solver", "lp"), "solver 'lp'"),
        (("--memory", "0.0000001"), "shrink"),
        (("--plot", "grid.txt"), "--plot grid.txt: the name must end in .png, .svg, .pdf"),
        (("--iterations", "0"), "at least 1"),
        (("--resume",), "--resume: needs --checkpoint FOLDER"),
        (("--save", "x", "--checkpoint", "x"), "--save and --checkpoint: both x"),
        (
            ("--ranges", "QQ+,AKx", "22+"),
            "range 'QQ+,AKx': expected '+', '-', ':' or the end of this item at character 7",
        ),
        (
            ("--ranges", "AA", "KsKd,AsAd"),
            "KsKd shares a card with the board Ks7h4d2cJs at character 1",
        ),
        (("--ranges", "KsJs", "22+"), "shares a card with the board"),
        (("--ranges", "@/nowhere", "22+"), "--ranges @/nowhere: no such file"),
        (("--board", "Ks7h4d2cKs"), "Ks appears twice at character 9"),
        (("--board", "Ks7h"), "2 cards; a spot starts"),
        (("--board", "Ks7h4d2cZs"), "at character 9"),
        (("--pot", "201"), "pot 201: both seats have put in the same"),
        (("--pot", "0"), "pot: 0 chips; expected a number from 1"),
        (("--pot", "4", "--big-blind", "100"), "smaller than two big blinds"),
        (("--lock", "cr300c/r5=c"), "at character"),
        (("--lock", "cc=c"), "the hand is over"),
        (("--lock", "c=c@KsKd,ZZ"), "at character"),
        (("--betting", "fcpa,turn=fcpa"), "the spot starts after the turn at character 6"),
        (("--betting", "fcpa|fcx"), "at character 8"),
        (("--state", "MATCHSTATE:0:0:cc/:|/8c8d5c"), "--state has its own board"),
        (("--agents", "a", "b"), "--agents needs --state"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], extra: tuple[str, ...], message: str
) -> None:
    assert main([*SPOT, *extra]) == 2
    captured = capsys.readouterr()
    assert message in captured.err.splitlines()[0]
    assert captured.out == ""


STATE = "MATCHSTATE:0:7:cr300c/cc/cr600:AsKd|/Td9d6h/Qc"


def test_a_moment_of_a_hand(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["spot", "--state", STATE, "--ranges", "QQ+,AK", "TT+,JTs", "--iterations", "20"]
    assert main([*arguments, "--game", "holdem-nl-200bb", "--betting", "fca", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["spot"]["pot"] == 900
    assert document["root"]["actions"] == ["f", "c", "r20000"]
    assert document["root"]["seat"] == 0
    assert document["hand"]["cards"] == "AsKd"
    assert sum(document["hand"]["frequencies"]) == pytest.approx(1.0, abs=1e-5)
    assert main([*arguments, "--game", "holdem-nl-200bb", "--betting", "fca"]) == 0
    assert "AsKd: fold" in capsys.readouterr().out


def test_ranges_of_agents(capsys: pytest.CaptureFixture[str]) -> None:
    line = "MATCHSTATE:0:7:cr300c/cc/cc/:|/Td9d6h/Qc/2s"
    arguments = ["spot", "--state", line, "--agents", "random", "random", "--json"]
    arguments += ["--game", "holdem-nl-200bb", "--betting", "fca", "--iterations", "10"]
    assert main(arguments) == 0
    ranges = json.loads(capsys.readouterr().out)["spot"]["ranges"]
    assert ranges == ["random", "random"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--state", STATE, "--ranges", "AA", "KK"), "--state with --ranges needs --game"),
        (("--state", STATE, "--game", "leduc"), "either --agents or --ranges"),
        (("--state", STATE, "--ranges", "AA", "KK", "--game", "leduc"), "--state"),
        (("--state", "MATCHSTATE:0:7:cr300c/x:|/8c8d5c", "--ranges", "AA", "KK", "--game",
          "holdem-nl-200bb"), "at character"),
        (("--state", "MATCHSTATE:0:7:cr300:AsKd|", "--ranges", "AA", "KK", "--game",
          "holdem-nl-200bb"), "before the flop"),
        (("--state", STATE, "--agents", "nobody", "always-call", "--game", "holdem-nl-200bb"),
         "agent 'nobody'"),
        (("--state", STATE, "--agents", "random", "always-fold", "--game", "holdem-nl-200bb"),
         "range 2: always-fold never reaches 'cr300c/cc/cr600' in seat 1"),
    ],
)  # fmt: skip
def test_bad_moments_are_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert main(["spot", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err.splitlines()[0]
    assert captured.out == ""


def test_what_is_missing_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spot", "--board", "Ks7h4d2cJs"]) == 2
    assert "--ranges is missing" in capsys.readouterr().err
    assert main(["spot", "show", "/nowhere"]) == 2
    assert "no solved spot" in capsys.readouterr().err
