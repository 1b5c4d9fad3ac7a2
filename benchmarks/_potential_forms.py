"""Potential-aware forms of equal size compared by exploitability over real cards.

`python -m benchmarks._potential_forms [--sizes 8-12-4-4] [--every 30] [--seeds 1]` solves fold, call or
all-in at 20 big blinds (the game of examples/shallow.toml) with each form's buckets, by `external` for
a fixed number of iterations, and lets a best response see all cards. It walks every thirtieth of the
1,755 flops, each with its own weight, scaled up to all; so the responder's first decisions are fitted
to these flops, for all forms alike. Intervals (95%) are bootstrapped over the flops, drawn alike for
all forms; they do not cover the chance in the solves, for which seeds are printed one by one.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.cards import build
from doyle.base.workers import Workers, map_items
from doyle.games import Game
from doyle.measuring.full_cards.response import FullCardResponse
from doyle.solving.sampling.deals import HoldemDeals
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver
from doyle.strategy import StrategyInfo, TableStrategy

FORMS = ("potential", "gs3", "potential-fixed", "gs2")
GAME, BETTING = "holdem-nl-20bb", "fca"
DRAWS = 200


def solved(spec: str, seed: int, iterations: int) -> FullCardResponse:
    """The best response over all cards to what `external` finds with these buckets."""
    abstraction = build(spec)
    tree = BettingTree.build(BettingModel.parse(BETTING), Game.named(GAME))
    solver = SamplingSolver(tree, HoldemDeals(abstraction), SamplingOptions(seed=seed))
    solver.advance(iterations)
    strategy = TableStrategy(tree, solver.tables(), StrategyInfo(cards=abstraction.spec))
    return FullCardResponse(strategy, abstraction)


def flop_totals(response: FullCardResponse, every: int) -> np.ndarray:
    """[flops, 3, exits, holes]: what each of the chosen flops adds, all its images together."""
    parts = []
    for flop in response.flops()[::every]:
        total = response.total()
        response.add_flop(flop, response.flop_values(flop), total)
        parts.append(total)
    return np.stack(parts)


def milli_blinds(response: FullCardResponse, totals: np.ndarray, times: np.ndarray) -> float:
    """Exploitability in mbb per hand when flop i comes times[i] as often as it does."""
    images = np.array([len(flop.copies) for flop in response.flops()])
    every = -(-len(images) // len(totals))
    chosen = images[::every]
    share = images.sum() / float((chosen * times).sum())
    summed = np.tensordot(times, totals, 1) * share
    first, second, _ = response.root_values(summed)
    return (first + second) / 2 / max(response.strategy.tree.game.blinds) * 1000


def one(item: tuple[str, int], *, every: int, iterations: int) -> np.ndarray:
    """The exploitability of one solve, then of every draw of flops."""
    response = solved(*item, iterations)
    totals = flop_totals(response, every)
    generator, count = np.random.default_rng(0), len(totals)
    draws = [
        np.bincount(generator.integers(0, count, count), minlength=count) for _ in range(DRAWS)
    ]
    return np.array([milli_blinds(response, totals, times) for times in [np.ones(count), *draws]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--forms", nargs="+", default=FORMS, help="the first is compared with")
    parser.add_argument("--sizes", default="8-12-4-4")
    parser.add_argument("--every", type=int, default=30)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--iterations", type=int, default=20_000_000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    specs = [f"{form}-{options.sizes}" for form in options.forms]
    for spec in specs:
        build(spec)
    items = [(spec, seed) for spec in specs for seed in options.seeds]
    work = partial(one, every=options.every, iterations=options.iterations)
    found: dict[str, list[Any]] = {spec: [] for spec in specs}
    results = map_items(work, items, workers=Workers(options.workers), label="solves")
    for (spec, seed), values in zip(items, results, strict=True):
        found[spec].append(values)
        print(f"{spec:<28} seed {seed}: {values[0]:7.2f} mbb/h", flush=True)
    ours = np.mean(found[specs[0]], axis=0)
    for spec in specs:
        mean = np.mean(found[spec], axis=0)
        difference = mean - ours
        print(
            f"{spec:<28} {mean[0]:7.2f} +- {1.96 * mean[1:].std():.2f} mbb/h, "
            f"over {specs[0]} {difference[0]:+7.2f} +- {1.96 * difference[1:].std():.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
