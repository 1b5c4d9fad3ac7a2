"""Makes the files of src/doyle/agents/starter: python tools/make_starter.py WORK_FOLDER

Solves the two-player games with the commands below (one worker and a seed, so the bytes are the same
wherever it runs), which are skipped if WORK_FOLDER has their strategies already, and packs the strategies
with one byte per probability. The buckets come from the card abstraction of the same name.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from doyle.abstractions.cards import Atlas
from doyle.abstractions.cards.registry import build
from doyle.abstractions.cards.strength.atlas import largest_sum
from doyle.agents.starter.agent import STRATEGIES
from doyle.agents.starter.buckets import CARDS, StarterBuckets, flop_of, least_flop
from doyle.agents.starter.files import FOLDER, write_buckets, write_strategy
from doyle.cards.suits.boards import boards
from doyle.strategy import load_strategy

BETTING = {"holdem-nl-200bb": "fcp300,1000pa", "holdem-limit-2p": "limit"}
ITERATIONS = {"holdem-nl-200bb": 30_000_000, "holdem-limit-2p": 20_000_000}
SEED = 1


def solve(game: str, folder: Path) -> None:
    command = [sys.executable, "-m", "doyle", "solve", game, "--solver", "external"]
    command += ["--betting", BETTING[game], "--cards", CARDS, "--seed", str(SEED)]
    command += ["--iterations", str(ITERATIONS[game]), "--workers", "1", "--save", str(folder)]
    subprocess.run(command, check=True)


def buckets() -> StarterBuckets:
    abstraction = build(CARDS)
    least = sorted({least_flop(tuple(map(int, flop)))[0] for flop in boards(3).boards})
    rows = [np.maximum(abstraction.buckets(flop_of(code)), 0) for code in least]
    equity = np.asarray(Atlas().sums(0, 1)[0], np.float64) / largest_sum(0, 1)
    return StarterBuckets(
        preflop=abstraction.buckets(()).astype(np.uint8),
        preflop_equity=np.rint(255 * equity).astype(np.uint8),
        flops=np.array(least, np.int32),
        flop_buckets=np.array(rows, np.uint8),
    )


def main(work: Path) -> None:
    write_buckets(FOLDER / "buckets.npz", buckets())
    for game, name in STRATEGIES.items():
        folder = work / name.removesuffix(".npz")
        if not folder.exists():
            solve(game, folder)
        write_strategy(FOLDER / name, load_strategy(folder))
    for path in sorted(FOLDER.glob("*.npz")):
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
