"""The exact exploitability of the whole agent with the rest of the hand solved again, by guard.

Brown and Sandholm (Science 2018, table 1) compare blueprints without search, with unsafe and with safe
subgame solving in two Hold'em games of two rounds and one of three. Theirs are other games with other
blueprints (card abstractions; ours are unfinished solves), so the printed numbers are shown beside
ours only to compare orders.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from doyle.base.errors import FieldError
from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.subgames.games import MODEL, Setting, leduc, short_holdem
from doyle.experiments.papers.subgames.solved_again import solved_again
from doyle.experiments.papers.table import Result, printed
from doyle.solving.vector import GUARDS, GuardName

NAME = "beyond/search-guards"
SETTINGS = {
    "small": (leduc(4000), short_holdem(5, (0, 3), 100), short_holdem(4, (0, 3, 1), 100, (8, 32))),
    "published": (leduc(4000), short_holdem(13, (0, 3), 400), short_holdem(5, (0, 3, 1), 400)),
}
ITERATIONS = "beyond/search-iterations"
NO_SEARCH = "blueprint"
SAFE = "reach-maxmargin"
_PRINTED = {(2, 8): "small two-round", (2, 32): "large two-round", (3, 8): "three-round"}
"""The printed row beside that of a Hold'em game by its rounds and the blueprint's iterations."""
_PRINTED_COLUMNS = {NO_SEARCH: "no search", "unsafe": "unsafe", SAFE: "safe"}
_OTHER = "another game and blueprint"


@dataclass(frozen=True)
class Run:
    """A game with one blueprint, and how it is searched."""

    setting: Setting
    guards: tuple[GuardName, ...]
    iterations: tuple[int, ...]


RUNS = (
    Run(replace(leduc(0), blueprints=(128,)), ("resolve", "maxmargin"), (4000, 16_000, 64_000)),
    Run(short_holdem(5, (0, 3), 0, (128,)), ("resolve", "maxmargin"), (100, 400, 1600)),
    Run(short_holdem(4, (0, 3, 1), 0, (32,)), ("resolve",), (100, 300)),
)


def search_guards(options: Options) -> Result:
    """Every game, blueprint and guard."""
    if options.hands is not None:
        raise FieldError("hands", f"{NAME} is exact: leave it out", value=options.hands)
    settings = SETTINGS[options.scale]
    cells: list[Cell] = []
    total = sum(len(setting.blueprints) for setting in settings) * (1 + len(GUARDS))
    for setting in settings:
        game = setting.public_game()
        for count in setting.blueprints:
            blueprint = setting.blueprint(game, count)
            cells.append(_cell(setting, count, NO_SEARCH, blueprint.best_responses))
            for guard in GUARDS:
                agent = solved_again(blueprint, 1, guard, setting.iterations)
                cells.append(_cell(setting, count, guard, agent.best_responses))
                if options.progress is not None:
                    options.progress("guards", len(cells), total)
    return Result(
        cells,
        notes=(
            "Exact best responses to the whole agent, mean of both seats, mbb a hand (in Leduc thousandths of the "
            f"ante); bets {MODEL} on both sides. A row is a blueprint: the average strategy of so many iterations of "
            "the whole game. The second round and all after it are solved once more at each public state at which it "
            "begins.",
            *(_described(setting) for setting in settings),
            "The printed rows are of other games and blueprints; `safe` stands beside reach-maxmargin.",
        ),
    )


def search_iterations(options: Options) -> Result:
    """How much the work of a solve is worth to a guard, below blueprints that have converged far."""
    cells: list[Cell] = []
    total = sum(len(run.guards) * len(run.iterations) for run in RUNS)
    for run in RUNS:
        (count,) = run.setting.blueprints
        blueprint = run.setting.blueprint(run.setting.public_game(), count)
        cells.append(_cell(run.setting, count, NO_SEARCH, blueprint.best_responses, of=ITERATIONS))
        for guard in run.guards:
            for iterations in run.iterations:
                agent = solved_again(blueprint, 1, guard, iterations)
                column = f"{guard}, {iterations:,} iterations"
                cells.append(_cell(run.setting, count, column, agent.best_responses, of=ITERATIONS))
                if options.progress is not None:
                    options.progress("iterations", len(cells) - len(RUNS), total)
    return Result(
        cells,
        notes=(
            f"Made after {NAME}, for those of its rows at small scale where a guard was above its blueprint; "
            "its blueprints, games and units.",
        ),
        tuned="1,600 iterations were added when 400 were seen to leave 8.96 (resolve) and 5.23 (maxmargin) of 5.14",
    )


def row(setting: Setting, iterations: int) -> str:
    """The name of a blueprint's row."""
    return f"{setting.title}, {iterations} iterations"


def _cell(
    setting: Setting, count: int, column: str, responses: tuple[float, float], *, of: str = NAME
) -> Cell:
    first, second = (setting.mbb(chips) for chips in responses)
    text = None
    if of == NAME and setting.game.hole_cards == 2:
        where = _PRINTED.get((setting.game.rounds, count), "")
        text = printed(NAME).text(where, _PRINTED_COLUMNS.get(column, ""))
    return Cell(
        row(setting, count), column, text, (first + second) / 2,
        other=None if text is None else _OTHER, unsigned=True,
        reason=f"best responses of the seats: {first:.2f}, {second:.2f}",
    )  # fmt: skip


def _described(setting: Setting) -> str:
    game = setting.game
    cards = f"{game.hole_cards} hole cards, board cards by round {game.board_cards}"
    return (
        f"{setting.title}: {len(game.deck)} cards, {cards}, stacks of {game.stacks[0]} and blinds "
        f"{game.blinds}; {setting.iterations:,} iterations a solve."
    )
