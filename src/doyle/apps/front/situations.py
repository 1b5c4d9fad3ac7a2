"""`spot`: a situation of Hold'em solved from two ranges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from doyle.base.errors import DoyleError
from doyle.cards import Range
from doyle.games import State
from doyle.solving.spots import Lock, RangeLike, Spot, SpotResult, solve_spot
from doyle.strategy import Point


def spot(
    board: str | State,
    ranges: tuple[RangeLike | Range, RangeLike | Range],
    *,
    pot: int | None = None,
    stacks: int | tuple[int, int] | None = None,
    betting: str = "fchpa",
    big_blind: int = 1,
    target_percent: float | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    locks: Sequence[Lock | str] = (),
    solver: str = "dcfr-delayed",
    workers: int = 1,
    start: SpotResult | None = None,
    checkpoint: Path | None = None,
    resume: bool = False,
    report: Callable[[Point], None] | None = None,
) -> SpotResult:
    """Solve a river, turn or flop; without limits to 0.3% of the pot.

    The first range belongs to the seat that acts first. Stacks are the chips behind, one number for
    both or one each. Instead of a board, pot and stacks there may be a moment of a hand, with its
    board; the ranges are then those of its seats 0 and 1, and a policy there denotes the range of
    its play so far. `start` is an earlier result of a similar spot to begin with. `checkpoint` is a
    folder for a long solve, from which `resume` continues.

    >>> result = spot("Ks7h4d2cJs", ("AA,66", "KK,QQ"), pot=200, stacks=200, target_percent=0.1)
    >>> result.exploitability_percent_of_pot <= 0.1
    True
    """
    first, second = (str(one) if isinstance(one, Range) else one for one in ranges)
    if isinstance(board, State):
        if pot is not None or stacks is not None:
            raise DoyleError("spot: a moment of a hand has its own pot and stacks")
        given = Spot.of_state(board, (first, second), betting=betting)
    elif pot is None or stacks is None:
        raise DoyleError("spot: pot and stacks are missing")
    else:
        given = Spot.parse(
            board=board,
            ranges=(first, second),
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
        start=start,
        checkpoint=checkpoint,
        resume=resume,
        report=report,
    )
