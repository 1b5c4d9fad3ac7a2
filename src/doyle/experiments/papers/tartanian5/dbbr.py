"""DBBR in limit Hold'em against weak opponents (Tartanian5, additional research), in kind.

The paper says that the algorithm "leads to improved performance against a variety of agents" and prints no
table. DBBR and its equilibrium play the same deals, so their difference is paired. All hands of a match share
what was learnt in it, so the matches are the observations, and the interval is Student's.
"""

from __future__ import annotations

import numpy as np

from doyle.experiments.museum.built import ITERATIONS, built_strategy
from doyle.experiments.papers.claims.tartanian import GAINED
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.result import Cell, Result, measured
from doyle.experiments.papers.tartanian5.safe_exploitation import SOURCE
from doyle.matches.match import play_match
from doyle.solving.run import stopwatch
from doyle.statistics import Estimate

LIMIT_GAME, EQUILIBRIUM = "holdem-limit-2p", "limit-2p-small"
WEAK = ("always-call", "always-raise", "random")
MATCHES = {"small": 4, "published": 40}
HANDS = {"small": 2_000, "published": 3_000}
"""Deals of a match."""


def dbbr(options: Options) -> Result:
    """DBBR and its equilibrium against three weak opponents, on the same deals."""
    strategy = built_strategy(EQUILIBRIUM, workers=options.workers, progress=options.progress)
    elapsed = stopwatch()
    matches, hands = MATCHES[options.scale], options.hands or HANDS[options.scale]
    cells: list[Cell] = []
    done = 0
    for opponent in WEAK:
        won: dict[str, list[float]] = {"dbbr": [], "equilibrium": []}
        for number in range(matches):
            for name, text in (("dbbr", f"dbbr:{strategy}"), ("equilibrium", strategy)):
                found = play_match(
                    LIMIT_GAME, [text, opponent], hands=hands,
                    seed=options.seed + number, time_limit=600.0, workers=options.workers,
                )  # fmt: skip
                won[name].append(float(found.mbb_per_hand(0).mean))
            done += 1
            if options.progress is not None:
                options.progress("matches", done, matches * len(WEAK))
        ours, equilibrium = (np.array(values) for values in won.values())
        for name, values in (("dbbr", ours), ("equilibrium", equilibrium)):
            cells.append(measured(opponent, name, Estimate.of_strata(values)))
        cells.append(measured(opponent, GAINED, Estimate.of_strata(ours - equilibrium)))
    return Result(
        "tartanian5/dbbr",
        "DBBR in limit Hold'em against weak opponents, mbb/h",
        SOURCE,
        tuple(cells),
        notes=(
            f"{matches} matches of {hands:,} deals in both seatings against each opponent, memories reset; "
            f"seeds {options.seed} to {options.seed + matches - 1}. Matches are the observations. The first "
            "1,000 hands of each are the equilibrium's own.",
            f"The equilibrium is {EQUILIBRIUM} after {ITERATIONS:,} iterations by one thread.",
        ),
        published_seconds=elapsed()
        * (MATCHES["published"] * HANDS["published"] / (matches * hands)),
    )  # fmt: skip
