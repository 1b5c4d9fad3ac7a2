"""`spot`: a situation of Hold'em solved from two ranges."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from doyle.cards import Range
from doyle.spots import Lock, Spot, SpotResult, solve_spot
from doyle.strategy import Point


def spot(
    board: str,
    ranges: tuple[str | Range, str | Range],
    *,
    pot: int,
    stacks: int | tuple[int, int],
    betting: str = "fchpa",
    big_blind: int = 1,
    target_percent: float | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    locks: Sequence[Lock | str] = (),
    solver: str = "dcfr",
    workers: int = 1,
    report: Callable[[Point], None] | None = None,
) -> SpotResult:
    """Solve a river, turn or flop; without limits to 0.3% of the pot.

    The first range belongs to the seat that acts first. Stacks are what both have behind, or each.

    >>> result = spot("Ks7h4d2cJs", ("AA,66", "KK,QQ"), pot=200, stacks=200, target_percent=0.1)
    >>> result.exploitability_percent_of_pot <= 0.1
    True
    """
    first, second = ranges
    given = Spot.parse(
        board=board,
        ranges=(str(first), str(second)),
        pot=pot,
        stacks=stacks,
        betting=betting,
        big_blind=big_blind,
    )
    return solve_spot(
        given,
        target_percent=target_percent,
        seconds=seconds,
        iterations=iterations,
        locks=locks,
        method=solver,
        workers=workers,
        report=report,
    )
