"""Tables A.1 and A.2 of the thesis: the games of the cover set, in the printed order.

Source: Schnizlein 2009, section 5.4 and tables A.1 and A.2; the games are those of
`doyle.agents.switching.cover_games`.
"""

from __future__ import annotations

from doyle.agents.switching.cover_games import COVER_GAME, CoverGame, full_cover, shown
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.result import Cell, Result, printed
from doyle.experiments.papers.verdicts import Uncounted
from doyle.games import Game


def table_a1(options: Options) -> Result:
    """The full cover, in the printed order."""
    games = full_cover(Game.named(COVER_GAME))
    return _listing("thesis/tableA1", "Full cover set for 12-chip Leduc", games)


def table_a2(options: Options) -> Result:
    """The hand-picked games; each must be one of the full cover, where it is looked up by its printed ratios."""
    games = full_cover(Game.named(COVER_GAME))
    table = printed("thesis/tableA2")
    by_name = {shown(game): game for game in games}
    chosen = tuple(by_name[values[0], values[1]] for _, values in table.rows)
    return _listing(
        "thesis/tableA2", "Sub cover set for 12-chip Leduc", chosen, uncounted="recomputed"
    )


def _listing(
    name: str, title: str, games: tuple[CoverGame, ...], *, uncounted: Uncounted | None = None
) -> Result:
    table = printed(name)
    cells = []
    for number, game in enumerate(games, start=1):
        for column, value in zip(table.columns, (game.ratio, game.fraction), strict=True):
            more = {"exact_fraction": str(value), "ante": game.ante, "stack": game.stack}
            published = table.text(str(number), column)
            cells.append(
                Cell(
                    str(number), column, published, float(value),
                    uncounted=uncounted, unsigned=True, more=more,
                )
            )  # fmt: skip
    return Result(
        name, title, "Schnizlein, State Translation in No-Limit Poker (2009)", tuple(cells)
    )
