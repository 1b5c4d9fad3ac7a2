"""Tables 5.1, A.1 and A.2 of the thesis (section 5.4): the cover set, and players that switch over it.

The games are those of `doyle.agents.switching.cover_games`; A.1 and A.2 list them in the printed order.
"""

from __future__ import annotations

from statistics import mean

import numpy as np

from doyle.agents.switching.cover_games import COVER_GAME, CoverGame, full_cover, shown, sub_cover
from doyle.agents.switching.cover_player import CoverPlayer, solve_cover_game
from doyle.base.workers import map_items
from doyle.experiments.papers.cell import Cell, Uncounted
from doyle.experiments.papers.full_game import FullGame, SolvedAbstraction, solved_profile
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, Section, printed, spread
from doyle.experiments.papers.thesis.leduc import FIXED, equilibria_of
from doyle.games import Game
from doyle.strategy.translation.named_translations import named_translation

_SAMPLES = 10
_SAMPLE_SIZE = 15


def _measured(full: FullGame, player: CoverPlayer) -> tuple[float, float]:
    """Maximal winnings of an opponent in each seat."""
    first = full.form.best_response(0, full.plan(1, player))[0]
    second = full.form.best_response(1, full.plan(0, player))[0]
    return first, second


def table_5_1(options: Options) -> Result:
    """The equilibrium, fcpa with four translations, the covers, and ten random samples."""
    game = Game.named(COVER_GAME)
    full = FullGame.of(game)
    whole = solved_profile(full.form, target=1e-3, iterations=10_000)
    rows = {"Equilibrium": whole.best_response_values}
    fcpa = equilibria_of("fcpa", options.seed)
    games = full_cover(game)
    rounds = full.small.private_states
    solved = list(
        map_items(
            solve_cover_game,
            [(item, rounds) for item in games],
            workers=options.workers,
            progress=options.progress,
            label="cover games",
        )
    )
    rows["Full Cover"] = _measured(full, CoverPlayer(game, tuple(solved), exact=True))
    chosen = set(sub_cover(games))
    part = tuple(strategy for strategy in solved if strategy.game in chosen)
    rows["Sub Cover"] = _measured(full, CoverPlayer(game, part, exact=False))
    rng = np.random.default_rng(options.seed)
    pot = next(strategy for strategy in solved if strategy.game == games[1])
    others = [strategy for strategy in solved if strategy is not pot]
    for number in options.each(range(1, _SAMPLES + 1), "samples"):
        picked = rng.choice(len(others), size=_SAMPLE_SIZE - 1, replace=False)
        sample = (pot, *(others[int(index)] for index in picked))
        rows[f"Sample {number}"] = _measured(full, CoverPlayer(game, sample, exact=False))
    return _table_5_1(rows, translated_rows(full, fcpa), tuple(fcpa))


def translated_rows(full: FullGame, found: dict[str, SolvedAbstraction]) -> list[Cell]:
    """The rows of fcpa, whose printed values, except the averages, are in tables 4.4 and 4.7
    too."""
    table, cells = printed("thesis/table5.1"), list[Cell]()
    for kind, fixes in FIXED.items():
        for mode in ("hard", "soft"):
            row = f"fcpa ({kind},{mode})"
            translation = named_translation(f"polaris-{mode}{fixes}")
            values = {
                (name, seat): full.best_response(seat, solved, translation)
                for name, solved in found.items()
                for seat in (0, 1)
            }
            for column, seats in _SEATS.items():
                value = tuple(mean(values[name, seat] for seat in seats) for name in found)
                cells.append(
                    Cell(
                        row, column, table.text(row, column), value[0], equilibria=value,
                        unsigned=True, uncounted=None if column == "Average" else "mirrored",
                    )
                )  # fmt: skip
    return cells


_SEATS = {"P1": (0,), "P2": (1,), "Average": (0, 1)}


def _table_5_1(
    rows: dict[str, tuple[float, float]], translated: list[Cell], equilibria: tuple[str, ...]
) -> Result:
    table = printed("thesis/table5.1")
    own = [
        Cell(
            row, column, None if row.startswith("Sample") else table.text(row, column),
            mean(pair[seat] for seat in seats), unsigned=row != "Equilibrium",
        )
        for row, pair in rows.items()
        for column, seats in _SEATS.items()
    ]  # fmt: skip
    cells = [*own[: len(_SEATS)], *translated, *own[len(_SEATS) :]]
    ours = [sum(pair) / 2 for row, pair in rows.items() if row.startswith("Sample")]
    theirs = [float(values[2]) for row, values in table.rows if row.startswith("Sample")]
    samples = Section(
        "Ten random samples (averages): which games were drawn is not published",
        ("", "least", "most", "mean"),
        (("ours", *spread(ours).values()), ("published*", *spread(theirs).values())),
    )
    return Result(
        cells,
        sections=(samples,),
        equilibria=equilibria,
        notes=(
            "The equilibrium row comes out with the opposite sign: the first player loses the "
            "value of the game, so an opponent in seat 1 wins less than nothing.",
        ),
    )


def table_a1(options: Options) -> Result:
    """The full cover, in the printed order."""
    return _listing(options, full_cover(Game.named(COVER_GAME)))


def table_a2(options: Options) -> Result:
    """The hand-picked games; each must be one of the full cover, where it is looked up by its printed ratios."""
    games = full_cover(Game.named(COVER_GAME))
    table = printed(options.name)
    by_name = {shown(game): game for game in games}
    chosen = tuple(by_name[values[0], values[1]] for _, values in table.rows)
    return _listing(options, chosen, uncounted="recomputed")


def _listing(
    options: Options, games: tuple[CoverGame, ...], *, uncounted: Uncounted | None = None
) -> Result:
    table = printed(options.name)
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
    return Result(cells)
