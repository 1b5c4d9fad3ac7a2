"""Tables 3.1, 3.2 and 3.3: agents of different abstractions against each other.

Cards against betting at 100bb (3.1) and at equal size at 200bb (3.2), and recall at 500bb (3.3;
Schnizlein 2009, section 3.2). At small scale every agent has fewer buckets in the same proportions: 8 and 12 of
perfect recall become 4 and 6 after the flop, which have the same ratio, and the three agents of 3.2 have a
twelfth of their buckets. Which translation these matches used is not printed; hard translation with all fixes
is assumed. In 3.3 there is no translation: all bets are fcpta.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from doyle.base.statistics import Estimate
from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, printed
from doyle.experiments.papers.thesis.holdem.players import (
    ITERATIONS,
    LONG,
    boards_of,
    build_players,
    played_as,
    played_notes,
    player_game,
    repeated,
    won,
    won_in_match,
)
from doyle.experiments.papers.thesis.leduc import FIXED

TRANSLATION = f"polaris-hard{FIXED['abstract']}"
LARGE_TREES = ("fchqpwea 200bb",)
"""Players whose joint histories are too many for exact hands: they play matches."""


@dataclass(frozen=True)
class CrossTable:
    """A table in which every player meets every other."""

    players: tuple[str, ...]
    """In the order of the printed rows."""
    boards: int
    deals: int = 0
    tuned: tuple[tuple[str, str], ...] = ()
    """By `row, column` with row before column, as in `(1), (2)`: the change made after its outcome
    was seen."""
    notes: tuple[str, ...] = ()


_PREFLOP = "(5) and (6) have 12 and 8 buckets before the flop, after 6 and 4 had been tried."

TABLES = {
    "thesis/table3.1": CrossTable(
        ("fchpta 8s 100bb", "fcpta 12s 100bb", "fcpta 8s 100bb"),
        boards=200,
        tuned=tuple(
            (pair, f"{LONG:,} iterations, after {ITERATIONS:,} had given other signs: {series}.")
            for pair, series in (
                (
                    "(1), (2)",
                    "233 ± 11, 51 ± 10 and 5 ± 10 after 2^20, 2^22 and 2^24, still falling through 0",
                ),
                ("(1), (3)", "-130 ± 11, -24 ± 12 and 31 ± 11 after 2^20, 2^22 and 2^24"),
                ("(2), (3)", "-379 ± 14, -81 ± 11 and 30 ± 9 after 2^20, 2^22 and 2^24"),
            )
        ),
    ),
    "thesis/table3.2": CrossTable(
        ("fchpea 200bb", "fcpea 200bb", "fchqpwea 200bb"),
        boards=100,
        deals=100_000,
        tuned=(
            (
                "(1), (2)",
                "(2) is solved four times as long as the others: after 2^24 it lost 566 ± 46.",
            ),
            (
                "(2), (3)",
                "(2) is solved four times as long as the others: after 2^24 it lost 482 ± 76.",
            ),
        ),
        notes=(f"(1) and (3) are solved for {LONG:,} iterations.",),
    ),
    "thesis/table3.3": CrossTable(
        (
            "fcpta public",
            "fcpta 12s ir169",
            "fcpta forgetting",
            "fcpta 8s ir169",
            "fcpta 12s",
            "fcpta 8s",
        ),
        boards=200,
        tuned=(
            (
                "(1), (2)",
                "(1) and (2) are solved four times as long as (3): after 2^24 (1) won -146 ± 24.",
            ),
            ("(1), (3)", "(1) is solved four times as long as (3): after 2^24 it won -237 ± 24."),
            ("(1), (4)", "(1) is solved four times as long as (4): after 2^24 it won -64 ± 26."),
            *(
                (f"({row}), (5)", f"{_PREFLOP} (5) is solved four times as long.")
                for row in (1, 2, 3, 4)
            ),
            ("(4), (6)", f"{_PREFLOP} With 4 and 6 (4) won 445 ± 42."),
            (
                "(5), (6)",
                f"{_PREFLOP} With 4 and 6 (5) won 800 ± 86. (5) is solved four times as long.",
            ),
            *((f"({row}), (6)", _PREFLOP) for row in (1, 2, 3)),
        ),
        notes=(
            f"(3), (4) and (6) are solved for {LONG:,} iterations; (1), (2) and (5) for four times as many.",
            "(3) wins 126 ± 9 from (4) after 2^24 iterations of both, 69 ± 8 after 2^26.",
            "With the published cards and 2^24 iterations (4) wins 126 ± 33 from (6), "
            "but (5) loses 1,298 ± 44 to (6) and (1) 1,174 ± 86 to (3): these need more.",
        ),
    ),
}


def cross_table(options: Options) -> Result:
    """One of the tables: winnings of the row against the column."""
    name = options.name
    asked, table = TABLES[name], printed(name)
    build_players(sorted(asked.players, key=lambda one: one not in LARGE_TREES), options)
    cells = [
        Cell(row, column, table.text(row, column), 0.0, uncounted="itself")
        for row, column in zip(table.row_names, table.columns, strict=True)
    ]
    for i, j in options.each(combinations(range(len(asked.players)), 2)):
        found = won_from(asked.players[i], asked.players[j], asked, options)
        tuned = dict(asked.tuned).get(f"{table.columns[i]}, {table.columns[j]}")
        names = table.row_names[i], table.columns[j]
        cells.append(repeated(*names, table.text(*names), found, tuned=tuned))
        names = table.row_names[j], table.columns[i]
        cells.append(repeated(*names, table.text(*names), found, turned=True, uncounted="mirrored"))
    order = {row: number for number, row in enumerate(table.row_names)}
    cells.sort(key=lambda cell: (order[cell.row], table.columns.index(cell.column)))
    return Result(
        cells,
        notes=(
            *played_notes(options),
            *asked.notes,
            "Against itself every player wins 0: both seatings are played.",
        ),
    )


def won_from(first: str, second: str, asked: CrossTable, options: Options) -> Estimate:
    """Winnings of one player against another: by exact hands, or by a match if a tree is large."""
    game = player_game(first)
    one, other = (played_as(player, TRANSLATION, options) for player in (first, second))
    if {first, second} & set(LARGE_TREES):
        return won_in_match(game, one, other, options, deals=boards_of(options, asked.deals))
    return won(game, one, other, options, boards=boards_of(options, asked.boards))
