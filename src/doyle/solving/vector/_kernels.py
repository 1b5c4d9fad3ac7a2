"""Kernels of the vector methods: reach down one side, leaves of a board, values up the other.

Scratch is [tile][slot][16 hands] per round, tables are [board][tile][sequence][16 hands]. In which
order boards are visited is in `_traversal_kernels`. Nothing here knows poker: what a leaf is worth
comes from `evaluate`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.base._numba import inlined_kernel, plain_kernel, will_read, will_write
from doyle.base._vectors import (
    filled,
    gather_rows,
    larger,
    load,
    scatter_rows,
    store,
    where_positive,
)
from doyle.solving.games._evaluator_kernels import LANES, Evaluator, evaluate

Floats = npt.NDArray[Any]
Ints = npt.NDArray[Any]

CURRENT, AVERAGE = 0, 1
"""Whose reach: that of the strategy that regrets give, which is averaged, or of the average."""
IMPROVE, EXPECT, RESPOND = 0, 1, 2
"""Values by regret matching, changing the regrets; of the average strategy; of a best response."""


SHOWN = 16 * LANES
"""Where showdowns begin in `Scratch.columns`."""


class Side(NamedTuple):
    """One seat's part of a game; see `packing`. Starts have one entry more than what they divide.

    `tiles`, `order`, `places` and the fills are those of `LiveHands`; `rows`[board, width] is the
    evaluator's row of each of ours.

    `shows` and `folds` have a bit for each half of a block; `leaf_own` is 16 times a slot,
    `leaf_source` a place in `Scratch.columns`.
    """

    tiles: Ints
    entries: Ints
    slots: Ints
    decision_start: Ints
    parent: Ints
    first: Ints
    actions: Ints
    exit_start: Ints
    exits: Ints
    table_start: Ints
    order: Ints
    places: Ints
    fill_start: Ints
    fill_to: Ints
    fill_from: Ints
    rows: Ints
    block_start: Ints
    lane_slot: Ints
    shows: Ints
    folds: Ints
    leaf_start: Ints
    leaf_own: Ints
    leaf_source: Ints
    leaf_amount: Floats


class BoardArrays(NamedTuple):
    """The boards of a game; `permutations[s]`[number, width] are those that copies name."""

    level: Ints
    parent: Ints
    weight: Floats
    copy_start: Ints
    copies: Ints
    permutations: tuple[Ints, Ints]


class Locks(NamedTuple):
    """Fixed play of one seat: `start[decision]` in `mask`, or -1; masks are [board of round][hand].

    Where a mask is 1 the regrets hold the fixed probabilities and are left alone.
    """

    place: Ints
    start: Ints
    mask: Floats


class Tables(NamedTuple):
    """Regrets and averages by seat, and fixed play."""

    regrets: tuple[Floats, Floats]
    averages: tuple[Floats, Floats]
    locks: tuple[Locks, Locks]


class Scratch(NamedTuple):
    """Buffers; `start[level]` is where a round's slots begin in `plan` and `values`.

    `columns` holds what the 32 lanes of a block pay 16 hands: after folds, and from `SHOWN` on at
    showdowns.
    """

    start: Ints
    plan: Floats
    values: Floats
    reach: Floats
    show: Floats
    fold: Floats
    sums: Floats
    columns: Floats
    open: Ints
    ranges: tuple[Floats, Floats]
    recorded: Floats


@plain_kernel
def positive_sum(table: Floats, at: Any, count: int, like: Floats) -> Any:
    """The sum of the positive parts of `count` vectors from `at` on."""
    zero = filled(like, 0.0)
    total = larger(load(table, at), zero)
    for action in range(1, count):
        total = total + larger(load(table, at + np.uint64(16 * action)), zero)
    return total


@inlined_kernel
def push_reach(
    side: Side,
    board: int,
    level: int,
    mode: int,
    regrets: Floats,
    averages: Floats,
    locks: Locks,
    decay: float,
    scratch: Scratch,
    reach: Floats,
) -> None:
    """Fill `plan` of this round with the seat's own reach of every slot, from its parent round."""
    plan = scratch.plan
    slots = np.uint64(side.slots[level])
    entries = np.uint64(side.entries[level])
    size = np.uint64(16)
    per_tile = (slots - entries) * size
    shrink = filled(plan, decay)
    zero = filled(plan, 0.0)
    fill, one = np.uint64(side.fill_start[board]), np.uint64(1)
    last_fill = np.uint64(side.fill_start[board + 1])
    # Read once: after a store to an array the compiler reads all others again.
    before = max(level - 1, 0)
    above_start = np.uint64(scratch.start[before])
    above_tile = np.uint64(side.slots[before]) * size
    exits, entry_count = np.uint64(side.exit_start[before]), side.entries[level]
    for tile in range(side.tiles[board]):
        here = np.uint64(scratch.start[level]) + np.uint64(tile) * slots * size
        if level == 0:
            store(plan, here, load(reach, np.uint64(tile) * size))
        else:
            above = above_start + np.uint64(tile) * above_tile
            for entry in range(entry_count):
                slot = np.uint64(side.exits[exits + np.uint64(entry)])
                store(plan, here + np.uint64(entry) * size, load(plan, above + slot * size))
            while fill < last_fill and side.fill_to[fill] >> 4 == tile:
                row = np.uint64(side.fill_from[fill])
                to = here + (np.uint64(side.fill_to[fill]) & np.uint64(15))
                above = above_start + (row >> np.uint64(4)) * above_tile + (row & np.uint64(15))
                for entry in range(entry_count):
                    slot = np.uint64(side.exits[exits + np.uint64(entry)])
                    plan[to + np.uint64(entry) * size] = plan[above + slot * size]
                fill += one
        table = np.uint64(side.table_start[board]) + np.uint64(tile) * per_tile
        for k in range(side.decision_start[level], side.decision_start[level + 1]):
            number = np.uint64(k)
            count = side.actions[number]
            first = np.uint64(side.first[number])
            at = table + (first - entries) * size
            to = here + first * size
            share = load(plan, here + np.uint64(side.parent[number]) * size)
            even = filled(plan, 1.0 / count)
            if mode == CURRENT:
                total = positive_sum(regrets, at, count, plan)
                part = where_positive(total, share / total, zero)
                rest = where_positive(total, zero, share * even)
                for action in range(count):
                    step = np.uint64(16 * action)
                    own = larger(load(regrets, at + step), zero) * part + rest
                    # The next tile's part: the processor does not guess the order of decisions.
                    will_read(regrets, at + step + per_tile)
                    will_write(averages, at + step + per_tile)
                    store(plan, to + step, own)
                    store(averages, at + step, load(averages, at + step) * shrink + own)
            else:
                total = positive_sum(averages, at, count, plan)
                part = where_positive(total, share / total, zero)
                rest = where_positive(total, zero, share * even)
                for action in range(count):
                    step = np.uint64(16 * action)
                    own = larger(load(averages, at + step), zero) * part + rest
                    will_read(averages, at + step + per_tile)
                    store(plan, to + step, own)
                if locks.start[number] >= 0:
                    mask = load(locks.mask, lock_at(side, locks, board, number, tile))
                    fixed_part = share / positive_sum(regrets, at, count, plan)
                    for action in range(count):
                        step = np.uint64(16 * action)
                        fixed = load(regrets, at + step) * fixed_part
                        store(plan, to + step, where_positive(mask, fixed, load(plan, to + step)))


