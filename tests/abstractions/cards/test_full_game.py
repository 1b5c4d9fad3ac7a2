"""The whole atlas and the abstractions built from it, on the full 52-card game."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from math import comb
from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.cards.abstraction import CardAbstraction
from doyle.abstractions.cards.registry import build, describe
from doyle.abstractions.cards.strength.atlas import FULL_STRENGTH, RUNOUTS, Atlas, largest_sum
from doyle.base.artifacts import Store
from doyle.base.workers import Workers, map_threads
from doyle.cards import HOLES, boards_strength, hole_index, parse_cards
from doyle.cards.suits.boards import HOLE_MAPS, boards, hands
from doyle.testing import check_abstraction

pytestmark = pytest.mark.slow

WORKERS = Workers(2)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("full"))


@pytest.fixture(scope="module")
def atlas(store: Store) -> Atlas:
    return Atlas(store=store, workers=WORKERS)


def preflop_value(atlas: Atlas, text: str, power: int = 1) -> float:
    place = hole_index(*parse_cards(text))
    return int(atlas.sums(0, power)[0, place]) / largest_sum(0, power)


def test_preflop_values_that_papers_print(atlas: Atlas) -> None:
    """Issue's figures to 1e-4; Tartanian5's paper: QJs and 55 both win about 60%."""
    assert preflop_value(atlas, "AsAh") == pytest.approx(0.8520, abs=1e-4)
    assert preflop_value(atlas, "7s2h") == pytest.approx(0.3458, abs=1e-4)
    assert preflop_value(atlas, "2s2h") == pytest.approx(0.5033, abs=1e-4)
    assert preflop_value(atlas, "QsJs") == pytest.approx(0.60, abs=5e-3)
    assert preflop_value(atlas, "5s5h") == pytest.approx(0.60, abs=5e-3)


def test_preflop_values_are_those_of_every_raw_board(atlas: Atlas) -> None:
    """All 169 hands against all 2,598,960 boards, without isomorphism, to the last integer."""

    def total(highest: int) -> np.ndarray:
        """Strengths summed over the boards whose highest card is `highest`."""
        sums = np.zeros(1326, np.int64)
        lower = np.array(
            [
                (a, b, c, d)
                for d in range(highest)
                for c in range(d)
                for b in range(c)
                for a in range(b)
            ],
            np.uint8,
        ).reshape(-1, 4)
        for block in np.array_split(lower, max(1, len(lower) // 2000)):
            whole = np.column_stack([block, np.full(len(block), highest, np.uint8)])
            win, tie, _ = boards_strength(whole)
            sums += 2 * win.sum(axis=0, dtype=np.int64) + tie.sum(axis=0, dtype=np.int64)
        return sums

    found = sum(map_threads(total, range(4, 52), workers=WORKERS))
    assert (found == atlas.sums(0, 1)[0].astype(np.int64)).all()
    assert RUNOUTS[0] == comb(50, 5)


@pytest.mark.parametrize("size", [3, 4])
def test_squares_of_1000_random_hands_are_those_of_brute_force(atlas: Atlas, size: int) -> None:
    """E[HS^2] of every hand on random raw boards, 1,000 hands in all, to 1e-12."""
    generator = np.random.default_rng(size)
    checked = 0
    while checked < 1000:
        board = generator.choice(52, size, replace=False)
        left = np.setdiff1d(np.arange(52), board)
        pairs = np.array([(a, b) for a in left for b in left if a < b])
        more = left[:, None] if size == 4 else pairs
        whole = np.column_stack([np.repeat(board[None, :], len(more), axis=0), more])
        win, tie, loss = boards_strength(whole.astype(np.uint8))
        squares = (((win + tie / 2) / np.maximum(win + tie + loss, 1)) ** 2).sum(axis=0)
        row, permutation = boards(size).find([int(card) for card in board])
        live = np.flatnonzero(~np.isin(HOLES, board).any(axis=1))
        for hole in generator.choice(live, 50, replace=False):
            exact = int(atlas.sums(size - 2, 2)[row, HOLE_MAPS[permutation, hole]])
            assert exact / largest_sum(size - 2, 2) == pytest.approx(
                squares[hole] / RUNOUTS[size - 2], abs=1e-12
            )
            checked += 1


def test_every_flop_agrees_with_brute_force(atlas: Atlas) -> None:
    """On 20 random flops, sums of all hands over 1,176 boards each, as integers."""
    for row in np.random.default_rng(7).integers(len(boards(3)), size=20):
        flop = boards(3).boards[row].astype(np.int64)
        left = np.setdiff1d(np.arange(52), flop)
        more = np.array([(a, b) for a in left for b in left if a < b])
        whole = np.column_stack([np.repeat(flop[None, :], len(more), axis=0), more])
        win, tie, _ = boards_strength(whole.astype(np.uint8))
        strength = 2 * win.astype(np.int64) + tie
        for power in (1, 2):
            assert (atlas.sums(1, power)[row] == (strength**power).sum(axis=0)).all()


def test_histograms_and_sums_tell_of_the_same_hands(atlas: Atlas) -> None:
    """Every hand's mean lies between the least and greatest that its histogram allows."""
    for round in (1, 2):
        counts = np.asarray(atlas.histograms(round)[::37], np.int64)
        mean = hands(round).gather(atlas.sums(round, 1))[::37] / RUNOUTS[round]
        low = counts @ (np.arange(30) * 66) / RUNOUTS[round]
        assert (counts.sum(axis=1) == RUNOUTS[round]).all()
        assert (low <= mean).all()
        assert (mean <= low + 66).all()


