"""Candidates for the preset `default`, solved for equal processor time and compared by local best response.

`python -m benchmarks._default_search --seconds 120 --hands 600 'fcpa ir169.ir200.ir200.200' 'fcpta ...'`
solves every candidate (a betting model and a card abstraction, at 200 big blinds) by `external` for so
many seconds of processor time, and lets the local best response with 56 sizes in all rounds play
against each on the same hands. The table shows what it wins, the difference to the first candidate, in
pairs, and from which first raises the winnings come. An option such as `:purification=full` or
`:translation=det-geo` may follow the cards, and settings of the solver such as `tremble=0.05` a blank. Strategies are kept in the cache folder under `search`, so
that a candidate is solved once for each number of seconds.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.cards import build
from doyle.base.paths import cache_folder
from doyle.base.statistics import Estimate
from doyle.base.workers import Workers
from doyle.games import Game
from doyle.measuring.local_best_response.run import LbrResult, run_lbr
from doyle.solving.sampling.deals import HoldemDeals
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver
from doyle.strategy import StrategyInfo, save_strategy

GAME = Game.named("holdem-nl-200bb")
TRANSLATION = "rand-pshar+defend"


def solver_of(betting: str, cards: str, options: SamplingOptions, threads: int) -> SamplingSolver:
    tree = BettingTree.build(BettingModel.named(betting), GAME)
    deals = HoldemDeals(build(cards))
    return SamplingSolver(tree, deals, options, Workers(threads))


def settings_of(text: str) -> dict[str, float | int]:
    """Settings of the solver, as `tremble=0.05,interval=65536`."""
    pairs = (part.split("=") for part in text.split(",") if part)
    return {name: int(value) if value.isdigit() else float(value) for name, value in pairs}


def solved(
    betting: str, cards: str, seconds: float, *, seed: int, threads: int, settings: str = ""
) -> Path:
    """The folder of the candidate's strategy after so much processor time of solving."""
    name = f"{betting} {cards} {settings or 'plain'} {seconds:g}s seed {seed}".replace(
        "/", "_"
    ).replace(" ", "-")
    folder = cache_folder() / "search" / name
    if folder.exists():
        return folder
    options = SamplingOptions(seed=seed, **settings_of(settings))  # type: ignore[arg-type]
    solver_of(betting, cards, options, threads).advance(1)  # compiles
    solver = solver_of(betting, cards, options, threads)
    start = time.process_time()
    while time.process_time() - start < seconds:
        solver.advance(1)
    counts = solver.source.bucket_counts
    info = StrategyInfo(
        cards=solver.source.cards,
        solver="external",
        seed=seed,
        iterations=solver.iteration,
        bucket_counts=tuple(counts),
        translation=TRANSLATION,
        purification="none",
    )
    save_strategy(replace(solver.strategy(), info=info), folder, step=solver.iteration)
    print(
        f"{betting} {cards} {settings}: {len(solver.tree.decisions):,} decisions, "
        f"{solver.table_bytes / 1e6:.0f} MB, {solver.iteration / 1e6:.0f} M iterations",
        flush=True,
    )
    return folder


def difference(result: LbrResult, first: LbrResult) -> str:
    """What more is won than against the first candidate, hand by hand."""
    apart = result.values - first.values
    return f"{Estimate.of_strata(apart[0::2], apart[1::2]).in_mbb(GAME.big_blind):+.0f}"


def row(name: str, result: LbrResult, first: LbrResult | None) -> str:
    largest = sorted(result.origins.items(), key=lambda entry: -entry[1])[:4]
    where = "; ".join(f"{kind or 'no raise'} {value:.0f}" for kind, value in largest)
    paired = "" if first is None else difference(result, first)
    return f"| `{name}` | {result.won:.0f} | {paired} | {where} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("candidates", nargs="+", metavar="'BETTING CARDS[:OPTIONS] [SETTINGS]'")
    parser.add_argument("--seconds", type=float, default=120.0, help="of processor time, solving")
    parser.add_argument("--hands", type=int, default=600, help="of the local best response")
    parser.add_argument("--seed", type=int, default=7, help="of its hands")
    parser.add_argument("--solver-seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    chosen = parser.parse_args()
    first: LbrResult | None = None
    print("| candidate | LBR wins, mbb/h | beside the first | by first raise |\n|---|---|---|---|")
    for text in chosen.candidates:
        betting, rest, settings = (*text.split(), "")[:3]
        cards, colon, options = rest.partition(":")
        folder = solved(
            betting,
            cards,
            chosen.seconds,
            seed=chosen.solver_seed,
            threads=chosen.threads,
            settings=settings,
        )
        result = run_lbr(
            GAME, f"{folder}{colon}{options}", actions="56", hands=chosen.hands, seed=chosen.seed
        )
        print(row(text, result, first), flush=True)
        first = first or result


if __name__ == "__main__":
    main()
