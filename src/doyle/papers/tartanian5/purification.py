"""The purification experiment: one agent as solved, thresholded at 0.15 and purified.

Two versions of Tartanian4 played in 2010: the purified one beat the thresholded one head to head and did
better against all opponents but one. Ours is the preset `tartanian4`, against each other and against the
other agents of the museum.
"""

from __future__ import annotations

from itertools import combinations

from doyle.games import Game
from doyle.matches.statistics import Estimate
from doyle.museum import kept_match
from doyle.museum.exhibits import exhibit
from doyle.papers.opponents import GAME, museum_opponents, museum_scale, ready
from doyle.papers.registry import Options
from doyle.papers.result import Cell, Result, Section
from doyle.papers.tartanian5 import SOURCE
from doyle.papers.tartanian5.sizes import compared

AGENT = "tartanian4"
VERSIONS = {
    "full": "purification=full",
    "threshold 0.15": "purification=threshold,threshold=0.15",
    "none": "purification=none",
}
_PUBLISHED = ("full", "threshold 0.15")
_HANDS = {"small": 50_000, "published": 1_000_000}


def purification(options: Options) -> Result:
    """The versions against each other, and against the museum."""
    base = ready(exhibit(AGENT, GAME, museum_scale(options)), options)
    texts = {name: f"{base}:{text}" for name, text in VERSIONS.items()}
    hands = options.hands or _HANDS[options.scale]

    def match(first: str, second: str) -> Estimate:
        played = kept_match(
            Game.named(GAME), (first, second),
            hands=hands, seed=options.seed, workers=options.workers,
        )  # fmt: skip
        return played.mbb_per_hand(0)

    cells: list[Cell] = []
    for one, two in combinations(VERSIONS, 2):
        published = "wins" if (one, two) == _PUBLISHED else None
        won = match(texts[one], texts[two])
        cells.append(compared(f"{one} against {two}", "first", published, won, other="our agents"))
    rows, better = [], 0
    for opponent in museum_opponents(options, without=AGENT):
        results = {name: match(text, opponent) for name, text in texts.items()}
        better += results["full"].mean > results["threshold 0.15"].mean
        rows.append((opponent, *(f"{found:.0f}" for found in results.values())))
    return Result(
        "tartanian5/purification",
        "Full purification, a threshold of 0.15 and none",
        f"{SOURCE}, purification",
        tuple(cells),
        sections=(Section("Against the museum, mbb/h", ("opponent", *VERSIONS), tuple(rows)),),
        notes=(
            f"{base}, {hands:,} duplicate deals a match.",
            f"Full purification does better than the threshold against {better} of {len(rows)} "
            "opponents; published: against all but one.",
            "The published scale needs the presets at full size, an hour of solving each on two cores.",
        ),
    )
