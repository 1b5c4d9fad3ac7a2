"""Builds that go on: after kill -9, beside another process, and never as another build."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.base.artifacts import Artifact, Checkpoints
from doyle.base.artifacts.files import locked
from doyle.base.errors import DoyleError, FieldError
from doyle.base.workers import Workers
from doyle.building import agent_folder, build, load_agent_strategy, load_or_build_strategy
from doyle.building.description import load_description
from doyle.strategy import ChosenField, load_strategy
from tests.building.rank_cards import use_rank_cards

STEP = 1 << 18
TEXT = """
name = "tiny"
game = "holdem-nl-20bb"
betting = "fca"
cards = "ir169.ir50.ir50.50"
solver = "external"
small = { cards = "ir169.ir20.ir20.20" }
"""

SCRIPT = """
import os
import sys
from tests.building.rank_cards import use_rank_cards
use_rank_cards()
import doyle.measuring.reports
from doyle.building import pipeline
from doyle.apps.cli import main
os.environ["DOYLE_CACHE"] = sys.argv[1]  # from here on: compiled kernels stay where they are
pipeline.CHECKPOINT_SECONDS = 0.0
sys.exit(main(["build", *sys.argv[2:], "--hands", "0", "--json"]))
"""
OUTSIDE = dict(os.environ)


@pytest.fixture
def tiny(fresh_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A description whose cards need no time, with nothing built yet."""
    use_rank_cards(monkeypatch)
    path = tmp_path / "tiny.toml"
    path.write_text(TEXT)
    return path


def started(*arguments: str) -> subprocess.Popen[str]:
    """`doyle build` in another process that keeps a checkpoint after every interval."""
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, os.environ["DOYLE_CACHE"], *arguments],
        cwd=root,
        env=OUTSIDE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def checksums(folder: Path) -> dict[str, str]:
    """Of the arrays of the snapshot that counts."""
    arrays = latest(folder).manifest["arrays"]
    return {name: entry["checksum"] for name, entry in arrays.items()}


def latest(folder: Path) -> Artifact:
    found = Checkpoints(folder).latest()
    assert found is not None
    return found


def test_a_first_build_that_is_killed_goes_on_and_ends_with_the_same_bytes(tiny: Path) -> None:
    folder = agent_folder("tiny")
    killed = started(str(tiny), "--iterations", str(10_000 * STEP), "--workers", "1")
    deadline = time.monotonic() + 120
    while not list(folder.glob("checkpoint/[0-9]*")) and killed.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    os.kill(killed.pid, signal.SIGKILL)
    _, errors = killed.communicate()
    assert killed.returncode == -signal.SIGKILL, errors
    assert not (folder / "strategy").exists()
    reached = latest(folder / "checkpoint").metadata["iteration"]
    goal = reached + 2 * STEP
    again = started(str(tiny), "--iterations", str(goal), "--workers", "1")
    output, errors = again.communicate(timeout=120)
    assert again.returncode == 0, errors
    assert f"resuming from {reached:,} iterations" in errors
    assert json.loads(output)["iterations"] == goal
    points = load_strategy(folder / "strategy").info.history
    assert [point.iteration for point in points] == list(range(STEP, goal + 1, STEP))
    found = checksums(folder / "strategy") | checksums(folder / "checkpoint")
    folder.rename(folder.with_name("interrupted"))
    build(load_description(str(tiny)), iterations=goal, workers=Workers(1))
    assert found == checksums(folder / "strategy") | checksums(folder / "checkpoint")


