"""Builds of card abstractions that are killed and started again, or run on more workers: same bytes.

Processes are forked, so that each life begins with the small atlas and compiled kernels at hand.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.abstractions.cards.methods import emd, ochs
from doyle.abstractions.cards.methods.topdown import potential
from doyle.abstractions.cards.registry import describe, make
from doyle.base.artifacts import Artifact, Builder, Description, Stages, Store
from doyle.base.errors import DoyleError
from tests.abstractions.cards.small_atlas import small_atlas

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")

STAGES = {
    "ir169.dir-pub2x3hs2x2hs-pub2x1.dir-pub3x4hs2x2hs-pub3x1.5": [
        "public-flops",
        "flop",
        "public-turns",
        "turn",
        "river-strengths",
    ],
    "gs2-3-8-17-40": ["preflop", "flop", "turn", "river-strengths"],
    "potential-3-8-17-40": [
        "turn-curves",
        "turn-clusters",
        "flop-curves",
        "preflop-curves",
        "preflop",
        "flop-centres",
        "flop",
        "turn-centres",
        "turn",
        "river-strengths",
    ],
    "gs3-3-8-17-40": [
        "preflop",
        "flop-histograms",
        "flop-centres",
        "flop",
        "turn-bins",
        "turn-centres",
        "turn",
        "river-strengths",
    ],
    "ir169.irpa6xochs2.iremd15xochs3.ochs10": [
        "emd-round2-15-centres",
        "emd-round2-15",
        "pa-histograms",
        "emd-round1-6-centres",
        "emd-round1-6",
        "pa-6-means",
        "emd-round0-8-centres",
        "emd-round0-8",
        "ochs-turn-strengths",
        "ochs-flop-strengths",
        "ochs-round1-2-centres",
        "flop",
        "ochs-round2-3-centres",
        "turn",  # its `emd` clusters are those of `pa`: made once
        "ochs-10-centres",
        "ochs-10",
    ],
}
"""The stages of each build, in the order in which they are finished."""

QUICK = [spec for spec in STAGES if len(STAGES[spec]) <= 5]
LONG = [spec for spec in STAGES if spec not in QUICK]
SMALL = "ir169.ir2.ir3.4"
KILLED = -signal.SIGKILL
ALTERED = pytest.MonkeyPatch()
"""For processes that do not live to undo it."""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder for stores, removed at once: tables are large."""
    yield tmp_path
    shutil.rmtree(tmp_path)


@pytest.fixture(autouse=True)
def small_clusterings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emd, "TRAINING_HANDS", 3000)
    monkeypatch.setattr(potential, "HANDS_PER_PARENT", 300)
    monkeypatch.setattr(potential, "TURN_CLUSTERS", 12)
    monkeypatch.setattr(potential, "FLOP_CLUSTERS", 10)
    monkeypatch.setattr(emd, "TURN_CLUSTERS", 15)
    monkeypatch.setattr(emd, "FLOP_HANDS", 800)
    monkeypatch.setattr(ochs, "TRAINING_BOARDS", 8)


def build(folder: Path, spec: str, workers: int = 1) -> Artifact:
    """Build as the registry does, but on the small atlas."""
    description, atlas = describe(spec), small_atlas(workers)
    return Store(folder).get(description, lambda builder: make(builder, description, atlas=atlas))


def files(folder: Path, spec: str) -> dict[str, bytes]:
    """The bytes of every file of a finished abstraction, but for the times at which it was checked."""
    finished = Store(folder).root / describe(spec).folder_name
    paths = (path for path in finished.iterdir() if path.name != "checked.json")
    return {path.name: path.read_bytes() for path in paths}


def stages(folder: Path, spec: str) -> dict[str, tuple[int, int]]:
    """The stages that an unfinished build has kept, and when and as which file each was written."""
    kept = Store(folder).root / "unfinished" / describe(spec).folder_name / "stages"
    if not kept.is_dir():
        return {}
    found = {}
    for stage in kept.iterdir():
        if not stage.name.startswith("."):
            status = (stage / "manifest.json").stat()
            found[stage.name] = (status.st_ino, status.st_mtime_ns)
    return found


def start(life: Callable[[], object]) -> multiprocessing.process.BaseProcess:
    process = multiprocessing.get_context("fork").Process(target=life)
    process.start()
    return process


def outcome(life: Callable[[], object]) -> int | None:
    """Run `life` in a process of its own and return its exit code."""
    process = start(life)
    process.join()
    return process.exitcode


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def live_for_one_stage(folder: Path, spec: str) -> None:
    keep = Stages._keep

    def keep_and_die(self: Stages, stage: Path, made: tuple[np.ndarray, ...]) -> None:
        keep(self, stage, made)
        die()

    ALTERED.setattr(Stages, "_keep", keep_and_die)
    build(folder, spec)


def check_death_after_every_stage(folder: Path, spec: str) -> None:
    build(folder / "whole", spec)
    killed = folder / "killed"
    kept: dict[str, tuple[int, int]] = {}
    order = []
    while outcome(lambda: live_for_one_stage(killed, spec)) == KILLED:
        now = stages(killed, spec)
        assert {name: now[name] for name in kept} == kept, "a finished stage was made again"
        order += sorted(set(now) - set(kept))
        assert len(order) == len(now)
        kept = now
    assert order == STAGES[spec]
    assert files(killed, spec) == files(folder / "whole", spec)
    assert Store(killed).unfinished() == []


@pytest.mark.parametrize("spec", QUICK)
def test_a_build_killed_after_every_stage_ends_alike(folder: Path, spec: str) -> None:
    """Each life makes the next stage and no other, and the last one ends with the same files."""
    check_death_after_every_stage(folder, spec)


