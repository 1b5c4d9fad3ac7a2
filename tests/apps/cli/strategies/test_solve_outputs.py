"""`doyle solve`: what it writes, where, and what is refused before the work."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from doyle.apps.cli import main
from doyle.base.artifacts import Checkpoints
from doyle.base.artifacts.files import replacing
from doyle.games import Game
from doyle.solving import solve as driver
from doyle.solving.sampling import solver as sampling_solver
from doyle.solving.solvers import SAMPLING
from doyle.strategy import load_strategy
from tests.apps.cli.refusals import refused
from tests.solving.test_sampling_solves import ByHighCard

KUHN = ("solve", "kuhn", "--iterations", "10")


def solved(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


@pytest.fixture
def high_cards(monkeypatch: pytest.MonkeyPatch, fresh_cache: Path) -> list[dict[str, Any]]:
    """A small card abstraction in place of all others; the options it was asked for with."""
    asked: list[dict[str, Any]] = []

    def build(spec: str, **options: Any) -> ByHighCard:
        asked.append(options)
        return ByHighCard()

    monkeypatch.setattr(driver, "build", build)
    monkeypatch.setitem(sampling_solver.INTERVALS, "external", (512, 2048))
    return asked


HOLDEM = (
    "solve",
    "holdem-nl-100bb",
    "--betting",
    "fca",
    "--cards",
    "ir169.1.1.1",
    "--solver",
    "external",
)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--csv", "/proc/x.csv", "--csv /proc/x.csv: cannot be written in /proc"),
        ("--csv", "/dev/null", "--csv /dev/null: is not a regular file"),
        ("--csv", ".", "--csv .: is a folder"),
        ("--csv", "", "Invalid value for '--csv': empty"),
        ("--plot", "/proc/x.png", "--plot /proc/x.png: cannot be written in /proc"),
        ("--plot", "x.gif", "x.gif: a plot is written as .png, .svg or .pdf"),
        ("--plot", "", "Invalid value for '--plot': empty"),
        ("--save", "/proc/x", "--save /proc/x: cannot be written in /proc"),
        ("--save", "", "Invalid value for '--save': empty"),
        ("--save", __file__, "is a file; give a folder"),
        ("--checkpoint", "/proc/x", "--checkpoint /proc/x: cannot be written in /proc"),
        ("--checkpoint", __file__, "is a file; give a folder"),
        ("--betting", "", "betting model '': empty"),
        ("--cards", "", "kuhn: card abstractions are for Texas Hold'em with the full deck"),
        ("--prune-below", "-5", "--prune-below -5.0: a negative number, for the solvers external"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_solve(
    option: str, value: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, *KUHN, option, value)


def test_a_file_that_fails_after_all_is_one_line_and_the_result_is_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("doyle.base.artifacts.files.os.fsync", full_disk)
    csv = tmp_path / "run.csv"
    assert main([*KUHN, "--csv", str(csv), "--json"]) == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out)["iterations"] == 10
    assert captured.err == f"doyle: {csv}: No space left on device\n"
    assert list(tmp_path.iterdir()) == []


def test_errors_that_name_no_file_are_not_disguised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("a defect")

    monkeypatch.setattr("doyle.solving.solve.small_game", broken)
    with pytest.raises(OSError, match="a defect"):
        main(list(KUHN))


def test_devices_are_never_replaced() -> None:
    with pytest.raises(OSError, match="not a file"), replacing(Path("/dev/null")):
        pass
    assert Path("/dev/null").is_char_device()


def test_saving_replaces_a_strategy_whatever_its_iterations(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "strategy"
    for game, solver, iterations in (("leduc", "cfr+", 200), ("leduc", "cfr+", 100),
                                     ("kuhn", "dcfr", 10), ("kuhn", "cfr", 10)):  # fmt: skip
        solved(
            capsys, "solve", game, "--solver", solver, "--iterations", str(iterations),
            "--save", str(folder), "--seed", "7",
        )  # fmt: skip
        strategy = load_strategy(folder)
        info = strategy.info
        assert strategy.tree.game.name == game
        assert (info.solver, info.iterations, info.seed) == (solver, iterations, 7)
        assert info.history[-1].iteration == iterations
    assert len(list(folder.glob("0*"))) == 1


def test_saving_into_another_folder_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("mine")
    assert "holds something else (mine.txt)" in refused(
        capsys, *KUHN, "--save", str(tmp_path / "notes")
    )
    keep = str(tmp_path / "keep")
    solved(capsys, *KUHN, "--checkpoint", keep)
    assert "holds something else (solver)" in refused(capsys, *KUHN, "--save", keep)
    saved = tmp_path / "saved"
    solved(capsys, *KUHN, "--save", str(saved))
    inside = next(saved.glob("0*"))
    assert "holds something else" in refused(capsys, *KUHN, "--save", str(inside))
    assert "holds a strategy, not a checkpoint" in refused(
        capsys, *KUHN, "--checkpoint", str(saved), "--resume"
    )
    both = str(tmp_path / "both")
    assert "give two folders" in refused(capsys, *KUHN, "--save", both, "--checkpoint", both)


@pytest.mark.parametrize("solver", ["dcfr", "external"])
def test_a_new_run_does_not_take_the_place_of_an_earlier_checkpoint(
    solver: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    keep = ("--solver", solver, "--checkpoint", str(tmp_path / "keep"))
    solved(capsys, *KUHN, *keep)
    before = Checkpoints(tmp_path / "keep").latest()
    assert "give --resume to continue from it, or another folder" in refused(capsys, *KUHN, *keep)
    after = Checkpoints(tmp_path / "keep").latest()
    assert before is not None
    assert after is not None
    assert before.manifest == after.manifest
    solved(capsys, *KUHN, *keep, "--resume")


@pytest.mark.parametrize("solver", ["dcfr", "external"])
def test_damaged_checkpoints_are_one_line_with_the_folder_to_remove(
    solver: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    keep = ("--solver", solver, "--checkpoint", str(tmp_path), "--resume")
    solved(capsys, *KUHN, *keep)
    snapshot = next(tmp_path.glob("0*"))
    manifest = json.loads((snapshot / "manifest.json").read_text())
    for metadata in ({}, {**manifest["metadata"], "history": 5, "seconds": "x"}):
        text = json.dumps({**manifest, "metadata": metadata})
        (snapshot / "manifest.json").write_text(text)
        line = refused(capsys, *KUHN, *keep)
        assert f"{snapshot}/manifest.json: field 'metadata" in line
        assert f"remove the folder {snapshot}" in line
    (snapshot / "manifest.json").write_text(json.dumps(manifest))
    array = next(snapshot.glob("*.bin"))
    array.write_bytes(b"x" * array.stat().st_size)
    line = refused(capsys, *KUHN, *keep)
    assert f"remove the folder {snapshot}" in line
    assert "cache" not in line


def test_where_exploitability_is_not_known_the_regret_bound_is_shown(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, high_cards: list[dict[str, Any]]
) -> None:
    csv, plot, saved = tmp_path / "run.csv", tmp_path / "run.png", tmp_path / "saved"
    document = solved(
        capsys, *HOLDEM, "--iterations", "6000", "--seed", "5", "--prune-below", "-1e6",
        "--csv", str(csv), "--plot", str(plot), "--save", str(saved),
    )  # fmt: skip
    assert document["exploitability"] is None
    rows = [row.split(",") for row in csv.read_text().splitlines()]
    assert rows[0] == ["iteration", "seconds", "regret_bound"]
    assert [int(row[0]) for row in rows[1:]] == [2048, 4096, 6144]
    assert float(rows[-1][2]) == sum(document["regret_bound"]) / 2
    assert plot.read_bytes()[:4] == b"\x89PNG"
    info = load_strategy(saved).info
    assert info.seed == 5
    assert [point.regret_bound for point in info.history] == [float(row[2]) for row in rows[1:]]
    assert all(math.isnan(point.exploitability) for point in info.history)
    # The seed is that of the sampling: readers of the strategy know only the name of the cards.
    assert [options.get("seed", 0) for options in high_cards] == [0]


@pytest.mark.parametrize("game", ["kuhn", "holdem"])
def test_a_resumed_sampling_keeps_the_earlier_points(
    game: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, high_cards: object
) -> None:
    start = HOLDEM if game == "holdem" else ("solve", "kuhn", "--solver", "external")
    keep = (*start, "--checkpoint", str(tmp_path / "keep"), "--csv", str(tmp_path / "run.csv"))

    def points() -> list[list[str]]:
        return [row.split(",") for row in (tmp_path / "run.csv").read_text().splitlines()[1:]]

    solved(capsys, *keep, "--iterations", "40000")
    first = points()
    solved(capsys, *keep, "--iterations", "90000", "--resume")
    both = points()
    assert both[: len(first)] == first
    steps = [int(row[0]) for row in both]
    assert steps == sorted(set(steps))
    assert len(both) > len(first)
    times = [float(row[1]) for row in both]
    assert times == sorted(times)
    again = solved(capsys, *keep, "--iterations", "90000", "--resume")
    assert points() == both
    assert again["iterations"] == steps[-1]


@pytest.mark.parametrize("solver", SAMPLING)
@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"numSuits": 3, "numRanks": 6}, "short"),
        ({"numHoleCards": 4}, "omaha"),
    ],
)
def test_card_abstractions_are_for_the_full_deck(
    solver: str,
    change: dict[str, int],
    names: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    high_cards: object,
) -> None:
    lines = Game.named("holdem-nl-100bb").to_text().splitlines()
    for key, value in change.items():
        place = [n for n, line in enumerate(lines) if line.startswith(key)]
        lines[place[0]] = f"{key} = {value}"
    path = tmp_path / f"{names}.game"
    path.write_text("\n".join(lines))
    arguments = (
        "--betting",
        "fca",
        "--cards",
        "ir169.1.1.1",
        "--solver",
        solver,
        "--iterations",
        "1",
    )
    for game in (str(path), "kuhn", "leduc"):
        betting = arguments if game == str(path) else arguments[2:]
        line = refused(capsys, "solve", game, *betting)
        assert "card abstractions are for Texas Hold'em with the full deck" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["kuhn", "--solver", "foo"],
            "lp, egt, cfr, cfr+, linear-cfr, dcfr, dcfr-delayed, pcfr+, external, pure",
        ),
        (["clairvoyance:n=10", "--solver", "pcs"], "pcs: deals cards of a poker game"),
        (["clairvoyance:n=1000000,step=0.5"], "2,000,000 multiples of the step 0.5; at most 1,000"),
        (["nolimit-kuhn:n=10,step=0.000001"], "10,000,000 multiples"),
        (["clairvoyance:n=10,step=3"], "stack 10 is not a multiple of the step 3"),
        (["clairvoyance:n=10,n=5"], "'n' is given twice"),
        (["nolimit-kuhn:n=10,fold,fold"], "'fold' is given twice"),
        (
            ["kuhn", "--solver", "pure", "--prune-below", "5"],
            "--prune-below 5.0: a negative number",
        ),
        (["kuhn", "--solver", "pcs", "--prune-below", "-5"], "for the solvers external and pure"),
        (["kuhn", "--solver", "pure", "--tremble", "1"], "--tremble 1.0: a share from 0 to less"),
        (["kuhn", "--solver", "dcfr", "--tremble", "0.1"], "for the solvers external and pure"),
    ],
)
def test_messages_say_the_truth(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, "solve", *arguments, "--iterations", "1")


def test_pruning_reaches_the_solver_and_is_part_of_a_checkpoint(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    start = ("solve", "kuhn", "--solver", "external", "--checkpoint", str(tmp_path), "--resume")
    solved(capsys, *start, "--iterations", "4096", "--prune-below", "-50")
    line = refused(capsys, *start, "--iterations", "8192")
    assert "prune_below = '-50.0'" in line


def test_help_says_when_threads_change_results(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "never changes results" not in text
    assert "several threads race" in text


def test_a_certified_gap_is_never_negative(capsys: pytest.CaptureFixture[str]) -> None:
    for game in ("kuhn", "clairvoyance:n=10", "nolimit-kuhn:n=3", "leduc"):
        measured = solved(capsys, "solve", game, "--solver", "lp")["exploitability"]
        assert min(measured["total"], *measured["players"]) >= 0
