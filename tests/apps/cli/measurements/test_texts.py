"""What the commands that measure say to people, and that they refuse in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from doyle.apps.cli import main
from doyle.apps.cli.common import output
from doyle.apps.cli.measurements.report import page_name
from tests.apps.cli.refusals import refused


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


@pytest.fixture
def log(tmp_path: Path) -> str:
    """Hands of two baselines in Leduc."""
    path = tmp_path / "leduc.log"
    arguments = ["match", "leduc", "random", "always-raise", "--hands", "20", "--no-duplicate"]
    assert main([*arguments, "--log", str(path), "--json"]) == 0
    return str(path)


def test_a_raise_of_a_limit_game_is_not_all_in(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "lbr", "always-call", "--game", "leduc")
    assert "all-in" not in text
    assert "933.3  preflop\n" in text
    assert "interval" not in text  # every deal was counted
    document = json.loads(told(capsys, "lbr", "always-call", "--game", "kuhn", "--json"))
    assert not any(row["all_in"] for row in document["by_first_raise"])


def test_exact_zero_has_no_sign(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "match", "kuhn", "always-call", "random", "--exact-hands")
    assert "on 1 board, every board" in text
    assert "-0.0" not in text
    text = told(capsys, "match", "kuhn", "always-call", "random", "--exact-hands", "--json")
    assert "-0.0" not in text


@pytest.mark.parametrize(
    "arguments",
    [
        ("match", "kuhn", "random", "random"),
        ("match", "kuhn", "random", "random", "--until-decided"),
        ("match", "kuhn", "random", "random", "--exact-hands"),
        ("lbr", "random", "--game", "kuhn"),
    ],
)
def test_more_than_can_be_played_is_refused_at_once(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    error = refused(capsys, *arguments, "--hands", "99999999999999999999")
    assert "not 99,999,999,999,999,999,999" in error


def test_all_hands_of_a_log_and_one(capsys: pytest.CaptureFixture[str], log: str) -> None:
    capsys.readouterr()
    every = told(capsys, "evaluate", log, "--agent", "random")
    assert every == told(capsys, "evaluate", log, "--agent", "random", "--hands", "9" * 25)
    one = told(capsys, "evaluate", log, "--agent", "random", "--hands", "1")
    assert "mbb/h (too few for an interval)" in one
    assert "sd" not in one
    document = json.loads(
        told(capsys, "evaluate", log, "--agent", "random", "--hands", "1", "--json")
    )
    assert document["estimate"]["sd_mbb"] is None


def test_more_noise_is_called_more(capsys: pytest.CaptureFixture[str], log: str) -> None:
    capsys.readouterr()
    arguments = ("--method", "importance", "--agent", "random", "--target", "always-raise")
    text = told(capsys, "evaluate", log, *arguments)
    document = json.loads(told(capsys, "evaluate", log, *arguments, "--json"))
    assert document["sd_reduction"] < 0
    assert "% more" in text
    assert "-" not in text.rpartition("standard deviation")[2]


def test_a_player_who_is_not_in_the_log(capsys: pytest.CaptureFixture[str], log: str) -> None:
    capsys.readouterr()
    error = refused(capsys, "evaluate", log, "--agent", "bob=always-call")
    assert "no player is called 'bob'; it has random and always-raise" in error
    cut = Path(log).with_name("cut.log")
    cut.write_text(Path(log).read_text().rpartition("SCORE")[0].rstrip()[:-3])
    error = refused(capsys, "evaluate", str(cut), "--agent", "random")
    assert "was played by" in error


def test_parquet_is_not_written_as_another_format(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder, file = str(tmp_path / "kept"), tmp_path / "hands.csv"
    assert main(["match", "kuhn", "random", "random", "--hands", "5", "--results", folder]) == 0
    capsys.readouterr()
    assert "must end in .parquet" in refused(capsys, "results", "export", folder, str(file))
    assert not file.exists()


def test_names_and_numbers_are_whole_on_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    agents = ("street-bettor-0.33", "street-bettor-0.5")
    text = told(capsys, "match", "holdem-nl-20bb", *agents, "--hands", "20")
    assert "…" not in text


def test_reports_of_exploiters_have_files_of_their_own() -> None:
    names = {
        page_name(f"{kind}default")
        for kind in (
            "",
            "size-tell:",
            "reverse-size-tell:",
            "one-chip-tell:",
            "reverse-one-chip-tell:",
        )
    }
    assert len(names) == 5
    assert not any(name.startswith(("-", ".")) for name in names)


@pytest.mark.parametrize(
    ("agent", "problem"),
    [
        ("", "an agent's name is empty"),
        ("size-tell:", "'' names no strategy"),
        ("starter:purification=full", "'starter' takes no options"),
        ("qqq", "no such agent; `doyle agents list` names all"),
    ],
)
def test_texts_that_name_no_agent(
    capsys: pytest.CaptureFixture[str], agent: str, problem: str
) -> None:
    assert problem in refused(capsys, "lbr", agent)


@pytest.mark.parametrize("agent", ["size-tell:default-small", "defensive-coach:a:then:b", "random"])
def test_agents_without_a_strategy_exist(capsys: pytest.CaptureFixture[str], agent: str) -> None:
    error = refused(capsys, "explain", agent, "--state", "MATCHSTATE:1:0::|AsKd")
    assert "has no strategy to explain" in error


def test_the_plot_of_a_sampled_response_needs_losses(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = ("exploit", "always-call", "--game", "holdem-nl-20bb", "--betting", "fcpa")
    error = refused(capsys, *arguments, "--plot", str(tmp_path / "x.png"))
    assert "add --loss" in error


def test_what_is_not_known_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    document: dict[str, Any] = {"a": float("nan"), "b": [1.0, float("inf")], "c": "nan"}
    output(document, as_json=True, text=lambda: None)
    assert json.loads(capsys.readouterr().out) == {"a": None, "b": [1.0, None], "c": "nan"}
