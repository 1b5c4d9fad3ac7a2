"""A disk that is full: one line that names the file, earlier files intact, done when space returns.

Each row is one kind of write. A limit on the size of files stands in for the full disk, which needs
no rights; where a small file system may be mounted, the rows are also run on one.
"""

from __future__ import annotations

import os
import resource
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from doyle.agents.case_bases import CaseBase, build_to_folder
from doyle.apps.cli import main
from doyle.base.artifacts import Builder, Checkpoints, Description, Store
from doyle.base.artifacts.files import reserve
from doyle.base.errors import DoyleError
from doyle.building import load_description
from doyle.building.planning import Speeds, calibration
from doyle.games import Game
from doyle.measuring.hand_equity import preflop_points
from tests.agents.case_bases.random_logs import write_random_log
from tests.agents.case_bases.synthetic import CATEGORIES
from tests.attacks.refusals import one_line, refusal_of


@dataclass(frozen=True)
class Write:
    """A command that writes `{out}`, and a size in bytes that its files exceed."""

    command: str
    limit: int = 1024
    out: str = "out"


SPOT = "spot --board Ks7h4d2cJs --ranges AA,66 KK,QQ --pot 200 --stacks 200 --iterations 2"

PREPARE = (
    "match holdem-nl-200bb random always-call --hands 20 --workers 1 --log {folder}/hands.log",
    "solve leduc --iterations 1 --save {folder}/strategy",
    "match kuhn random always-call --hands 40 --workers 1 --results {folder}/kept",
)

WRITES = (
    Write("solve leduc --iterations 2 --save {out}"),
    Write("solve leduc --iterations 2 --checkpoint {out}"),
    Write("solve leduc --solver external --iterations 2 --checkpoint {out}"),
    Write("solve kuhn --iterations 4 --csv {out}", limit=8, out="out.csv"),
    Write("solve kuhn --iterations 4 --plot {out}", out="out.png"),
    Write("match kuhn random always-call --hands 40 --workers 1 --log {out}", out="out.log"),
    Write("convert {folder}/hands.log {out}", out="out.phhs"),
    Write("tree limit --game leduc --bml {out}", out="out.bml", limit=256),
    Write("strategy show {folder}/strategy --plot {out}", out="out.png"),
    Write("exploit {folder}/strategy --share 0.5 --save {out}"),
    Write("exploit {folder}/strategy --share 0.5 --csv {out}", limit=8, out="out.csv"),
    Write("exploit {folder}/strategy --share 0.5 --plot {out}", out="out.png"),
    Write(
        "review {folder}/hands.log --agent always-call --game holdem-nl-200bb --player random "
        "--hands 1 --spots none --boards 8 --output {out}",
        out="out.html",
    ),
    Write("acpc script always-call --output {out}", limit=64, out="out.sh"),
    Write("report always-call --game kuhn --workers 1 --output {out}", out="out.html"),
    Write(
        "benchmark always-call --game leduc-nl12 --hands 10 --workers 1 --output {out}",
        limit=6000,  # it keeps a log of its own in the meantime
        out="out.html",
    ),
    Write("papers ijcai2013/figure1 --output {out}"),
    Write("papers ijcai2013/table1 --results {out}"),
    Write("results export {folder}/kept {out}", out="out.parquet"),
    Write(f"{SPOT} --save {{out}}"),
    Write(f"{SPOT} --checkpoint {{out}}"),
    Write(f"{SPOT} --output {{out}}", out="out.html"),
)


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let writes beyond `size` bytes of a file fail, as on a full disk (Python ignores SIGXFSZ)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def contents(folder: Path) -> dict[str, bytes]:
    """Everything below a folder but locks and notes of what was checked, by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in (".lock", "checked.json")
    }


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the inputs of all rows; tables that commands make once are in the cache."""
    preflop_points()
    folder = tmp_path_factory.mktemp("prepared")
    for command in PREPARE:
        assert main(shlex.split(command.format(folder=folder))) == 0
    return folder


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.command.replace("{folder}/", ""))
def test_a_write_that_fails_is_one_line(
    write: Write, prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / write.out
    command = shlex.split(write.command.format(folder=prepared, out=out))
    with files_of_at_most(write.limit):
        assert main(command) == 2
    refusal = one_line(capsys.readouterr().err)
    assert str(out) in refusal
    assert "too large" in refusal  # what the system calls a file beyond the limit
    assert contents(tmp_path) == {}
    assert main(command) == 0  # space has returned
    written = contents(tmp_path)
    assert written
    if "--checkpoint" in command:
        command[command.index("--iterations") + 1] = "5000"  # there is more to keep
        command.append("--resume")
    with files_of_at_most(write.limit):
        assert main(command) == 2
    assert contents(tmp_path) == written


def test_mapped_arrays_have_their_space_before_they_are_written(tmp_path: Path) -> None:
    size = 1 << 20
    array = Builder(tmp_path).array("values", (size,), np.uint8)
    # Without blocks of its own, a mapped file ends the process (SIGBUS) when the disk is full.
    assert (tmp_path / "values.bin").stat().st_blocks * 512 >= size
    assert not array.any()
    array[:3] = 7
    array.flush()
    reserve(tmp_path / "values.bin", size)
    assert Builder(tmp_path).array("values", (size,), np.uint8)[:4].tolist() == [7, 7, 7, 0]


def test_reserving_works_where_the_file_system_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "posix_fallocate")
    path, size = tmp_path / "values.bin", (9 << 20) + 5
    with files_of_at_most(1 << 20), pytest.raises(OSError, match=r"9,437,189 bytes are needed"):
        reserve(path, size)
    assert not path.exists()
    reserve(path, size)
    assert path.stat().st_size == size
    assert path.stat().st_blocks * 512 >= size


