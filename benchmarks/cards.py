"""Speed of the card kernels against the same algorithms in C++ and against peer evaluators.

The twins in `cpp/cards.cpp` are built when a C++ compiler is there. Ours and theirs take turns and
the best of several rounds counts, in seconds of the processor: a busy machine disturbs both alike.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks._sevens_kernels import sum_of_all_sevens
from doyle.cards import canonical_boards, format_card, rank_hand, rank_tables
from doyle.cards._ranking_kernels import evaluate_sevens
from doyle.cards._strength_kernels import board_scratch, strength_of_boards

HANDS = 1_000_000
PEER_HANDS, PEER_ROUNDS = 5_000, 9
BOARDS = 4_000
ALL_SEVENS = 133_784_560
TARGET = 1.2

Measurement = dict[str, Any]


def build_library(source: Path) -> ctypes.CDLL | None:
    """Compile one C++ file into a library in a temporary folder; None without a compiler."""
    compiler = shutil.which(os.environ.get("CXX", "g++")) or shutil.which("clang++")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "twins.so"
        flags = ["-O3", "-march=native", "-shared", "-fPIC", "-std=c++17"]
        subprocess.run([compiler, *flags, str(source), "-o", str(target)], check=True)
        return ctypes.CDLL(str(target))


def best_of(rounds: int, *runs: Callable[[], object]) -> list[float]:
    """The least seconds of this thread in each run over several rounds, the runs taking turns."""
    best = [float("inf")] * len(runs)
    for _ in range(rounds):
        for number, run in enumerate(runs):
            start = time.thread_time()
            run()
            best[number] = min(best[number], time.thread_time() - start)
    return best


def measurements() -> list[Measurement]:
    """One row for each job: ours, the other's, their unit and the ratio of times (ours / other's)."""
    library = build_library(Path(__file__).parent / "cpp" / "cards.cpp")
    return [
        *_compare(_random_hands(), library, "7-card evaluation, random hands", HANDS),
        *_compare(_enumeration(), library, "7-card evaluation, enumeration order", ALL_SEVENS),
        *_compare(_river_boards(), library, "river board: rank, sort, win/tie/loss", BOARDS),
        *_peers(),
    ]


Job = tuple[Callable[[], object], Callable[[ctypes.CDLL], object], int, str]
"""Ours, theirs, how many rounds, and the unit; both return what must be equal."""


def _compare(job: Job, library: ctypes.CDLL | None, name: str, items: int) -> list[Measurement]:
    ours, theirs, rounds, unit = job
    expected = ours()  # compiled and warm
    if library is None:
        (seconds,) = best_of(rounds, ours)
        return [_row(name, seconds, None, items, unit, "no C++ compiler found")]
    twin = library
    if not np.array_equal(np.asarray(expected), np.asarray(theirs(twin))):
        raise AssertionError(f"{name}: the C++ twin gives different results")
    seconds, other = best_of(rounds, ours, lambda: theirs(twin))
    return [_row(name, seconds, other, items, unit, "other: C++ twin, -O3 -march=native")]


def _row(
    name: str, seconds: float, other: float | None, items: int, unit: str, note: str
) -> Measurement:
    def shown(value: float | None) -> float | None:
        if value is None:
            return None
        return round(value / items * 1e6, 2) if unit == "us" else round(items / value / 1e6, 3)

    return {
        "name": name,
        "ours": shown(seconds),
        "other": shown(other),
        "unit": unit,
        "ratio": None if other is None else round(seconds / other, 5),
        "target": TARGET,
        "note": note,
    }


def _pointers(*arrays: NDArray[Any]) -> list[ctypes.c_void_p]:
    return [ctypes.c_void_p(array.ctypes.data) for array in arrays]


def _sample(count: int) -> NDArray[np.uint8]:
    generator = np.random.default_rng(1)
    deck = np.tile(np.arange(52, dtype=np.uint8), (count, 1))
    return np.ascontiguousarray(generator.permuted(deck, axis=1)[:, :7])


def _random_hands() -> Job:
    tables, hands = rank_tables(7), _sample(HANDS)
    ranks, their_ranks = np.zeros(HANDS, np.uint16), np.zeros(HANDS, np.uint16)

    def ours() -> NDArray[np.uint16]:
        evaluate_sevens(tables, hands, ranks)
        return ranks

    def theirs(library: ctypes.CDLL) -> NDArray[np.uint16]:
        count = ctypes.c_int64(HANDS)
        library.evaluate_sevens(*_pointers(*tables, hands), count, *_pointers(their_ranks))
        return their_ranks

    return ours, theirs, 15, "M/s"


def _enumeration() -> Job:
    tables = rank_tables(7)

    def theirs(library: ctypes.CDLL) -> int:
        library.sum_of_all_sevens.restype = ctypes.c_uint64
        return int(library.sum_of_all_sevens(*_pointers(*tables)))

    return lambda: sum_of_all_sevens(tables), theirs, 5, "M/s"


def _river_boards() -> Job:
    tables, scratch = rank_tables(7), board_scratch()
    boards = canonical_boards(5)[0]
    chosen = np.random.default_rng(2).choice(len(boards), BOARDS, replace=False)
    boards = np.ascontiguousarray(boards[chosen])
    counts, their_counts = (np.zeros((3, BOARDS, 1326), np.int32) for _ in range(2))

    def ours() -> NDArray[np.int32]:
        strength_of_boards(tables, boards, scratch, counts[0], counts[1], counts[2])
        return counts

    def theirs(library: ctypes.CDLL) -> NDArray[np.int32]:
        count = ctypes.c_int64(BOARDS)
        library.strength_of_boards(*_pointers(*tables, boards), count, *_pointers(*their_counts))
        return their_counts

    return ours, theirs, 9, "us"


def _peers() -> list[Measurement]:
    """One call from Python for each hand, ours and theirs, each with cards in its own form."""
    hands = _sample(PEER_HANDS).tolist()

    def ours() -> None:
        for hand in hands:
            rank_hand(hand)

    ours()
    rows = []
    for name, run in _peer_runs(hands):
        seconds, other = best_of(PEER_ROUNDS, ours, run)
        row = _row(f"one call a hand, {name}", seconds, other, PEER_HANDS, "M/s", "peer, the same")
        rows.append(row | {"target": None})
    return rows


def _peer_runs(hands: list[list[int]]) -> list[tuple[str, Callable[[], object]]]:
    runs: list[tuple[str, Callable[[], object]]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import eval7

            cards = [eval7.Card(format_card(card)) for card in range(52)]
            sevens = [[cards[card] for card in hand] for hand in hands]
            runs.append(("eval7", lambda: [eval7.evaluate(hand) for hand in sevens]))
        except ImportError:
            pass
        try:
            from phevaluator import evaluate_cards

            runs.append(("phevaluator", lambda: [evaluate_cards(*hand) for hand in hands]))
        except ImportError:
            pass
        try:
            from treys import Card, Evaluator

            evaluator = Evaluator()
            names = [Card.new(format_card(card)) for card in range(52)]
            split = [([names[c] for c in h[:2]], [names[c] for c in h[2:]]) for h in hands]
            runs.append(("treys", lambda: [evaluator.evaluate(*hand) for hand in split]))
        except ImportError:
            pass
    return runs


if __name__ == "__main__":
    for measurement in measurements():
        print(measurement)
