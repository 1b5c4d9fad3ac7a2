"""Claims of the papers on Tartanian (2008) and Tartanian5 (2012) about their agents."""

from __future__ import annotations

from collections.abc import Mapping

from doyle.base.statistics import Estimate
from doyle.experiments.papers.claims.deciding import Claim, View

MBB = "mbb/h"
PAIRED = "full less threshold 0.15, paired"
GAINED = "dbbr less equilibrium, paired"
SAFELY_GAINED = "safe-exploiter less best equilibrium, paired"
LEAST_TOTAL = "least total of 4 hands of Kuhn less 4 values"
AS_PLAYED, RIVERS_SOLVED = "rivers looked up", "rivers solved"
SOLVED_GAIN = "looked up less solved, paired"
ITSELF = "tartanian5"
"""The opponent of the purification experiment that at small scale is the agent itself."""


def _against_each(view: View) -> list[Estimate]:
    """How much better full purification does than the threshold, by opponent."""
    return [view(row, PAIRED) for row in view.rows(PAIRED) if row != ITSELF]


def _gained(rows: tuple[str, ...], column: str) -> Claim:
    return Claim(
        f"{column}: more than 0 everywhere", lambda view: [view(row, column) for row in rows]
    )


CLAIMS: Mapping[str, tuple[Claim, ...]] = {
    "tartanian/section7": (
        Claim(
            "absolute rounding loses to PokeMinn",
            lambda view: [view("pokeminn", "absolute"), view("pokeminn-144", "absolute")],
        ),
        Claim(
            "relative rounding handles its bets",
            lambda view: [
                view(row, "absolute") - view(row, "relative")
                for row in ("pokeminn", "pokeminn-144")
            ],
        ),
    ),
    "tartanian5/sizes": (
        Claim("8-12-4-4 beats 8-4-3-3", lambda view: [view("8-12-4-4 against 8-4-3-3", MBB)]),
        Claim("8-12-4-4 beats 12-25-6-6", lambda view: [view("8-12-4-4 against 12-25-6-6", MBB)]),
    ),
    "tartanian5/exploitability": (
        Claim(
            "the larger the abstraction, the less it has converged",
            lambda view: [
                view("8-12-4-4", "0.55") - view("8-4-3-3", "0.13"),
                view("12-25-6-6", "0.8") - view("8-12-4-4", "0.55"),
            ],
        ),
    ),
    "tartanian5/purification": (
        Claim(
            "full purification beats the threshold of 0.15",
            lambda view: [view("full against threshold 0.15", MBB)],
        ),
        Claim(
            "it does better against all opponents but one (without itself)",
            _against_each,
            exceptions=1,
        ),
    ),
    "tartanian5/river-solving": (
        Claim(
            "a best response of the river wins less if rivers are solved",
            lambda view: [view(SOLVED_GAIN, actions) for actions in ("fcpa", "18")],
        ),
    ),
    "tartanian5/dbbr": (_gained(("always-call", "always-raise", "random"), GAINED),),
    "tartanian5/safe-exploitation": (
        _gained(
            ("kuhn, always-call", "kuhn, random", "leduc, always-call", "leduc, random"),
            SAFELY_GAINED,
        ),
        Claim(
            "the value of the game is guaranteed in expectation",
            lambda view: [
                view(f"safe-exploiter, seat {seat}", LEAST_TOTAL) - -1e-9 for seat in (1, 2)
            ],
        ),
    ),
}