@plain_kernel
def lock_at(side: Side, locks: Locks, board: int, number: Any, tile: int) -> Any:
    """Where the mask of a locked decision begins for one tile of a board."""
    start = np.uint64(locks.start[number]) + np.uint64(locks.place[board]) * np.uint64(
        16 * side.tiles[0]
    )
    return start + np.uint64(16 * tile)


@inlined_kernel
def pay_leaves(
    sides: tuple[Side, Side],
    evaluator: Evaluator,
    board: int,
    level: int,
    seat: int,
    scratch: Scratch,
) -> None:
    """Set the values of this round's slots to what its leaves pay `seat`, against the other's plan."""
    own, other = sides[seat], sides[1 - seat]
    plan, values, columns = scratch.plan, scratch.values, scratch.columns
    size, lanes, shown = np.uint64(16), np.uint64(LANES), np.uint64(SHOWN)
    base = np.uint64(scratch.start[level])
    slots, other_slots = np.uint64(own.slots[level]), np.uint64(other.slots[level])
    own_rows, other_rows = own.rows, other.rows
    own_at = np.uint64(board) * np.uint64(evaluator.width[seat])
    other_at = np.uint64(board) * np.uint64(evaluator.width[1 - seat])
    nothing = filled(values, 0.0)
    for k in range(own.tiles[board] * own.slots[level]):
        store(values, base + np.uint64(k) * size, nothing)
    for number in range(own.block_start[level], own.block_start[level + 1]):
        block = np.uint64(number)
        first = block * lanes
        for tile in range(other.tiles[board]):
            here = base + np.uint64(tile) * other_slots * size
            row = other_at + np.uint64(tile) * size
            for half in range(2):
                shift = np.uint64(16 * half)
                scatter_rows(
                    plan, own.lane_slot, first + shift, here,
                    scratch.reach, other_rows, row, lanes, shift,
                )  # fmt: skip
        shows, folds = own.shows[block], own.folds[block]
        evaluate(
            evaluator, board, seat, scratch.reach, scratch.show, scratch.fold, scratch.sums,
            shows, folds,
        )  # fmt: skip
        for tile in range(own.tiles[board]):
            here = base + np.uint64(tile) * slots * size
            row = own_at + np.uint64(tile) * size
            for half in range(2):
                shift = np.uint64(16 * half)
                if (shows >> half) & 1:
                    at = shown + shift * size
                    gather_rows(scratch.show, own_rows, row, lanes, shift, columns, at)
                if (folds >> half) & 1:
                    gather_rows(scratch.fold, own_rows, row, lanes, shift, columns, shift * size)
            for k in range(own.leaf_start[block], own.leaf_start[block + np.uint64(1)]):
                leaf = np.uint64(k)
                at = here + np.uint64(own.leaf_own[leaf])
                amount = filled(values, own.leaf_amount[leaf])
                paid = amount * load(columns, np.uint64(own.leaf_source[leaf]))
                store(values, at, load(values, at) + paid)


