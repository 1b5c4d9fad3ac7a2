"""Kernels that take private states from one board to the next, where states are no hands."""

from __future__ import annotations

import numpy as np

from doyle._numba import plain_kernel
from doyle.solving.vector._kernels import Ints, Scratch, Side


@plain_kernel
def enter_states(side: Side, parents: Ints, board: int, level: int, scratch: Scratch) -> None:
    """Fill the entries of a round from its parent round, each state from the one it comes from."""
    plan = scratch.plan
    size = np.uint64(16)
    slots, above_slots = np.uint64(side.slots[level]), np.uint64(side.slots[level - 1])
    exits = np.uint64(side.exit_start[level - 1])
    base, above_base = np.uint64(scratch.start[level]), np.uint64(scratch.start[level - 1])
    row = np.uint64(board) * np.uint64(16 * side.tiles[board])
    for hand in range(16 * side.tiles[board]):
        place = np.uint64(hand)
        state = np.uint64(parents[row + place])
        here = base + (place >> np.uint64(4)) * slots * size + (place & np.uint64(15))
        above = above_base + (state >> np.uint64(4)) * above_slots * size + (state & np.uint64(15))
        for entry in range(side.entries[level]):
            slot = np.uint64(side.exits[exits + np.uint64(entry)])
            plan[here + np.uint64(entry) * size] = plan[above + slot * size]


@plain_kernel
def leave_states(
    side: Side, parents: Ints, board: int, level: int, share: float, scratch: Scratch
) -> None:
    """Add the values of the entries to the exits of the parent's round, to the parent of each state."""
    values = scratch.values
    size = np.uint64(16)
    slots, above_slots = np.uint64(side.slots[level]), np.uint64(side.slots[level - 1])
    exits = np.uint64(side.exit_start[level - 1])
    base, above_base = np.uint64(scratch.start[level]), np.uint64(scratch.start[level - 1])
    row = np.uint64(board) * np.uint64(16 * side.tiles[board])
    for hand in range(16 * side.tiles[board]):
        place = np.uint64(hand)
        state = np.uint64(parents[row + place])
        here = base + (place >> np.uint64(4)) * slots * size + (place & np.uint64(15))
        above = above_base + (state >> np.uint64(4)) * above_slots * size + (state & np.uint64(15))
        for entry in range(side.entries[level]):
            to = above + np.uint64(side.exits[exits + np.uint64(entry)]) * size
            values[to] += share * values[here + np.uint64(entry) * size]
