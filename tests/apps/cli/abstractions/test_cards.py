"""`doyle cards`: errors that point, lists, and (slowly) everything on the full game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.apps.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("command", ["build", "show"])
def test_broken_notation_exits_2_with_a_caret(
    command: str, capsys: pytest.CaptureFixture[str], fresh_cache: Path
) -> None:
    code, out, err = run(capsys, "cards", command, "ir169.64.q8.8")
    assert code == 2
    assert out == ""
    assert "expected a number of buckets at character 10" in err
    assert err.splitlines()[-2:] == ["ir169.64.q8.8", "         ^"]


@pytest.mark.parametrize(
    ("hole", "board", "message"),
    [
        ("AsK", "", "expected a suit"),
        ("AsKdQc", "", "expected two cards, found 3"),
        ("AsKd", "Qh7c", "expected 0, 3, 4 or 5 cards, found 2"),
        ("AsKd", "AsKdQc", "KdAs is among the hole cards too"),
    ],
)
def test_bad_hands_exit_2(
    hole: str, board: str, message: str, capsys: pytest.CaptureFixture[str], fresh_cache: Path
) -> None:
    code, out, err = run(capsys, "cards", "bucket", "8.8.8.8", "--hole", hole, "--board", board)
    assert (code, out) == (2, "")
    assert message in err


def test_list_names_published_abstractions(
    capsys: pytest.CaptureFixture[str], fresh_cache: Path
) -> None:
    code, out, _ = run(capsys, "cards", "list", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["cached"] == []
    assert {"ir169.64.8.8", "potential-8-12-4-4"} <= {item["spec"] for item in document["named"]}


def test_every_listed_name_reads() -> None:
    from doyle.abstractions.cards.registry import NAMED, describe

    by_totals = {
        "potential-12-25-6-6": "potential-12-300-1800-10800",
        "potential-8-12-4-4": "potential-8-96-384-1536",
        "potential-8-4-3-3": "potential-8-32-96-288",
        "gs3-8-12-4-4": "gs3-8-96-384-1536",
    }
    for name, source in NAMED:
        assert describe(name).parameters["spec"] == by_totals.get(name, name)
        assert source


@pytest.mark.slow
def test_commands_on_the_full_game(
    capsys: pytest.CaptureFixture[str], fresh_cache: Path, tmp_path: Path
) -> None:
    from doyle.abstractions.cards import build
    from doyle.cards import parse_cards

    spec = "ir169.ir10.ir10.10"
    code, out, _ = run(capsys, "cards", "build", spec, "--json")
    assert code == 0
    assert json.loads(out)["sequences"] == [169, 10, 10, 10]
    figure = tmp_path / "figure.svg"
    code, out, _ = run(capsys, "cards", "show", spec, "--plot", str(figure), "--json")
    document = json.loads(out)
    assert [(row["buckets"], row["sequence_count"]) for row in document["rounds"]] == [
        (169, 169),
        (10, 10),
        (10, 10),
        (10, 10),
    ]
    assert all(sum(row["masses"]) == pytest.approx(1.0) for row in document["rounds"])
    assert len(document["preflop_grid"]) == 13
    assert figure.stat().st_size > 10_000
    code, out, _ = run(
        capsys, "cards", "bucket", spec, "--hole", "AsKd", "--board", "Qh7c2d", "--json"
    )
    found = json.loads(out)
    flop = parse_cards("Qh7c2d")
    assert found["bucket"] == build(spec).bucket(1, parse_cards("KdAs"), flop[::-1])
    assert (found["hs"], found["ehs"], found["ehs2"]) == pytest.approx(
        (0.596207, 0.556467, 0.354976), abs=1e-6
    )
    code, out, _ = run(capsys, "cards", "compare", spec, "ir169.ir20.ir10.10", "--json")
    rounds = json.loads(out)["rounds"]
    assert [row["second_refines_first"] for row in rounds] == [True, True, True, True]
    code, out, _ = run(capsys, "cards", "list", "--json")
    assert spec in {item["spec"] for item in json.loads(out)["cached"]}
