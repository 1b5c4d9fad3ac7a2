"""The atlas: exact strengths and sums, bytes that depend on nothing but the description."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.cards.strength import atlas as atlas_module
from doyle.abstractions.cards.strength.atlas import BINS, FULL_STRENGTH, Atlas, largest_sum
from doyle.base.artifacts import Builder, Store
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.cards import HOLES, board_strength, hole_index
from doyle.cards.suits.boards import HOLE_MAPS, boards, hands
from tests.abstractions.cards.small_atlas import FLOPS, small_atlas
from tests.reference import card_abstraction_twin as twin


def place(board: tuple[int, ...], hole: tuple[int, int]) -> tuple[int, int]:
    """Row and column of a hand."""
    row, permutation = boards(len(board)).find(board)
    return row, int(HOLE_MAPS[permutation, hole_index(*hole)])


def random_hand(
    generator: np.random.Generator, size: int
) -> tuple[tuple[int, ...], tuple[int, int]]:
    """A board that begins with one of the atlas's flops, suits renamed, and a hole beside it."""
    flop = boards(3).boards[generator.choice(FLOPS)].tolist()
    others = generator.permutation([card for card in range(52) if card not in flop]).tolist()
    cards = twin.renamed([*flop, *others[: size - 1]], int(generator.integers(24)))
    return cards[:size], (cards[size], cards[size + 1])


def test_river_strengths_are_those_of_the_board() -> None:
    generator = np.random.default_rng(1)
    for _ in range(20):
        board, _hole = random_hand(generator, 5)
        win, tie, _ = board_strength(board)
        row, permutation = boards(5).find(board)
        found = small_atlas().river_strength[row][HOLE_MAPS[permutation]]
        live = win + tie + _ > 0
        assert (found[live] == (2 * win + tie)[live]).all()
        assert (found[~live] == 65535).all()


@pytest.mark.parametrize("size", [3, 4])
def test_sums_are_those_of_ranking_every_opponent(size: int) -> None:
    """E[HS^p] of random hands agrees with full enumeration to 1e-12 (in fact exactly)."""
    generator = np.random.default_rng(size)
    twins = [twin.strengths] if size == 4 else [twin.strengths_by_board]
    for _ in range(3):
        board, hole = random_hand(generator, size)
        for enumerate_strengths in twins:
            strengths = enumerate_strengths(hole, board)
            for power in (1, 2, 3):
                exact = sum(strength**power for strength in strengths)
                assert small_atlas().sums(size - 2, power)[place(board, hole)] == exact
                mean = sum((s / FULL_STRENGTH) ** power for s in strengths) / len(strengths)
                assert exact / largest_sum(size - 2, power) == pytest.approx(mean, abs=1e-12)


def test_the_two_twins_agree() -> None:
    board, hole = random_hand(np.random.default_rng(5), 4)
    assert twin.strengths(hole, board) == twin.strengths_by_board(hole, board)


