"""DBBR in limit Hold'em (Tartanian5, additional research): the experiment with weak opponents of our own.

The paper says that the algorithm "leads to improved performance against a variety of agents" and prints no
table. DBBR and its equilibrium play the same deals, so their difference is paired. All hands of a
match share its model of the opponent, so the matches are the observations, and the interval is
Student's.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import numpy as np

from doyle.base.statistics import Estimate
from doyle.experiments.laboratory import ITERATIONS, built_strategy
from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.claims.tartanian import GAINED
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result
from doyle.matches.match import play_match

LIMIT_GAME, EQUILIBRIUM = "holdem-limit-2p", "limit-2p-small"
WEAK = ("always-call", "always-raise", "random")
MATCHES = {"small": 4, "published": 40}
HANDS = {"small": 2_000, "published": 3_000}
"""Deals of a match."""


def dbbr(options: Options) -> Result:
    """DBBR and its equilibrium against three weak opponents, on the same deals."""
    strategy = built_strategy(EQUILIBRIUM, workers=options.workers, progress=options.progress)
    matches, hands = MATCHES[options.scale], options.hands or HANDS[options.scale]
    players = {"dbbr": f"dbbr:{strategy}", "equilibrium": strategy}
    won: dict[tuple[str, str], list[float]] = defaultdict(list)
    for opponent, number in options.each(product(WEAK, range(matches)), "matches"):
        for name, text in players.items():
            found = play_match(
                LIMIT_GAME, [text, opponent], hands=hands,
                seed=options.seed + number, time_limit=600.0, workers=options.workers,
            )  # fmt: skip
            won[opponent, name].append(float(found.mbb_per_hand(0).mean))
    cells: list[Cell] = []
    for opponent in WEAK:
        values = {name: np.array(won[opponent, name]) for name in players}
        values[GAINED] = values["dbbr"] - values["equilibrium"]
        cells += [measured(opponent, name, Estimate.of_strata(one)) for name, one in values.items()]
    return Result(
        cells,
        notes=(
            f"{matches} matches of {hands:,} deals in both seatings against each opponent, memories reset; "
            f"seeds {options.seed} to {options.seed + matches - 1}. Matches are the observations. The first "
            "1,000 hands of each are the equilibrium's own.",
            f"The equilibrium is {EQUILIBRIUM} after {ITERATIONS:,} iterations by one thread.",
        ),
    )
