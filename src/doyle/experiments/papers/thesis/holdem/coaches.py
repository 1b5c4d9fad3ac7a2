"""Table 5.2: the Full and the Defensive Coach against the two strategies that they switch between.

Strategy (1) has the finer cards, (2) also bets half the pot (Schnizlein 2009, section 5.5); they are the first two
agents of table 3.2, numbered the other way round. The Defensive Coach never switches against (1), so there it is
(1) itself and wins exactly 0, chip for chip. Other pairs are evaluated over all hands; coaches are
queried history by history, so histories of little stake are sampled. Other readings of the coaches
are rows of ours, on fewer boards.
"""

from __future__ import annotations

from itertools import product

from doyle.base.statistics import Estimate
from doyle.experiments.papers.cell import Cell, Uncounted
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, printed
from doyle.experiments.papers.thesis.holdem.players import (
    boards_of,
    build_players,
    played_as,
    played_notes,
    player_game,
    repeated,
    won,
    won_in_match,
)
from doyle.experiments.papers.thesis.holdem.trade_offs import TABLES, TRANSLATION, won_from

STRATEGIES = {"(1)": "fcpea 200bb", "(2)": "fchpea 200bb"}
COACHES = {
    "Full Coach": "full-coach",
    "Defensive Coach": "defensive-coach",
    "Full Coach, (1) calls after bets of (2)": "full-coach-calls",
    "Full Coach, stays with (2)": "full-coach-stays",
    "Defensive Coach, (1) again after its answer": "defensive-coach-returns",
    "Defensive Coach, (2) untrained where it seldom is": "defensive-coach-untrained",
}
"""The printed ones first; the others are not printed."""
BOARDS = 400
OTHER_BOARDS = 200
"""Of readings that are not printed."""
LEAST_STAKE = 0.1
"""Chips a hand, a thousandth of the big blind, below which a history is followed at random."""
DEALS = 2_000
"""Of the match that must end in 0 chip for chip."""
OTHER_READINGS = {
    ("Full Coach", "(1)"): ("Full Coach, (1) calls after bets of (2)",),
    ("Defensive Coach", "(2)"): (
        "Defensive Coach, (1) again after its answer",
        "Defensive Coach, (2) untrained where it seldom is",
    ),
}
"""Further readings of cells that depend on a strategy's play after actions that it would not have
made; the paper does not print it."""


def table_5_2(options: Options) -> Result:
    """Both coaches and both strategies against the strategies."""
    table = printed(options.name)
    build_players(STRATEGIES.values(), options)
    strategies = [name for name in table.row_names if name not in COACHES]
    pairs = [
        (row, column)
        for row, column in product((*COACHES, *strategies), STRATEGIES)
        if row in table.row_names or not _is_first(row, column)
    ]
    found = {
        (row, column): _won(row, column, options, is_printed=row in table.row_names)
        for row, column in options.each(pairs)
    }
    cells = list[Cell]()
    for (row, column), gained in found.items():
        published = table.text(row, column) if row in table.row_names else None
        readings = [
            (other, found[other, column]) for other in OTHER_READINGS.get((row, column), ())
        ]
        uncounted = _uncounted(row, column, gained)
        cells.append(
            repeated(row, column, published, gained, uncounted=uncounted, tuned=added(readings))
        )
    return Result(cells, notes=played_notes(options))


def added(readings: list[tuple[str, Estimate]]) -> str | None:
    """The readings of a cell that were added until they span the printed value; None if absent.

    >>> added([("untrained", Estimate(-137.0, 20.0))])
    'Readings were added until they span the print, which says nothing of them: untrained -137 ± 20.'
    """
    if not readings:
        return None
    found = "; ".join(f"{name} {one:.0f}" for name, one in readings)
    return f"Readings were added until they span the print, which says nothing of them: {found}."


def _uncounted(row: str, column: str, gained: Estimate) -> Uncounted | None:
    """Why a cell is not counted: the strategies' own cells only repeat table 3.2."""
    if not gained.count or _is_first(row, column):
        return "itself"
    return None if row in COACHES else "mirrored"


def _is_first(row: str, column: str) -> bool:
    """Whether a coach is (1) itself: the Defensive Coach against (1), which makes no half-pot bet."""
    return row.startswith("Defensive") and column == "(1)"


def _won(row: str, column: str, options: Options, *, is_printed: bool) -> Estimate:
    """Winnings of a row against a column; without boards for a strategy against itself."""
    own, opponent = STRATEGIES.get(row.split()[0]), STRATEGIES[column]
    if own == opponent:
        return Estimate.exact(0.0)
    if own is not None:
        return won_from(own, opponent, TABLES["thesis/table3.2"], options)
    game, kind = player_game(opponent), COACHES[row]
    both = [played_as(one, TRANSLATION, options) for one in STRATEGIES.values()]
    coach, other = f"{kind}:{':then:'.join(both)}", played_as(opponent, TRANSLATION, options)
    if (kind, column) == ("defensive-coach", "(1)"):
        return won_in_match(game, coach, other, options, deals=boards_of(options, DEALS))
    boards = boards_of(options, BOARDS if is_printed else OTHER_BOARDS)
    return won(game, coach, other, options, boards=boards, least_stake=LEAST_STAKE)
