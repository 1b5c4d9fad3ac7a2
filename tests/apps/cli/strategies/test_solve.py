"""`doyle solve` as a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.abstractions.betting import BettingTree
from doyle.apps.cli import main
from doyle.solving.run import Limits
from doyle.solving.solve import Method, Problem
from doyle.strategy import load_strategy


def solved(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["solve", *arguments, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_kuhn_by_linear_program(capsys: pytest.CaptureFixture[str]) -> None:
    document = solved(capsys, "kuhn", "--solver", "lp")
    assert document["value"] == pytest.approx(-1 / 18)
    assert document["infosets"] == [6, 6]
    assert document["sequences"] == [13, 13]
    assert document["iterations"] == 1


def test_leduc_to_a_target_with_csv_and_plot(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    csv, plot = tmp_path / "run.csv", tmp_path / "run.png"
    document = solved(
        capsys, "leduc", "--solver", "cfr+", "--target", "1e-3",
        "--csv", str(csv), "--plot", str(plot),
    )  # fmt: skip
    measured = document["exploitability"]
    assert isinstance(measured, dict)
    assert 0 < measured["total"] <= 1e-3
    assert sum(measured["players"]) / 2 == pytest.approx(measured["total"])
    rows = csv.read_text().splitlines()
    assert rows[0] == "iteration,seconds,exploitability"
    assert float(rows[-1].split(",")[2]) == measured["total"]
    assert plot.read_bytes()[:4] == b"\x89PNG"


def test_resuming_from_a_checkpoint(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = str(tmp_path / "keep")
    run = ("leduc", "--solver", "dcfr", "--checkpoint", folder)
    solved(capsys, *run, "--iterations", "30")
    resumed = solved(capsys, *run, "--iterations", "70", "--resume")
    whole = solved(capsys, "leduc", "--solver", "dcfr", "--iterations", "70")
    assert resumed["value"] == whole["value"]
    assert resumed["exploitability"] == whole["exploitability"]


@pytest.mark.parametrize(
    ("game", "infosets"),
    [
        ("clairvoyance:n=10", (2, 100)),
        ("clairvoyance:n=10,step=0.5", (2, 20)),
        ("clairvoyance:n=10,bets=1+10", (2, 2)),
        ("nolimit-kuhn:n=3", (3, 90)),
        ("nolimit-kuhn:n=3,fold", (3, 93)),
    ],
)
def test_games_without_a_definition(game: str, infosets: tuple[int, int]) -> None:
    assert Problem.named(game).matrix_game().information_sets() == infosets


def test_a_betting_model_makes_the_game_smaller(capsys: pytest.CaptureFixture[str]) -> None:
    document = solved(
        capsys, "leduc-nl12", "--betting", "fcpa", "--solver", "dcfr", "--target", "1e-2"
    )
    sizes = document["sequences"]
    assert isinstance(sizes, list)
    assert max(sizes) < 5000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kuhn", "--solver", "magic"], "solver 'magic': expected one of lp"),
        (["kuhn", "--target", "-1"], "target must be"),
        (["kuhn", "--target", "1", "--resume"], "--resume: needs --checkpoint"),
        (["kuhn", "--target", "1", "--plot", "x.txt"], "written as .png"),
        (["kuhn", "--target", "1", "--shards", "2"], "--shards: for external, pure, pcs"),
        (["kuhn", "--solver", "pure", "--target", "1", "--shards", "-2"], "expected 0 to 64"),
        (["clairvoyance", "--target", "1"], "no stack is given"),
        (["clairvoyance:n=1,fold", "--target", "1"], "'fold' is not an option"),
        (["leduc", "--target", "0"], "--target 0: may never be reached"),
        (["clairvoyance:n=-1", "--target", "1"], "needs a number above 0"),
        (["nolimit-kuhn:n=1,bets=2", "--target", "1"], "at most the stack"),
        (["clairvoyance:n=1", "--betting", "fcpa", "--target", "1"], "takes no betting model"),
        (["holdem-limit-2p", "--target", "1"], "card abstraction"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", *arguments]) == 2
    error = capsys.readouterr().err.strip().splitlines()
    assert message in error[-1]


def test_sampling_says_whether_threads_raced_and_counts_all_its_seconds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = str(tmp_path / "run")
    start = ("kuhn", "--solver", "external", "--checkpoint", folder)
    alone = solved(capsys, *start, "--iterations", "8192", "--workers", "1")
    assert alone["deterministic"] is True
    more = solved(capsys, *start, "--iterations", "16384", "--workers", "2", "--resume")
    assert more["deterministic"] is False
    assert more["seconds"] > alone["seconds"]  # type: ignore[operator]
    back = solved(capsys, *start, "--iterations", "20480", "--workers", "1", "--resume")
    assert back["deterministic"] is False
    assert back["seconds"] > more["seconds"]  # type: ignore[operator]


def test_shards_give_the_same_bytes_for_any_workers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    tables = []
    for workers in ("1", "2", "3"):
        folder = tmp_path / workers
        document = solved(
            capsys, "leduc", "--solver", "external", "--iterations", "8192", "--shards", "3",
            "--workers", workers, "--save", str(folder),
        )  # fmt: skip
        assert document["deterministic"] is True
        strategy = load_strategy(folder)
        tables.append(b"".join(table.tobytes() for table in strategy.tables))
    assert tables[0] == tables[1] == tables[2]


@pytest.mark.parametrize(
    ("game", "solver", "target"),
    [("leduc", "dcfr", 0.001), ("clairvoyance:n=10", "cfr+", 0.001), ("kuhn", "external", 0.02)],
)
def test_without_limits_there_is_a_target_and_it_is_said(
    game: str, solver: str, target: float, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", game, "--solver", solver, "--json"]) == 0
    captured = capsys.readouterr()
    assert 0 < json.loads(captured.out)["exploitability"]["total"] <= target
    assert f"no limit is given: {solver} stops at an exploitability of {target:g}" in captured.err


def test_targets_are_in_big_blinds_and_seconds_where_nothing_is_measured() -> None:
    tree = BettingTree.build("fca", "holdem-nl-200bb")
    problem = Problem("holdem-nl-200bb", tree, cards="169.1.1.1")
    assert problem.limits(Method()) == Limits(target=0.1)
    assert problem.limits(Method("pcs")) == Limits(seconds=60)
    assert Problem.named("leduc").limits(Method("lp")) == Limits(target=0.0)
    assert problem.limits(Method(), iterations=7) == Limits(iterations=7)


@pytest.mark.parametrize("over", ["seconds", "iterations"])
def test_several_solvers_are_compared_in_one_plot(
    over: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    csv, plot = tmp_path / "run.csv", tmp_path / "run.svg"
    arguments = ["kuhn", "--solver", "cfr+,egt,lp", "--target", "1e-3"]
    arguments += ["--csv", str(csv), "--plot", str(plot), "--over", over]
    assert main(["solve", *arguments, "--json"]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert [one["solver"] for one in document["solves"]] == ["cfr+", "egt", "lp"]
    assert document["solves"][0] == solved(
        capsys, "kuhn", "--solver", "cfr+", "--target", "1e-3"
    ) | {"seconds": document["solves"][0]["seconds"]}
    rows = [row.split(",") for row in csv.read_text().splitlines()]
    assert rows[0] == ["solver", "iteration", "seconds", "exploitability"]
    assert {row[0] for row in rows[1:]} == {"cfr+", "egt", "lp"}
    last = {row[0]: float(row[3]) for row in rows[1:]}
    totals = {one["solver"]: one["exploitability"]["total"] for one in document["solves"]}
    assert last == totals
    drawn = plot.read_text()
    for text in ("cfr+", "egt", "lp", "seconds of solving" if over == "seconds" else "iterations"):
        assert f"<!-- {text} -->" in drawn
    assert f"doyle: wrote {csv}\ndoyle: wrote {plot}\n" in captured.err
    assert main(["solve", *arguments[:5]]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--solver", "cfr,"], "solver '': expected one of lp"),
        (["--solver", "cfr,cfr"], "--solver cfr,cfr: cfr is given twice"),
        (["--solver", "cfr,lp", "--save", "x"], "--save: one folder is for one solver"),
        (["--solver", "cfr,lp", "--checkpoint", "x"], "--checkpoint: one folder is for one solver"),
        (["--over", "hands"], "--over 'hands': expected seconds or iterations"),
        (["--workers", "none"], "--workers 'none': expected a number from 1 to 1024"),
    ],
)
def test_bad_comparisons_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", "kuhn", *arguments]) == 2
    assert message in capsys.readouterr().err
