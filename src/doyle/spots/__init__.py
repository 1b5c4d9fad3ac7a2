"""Spots: situations of Hold'em solved exactly from two ranges.

In reading order: `betting` (models by street and seat), `spot` (ranges, board, pot, stacks, or a
moment of a hand), `locks` (play that is fixed), `solve` (memory, limits, the solve), `result` (what
is played at any place, by hand and by class), `files`.
"""

from doyle.spots.files import load_spot, save_spot
from doyle.spots.locks import Lock
from doyle.spots.result import SpotResult
from doyle.spots.solve import SpotTooLargeError, solve_spot
from doyle.spots.spot import RangeLike, Spot

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