def test_an_artifact_that_does_not_fit_is_finished_later(tmp_path: Path) -> None:
    description = Description("large", 1)
    made: list[str] = []

    def build(builder: Builder) -> None:
        small = builder.array("small", (10,), np.int64)
        if not builder.finished("small"):
            small[:] = 1
            made.append("small")
            builder.finish("small")
        builder.array("large", (1 << 20,), np.int64)[:] = 2
        made.append("large")

    store = Store(tmp_path)
    with files_of_at_most(4096), pytest.raises(DoyleError, match=r"large\.bin.*8,388,608 bytes"):
        store.get(description, build)
    assert store.get(description, build).array("large").sum() == 2 << 20
    assert made == ["small", "large"]


def test_a_checkpoint_that_does_not_fit_leaves_the_last_one(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path / "run")
    description = Description("run", 1)
    checkpoints.save(1, description, lambda builder: builder.put("x", np.ones(10)))
    with files_of_at_most(4096), pytest.raises(OSError, match=r"80,000 bytes") as caught:
        checkpoints.save(2, description, lambda builder: builder.put("x", np.ones(10_000)))
    assert caught.value.filename == str(tmp_path / "run" / "x.bin")
    latest = checkpoints.latest()
    assert latest is not None
    assert latest.folder.name == "000000000001"
    assert {path.name for path in (tmp_path / "run").iterdir()} == {".lock", "000000000001"}


def test_kept_hands_of_a_match_are_finished_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def match(name: str) -> list[str]:
        words = "match kuhn random always-call --hands 3000 --seed 4 --workers 1 --json --results"
        return [*words.split(), str(tmp_path / name)]

    assert main(match("whole")) == 0
    whole = capsys.readouterr().out
    with files_of_at_most(1024):
        assert main(match("kept")) == 2
    assert str(tmp_path / ".kept.unfinished") in one_line(capsys.readouterr().err)
    assert main(match("kept")) == 0
    assert capsys.readouterr().out == whole.replace("whole", "kept")


def test_a_case_base_that_does_not_fit_is_finished_later(tmp_path: Path) -> None:
    game = Game.named("holdem-limit-2p")
    log = write_random_log(tmp_path / "a.log", game, 200, 1)

    def build(name: str) -> CaseBase:
        return build_to_folder([log], CATEGORIES["limit"], tmp_path / name, game=game)

    with (
        files_of_at_most(1024),
        pytest.raises(OSError, match=r"too large|bytes are needed") as error,
    ):
        build("base")
    assert "base" in str(error.value.filename)
    assert not (tmp_path / "base").exists()
    build("base")
    build("another")
    assert contents(tmp_path / "base").keys() == contents(tmp_path / "another").keys()
    arrays = [
        {name: data for name, data in contents(tmp_path / folder).items() if name.endswith(".bin")}
        for folder in ("base", "another")
    ]
    assert arrays[0] == arrays[1]