def test_an_interrupted_build_says_how_to_resume_and_the_next_where_it_does(tiny: Path) -> None:
    folder = agent_folder("tiny")
    stopped = started(str(tiny), "--iterations", str(10_000 * STEP), "--workers", "1")
    deadline = time.monotonic() + 120
    while not list(folder.glob("checkpoint/[0-9]*")) and stopped.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    stopped.send_signal(signal.SIGINT)
    _, errors = stopped.communicate()
    assert stopped.returncode == 130, errors
    said = (
        f"doyle: interrupted; `doyle build {tiny}` with the same options resumes from what is kept"
    )
    assert errors.splitlines()[-1] == said
    reached = latest(folder / "checkpoint").metadata["iteration"]
    again = started(str(tiny), "--iterations", str(reached + STEP), "--workers", "1")
    _, errors = again.communicate(timeout=120)
    assert again.returncode == 0, errors
    assert f"resuming from {reached:,} iterations" in errors


def test_shards_give_the_same_bytes_for_any_workers(tiny: Path) -> None:
    found = []
    for count in (1, 2):
        result = build(
            load_description(str(tiny)), iterations=STEP, shards=2, seed=5, workers=Workers(count)
        )
        assert result.info.deterministic
        assert result.info.seed == 5
        assert ChosenField("seed", 5, "given", "given for this build") in result.info.fields
        found.append(checksums(result.folder / "strategy"))
        result.folder.rename(result.folder.with_name(f"workers-{count}"))
    assert found[0] == found[1]


def test_a_cluster_builds_in_shards_or_samples_here(tiny: Path) -> None:
    nowhere = Workers(1, cluster="127.0.0.2:1")  # nobody answers: these cards need no workers
    with pytest.raises(FieldError, match="shards"):
        build(load_description(str(tiny)), iterations=STEP, workers=nowhere)
    assert not (agent_folder("tiny") / "strategy").exists()
    made = build(
        load_description(str(tiny)), iterations=STEP, workers=nowhere, solve_here=True
    ).strategy()
    assert made.info.iterations == STEP
    assert made.info.deterministic


def test_a_build_killed_before_its_first_snapshot_is_begun_again(tiny: Path) -> None:
    for name in ("checkpoint", "strategy"):
        (agent_folder("tiny") / name / ".new-killed").mkdir(parents=True)
    tiny.write_text(TEXT.replace('name = "tiny"', 'name = "tiny"\nseconds = 0.01'))
    assert load_or_build_strategy(str(tiny)).info.agent == "tiny"


def test_a_description_sets_the_work_and_reports_the_time_limit(
    tiny: Path, notices: list[str]
) -> None:
    work = f'name = "tiny"\niterations = {2 * STEP}\nseconds = '
    tiny.write_text(TEXT.replace('name = "tiny"', work + "0.0001"))
    short = build(load_description(str(tiny)), workers=Workers(1))
    assert short.info.iterations == STEP
    assert short.cut_short
    assert any(f"after {STEP:,} of {2 * STEP:,} iterations" in line for line in notices)
    tiny.write_text(TEXT.replace('name = "tiny"', work + "600"))
    notices.clear()
    whole = build(load_description(str(tiny)), workers=Workers(1))
    assert whole.info.iterations == 2 * STEP
    assert not whole.cut_short
    assert not any("stopped" in line for line in notices)


def test_a_description_needs_no_small_scale(tiny: Path) -> None:
    tiny.write_text("\n".join(line for line in TEXT.splitlines() if not line.startswith("small")))
    description = load_description(str(tiny))
    with pytest.raises(FieldError, match=r"^scale 'small': tiny has no small scale; add small"):
        description.at_scale("small")


def test_two_builds_at_once_take_turns(tiny: Path) -> None:
    with locked(agent_folder("tiny") / "lock"):
        second = started(str(tiny), "--iterations", str(STEP), "--workers", "1")
        assert second.stderr is not None
        assert "another process is building tiny: waiting" in second.stderr.readline()
        assert not (agent_folder("tiny") / "build.json").exists()
    output, _ = second.communicate(timeout=120)
    assert second.returncode == 0
    assert json.loads(output)["iterations"] == STEP


