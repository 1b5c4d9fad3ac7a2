"""Ganzfried and Sandholm (IJCAI 2013), table 6: no-limit Leduc Hold'em with 12 chips.

The abstract game is fcpa. Bets are read by fractions of the real pot; a bet into a pot without a bet
may be read as a check (A = 0), a raise may not be read as a call. Exploitability is the best
response minus the game's value, which is that of the whole game, solved here. The digits depend on
the abstract equilibrium's play off its path, so every cell is computed for many equilibria.
"""

from __future__ import annotations

from collections import defaultdict

from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.equilibria import equilibria
from doyle.experiments.papers.full_game import FullGame, SolvedAbstraction, solved_profile
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, Section, printed
from doyle.games import Game
from doyle.strategy.translation import MAPPINGS, Mapping
from doyle.strategy.translation.named_translations import pot_fractions

GAME = "leduc-nl12"
VERTICES = 15
_VALUE_TARGET = 5e-4
_COLUMNS = ("P1", "P2", "average")


def exploitabilities(
    full: FullGame, solved: SolvedAbstraction, entry: Mapping, *, value: float
) -> tuple[float, float, float]:
    """Exploitability of the first player's strategy, the second's and their mean."""
    translation = pot_fractions(entry)
    second = full.best_response(1, solved, translation) + value
    first = full.best_response(0, solved, translation) - value
    return second, first, (first + second) / 2


def table6(options: Options) -> Result:
    """All mappings for at least 20 equilibria; ours is the one of CFR+, beside it the range."""
    full = FullGame.of(Game.named(GAME))
    value = solved_profile(full.form, target=_VALUE_TARGET, iterations=10_000).value
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    names: list[str] = []
    lowest = {"average": 0, "P2": 0}
    solving = equilibria(Game.named(GAME), "fcpa", vertices=VERTICES, seed=options.seed)
    for name, solved in solving:
        names.append(name)
        for entry in MAPPINGS:
            values = exploitabilities(full, solved, entry, value=value)
            for column, number in zip(_COLUMNS, values, strict=True):
                found[entry.title, column].append(number)
        for column in lowest:
            last = {entry.title: found[entry.title, column][-1] for entry in MAPPINGS}
            lowest[column] += min(last, key=lambda title: last[title]) == "Rand-psHar"
        if options.progress is not None:
            options.progress("equilibria", len(names), VERTICES + 7)
    table = printed("ijcai2013/table6")
    cells = tuple(
        Cell(
            entry.title,
            column,
            table.text(entry.title, column),
            found[entry.title, column][names.index("cfr+")],
            unsigned=True,
            equilibria=tuple(found[entry.title, column]),
        )
        for entry in MAPPINGS
        for column in _COLUMNS
    )
    wins = Section(
        f"In how many of {len(names)} equilibria Rand-psHar is least exploitable",
        ("average", "second player"),
        ((lowest["average"], lowest["P2"]),),
    )
    each = Section(
        "Average exploitability by equilibrium",
        ("equilibrium", *(entry.title for entry in MAPPINGS)),
        tuple(
            (name, *(found[entry.title, "average"][number] for entry in MAPPINGS))
            for number, name in enumerate(names)
        ),
    )
    return Result(
        cells,
        sections=(wins, each),
        notes=(
            f"Value of the whole game for the first player: {value:.4f}, within {_VALUE_TARGET}.",
            "`least` and `most` are the range over all equilibria; ours is that of CFR+.",
        ),
        equilibria=tuple(names),
    )
