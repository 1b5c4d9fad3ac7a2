"""Table 5.2: the Full and the Defensive Coach against the two strategies that they switch between.

Strategy (1) has the finer cards, (2) also bets half the pot (Schnizlein 2009, section 5.5); they are the first two
agents of table 3.2, numbered the other way round. The Defensive Coach never switches against (1), so there it is
(1) itself and wins exactly 0, chip for chip. Other pairs are evaluated over all hands; coaches are asked history by
history, so histories of little stake are followed at random. The two other readings of the Full Coach
are rows of ours.
"""

from __future__ import annotations

from doyle.games import Game
from doyle.papers.measured_cells import Measured
from doyle.papers.registry import Options
from doyle.papers.result import Cell, Result, printed
from doyle.papers.thesis.holdem.players import (
    boards_of,
    build_players,
    identified,
    played_notes,
    player_game,
    published_seconds,
    won,
    won_in_match,
)
from doyle.papers.thesis.holdem.trade_offs import TABLES, TRANSLATION, won_from
from doyle.papers.thesis.leduc import SOURCE
from doyle.papers.verdicts import judged

NAME = "thesis/table5.2"
STRATEGIES = {"(1)": "fcpea 200bb", "(2)": "fchpea 200bb"}
COACHES = {
    "Full Coach": "full-coach",
    "Defensive Coach": "defensive-coach",
    "Full Coach, (1) calls after bets of (2)": "full-coach-calls",
    "Full Coach, stays with (2)": "full-coach-stays",
}
"""The printed ones first; the others are not printed."""
LEAST = 50.0
BOARDS = 400
LEAST_STAKE = 0.1
"""Chips a hand, a thousandth of the big blind, below which a history is followed at random."""
DEALS = 2_000
"""Of the match that must end in 0 chip for chip."""
REASONS = {
    "Full Coach, (1)": (
        "How (1) goes on after bets of (2) that it never makes decides it: as it has learnt there the coach wins "
        "-54 ± 12, and if it calls there -882 ± 32. What the published (1) did is not said."
    ),
}


def coach(kind: str, options: Options) -> tuple[str, str]:
    """A coach of the two strategies as the text of an agent, and what names its cells."""
    both = [identified(one, options, translation=TRANSLATION) for one in STRATEGIES.values()]
    texts, keys = zip(*both, strict=True)
    return f"{kind}:{':then:'.join(texts)}", f"{kind}:{':then:'.join(keys)}"


def table_5_2(options: Options) -> Result:
    """Both coaches and both strategies against the strategies."""
    table, cells = printed(NAME), list[Cell]()
    build_players(STRATEGIES.values(), options)
    game, measured = player_game(STRATEGIES["(1)"]), []
    strategies = [name for name in table.row_names if name not in COACHES]
    rows = [*COACHES, *strategies]
    for row in rows:
        for column, opponent in STRATEGIES.items():
            published = table.text(row, column) if row in table.row_names else None
            own = STRATEGIES.get(row.split()[0])
            if own == opponent:
                cells.append(
                    judged(row, column, published, 0.0, ci95=0.0, least=LEAST, other="itself")
                )
                continue
            if own is not None:
                found = won_from(own, opponent, TABLES["thesis/table3.2"], options)
            else:
                found = _coached(game, COACHES[row], column, options)
            measured.append(found)
            cells.append(
                judged(
                    row, column, published, found.mbb_per_hand, ci95=found.ci95, least=LEAST,
                    other="own agents", reason=REASONS.get(f"{row}, {column}"),
                    more={"boards": found.boards, "seconds": found.seconds},
                )
            )  # fmt: skip
            if options.progress is not None:
                options.progress(NAME, len(cells), len(rows) * len(STRATEGIES))
    return Result(
        NAME,
        "Coaches that switch on half-pot bets at 200bb, mb/h",
        SOURCE,
        tuple(cells),
        notes=played_notes(options),
        published_seconds=published_seconds(STRATEGIES.values(), measured, options),
    )


def _coached(game: Game, kind: str, column: str, options: Options) -> Measured:
    """What a coach wins from a strategy."""
    playing, other = (
        coach(kind, options),
        identified(STRATEGIES[column], options, translation=TRANSLATION),
    )
    if (kind, column) == ("defensive-coach", "(1)"):
        return won_in_match(game, playing, other, options, deals=boards_of(options, DEALS))
    boards = boards_of(options, BOARDS)
    return won(game, playing, other, options, boards=boards, least_stake=LEAST_STAKE)