@pytest.mark.parametrize("round", [1, 2])
def test_histograms_count_every_runout(round: int) -> None:
    atlas, generator = small_atlas(), np.random.default_rng(round)
    rows = atlas.flop_rows if round == 1 else atlas.turn_rows
    numbered = hands(round)
    inside = np.isin(numbered.row, rows)
    found = atlas.histograms(round)
    assert (found[inside].sum(axis=1) == (1081 if round == 1 else 46)).all()
    board, hole = random_hand(generator, round + 2)
    strengths = twin.strengths_by_board(hole, board)
    bins = np.minimum(np.array(strengths) * BINS // FULL_STRENGTH, BINS - 1)
    hand = numbered.index[place(board, hole)]
    assert found[hand].tolist() == np.bincount(bins, minlength=BINS).tolist()


def test_collisions_sum_to_nothing() -> None:
    row = FLOPS[0]
    hit = np.isin(HOLES, boards(3).boards[row]).any(axis=1)
    assert (small_atlas().sums(1, 1)[row][hit] == 0).all()
    assert (small_atlas().sums(1, 1)[row][~hit] > 0).all()


def test_a_restricted_preflop_averages_its_flops() -> None:
    atlas = small_atlas()
    hole = hole_index(48, 49)  # the same pair of aces whatever the suits
    preflop = hands(0).index[0]
    chosen = preflop == preflop[hole]
    total = dealt = 0
    for row in FLOPS:
        weight = int(boards(3).weights[row])
        total += weight * int(atlas.sums(1, 1)[row][chosen].sum())
        dealt += weight * int((atlas.sums(1, 1)[row][chosen] > 0).sum())
    assert atlas.sums(0, 1)[0, hole] == total * 19600 // (10 * dealt)


def test_parts_that_do_not_exist_are_refused() -> None:
    with pytest.raises(DoyleError, match="power 4"):
        small_atlas().sums(1, 4)
    with pytest.raises(DoyleError, match="round 3"):
        small_atlas().histograms(3)


def digests(store: Store) -> dict[str, str]:
    """What each artifact says of itself, with the checksums of its files."""
    return {
        artifact.folder.name: (artifact.folder / "manifest.json").read_text() for artifact in store
    }


def make_parts(folder: Path, workers: int = 1) -> Store:
    """Build the turn and flop sums of the small atlas in a store that has its river strengths."""
    _ = small_atlas().river_strength
    store = Store(folder)
    for artifact in small_atlas().store:
        link = store.root / artifact.folder.name
        if artifact.parameters["part"] == "river" and not link.exists():
            store.root.mkdir(parents=True)
            link.symlink_to(artifact.folder)
    Atlas(flops=FLOPS, store=store, workers=Workers(workers)).sums(1, 2)
    return store


def test_workers_do_not_change_bytes(tmp_path: Path) -> None:
    one, three = make_parts(tmp_path / "one", 1), make_parts(tmp_path / "three", 3)
    assert digests(one) == digests(three)
    assert len(digests(one)) == 3


def test_threads_of_a_build_do_not_wait_for_each_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever the blocks of a part read is made before they begin."""
    caplog.set_level("INFO")
    atlas = Atlas(flops=(0, 700), store=Store(tmp_path), workers=Workers(2))
    _ = atlas.sums(1, 2), atlas.histograms(1)
    assert "waiting" not in caplog.text


def test_an_interrupted_build_ends_as_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = make_parts(tmp_path / "whole")
    finish, stages = Builder.finish, 0

    def stop_at_some_stages(self: Builder, stage: str) -> None:
        nonlocal stages
        stages += 1
        if stages in (3, 11, 20, 30):
            raise KeyboardInterrupt
        finish(self, stage)

    monkeypatch.setattr(Builder, "finish", stop_at_some_stages)
    for _ in range(4):
        with pytest.raises(KeyboardInterrupt):
            make_parts(tmp_path / "broken")
    assert digests(whole) == digests(make_parts(tmp_path / "broken"))


def test_an_altered_file_is_named(tmp_path: Path) -> None:
    store = make_parts(tmp_path)
    folder = next(a.folder for a in store if a.parameters["part"] == "flop")
    path = folder / "values.bin"
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)
    with pytest.raises(DoyleError, match=str(path)):
        make_parts(tmp_path)
    path.write_bytes(content[:-1])
    with pytest.raises(DoyleError, match=f"{path}: has"):
        make_parts(tmp_path)


@pytest.mark.slow
def test_a_killed_process_leaves_a_build_that_finishes_alike(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from doyle.base.artifacts import Store;"
        "from doyle.abstractions.cards.strength.atlas import Atlas;"
        f"Atlas(flops={tuple(range(60))}, store=Store(Path(sys.argv[1]))).sums(1, 2)"
    )
    run = [sys.executable, "-c", script]
    subprocess.run([*run, str(tmp_path / "whole")], check=True)
    for wait in (1.0, 1.5, 2.0, 2.5, 3.0):
        process = subprocess.Popen([*run, str(tmp_path / "killed")])
        time.sleep(wait)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run([*run, str(tmp_path / "killed")], check=True)
    assert digests(Store(tmp_path / "whole")) == digests(Store(tmp_path / "killed"))


def test_blocks_written_by_others_are_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a cluster does, without one: items are copied as bytes and write into the file."""

    def elsewhere(function: object, items: list[object], *, workers: Workers) -> list[object]:
        assert workers.cluster is not None
        copies = [pickle.loads(pickle.dumps((function, item))) for item in items]
        return [work(item) for work, item in copies]

    monkeypatch.setattr(atlas_module, "map_items", elsewhere)
    shared = Atlas(flops=FLOPS, store=Store(tmp_path), workers=Workers(1, "nowhere:1"))
    alone = small_atlas()
    assert np.array_equal(shared.river_strength, alone.river_strength)
    for round, power in ((2, 1), (2, 3), (1, 2), (1, 3), (0, 1)):
        assert np.array_equal(shared.sums(round, power), alone.sums(round, power))
    assert shared.river_strength.any()
