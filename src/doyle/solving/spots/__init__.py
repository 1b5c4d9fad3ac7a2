"""Spots: situations of Hold'em solved exactly from two ranges.

In reading order: `spot` (ranges, board, pot, stacks, or a moment of a hand; models by street and seat),
`locks` (fixed play), `solve` (memory, limits, the solve), `result` (the play at any place, by hand
and by class), `files`.
"""

from doyle.solving.spots.files import load_spot, save_spot
from doyle.solving.spots.locks import Lock
from doyle.solving.spots.result import SpotResult
from doyle.solving.spots.solve import SpotTooLargeError, solve_spot
from doyle.solving.spots.spot import RangeLike, Spot

__all__ = [
    "Lock",
    "RangeLike",
    "Spot",
    "SpotResult",
    "SpotTooLargeError",
    "load_spot",
    "save_spot",
    "solve_spot",
]