def check(store: Store, spec: str, counts: tuple[int, ...]) -> CardAbstraction:
    abstraction = build(spec, store=store, workers=WORKERS)
    assert tuple(abstraction.bucket_count(round) for round in range(4)) == counts
    generator = np.random.default_rng(len(spec))
    rivers = [tuple(generator.choice(52, 5, replace=False).tolist()) for _ in range(3)]
    check_abstraction(abstraction, rivers)
    return abstraction


@pytest.mark.parametrize(
    ("spec", "counts"),
    [
        ("8.8.8.8", (8, 64, 512, 4096)),
        ("ir169.64.8.8", (169, 64, 512, 4096)),
        ("ir169.72hs2x2hs.12.12", (169, 144, 1728, 20736)),
        ("ir169.ir72hs2x3hs.ir72hs3x3hs.216", (169, 216, 216, 216)),
        (
            "ir169.dir-pub20x36hs2x5hs-20x1.dir-pub3x20hs2x3hs-3x1.60",
            (169, 3600, 3600, 3600),
        ),
    ],
)
def test_thesis_abstractions_build(store: Store, spec: str, counts: tuple[int, ...]) -> None:
    check(store, spec, counts)


def test_percentile_buckets_have_equal_mass_up_to_ties(store: Store) -> None:
    abstraction = check(store, "ir169.ir64.ir512.4096", (169, 64, 512, 4096))
    assert abstraction.masses(1) * 64 == pytest.approx(1.0, abs=0.01)
    assert abstraction.masses(2) * 512 == pytest.approx(1.0, abs=0.15)
    strength = np.asarray(build("8.8.8.8", store=store).tables.masses[0])
    assert np.abs(strength / strength.sum() * 8 - 1).max() < 0.07
    assert FULL_STRENGTH == 1980


PUBLIC = "ir169.dir-pub20x36hs2x5hs-pub20x1.dir-pub3x20hs2x3hs-pub3x1.60"


def beside(store: Store, folder: Path) -> Store:
    """A store with the same atlas and nothing else."""
    other = Store(folder)
    other.root.mkdir(parents=True)
    for artifact in store:
        if artifact.manifest["kind"] == "atlas":
            (other.root / artifact.folder.name).symlink_to(artifact.folder)
    return other


def check_files(spec: str, one: Store, two: Store) -> None:
    """All files are alike, byte for byte."""
    folders = [store.root / describe(spec).folder_name for store in (one, two)]
    names = [{path.name for path in folder.iterdir()} - {"checked.json"} for folder in folders]
    assert names[0] == names[1]
    for name in names[0]:
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes(), name


@pytest.mark.parametrize("spec", ["8.8.8.8", "ir169.64.8.8", PUBLIC])
def test_files_do_not_depend_on_workers(store: Store, tmp_path: Path, spec: str) -> None:
    build(spec, store=store, workers=Workers(2))
    single = beside(store, tmp_path)
    build(spec, store=single, workers=Workers(1))
    check_files(spec, store, single)
    single.remove(single.root / describe(spec).folder_name)


BUILD = """
import sys
from pathlib import Path
from doyle.base.artifacts import Store
from doyle.abstractions.cards.registry import build
from doyle.base.workers import Workers

build(sys.argv[1], store=Store(Path(sys.argv[2])), workers=Workers(2))
"""


def count_stages(store: Store, spec: str) -> int:
    """The finished stages of a build under way, which may end at any moment."""
    folder = store.root / "unfinished" / describe(spec).folder_name / "stages"
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return 0
    return sum(not name.startswith(".") for name in names)


@pytest.mark.parametrize("spec", ["8.8.8.8", "potential-8-4-3-3"])
def test_a_build_killed_at_random_moments_ends_alike(
    atlas: Atlas, tmp_path: Path, spec: str
) -> None:
    for round in range(3):
        _ = atlas.sums(round, 1)
    whole = beside(atlas.store, tmp_path / "whole")
    build(spec, store=whole, workers=Workers(2))
    killed = beside(whole, tmp_path / "killed")
    codes = []
    for pause in np.random.default_rng(len(spec)).random(3):
        finished = count_stages(killed, spec)
        process = subprocess.Popen(
            [sys.executable, "-c", BUILD, spec, str(tmp_path / "killed")],
            stdout=subprocess.PIPE,
        )
        # Some time after the next stage: in the middle of another, or at the very end.
        while count_stages(killed, spec) <= finished and process.poll() is None:
            time.sleep(0.002)
        time.sleep(float(pause))
        process.kill()
        process.communicate()
        codes.append(process.returncode)
    assert codes[0] == -signal.SIGKILL
    build(spec, store=killed, workers=Workers(2))
    check_files(spec, whole, killed)
    for one in (whole, killed):
        one.remove(one.root / describe(spec).folder_name)