CHANGES = [
    ('betting = "fca"', 'betting = "fcpa"', "betting = 'fca'"),
    ('game = "holdem-nl-20bb"', 'game = "holdem-nl-100bb"', "game = 'holdem-nl-20bb'"),
    ("ir169.ir50.ir50.50", "ir169.ir20.ir20.20", "cards = 'ir169.ir50.ir50.50'"),
    ('"external"', '"pure"', "solver = 'external'"),
    ('name = "tiny"', 'name = "tiny"\nseed = 7', "seed = 1"),
    ('name = "tiny"', 'name = "tiny"\nprune_below = -9.5', "prune_below = 0.0"),
    ('name = "tiny"', 'name = "tiny"\ntremble = 0.05', "tremble = 0.0"),
]


@pytest.mark.parametrize(("old", "new", "says"), CHANGES)
def test_a_description_that_has_changed_does_not_get_the_old_strategy(
    old: str,
    new: str,
    says: str,
    tiny: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    build(load_description(str(tiny)), iterations=1, workers=Workers(1))
    tiny.write_text(TEXT.replace(old, new))
    capsys.readouterr()
    for command in (["strategy", "show"], ["build", "--iterations", "1"]):
        assert main([*command, str(tiny)]) == 2
        line = capsys.readouterr().err
        assert f"was built with {says}, and the description of 'tiny' has" in line
        assert "remove that folder, or change the name" in line
        assert len(line) < 300
        assert line.count("\n") == 1
    tiny.write_text(TEXT)
    assert load_agent_strategy(str(tiny)).info.agent == "tiny"


def test_an_edited_game_file_is_another_game(tiny: Path, tmp_path: Path) -> None:
    from doyle.games import Game

    game = tmp_path / "own.game"
    text = Game.named("holdem-nl-20bb").to_text()
    game.write_text(text)
    tiny.write_text(TEXT.replace("holdem-nl-20bb", str(game)))
    build(load_description(str(tiny)), iterations=1, workers=Workers(1))
    assert "stack = " in text
    game.write_text(text.replace("stack = ", "stack = 1"))
    with pytest.raises(DoyleError, match="another definition of own"):
        load_agent_strategy(str(tiny))


def test_options_of_the_command_are_part_of_a_build(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["build", str(tiny), "--iterations", "1", "--hands", "0", "--workers", "1"]
    assert main([*arguments, "--seed", "5", "--shards", "2", "--json"]) == 0
    assert load_strategy(agent_folder("tiny") / "strategy").info.seed == 5
    assert load_agent_strategy(str(tiny)).info.seed == 5
    capsys.readouterr()
    for options, says in (
        (["--shards", "2"], "--seed 1: "),
        (["--seed", "5"], "--shards 0: "),
        (["--seed", "6", "--shards", "2"], "was built with 5; give 5 to resume it"),
    ):
        assert main([*arguments, *options]) == 2
        assert says in capsys.readouterr().err
    assert main([*arguments, "--seed", "5", "--shards", "2"]) == 0


def test_play_follows_the_description_without_a_new_build(tiny: Path) -> None:
    build(load_description(str(tiny)), iterations=1, workers=Workers(1))
    assert load_agent_strategy(str(tiny)).info.purification == "none"
    tiny.write_text(
        TEXT.replace(
            'name = "tiny"',
            'name = "tiny"\npurification = "full"\ntranslation = "polaris-soft+ec+aa"',
        )
    )
    info = load_agent_strategy(str(tiny)).info
    assert (info.purification, info.translation) == ("full", "polaris-soft+aa+ec")


def test_pruning_is_asked_for_in_chips(tiny: Path) -> None:
    plain = build(load_description(str(tiny)), iterations=2 * STEP, workers=Workers(1))
    tiny.write_text(TEXT.replace('"tiny"', '"pruned"\nprune_below = -500'))
    pruned = build(load_description(str(tiny)), iterations=2 * STEP, workers=Workers(1))
    assert checksums(plain.folder / "strategy") != checksums(pruned.folder / "strategy")
    assert float(latest(pruned.folder / "checkpoint").parameters["prune_below"]) == -500.0