def test_cards_are_refused_before_the_work(
    fresh_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with files_of_at_most(1 << 20):
        assert main(["cards", "build", "ir169.2.2.2", "--workers", "1"]) == 2
    refusal = refusal_of(capsys.readouterr())
    assert "values.bin" in refusal
    assert "bytes are needed" in refusal


def test_a_plan_reports_on_a_full_disk(fresh_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What writing takes is then the usual, and the speeds are not kept."""
    usual = Speeds()
    monkeypatch.setattr(calibration, "measure_speeds", lambda **_: usual)
    with files_of_at_most(256):
        for measured, expected in ((calibration._disk, 1.5), (calibration._save, 2.5)):
            assert calibration._unless_full(measured, expected) == expected
        assert calibration.speeds_of_this_machine() == usual
        assert contents(fresh_cache) == {}
        assert main(["plan", "default", "--scale", "small", "--json"]) == 0
    assert calibration.speeds_of_this_machine() == usual
    assert list(contents(fresh_cache)) == [calibration.FILE]


@pytest.mark.slow
def test_cards_builds_and_measurements_finish_when_space_returns(
    fresh_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = "build default --scale small --minutes 0.01 --hands 0 --workers 1"
    measure = "exploitability default-small --cards full --flops 1 --workers 1"
    for command, limit in ((build, 1 << 20), (build, 100_000), (measure, 100_000)):
        with files_of_at_most(limit):
            assert main(command.split()) == 2
        assert "bytes are needed" in capsys.readouterr().err.splitlines()[-1]
        if limit > 100_000:
            cards = load_description("default").at_scale("small").cards.value
            assert main(["cards", "build", cards]) == 0
        else:
            assert main(command.split()) == 0


def can_mount() -> bool:
    """Whether this process may mount a file system that only its children see."""
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return False
    command = [*UNSHARE, "mount -t tmpfs -o size=64k none /tmp"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


UNSHARE = ("unshare", "--mount", "--map-root-user", "sh", "-c")
SMALL_DISKS = [size for size in ("12k", "64k") if can_mount()]
"""Sizes of file systems to run the rows on; none where mounting is not allowed."""


DATABASE = """
import sys
from pathlib import Path
from sqlalchemy import text
from doyle.apps.web.store import Database, Store, UnavailableError

folder = Path(sys.argv[1])
store = Store(Database(f"sqlite:///{folder / 'web.sqlite'}"))
(folder / "others").write_bytes(bytes(100_000))
tokens = []
try:
    while True:
        tokens.append(store.create_player("Ann")[1])
except UnavailableError as error:
    print(error)
(folder / "others").unlink()
tokens.append(store.create_player("Bob")[1])
assert all(store.player_of(token) for token in tokens)
with store.database.session() as session:
    assert session.scalar(text("SELECT count(*) FROM players")) == len(tokens) > 2
    assert session.scalar(text("PRAGMA integrity_check")) == "ok"
"""


@pytest.mark.slow
@pytest.mark.skipif(not SMALL_DISKS, reason="no file system may be mounted")
def test_the_database_of_the_table_on_a_small_file_system(tmp_path: Path) -> None:
    words = shlex.join([sys.executable, "-c", DATABASE, str(tmp_path)])
    script = f"mount -t tmpfs -o size=512k none {shlex.quote(str(tmp_path))} && exec {words}"
    ended = subprocess.run(
        [*UNSHARE, script], capture_output=True, text=True, check=False, timeout=120
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("database web.sqlite: database or disk is full; nothing was ")
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.slow
def test_on_a_small_file_system(prepared: Path, tmp_path: Path) -> None:
    endings: dict[tuple[str, str], int] = {}
    for size in SMALL_DISKS:
        for write in WRITES:
            doyle = f"{shlex.quote(sys.executable)} -m doyle"
            command = write.command.format(folder=prepared, out=tmp_path / write.out)
            script = f"mount -t tmpfs -o size={size} none {tmp_path} && exec {doyle} {command}"
            ended = subprocess.run(
                [*UNSHARE, script], capture_output=True, text=True, check=False, timeout=120
            )
            endings[size, write.command] = ended.returncode
            lines = ended.stderr.splitlines()
            assert ended.returncode in (0, 2), ended.stderr
            assert ended.returncode == 0 or "No space left" in lines[-1], lines
    assert not SMALL_DISKS or 2 in endings.values()
