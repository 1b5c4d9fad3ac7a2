"""Schnizlein (2009): the Leduc cells of tables 3.4, 3.5, 4.4 and 4.7, by exact best response.

Conventions: the column of 4.4 and 4.7 names the opponent's seat, and the value is that opponent's
winnings, chips (antes) per hand, the game's value not subtracted. 3.4 and 3.5 are thousandths, the
mean of both seats. The strategies are averages of CFR+; off their path others are possible, which
moves the opponent's seat 1 most. So every cell carries the range over several equilibria: those of
CFR+, of the linear program by simplex and by interior point, and of vertices that random objectives
pick.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

from doyle.abstractions.betting import BettingModel
from doyle.experiments.papers.cell import Cell, Uncounted
from doyle.experiments.papers.equilibria import linear_equilibria
from doyle.experiments.papers.full_game import FullGame, SolvedAbstraction, solve
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, Section, printed
from doyle.games import Game
from doyle.strategy.translation.named_translations import named_translation
from doyle.strategy.translation.steps import Translation

GAME = "leduc-nl12"
TARGET = 2e-4
CLOSE = 0.10
MODELS = ("fchpda", "fcpda", "fchda", "fchpa", "fcha", "fcpa", "fcda", "fca")
MODES = {"Hard": "hard", "Soft": "soft", "SoftND": "nd"}
FIXED = {"real": "+real+cisc+ec", "abstract": "+aa+cisc+ec"}
"""All fixes, in real and in abstract translation; AbstractActions makes it abstract."""


VERTICES = 6
RANGE = (
    "`least` and `most` are the range over {count} equilibria of the abstract game, ours is that of "
    "CFR+. They differ only off the equilibrium path, which is not published."
)


def equilibria_of(model: str, seed: int) -> dict[str, SolvedAbstraction]:
    """By name: ours, the average of CFR+, and then others of the same abstract game."""
    ours = solve(Game.named(GAME), BettingModel.parse(model), target=TARGET)
    others = linear_equilibria(ours.profile.form, vertices=VERTICES, seed=seed)
    return {
        "cfr+": ours,
        **{name: SolvedAbstraction(ours.betting, profile) for name, profile in others},
    }


def ranged(
    row: str,
    column: str,
    published: str | None,
    found: dict[str, SolvedAbstraction],
    value: Callable[[SolvedAbstraction], float],
    *,
    uncounted: Uncounted | None = None,
    more: dict[str, Any] | None = None,
) -> Cell:
    """The values for our equilibrium, and for all equilibria."""
    values = tuple(value(solved) for solved in found.values())
    return Cell(
        row, column, published, values[0],
        uncounted=uncounted, unsigned=True, equilibria=values, more=more or {},
    )  # fmt: skip


def fixed_hard(column: str) -> str:
    """The hard translation of a column of table 3.4.

    >>> fixed_hard("Unfixed"), fixed_hard("AA,EC")
    ('polaris-hard', 'polaris-hard+aa+ec')
    """
    fixes = {"Unfixed": "", "All": "AA,CisC,EC"}.get(column, column).lower()
    return "+".join(("polaris-hard", *filter(None, fixes.split(","))))


TRANSLATIONS = {"thesis/table4.4": "abstract", "thesis/table4.7": "real"}


def translation_table(options: Options) -> Result:
    """Tables 4.4 and 4.7: an opponent's winnings in each seat against translated equilibria of each
    model."""
    table, kind = printed(options.name), TRANSLATIONS[options.name]
    full = FullGame.of(Game.named(GAME))
    cells, names = list[Cell](), tuple[str, ...]()
    for model in options.each(MODELS):
        found = equilibria_of(model, options.seed)
        names = tuple(found)
        for seat, (label, mode) in product((0, 1), MODES.items()):
            column = f"{label}-P{seat + 1}"
            translation = named_translation(f"polaris-{mode}{FIXED[kind]}")
            respond = partial(full.best_response, seat, translation=translation)
            cells.append(ranged(model, column, table.text(model, column), found, respond))
    plain = [cell for cell in cells if not cell.column.startswith("SoftND")]
    close = sum(abs(cell.difference or 0.0) <= CLOSE + 1e-9 for cell in plain)
    title = "Hard and soft cells within 0.10 of the printed value"
    return Result(
        cells,
        sections=(Section(title, ("within", "of"), ((close, len(plain)),)),),
        notes=(
            RANGE.format(count=VERTICES + 3),
            "SoftND depends on which actions an equilibrium happens never to take.",
        ),
        equilibria=names,
        game_by_row=True,
    )


def _mean(full: FullGame, solved: SolvedAbstraction, translation: Translation) -> float:
    """Thousandths of an ante per hand, mean over the opponent's seats."""
    return 500 * sum(full.best_response(seat, solved, translation) for seat in (0, 1))


def table_3_4(options: Options) -> Result:
    """The effect of the fixes on hard translation."""
    table = printed(options.name)
    full = FullGame.of(Game.named(GAME))
    found = equilibria_of("fcpa", options.seed)
    cells = []
    for column in options.each(table.columns):
        name = fixed_hard(column)
        remembering = _mean(full, found["cfr+"], named_translation(name))
        translation = named_translation(f"{name}+reread")
        cells.append(
            ranged(
                "Leduc BR", column, table.text("Leduc BR", column), found,
                partial(_mean, full, translation=translation),
                more={"remembering_own_actions": remembering},
            )
        )  # fmt: skip
    return Result(
        cells,
        notes=(
            "Ours reads its own actions again, as Polaris did; `remembering_own_actions` does not.",
            RANGE.format(count=VERTICES + 3),
        ),
        equilibria=tuple(found),
    )


def table_3_5(options: Options) -> Result:
    """Real against abstract translation with all fixes."""
    table = printed(options.name)
    full = FullGame.of(Game.named(GAME))
    found = equilibria_of("fcpa", options.seed)
    cells = []
    for column in ("Real", "Abstract"):
        translation = named_translation(f"polaris-hard{FIXED[column.lower()]}")
        mean = partial(_mean, full, translation=translation)
        cells.append(ranged("Leduc BR", column, table.text("Leduc BR", column), found, mean))
    return Result(cells, notes=(RANGE.format(count=VERTICES + 3),), equilibria=tuple(found))
