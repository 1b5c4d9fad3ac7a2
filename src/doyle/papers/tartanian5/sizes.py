"""The size experiment: three abstractions, each as exploitable as printed, against each other."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from doyle.games import Game
from doyle.matches.statistics import Estimate
from doyle.museum import kept_match
from doyle.papers.registry import Options
from doyle.papers.result import Cell, Result, Section
from doyle.papers.tartanian5 import SOURCE
from doyle.papers.tartanian5.solves import GAME, SCALES, SIZES, Size, Solved, solved

CHOSEN = "8-12-4-4"
"""The abstraction that beat both others and was submitted."""

_SMALL = "smaller cards and betting"
_PLACE = "automated card abstraction"


def outcome(won: Estimate) -> str:
    """`wins` or `loses` if the interval excludes zero, else `undecided`.

    >>> from fractions import Fraction
    >>> outcome(Estimate(Fraction(-3), 2.0, 10)), outcome(Estimate(Fraction(1), 2.0, 10))
    ('loses', 'undecided')
    """
    if not won.is_significant:
        return "undecided"
    return "wins" if won.mean > 0 else "loses"


def compared(
    row: str, column: str, published: str | None, won: Estimate, *, other: str | None = None
) -> Cell:
    """A cell for who wins a match of which the paper prints no more than the winner.

    The verdict is `agrees` with the printed winner, `differs` with the other, and `explained` if the
    interval contains 0.
    """
    ours = outcome(won)
    more: dict[str, object] = {"mbb_per_hand": float(won.mean), "ci95": won.ci95}
    if published is not None:
        more["verdict"] = {True: "agrees", False: "differs"}[ours == published]
        if ours == "undecided":
            more |= {"verdict": "explained", "reason": "The interval contains 0."}
    return Cell(row, column, published, ours, other=other, more=more)


def size_experiment(options: Options) -> Result:
    """Every pair of sizes, in mbb/h, and the chosen one against earlier strategies of the largest."""
    scale = SCALES[options.scale]
    found = {size.name: solved(size, options) for size in SIZES}
    hands = options.hands or scale.hands
    other = _SMALL if options.scale == "small" else None

    def match(first: str, second: str) -> Estimate:
        return kept_match(
            Game.named(GAME), (first, second),
            hands=hands, seed=options.seed, workers=options.workers,
        ).mbb_per_hand(0)  # fmt: skip

    cells = []
    for row, column in combinations(SIZES, 2):
        first, second = (row, column) if row.name == CHOSEN else (column, row)
        won = match(_agent(first, found), _agent(second, found))
        published = "wins" if CHOSEN in (row.name, column.name) else None
        cells.append(
            compared(f"{first.name} against {second.name}", "first", published, won, other=other)
        )
    chosen, largest = (
        next(size for size in SIZES if size.name == CHOSEN),
        SIZES[-1],
    )
    solve, beaten, stages = found[largest.name], list[float](), list[str]()
    for _, _, target, value in _distinct(solve, largest.earlier):
        won = match(_agent(chosen, found), solve.agent(target))
        stages.append(f"{won:.0f} mbb/h where it is stopped at {value:.2g}")
        if won.mean > 0 and won.is_significant:
            beaten.append(value)
        text = f"{CHOSEN} against {largest.name} stopped at {value:.2g} bb per hand"
        cells.append(compared(text, "first", None, won, other=other))
    cells = [_explained(cell, solve, largest, beaten, stages) for cell in cells]
    return Result(
        "tartanian5/sizes",
        "Three sizes of abstraction against each other",
        f"{SOURCE}, {_PLACE}",
        tuple(cells),
        sections=(_reached(found),),
        notes=(
            f"{hands:,} duplicate deals a match, full purification, det-pshar.",
            _who(options.scale),
            _TIME,
        ),
        published_seconds=_PUBLISHED_SECONDS,
    )


def _distinct(solve: Solved, targets: tuple[float, ...]) -> list[tuple[int, float, float, float]]:
    """Iterations, seconds, target and exploitability of strategies that were kept at different times."""
    kept: dict[int, tuple[int, float, float, float]] = {}
    for target in targets:
        iterations, seconds, value = solve.reached[f"{target:g}"]
        kept.setdefault(iterations, (iterations, seconds, target, value))
    return list(kept.values())


def _explained(
    cell: Cell, solve: Solved, largest: Size, beaten: list[float], stages: list[str]
) -> Cell:
    """A lost match against the largest abstraction, with what is won from it at earlier stages.

    It is explained if the largest is beaten at an earlier stage: then the order depends on how far it was solved.
    """
    if cell.more.get("verdict") != "differs" or not cell.row.endswith(f"against {largest.name}"):
        return cell
    at = solve.reached[f"{largest.targets[0]:g}"][2]
    reason = f"{largest.name} wins at {at:.2g} bb per hand, and not before: {', '.join(stages)}."
    verdict = "explained" if beaten else "differs"
    return replace(cell, more={**cell.more, "verdict": verdict, "reason": reason})


def _agent(size: Size, found: dict[str, Solved]) -> str:
    return found[size.name].agent(size.targets[0])


def _verdict(reached: float, target: float, scale: str) -> dict[str, str]:
    """One word for a solve beside a printed one; of another game it can only be explained."""
    if scale == "small":
        return {"verdict": "explained", "reason": f"{_SMALL}: another game than the printed one"}
    return {"verdict": "agrees" if reached <= target else "differs"}


def exploitabilities(options: Options) -> Result:
    """What `egt` comes to in each abstraction, beside the printed numbers."""
    scale = SCALES[options.scale]
    found = {size.name: solved(size, options) for size in SIZES}
    cells = []
    for size in SIZES:
        one = found[size.name]
        for target in size.targets:
            cells.append(
                Cell(
                    size.name, f"bb per hand after {one.iterations} iterations, printed {target:g}",
                    f"{target:g}", one.exploitability,
                    other="the printed solve was stopped by its time",
                    more={"ci95": 0.0, **_verdict(one.exploitability, target, options.scale)},
                )
            )  # fmt: skip
            iterations, _, value = one.reached[f"{target:g}"]
            text = f"iterations to {target:g} bb per hand (then {value:.2g})"
            cells.append(Cell(size.name, text, None, float(iterations)))
    return Result(
        "tartanian5/exploitability",
        "Exploitability within the abstraction, big blinds a hand",
        f"{SOURCE}, {_PLACE}",
        tuple(cells),
        sections=(_reached(found),),
        notes=(
            f"`agrees` means that `egt` comes at least as far within {scale.iterations} iterations.",
            _who(options.scale),
            _TIME,
        ),
        published_seconds=_PUBLISHED_SECONDS,
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
_PUBLISHED_SECONDS = 151.0 + 124.0 + (243.0 + 413.0) * (1 + 49)
