"""Plain twins of the kernels that find, add, gather and set changes of tables, and of a sharded solve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from doyle.solving.sampling.batches import Sampler

Table = npt.NDArray[np.float32]


def places(groups: Sequence[int], bits: Sequence[int]) -> list[int]:
    """The entries that groups of 32 and their bits name, in order."""
    return [
        32 * int(group) + place
        for group, mask in zip(groups, bits, strict=True)
        for place in range(32)
        if int(mask) >> place & 1
    ]


def differences(before: Table, share: float, after: Table) -> dict[int, np.float32]:
    """Entry by entry, by how much `after` differs from its share of `before`."""
    own = before * np.float32(share)
    return {
        index: after[index] - own[index]
        for index in range(before.size)
        if after[index] != own[index]
    }


def run_shards(
    sampler: Sampler, tables: tuple[Table, Table], shards: Sequence[Sequence[int]], share: float
) -> None:
    """Whole copies of the tables for every shard; the differences are added up in order."""
    regret, average = tables
    start = regret * np.float32(share)
    found = []
    for batches in shards:
        own = start.copy(), average.copy()
        for number in batches:
            sampler.run_batch(number, *own)
        found.append((own[0] - start, own[1] - average))
    for gained, played in found:
        regret += gained
        average += played
