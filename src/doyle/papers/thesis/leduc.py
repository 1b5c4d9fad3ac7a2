"""Schnizlein (2009): the Leduc cells of tables 3.4, 3.5, 4.4 and 4.7, by exact best response.

Conventions: the column of 4.4 and 4.7 names the opponent's seat, and the value is what that opponent
wins, chips (antes) per hand, the game's value not subtracted. 3.4 and 3.5 are thousandths, the mean
of both seats. The strategies are averages of CFR+; off their path others are possible, which moves
the opponent's seat 1 most, so the range over equilibria is given where digits differ.
"""

from __future__ import annotations

from doyle.games import Game
from doyle.papers.full_game import FullGame, SolvedAbstraction, solve
from doyle.papers.registry import Options
from doyle.papers.result import Cell, Result, Section, printed
from doyle.solving.methods.lp import solve_linear_program
from doyle.translation.named_translations import named_translation
from doyle.translation.steps import Translation

SOURCE = "Schnizlein, State Translation in No-Limit Poker (2009)"
GAME = "leduc-nl12"
TARGET = 2e-4
CLOSE = 0.10
MODELS = ("fchpda", "fcpda", "fchda", "fchpa", "fcha", "fcpa", "fcda", "fca")
MODES = {"Hard": "hard", "Soft": "soft", "SoftND": "nd"}
FIXED = {"real": "+real+cisc+ec", "abstract": "+aa+cisc+ec"}
"""All fixes, in real and in abstract translation; AbstractActions is what makes it abstract."""


def by_linear_program(solved: SolvedAbstraction) -> SolvedAbstraction:
    """Another equilibrium of the same abstract game."""
    return SolvedAbstraction(solved.betting, solve_linear_program(solved.profile.form))


def _translation_table(name: str, title: str, options: Options, *, fixes: str) -> Result:
    table = printed(name)
    full = FullGame.of(Game.named(GAME))
    cells: list[Cell] = []
    for done, model in enumerate(MODELS):
        solved = solve(Game.named(GAME), model, target=TARGET)
        other = by_linear_program(solved)
        for seat in (0, 1):
            for label, mode in MODES.items():
                column = f"{label}-P{seat + 1}"
                translation = named_translation(f"polaris-{mode}{fixes}")
                ours = full.best_response(seat, solved, translation)
                published = table.text(model, column)
                more = {
                    "by_linear_program": full.best_response(seat, other, translation),
                    "within_0.10": published is not None
                    and abs(ours - float(published)) <= CLOSE + 1e-9,
                }
                cells.append(Cell(model, column, published, ours, more=more))
        if options.progress is not None:
            options.progress(name, done + 1, len(MODELS))
    plain = [cell for cell in cells if not cell.column.startswith("SoftND")]
    close = sum(bool(cell.more["within_0.10"]) for cell in plain)
    return Result(
        name,
        title,
        SOURCE,
        tuple(cells),
        sections=(
            Section(
                "Hard and soft cells within 0.10 of the printed value",
                ("within", "of"),
                ((close, len(plain)),),
            ),
        ),
        notes=(
            "Ours is for the average strategy of CFR+; `by_linear_program` is the same for the "
            "equilibrium a simplex method returns. The two differ only off the equilibrium path.",
            "SoftND depends on which actions an equilibrium happens never to take.",
        ),
    )


def table_4_4(options: Options) -> Result:
    """Abstract translation."""
    return _translation_table(
        "thesis/table4.4",
        "What an opponent wins, abstract translation",
        options,
        fixes=FIXED["abstract"],
    )


def table_4_7(options: Options) -> Result:
    """Real translation."""
    return _translation_table(
        "thesis/table4.7",
        "What an opponent wins, real translation",
        options,
        fixes=FIXED["real"],
    )


def _mean(full: FullGame, solved: SolvedAbstraction, translation: Translation) -> float:
    """Thousandths of an ante per hand, mean over the opponent's seats."""
    return 500 * sum(full.best_response(seat, solved, translation) for seat in (0, 1))


def table_3_4(options: Options) -> Result:
    """The effect of the fixes on hard translation."""
    table = printed("thesis/table3.4")
    full = FullGame.of(Game.named(GAME))
    solved = solve(Game.named(GAME), "fcpa", target=TARGET)
    cells = []
    for column in table.columns:
        fixes = {"Unfixed": "", "All": "AA,CisC,EC"}.get(column, column).lower()
        name = "+".join(("polaris-hard", *filter(None, fixes.split(","))))
        remembering, reading = (
            _mean(full, solved, named_translation(text)) for text in (name, f"{name}+reread")
        )
        more = {"remembering_own_actions": remembering}
        cells.append(Cell("Leduc BR", column, table.text("Leduc BR", column), reading, more=more))
    return Result(
        "thesis/table3.4",
        "Effect of the translation fixes, Leduc row, thousandths of an ante per hand",
        SOURCE,
        tuple(cells),
        notes=(
            "Ours reads its own actions again, as Polaris did; `remembering_own_actions` does not.",
            "The order is the printed one: CisC and AA,CisC lie far below Unfixed, and AA alone "
            "changes nothing. The level depends on the equilibrium.",
        ),
    )


def table_3_5(options: Options) -> Result:
    """Real against abstract translation with all fixes."""
    table = printed("thesis/table3.5")
    full = FullGame.of(Game.named(GAME))
    solved = solve(Game.named(GAME), "fcpa", target=TARGET)
    other = by_linear_program(solved)
    cells = []
    for column in ("Real", "Abstract"):
        translation = named_translation(f"polaris-hard{FIXED[column.lower()]}")
        more = {"by_linear_program": _mean(full, other, translation)}
        ours = _mean(full, solved, translation)
        cells.append(Cell("Leduc BR", column, table.text("Leduc BR", column), ours, more=more))
    return Result(
        "thesis/table3.5",
        "Real against abstract translation, Leduc row, thousandths of an ante per hand",
        SOURCE,
        tuple(cells),
    )
