"""Tables 3.4 and 3.5 in Hold'em, and the ten-pot bet of section 3.3.3.

The exploiters use the translation of the agent they play, fixes included (Schnizlein 2009, section 3.3.3).
In table 3.4 agents read their own actions again, as Polaris did (`+reread`). BluffBot 2.0 cannot be had, so
its row stands as printed; the row of Leduc is `thesis/table3.4`.
"""

from __future__ import annotations

from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.result import Cell, Result, printed
from doyle.experiments.papers.thesis.holdem.exploited import BOARDS, OTHER_READING, SETTINGS
from doyle.experiments.papers.thesis.holdem.players import (
    boards_of,
    build_players,
    identified,
    played_notes,
    player_game,
    published_seconds,
    repeated,
    won,
)
from doyle.experiments.papers.thesis.leduc import FIXED, SOURCE
from doyle.experiments.papers.verdicts import Uncounted

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
    reasons: dict[str, str],
    uncounted: Uncounted | None = None,
) -> Cell:
    """What an exploiter wins from an agent with the same translation."""
    tested = identified(agent, options, translation=translation)
    exploiter = identified(agent, options, technique=technique, translation=translation)
    boards = SETTINGS["500bb"].script_boards if technique.startswith("naivePA") else BOARDS
    measured = won(
        player_game(agent), exploiter, tested, options, boards=boards_of(options, boards)
    )
    reason = reasons.get(f"{row}, {column}") or reasons.get(row)
    tuned = TUNED if agent == FCPTA else None
    return repeated(
        row, column, published, measured, uncounted=uncounted, tuned=tuned, reason=reason
    )


def table_3_4(options: Options) -> Result:
    """The effect of the fixes on hard translation against three exploiters."""
    name = "thesis/table3.4"
    table, cells = printed(name), list[Cell]()
    rows = TECHNIQUES
    for row in rows:
        for column in table.columns:
            fixes = {"Unfixed": "", "All": "AA,CisC,EC"}.get(column, column).lower()
            parts = ("polaris-hard", *filter(None, fixes.split(",")), "reread")
            cells.append(
                exploited_cell(
                    row, column, table.text(row, column), options,
                    agent=FCPA, technique=row, translation="+".join(parts), reasons=REASONS,
                )
            )  # fmt: skip
            if options.progress is not None:
                options.progress(name, len(cells), len(rows) * len(table.columns))
    bluffbot = ", ".join(
        f"{column} {table.text('BluffBot 2.0', column) or '-'}" for column in table.columns
    )
    return Result(
        "thesis/table3.4-holdem",
        "Effect of the translation fixes, Hold'em rows, mb/h",
        SOURCE,
        tuple(cells),
        notes=(
            *played_notes(options),
            f"BluffBot 2.0 cannot be had; printed: {bluffbot}.",
        ),
        published_seconds=published_seconds((FCPA,), cells, options),
    )


def table_3_5(options: Options) -> Result:
    """Real against abstract translation, with all fixes, without and with the ten-pot bet."""
    name = "thesis/table3.5"
    table, cells = printed(name), list[Cell]()
    build_players((FCPA, FCPTA), options)
    for row, agent in (("fcpta vs +-", FCPTA), ("fcpa vs +-", FCPA)):
        for column in table.columns:
            cells.append(
                exploited_cell(
                    row, column, table.text(row, column), options, agent=agent, technique="+-",
                    translation=f"polaris-hard{FIXED[column.lower()]}", reasons=REASONS,
                )
            )  # fmt: skip
            if options.progress is not None:
                options.progress(name, len(cells), 4)
    return Result(
        "thesis/table3.5-holdem",
        "Real against abstract translation, Hold'em rows, mb/h",
        SOURCE,
        tuple(cells),
        notes=played_notes(options),
        published_seconds=published_seconds((FCPA, FCPTA), cells, options),
    )


def ten_pot_bet(options: Options) -> Result:
    """What the ten-pot bet takes away from naivePA and from `+-`."""
    name = "thesis/section3.3.3"
    table, cells = printed(name), list[Cell]()
    rows = (*table.row_names, OTHER_READING)
    build_players((FCPA, FCPTA), options)
    for row in rows:
        for column, agent in (("fcpa", FCPA), ("fcpta", FCPTA)):
            cells.append(
                exploited_cell(
                    row, column, table.text(row, column), options, agent=agent, technique=row,
                    translation=f"polaris-hard{FIXED['abstract']}", reasons=REASONS,
                    uncounted="mirrored" if row == "+-" else None,  # printed in table 3.5 too
                )
            )  # fmt: skip
            if options.progress is not None:
                options.progress(name, len(cells), 2 * len(rows))
    return Result(
        name,
        "The ten-pot bet against exploiters, mb/h",
        SOURCE,
        tuple(cells),
        notes=played_notes(options),
        published_seconds=published_seconds((FCPA, FCPTA), cells, options),
    )