@inlined_kernel
def pull_values(
    side: Side,
    board: int,
    level: int,
    mode: int,
    regrets: Floats,
    averages: Floats,
    locks: Locks,
    factors: tuple[float, float],
    scratch: Scratch,
) -> None:
    """Add the value of every decision to its parent slot; `IMPROVE` changes the regrets in place."""
    values = scratch.values
    slots = np.uint64(side.slots[level])
    entries = np.uint64(side.entries[level])
    size = np.uint64(16)
    per_tile = (slots - entries) * size
    zero = filled(values, 0.0)
    upper = filled(values, factors[0])
    lower = filled(values, factors[1])
    for tile in range(side.tiles[board]):
        here = np.uint64(scratch.start[level]) + np.uint64(tile) * slots * size
        table = np.uint64(side.table_start[board]) + np.uint64(tile) * per_tile
        for k in range(side.decision_start[level + 1] - 1, side.decision_start[level] - 1, -1):
            number = np.uint64(k)
            count = side.actions[number]
            first = np.uint64(side.first[number])
            at = table + (first - entries) * size
            of = here + first * size
            value = zero
            if mode == RESPOND:
                value = load(values, of)
                for action in range(1, count):
                    value = larger(value, load(values, of + np.uint64(16 * action)))
            elif mode == IMPROVE:
                value = mean_value(regrets, at, count, values, of)
            else:
                value = mean_value(averages, at, count, values, of)
            if locks.start[number] < 0:
                if mode == IMPROVE:
                    for action in range(count):
                        step = np.uint64(16 * action)
                        will_write(regrets, at + step + per_tile)
                        regret = load(regrets, at + step) + (load(values, of + step) - value)
                        kept = regret * where_positive(regret, upper, lower)
                        store(regrets, at + step, kept)
            else:
                mask = load(locks.mask, lock_at(side, locks, board, number, tile))
                value = where_positive(mask, mean_value(regrets, at, count, values, of), value)
                if mode == IMPROVE:
                    for action in range(count):
                        step = np.uint64(16 * action)
                        old = load(regrets, at + step)
                        regret = old + (load(values, of + step) - value)
                        kept = regret * where_positive(regret, upper, lower)
                        store(regrets, at + step, where_positive(mask, old, kept))
            to = here + np.uint64(side.parent[number]) * size
            store(values, to, load(values, to) + value)


