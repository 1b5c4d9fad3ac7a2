"""Tables 3.4 and 3.5 in Hold'em, and the ten-pot bet of section 3.3.3.

The exploiters use the translation of the agent they play, fixes included (Schnizlein 2009, section 3.3.3).
In table 3.4 agents read their own actions again, as Polaris did (`+reread`). BluffBot 2.0 is not
available, so its row is the printed one; the row of Leduc is `thesis/table3.4`.
"""

from __future__ import annotations

from itertools import product

from doyle.experiments.papers.cell import Cell, Uncounted
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, printed
from doyle.experiments.papers.thesis.holdem.exploited import BOARDS, OTHER_READING, SETTINGS
from doyle.experiments.papers.thesis.holdem.players import (
    boards_of,
    build_players,
    played_as,
    played_notes,
    player_game,
    repeated,
    won,
)
from doyle.experiments.papers.thesis.leduc import FIXED, fixed_hard

FCPA, FCPTA = "fcpa 8.8.8.8", "fcpta 8.8.8.8"
TECHNIQUES = ("+-", "AllDown", "naivePA")
TUNED = (
    "The agent is solved for 2^24 iterations: what naivePA wins turns with convergence, -12,564 mb/h after 2^20 and "
    "-3,146 after 2^22."
)
_CALLS_ON = (
    "Without CisC our agent answers the small all-in by a real all-in, which naivePA is assumed to call. If it folds instead, "
    "it wins 12,619 ± 272 (AA, 400 boards, seed 0)."
)
REASONS = {"naivePA, AA": _CALLS_ON, "naivePA, AA,EC": _CALLS_ON}


def exploited_cell(
    row: str,
    column: str,
    published: str | None,
    options: Options,
    *,
    agent: str,
    technique: str,
    translation: str,
    uncounted: Uncounted | None = None,
) -> Cell:
    """Winnings of an exploiter against an agent with the same translation."""
    tested = played_as(agent, translation, options)
    exploiter = played_as(agent, translation, options, technique=technique)
    boards = SETTINGS["500bb"].script_boards if technique.startswith("naivePA") else BOARDS
    found = won(player_game(agent), exploiter, tested, options, boards=boards_of(options, boards))
    return repeated(
        row, column, published, found, uncounted=uncounted,
        tuned=TUNED if agent == FCPTA else None, reason=REASONS.get(f"{row}, {column}"),
    )  # fmt: skip


def table_3_4(options: Options) -> Result:
    """The effect of the fixes on hard translation against three exploiters."""
    table = printed("thesis/table3.4")
    cells = [
        exploited_cell(
            row, column, table.text(row, column), options,
            agent=FCPA, technique=row, translation=f"{fixed_hard(column)}+reread",
        )
        for row, column in options.each(product(TECHNIQUES, table.columns))
    ]  # fmt: skip
    bluffbot = ", ".join(
        f"{column} {table.text('BluffBot 2.0', column) or '-'}" for column in table.columns
    )
    return Result(
        cells, notes=(*played_notes(options), f"BluffBot 2.0 cannot be had; printed: {bluffbot}.")
    )


def table_3_5(options: Options) -> Result:
    """Real against abstract translation, with all fixes, without and with the ten-pot bet."""
    table = printed("thesis/table3.5")
    build_players((FCPA, FCPTA), options)
    agents = {"fcpta vs +-": FCPTA, "fcpa vs +-": FCPA}
    cells = [
        exploited_cell(
            row, column, table.text(row, column), options, agent=agents[row], technique="+-",
            translation=f"polaris-hard{FIXED[column.lower()]}",
        )
        for row, column in options.each(product(agents, table.columns))
    ]  # fmt: skip
    return Result(cells, notes=played_notes(options))


def ten_pot_bet(options: Options) -> Result:
    """The reduction of the winnings of naivePA and of `+-` by the ten-pot bet."""
    table = printed(options.name)
    build_players((FCPA, FCPTA), options)
    agents = {"fcpa": FCPA, "fcpta": FCPTA}
    cells = [
        exploited_cell(
            row, column, table.text(row, column), options, agent=agents[column], technique=row,
            translation=f"polaris-hard{FIXED['abstract']}",
            uncounted="mirrored" if row == "+-" else None,  # printed in table 3.5 too
        )
        for row, column in options.each(product((*table.row_names, OTHER_READING), agents))
    ]  # fmt: skip
    return Result(cells, notes=played_notes(options))
