"""The size experiment: three abstractions, each as exploitable as printed, against each other."""

from __future__ import annotations

from itertools import combinations

from doyle.base.statistics import Estimate
from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.claims.tartanian import MBB
from doyle.experiments.papers.opponents import match
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, Section
from doyle.experiments.papers.tartanian5.solves import SCALES, SIZES, Size, Solved, solved

CHOSEN = "8-12-4-4"
"""The abstraction that beat both others and was submitted."""

_SMALL = "smaller cards and betting"


def size_experiment(options: Options) -> Result:
    """Every pair of sizes, in mbb/h, and the chosen one against earlier strategies of the largest."""
    scale = SCALES[options.scale]
    found = {size.name: solved(size, options) for size in SIZES}
    hands = options.hands or scale.hands

    def won(first: str, second: str) -> Estimate:
        return match(first, second, options, hands=hands).mbb_per_hand(0)

    cells = []
    for row, column in combinations(SIZES, 2):
        first, second = (row, column) if row.name == CHOSEN else (column, row)
        gained = won(_agent(first, found), _agent(second, found))
        cells.append(measured(f"{first.name} against {second.name}", MBB, gained))
    chosen, largest = next(size for size in SIZES if size.name == CHOSEN), SIZES[-1]
    solve = found[largest.name]
    for _, _, target, value in _distinct(solve, largest.earlier):
        gained = won(_agent(chosen, found), solve.agent(target))
        text = f"{CHOSEN} against {largest.name} stopped at {value:.2g} bb per hand"
        cells.append(measured(text, MBB, gained))
    return Result(
        cells,
        sections=(_reached(found),),
        notes=(
            f"{hands:,} duplicate deals a match, full purification, det-pshar.",
            _who(options.scale),
            _TIME,
        ),
    )


def _distinct(solve: Solved, targets: tuple[float, ...]) -> list[tuple[int, float, float, float]]:
    """Iterations, seconds, target and exploitability of strategies that were kept at different times."""
    kept: dict[int, tuple[int, float, float, float]] = {}
    for target in targets:
        iterations, seconds, value = solve.reached[f"{target:g}"]
        kept.setdefault(iterations, (iterations, seconds, target, value))
    return list(kept.values())


def _agent(size: Size, found: dict[str, Solved]) -> str:
    return found[size.name].agent(size.targets[0])


def exploitabilities(options: Options) -> Result:
    """The exploitability that `egt` reaches in each abstraction, beside the printed numbers."""
    scale = SCALES[options.scale]
    found = {size.name: solved(size, options) for size in SIZES}
    cells = []
    stopped = "the printed solve was stopped by its time"
    other = f"{_SMALL}; {stopped}" if options.scale == "small" else stopped
    for size in SIZES:
        one = found[size.name]
        for target in size.targets:
            cells.append(
                Cell(
                    size.name, f"{target:g}", f"{target:g}", one.exploitability,
                    other=other, unsigned=True,
                )
            )  # fmt: skip
            iterations, _, value = one.reached[f"{target:g}"]
            text = f"iterations to {target:g} bb per hand (then {value:.2g})"
            cells.append(Cell(size.name, text, None, float(iterations)))
    return Result(
        cells,
        sections=(_reached(found),),
        notes=(
            f"Columns are named by the printed values, in bb per hand; ours is that of `egt` after {scale.iterations} "
            "iterations.",
            _who(options.scale),
            _TIME,
        ),
    )


def _reached(found: dict[str, Solved]) -> Section:
    rows = [
        (name, float(target), iterations, round(seconds, 1), round(value, 3))
        for name, one in found.items()
        for target, (iterations, seconds, value) in one.reached.items()
    ]
    return Section(
        "When `egt` reached the printed exploitability",
        ("abstraction", "printed", "iterations", "seconds", "bb per hand then"),
        tuple(rows),
    )


def _who(scale: str) -> str:
    chosen = SCALES[scale]
    played = ", ".join(f"{size.name} is {chosen.cards(size)}" for size in SIZES)
    return f"At this scale {played}; betting {chosen.betting}."


_TIME = (
    "At published scale pairs of buckets took 151 s for 8-4-3-3 and 243 s for 8-12-4-4 on two idle cores, with fixed "
    "branching factors, and egt 124 s to 0.13 and 413 s to 0.3 big blinds. 12-25-6-6 has not been run: its river "
    "has 49 times the pairs of buckets of 8-12-4-4, so its time is taken as 49 times."
)
