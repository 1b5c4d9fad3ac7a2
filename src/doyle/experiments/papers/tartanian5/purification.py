"""The purification experiment: one agent as solved, thresholded at 0.15 and purified.

Two versions of Tartanian4 played in 2010: the purified one beat the thresholded one head to head and did
better against all opponents but one. Ours is the preset `tartanian4`, against each other and against the
other agents of the museum.
"""

from __future__ import annotations

from itertools import combinations

from doyle.base.statistics import Estimate
from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.claims.tartanian import MBB, PAIRED
from doyle.experiments.papers.opponents import (
    match,
    museum_agent,
    museum_opponents,
    solved_note,
)
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result
from doyle.matches import MatchResult

AGENT = "tartanian4"
VERSIONS = {
    "full": "purification=full",
    "threshold 0.15": "purification=threshold,threshold=0.15",
    "none": "purification=none",
}
_PUBLISHED = ("full", "threshold 0.15")
_ALIKE = (
    "At small scale tartanian5 has the bets and cards of tartanian4, so against it the purified version plays "
    "itself, and the others repeat the matches of the versions on fewer deals."
)
_HANDS = {"small": 100_000, "published": 1_000_000}
_MUSEUM_HANDS = {"small": 20_000, "published": 1_000_000}


def purification(options: Options) -> Result:
    """The versions against each other, and against the museum."""
    base = museum_agent(AGENT, options)
    texts = {name: f"{base}:{text}" for name, text in VERSIONS.items()}
    hands = options.hands or _HANDS[options.scale]
    museum_hands = options.hands or _MUSEUM_HANDS[options.scale]

    cells: list[Cell] = []
    for one, two in combinations(VERSIONS, 2):
        won = match(texts[one], texts[two], options, hands=hands).mbb_per_hand(0)
        cells.append(measured(f"{one} against {two}", MBB, won))
    for name, opponent in museum_opponents(options, without=AGENT).items():
        results = {
            version: match(text, opponent, options, hands=museum_hands)
            for version, text in texts.items()
        }
        cells += [
            measured(f"{version} against {name}", MBB, found.mbb_per_hand(0))
            for version, found in results.items()
        ]
        apart = _difference(*(results[version] for version in _PUBLISHED))
        cells.append(measured(name, PAIRED, apart))
    return Result(
        cells,
        notes=(
            f"{AGENT}, {hands:,} duplicate deals a match of its versions and {museum_hands:,} of others, all from one seed.",
            solved_note(options),
            *([_ALIKE] if options.scale == "small" else []),
        ),
    )


def _difference(one: MatchResult, other: MatchResult) -> Estimate:
    """How much more the first player wins in the one match than in the other, deal by deal, in mbb/h."""
    apart = Estimate.of(one.units[:, 0] - other.units[:, 0], unit=one.unit)
    return apart.in_mbb(one.game.big_blind)