@plain_kernel
def mean_value(table: Floats, at: Any, count: int, values: Floats, of: Any) -> Any:
    """What the strategy matched to the positive parts of `table` earns; evenly if there are none."""
    zero = filled(values, 0.0)
    weight = larger(load(table, at), zero)
    value = load(values, of)
    total = weight
    weighted = weight * value
    plain = value
    for action in range(1, count):
        step = np.uint64(16 * action)
        weight = larger(load(table, at + step), zero)
        value = load(values, of + step)
        total = total + weight
        weighted = weighted + weight * value
        plain = plain + value
    return where_positive(total, weighted / total, plain * filled(values, 1.0 / count))


@inlined_kernel
def close_board(
    side: Side, boards: BoardArrays, board: int, level: int, seat: int, scratch: Scratch
) -> None:
    """Add the values of the entries to the exits of the parent's round, for every copy."""
    if level == 0:
        return
    values = scratch.values
    size = np.uint64(16)
    slots, above_slots = np.uint64(side.slots[level]), np.uint64(side.slots[level - 1])
    exits = np.uint64(side.exit_start[level - 1])
    share = boards.weight[board]
    weight = filled(values, share)
    base, above_base = np.uint64(scratch.start[level]), np.uint64(scratch.start[level - 1])
    permutations = boards.permutations[seat]
    width = np.uint64(16 * side.tiles[0])
    order, places = np.uint64(board) * width, np.uint64(boards.parent[board]) * width
    for copy in range(boards.copy_start[board] + 1, boards.copy_start[board + 1]):
        row = np.uint64(boards.copies[copy]) * width
        for number in range(16 * side.tiles[board]):
            place = np.uint64(number)
            hand = np.uint64(permutations[row + np.uint64(side.order[order + place])])
            image = np.uint64(side.places[places + hand])
            here = base + (place >> np.uint64(4)) * slots * size + (place & np.uint64(15))
            above = (
                above_base + (image >> np.uint64(4)) * above_slots * size + (image & np.uint64(15))
            )
            for entry in range(side.entries[level]):
                to = above + np.uint64(side.exits[exits + np.uint64(entry)]) * size
                values[to] += share * values[here + np.uint64(entry) * size]
    first, last = np.uint64(side.fill_start[board]), np.uint64(side.fill_start[board + 1])
    for fill in range(first, last):
        place, image = np.uint64(side.fill_to[fill]), np.uint64(side.fill_from[fill])
        here = base + (place >> np.uint64(4)) * slots * size + (place & np.uint64(15))
        above = above_base + (image >> np.uint64(4)) * above_slots * size + (image & np.uint64(15))
        for entry in range(side.entries[level]):
            to = above + np.uint64(side.exits[exits + np.uint64(entry)]) * size
            values[to] += share * values[here + np.uint64(entry) * size]
            values[here + np.uint64(entry) * size] = 0.0
    for tile in range(side.tiles[board]):
        here = base + np.uint64(tile) * slots * size
        above = above_base + np.uint64(tile) * above_slots * size
        for entry in range(side.entries[level]):
            to = above + np.uint64(side.exits[exits + np.uint64(entry)]) * size
            own = load(values, here + np.uint64(entry) * size)
            store(values, to, load(values, to) + own * weight)
