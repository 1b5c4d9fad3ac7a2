"""Compiled loops over the changed entries of a table: found, added, gathered and set.

A table float32[n] is seen in groups of 32 entries. Changes name the groups in which something changed,
the changed entries of each as bits of one number, and a number for each changed entry, in order. A
share float32 is the factor of a copy relative to its source table.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.base._numba import kernel

GROUP = 32
"""Entries of a group: the bits of one number."""

Table = npt.NDArray[np.float32]
Groups = npt.NDArray[np.int32]
Bits = npt.NDArray[np.uint32]


@kernel
def take_changes(
    before: Table,
    share: np.float32,
    after: Table,
    first: int,
    groups: Groups,
    bits: Bits,
    numbers: Table,
) -> tuple[int, int]:
    """Write how after differs from before * share, and set it back; returns groups and numbers written.

    before, after float32[n], the part of a table that begins with group `first`; groups int32 and bits
    uint32 have room for n / 32, rounded up, numbers float32 for n.
    """
    size = before.size
    found, written = 0, 0
    for start in range(0, size, GROUP):
        stop = min(start + GROUP, size)
        differ = False
        for index in range(start, stop):
            differ |= before[index] * share != after[index]
        if not differ:
            continue
        mask = np.uint32(0)
        for index in range(start, stop):
            own = before[index] * share
            if own != after[index]:
                mask |= np.uint32(1) << np.uint32(index - start)
                numbers[written] = after[index] - own
                after[index] = own
                written += 1
        groups[found] = first + start // GROUP
        bits[found] = mask
        found += 1
    return found, written


@kernel
def add_changes(table: Table, groups: Groups, bits: Bits, numbers: Table, changed: Bits) -> None:
    """Add numbers to the entries of table that they belong to, and mark these in changed.

    changed uint32[groups of table]: the entries changed since it was cleared.
    """
    read = 0
    for found in range(groups.size):
        group, mask = groups[found], bits[found]
        changed[group] |= mask
        index = np.int64(group) * GROUP
        while mask:
            if mask & np.uint32(1):
                table[index] += numbers[read]
                read += 1
            mask >>= np.uint32(1)
            index += 1


@kernel
def count_changed(changed: Bits) -> tuple[int, int]:
    """Groups with a marked entry, and marked entries."""
    found, marked = 0, 0
    for group in range(changed.size):
        mask = changed[group]
        if mask:
            found += 1
        while mask:
            marked += 1
            mask &= mask - np.uint32(1)
    return found, marked


@kernel
def take_values(table: Table, changed: Bits, groups: Groups, bits: Bits, numbers: Table) -> None:
    """Write the marked entries of table, and clear the marks.

    groups, bits and numbers have the sizes that `count_changed` returns.
    """
    found, written = 0, 0
    for group in range(changed.size):
        mask = changed[group]
        if not mask:
            continue
        groups[found] = group
        bits[found] = mask
        found += 1
        changed[group] = np.uint32(0)
        index = np.int64(group) * GROUP
        while mask:
            if mask & np.uint32(1):
                numbers[written] = table[index]
                written += 1
            mask >>= np.uint32(1)
            index += 1


@kernel
def set_values(table: Table, share: np.float32, groups: Groups, bits: Bits, numbers: Table) -> None:
    """Set the entries of table to their share of the numbers that belong to them."""
    read = 0
    for found in range(groups.size):
        mask = bits[found]
        index = np.int64(groups[found]) * GROUP
        while mask:
            if mask & np.uint32(1):
                table[index] = numbers[read] * share
                read += 1
            mask >>= np.uint32(1)
            index += 1