@pytest.mark.slow
@pytest.mark.parametrize("spec", LONG)
def test_a_clustering_killed_after_every_stage_ends_alike(folder: Path, spec: str) -> None:
    check_death_after_every_stage(folder, spec)


def die_with_a_stage_half_written(folder: Path, spec: str) -> None:
    seal = Builder.seal

    def seal_or_die(self: Builder, description: Description) -> None:
        if description.parameters.get("name") == "turn":
            die()
        seal(self, description)

    ALTERED.setattr(Builder, "seal", seal_or_die)
    build(folder, spec)


def die_with_tables_half_written(folder: Path, spec: str) -> None:
    put = Builder.put

    def put_or_die(self: Builder, name: str, values: np.ndarray, *, dtype: Any = None) -> None:
        if name == "turn":
            half = np.where(np.arange(len(values))[:, None] % 2, values, 0).astype(values.dtype)
            put(self, name, half)
            die()
        put(self, name, values, dtype=dtype)

    ALTERED.setattr(Builder, "put", put_or_die)
    build(folder, spec)


def die_with_the_manifest_written(folder: Path, spec: str) -> None:
    sweep = Builder.sweep

    def sweep_or_die(self: Builder) -> None:
        if self.folder.parent.name == "unfinished":
            die()
        sweep(self)

    ALTERED.setattr(Builder, "sweep", sweep_or_die)
    build(folder, spec)


def die_before_the_last_rename(folder: Path, spec: str) -> None:
    sweep = Builder.sweep

    def sweep_and_die(self: Builder) -> None:
        sweep(self)
        if self.folder.parent.name == "unfinished":
            die()

    ALTERED.setattr(Builder, "sweep", sweep_and_die)
    build(folder, spec)


def test_a_build_killed_while_it_writes_ends_alike(folder: Path) -> None:
    spec, killed = SMALL, folder / "killed"
    build(folder / "whole", spec)
    for death in (
        die_with_a_stage_half_written,
        die_with_tables_half_written,
        die_with_the_manifest_written,
        die_before_the_last_rename,
    ):
        assert outcome(partial(death, killed, spec)) == KILLED
    (working,) = Store(killed).unfinished()
    description = describe(spec)
    Store(killed).get(description, lambda builder: pytest.fail("made again though it was whole"))
    assert not working.exists()
    assert files(killed, spec) == files(folder / "whole", spec)


@pytest.mark.parametrize("spec", ["gs2-3-8-17-40", SMALL])
def test_a_build_killed_at_random_moments_ends_alike(folder: Path, spec: str) -> None:
    begun = time.perf_counter()
    build(folder / "whole", spec)
    lasts = time.perf_counter() - begun
    killed = folder / "killed"
    for share in np.random.default_rng(len(spec)).random(4):
        process = start(lambda: build(killed, spec))
        process.join(share * lasts)
        process.kill()
        process.join()
        assert process.exitcode in (KILLED, 0)
    assert outcome(lambda: build(killed, spec)) == 0
    assert files(killed, spec) == files(folder / "whole", spec)


def check_workers(folder: Path, spec: str) -> None:
    for workers in (1, 2):
        build(folder / str(workers), spec, workers)
    one, two = (files(folder / str(workers), spec) for workers in (1, 2))
    assert {"manifest.json", "flop.bin", "turn.bin", "river.bin", "masses3.bin"} <= set(one)
    assert one == two


@pytest.mark.parametrize("spec", ["3.3.3.3", *QUICK])
def test_files_do_not_depend_on_workers(folder: Path, spec: str) -> None:
    check_workers(folder, spec)


@pytest.mark.slow
@pytest.mark.parametrize("spec", LONG)
def test_files_of_clusterings_do_not_depend_on_workers(folder: Path, spec: str) -> None:
    check_workers(folder, spec)


@pytest.mark.parametrize("spec", [SMALL, "gs2-2-3-2-2"])
def test_every_damaged_file_is_named(folder: Path, spec: str) -> None:
    """One byte changed, or the last one missing, in each file of a finished abstraction in turn."""
    finished = build(folder, spec).folder
    paths = [path for path in sorted(finished.glob("*.bin")) if path.stat().st_size]
    assert {f"{name}.bin" for name in ("preflop", "flop", "turn", "turn_memory")} <= {
        path.name for path in paths
    }
    for path in paths:
        content = path.read_bytes()
        changed = bytearray(content)
        changed[len(content) // 2] ^= 1
        path.write_bytes(changed)
        with pytest.raises(DoyleError, match=f"^{path}: contents do not match"):
            build(folder, spec)
        path.write_bytes(content[:-1])
        with pytest.raises(DoyleError, match=f"^{path}: has {len(content) - 1} bytes"):
            build(folder, spec)
        path.unlink()
        with pytest.raises(DoyleError, match=f"^{path}: file is missing"):
            build(folder, spec)
        path.write_bytes(content)
    build(folder, spec)
    manifest = finished / "manifest.json"
    manifest.write_bytes(manifest.read_bytes()[:-3])
    with pytest.raises(DoyleError, match=f"^{manifest}: cannot be read"):
        build(folder, spec)


def test_a_damaged_stage_is_named(folder: Path) -> None:
    spec = SMALL
    assert outcome(lambda: live_for_one_stage(folder, spec)) == KILLED
    (working,) = Store(folder).unfinished()
    path = working / "stages" / "flop" / "000.bin"
    content = bytearray(path.read_bytes())
    content[7] ^= 1
    path.write_bytes(content)
    with pytest.raises(DoyleError, match=f"^{path}: contents do not match"):
        build(folder, spec)
