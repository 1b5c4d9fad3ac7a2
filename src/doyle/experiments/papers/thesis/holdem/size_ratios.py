"""The size ratios of sections 3.2 and 3.3.3: the cost of a bet or of more buckets.

Betting abstractions are compared by their decisions, whole abstractions by their information sets, which are
the decisions of each round times its buckets. The ratios of table 3.2 (15.7 and 248.0) are among the counts of
`tests/perft`.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.cards.registry import bucket_counts
from doyle.base.errors import DoyleError
from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, printed
from doyle.games import Game

GAMES = {"500bb": "doyle-500bb", "200bb": "holdem-nl-200bb-small", "100bb": "holdem-nl-100bb"}
EIGHT, TWELVE = "ir169.64.8.8", "ir169.72hs2x2hs.12.12"
PUBLIC, IMPERFECT = "ir169.dir-pub20x205-20x1.pub3x68-3x1.68", "ir169.ir64.ir512.4096"

ABSTRACTIONS = {
    "12s and 8s of table 3.1": (("fcpta", "100bb", TWELVE), ("fcpta", "100bb", EIGHT)),
    "fchpta 8s and fcpta 12s of table 3.1": (
        ("fchpta/h", "100bb", EIGHT),
        ("fcpta", "100bb", TWELVE),
    ),
    "(1) and (3) of table 3.3": (("fcpta", "500bb", PUBLIC), ("fcpta", "500bb", IMPERFECT)),
    "(2) and (1) of table 3.3": (("fcpta", "500bb", TWELVE), ("fcpta", "500bb", PUBLIC)),
}
"""Rows that compare betting, stacks and cards; all others compare betting alone."""

REASONS = {
    "fchpta 8s and fcpta 12s of table 3.1": "The printed 1.5 is 7.2 / 4.7, the ratio of two ratios; half-pot "
    "bets add most decisions on the river, where most buckets are.",
    "12s and 8s of table 3.1": "How sizes were counted is not printed; river buckets alone give 81 / 16 = 5.06.",
    "(1) and (3) of table 3.3": "How sizes were counted is not printed.",
}


@cache
def decisions(betting: str, stacks: str) -> tuple[int, ...]:
    """How many decisions each round of a betting tree has."""
    tree = BettingTree.build(BettingModel.named(betting), Game.named(GAMES[stacks]))
    return tuple(np.bincount(np.asarray(tree.round)[tree.decisions], minlength=4).tolist())


def information_sets(betting: str, stacks: str, cards: str) -> int:
    """The information sets of both players together."""
    buckets = bucket_counts(cards)
    if buckets is None:
        raise DoyleError(
            f"cards {cards!r}: the number of buckets is known only once they are built"
        )
    by_round = zip(decisions(betting, stacks), buckets, strict=True)
    return sum(count * bucket for count, bucket in by_round)


def size_ratio(row: str) -> float:
    """How many times as large the first of a row is."""
    if row in ABSTRACTIONS:
        larger, smaller = (information_sets(*one) for one in ABSTRACTIONS[row])
        return larger / smaller
    models, _, stacks = row.partition(" at ")
    larger, smaller = (sum(decisions(model, stacks)) for model in models.split(" and "))
    return larger / smaller


def section_3_2(options: Options) -> Result:
    """Every printed ratio, computed."""
    table, cells = printed(options.name), list[Cell]()
    for row in options.each(table.row_names):
        ratio = table.text(row, "ratio")
        cells.append(
            Cell(row, "ratio", ratio, size_ratio(row), unsigned=True, reason=REASONS.get(row))
        )
    return Result(
        cells, notes=("The ratios of betting trees are all within 2% of the printed ones.",)
    )
