"""Percentile buckets: a population divided into buckets of equal mass by an exact integer value.

The bucket of value v among n is floor(n * (below + mass / 2) / total), where `mass` is the weight of
the hands with value v, `below` that of the hands with smaller values and `total` that of all: the
bucket in which the middle of the tied hands falls. So equal values share a bucket, bucket 0 is the
weakest (the thesis numbers from the strongest), and no boundary is off by more than half the mass of
the value that it splits. Buckets may be empty when ties are large.
Source: Johanson 2007, page 26; Schnizlein 2009, section 2.3.2.

Boundaries are found exactly without sorting: counts by the leading bits of the values show in which
range each boundary falls, and only those ranges are counted by the bits that follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.cards.methods import _percentile_kernels as kernels
from doyle.base.workers import Shared, Workers, map_items, map_threads
from doyle.cards.suits.boards import HOLE_MAPS

Integers = NDArray[np.int64]

_MOST_BITS = 11
_LEAST_BITS = 4
_HISTOGRAM_BITS = 22  # counts per histogram: 32 MiB for each thread
_CLUSTER_BLOCKS = 16
_LABEL = "percentiles"


@dataclass(frozen=True, eq=False)
class Population:
    """Hands to divide: the bucket of each so far, where its values are, how many deals it is.

    codes int32[n, 1326] changes in place as parts are applied; -1 marks holes that hit the board.
    """

    codes: NDArray[np.int32]
    sources: Integers
    weights: Integers

    def rows(self, low: int, high: int) -> Population:
        """The hands of some rows, which share memory with this one."""
        return Population(self.codes[low:high], self.sources[low:high], self.weights[low:high])

    def places(self, count: int) -> list[tuple[int, int]]:
        """First and past-the-end rows of at most `count` pieces."""
        edges = np.linspace(0, len(self.codes), count + 1).astype(int).tolist()
        return [(low, high) for low, high in pairwise(edges) if high > low]

    def blocks(self, count: int) -> list[Population]:
        """The same hands in at most `count` pieces that share memory with this one."""
        return [self.rows(low, high) for low, high in self.places(count)]

    def masses(self, buckets: int) -> Integers:
        """Deals in each bucket."""
        masses = np.zeros(buckets, np.int64)
        kernels.add_masses(self.codes, self.weights, masses)
        return masses


def midpoint_buckets(masses: NDArray[Any], buckets: int) -> Integers:
    """The bucket of each value from masses[..., values] in ascending order of value.

    >>> midpoint_buckets(np.array([1, 1, 2, 4]), 4).tolist()
    [0, 0, 1, 3]
    """
    masses = np.asarray(masses, np.int64)
    through = masses.cumsum(axis=-1)
    total = np.maximum(through[..., -1:], 1)
    middle = 2 * through - masses
    return np.asarray(np.minimum(buckets * middle // (2 * total), buckets - 1), np.int64)


def uniform_thresholds(largest: int, buckets: int) -> NDArray[np.int64]:
    """The least values of buckets 1.. when 0..largest is cut into even intervals: int64[1, n - 1].

    >>> uniform_thresholds(100, 4).tolist()
    [[25, 50, 75]]
    """
    cuts = [-(-place * largest // buckets) for place in range(1, buckets)]
    return np.array([cuts], np.int64)


def percentile_thresholds(
    population: Population,
    values: NDArray[Any],
    *,
    codes: int,
    buckets: int,
    largest: int,
    workers: Workers | None = None,
) -> NDArray[np.int64]:
    """The least values of buckets 1.. within each of `codes` present buckets: int64[codes, n - 1]."""
    search = _Search(population, values, codes=codes, buckets=buckets, workers=workers or Workers())
    return search.run(max(1, int(largest).bit_length()))


@dataclass(frozen=True, eq=False)
class Level:
    """How hands are counted at one level of the search, as `count_level` takes it."""

    chain: NDArray[np.int32]
    offsets: Integers
    shifts: Integers
    bits: Integers
    slots: int

    def count(self, block: Population, values: NDArray[Any]) -> Integers:
        """The weights of a block's hands by slot and bits of their values."""
        histogram = np.zeros((self.slots, 1 << int(self.bits[-1])), np.int64)
        kernels.count_level(
            block.codes, block.sources, block.weights, values, HOLE_MAPS, self.chain, self.offsets,
            self.shifts, self.bits, histogram,
        )  # fmt: skip
        return histogram


_Counting = tuple[Population, NDArray[Any]]


def counted_rows(item: tuple[Shared[_Counting], Shared[Level], int, int]) -> Integers:
    """The histogram of some rows, on any machine."""
    shared, level, low, high = item
    population, values = shared.value
    return level.value.count(population.rows(low, high), values)


def divide(
    population: Population,
    values: NDArray[Any],
    *,
    thresholds: NDArray[np.int64],
    workers: Workers | None = None,
) -> None:
    """Divide every bucket of the population by its thresholds, in place."""
    if workers is not None and workers.cluster is not None:
        shared = Shared((population, values, thresholds))
        places = population.places(_CLUSTER_BLOCKS)
        items = [(shared, low, high) for low, high in places]
        found = map_items(divided_codes, items, workers=workers, label=_LABEL)
        for (low, high), codes in zip(places, found, strict=True):
            population.codes[low:high] = codes
        return

    def work(block: Population) -> None:
        _divide(block, values, thresholds)

    count = workers.count if workers else 1
    for _ in map_threads(work, population.blocks(4 * count), workers=workers):
        pass


def _divide(block: Population, values: NDArray[Any], thresholds: NDArray[np.int64]) -> None:
    buckets = thresholds.shape[1] + 1
    kernels.divide(block.codes, block.sources, values, HOLE_MAPS, thresholds, buckets)


_Dividing = tuple[Population, NDArray[Any], NDArray[np.int64]]


def divided_codes(item: tuple[Shared[_Dividing], int, int]) -> NDArray[np.int32]:
    """The codes of some rows after `divide`, on any machine."""
    shared, low, high = item
    population, values, thresholds = shared.value
    block = population.rows(low, high)
    changed = Population(block.codes.copy(), block.sources, block.weights)
    _divide(changed, values, thresholds)
    return changed.codes


class _Search:
    """The search for all boundaries at once, from the leading bits of the values downwards.

    Each target (code, boundary) knows the slot whose values hold it, the prefix of those values and
    the mass of its code below them.
    """

    def __init__(
        self,
        population: Population,
        values: NDArray[Any],
        *,
        codes: int,
        buckets: int,
        workers: Workers,
    ) -> None:
        self.population, self.values, self.workers = population, values, workers
        self.shared = Shared((population, values))
        self.codes, self.buckets = codes, buckets
        targets = codes * (buckets - 1)
        self.code = np.repeat(np.arange(codes), buckets - 1)
        self.boundary = np.tile(np.arange(1, buckets), codes)
        self.slot = self.code.copy()
        self.slots = codes
        self.prefix = np.zeros(targets, np.int64)
        self.below = np.zeros(targets, np.int64)
        self.chains: list[NDArray[np.int32]] = []
        self.shifts: list[int] = []
        self.bits: list[int] = []
        self.totals = np.zeros(codes, np.int64)

    def run(self, bits: int) -> NDArray[np.int64]:
        remaining = bits
        while remaining and len(self.code):
            width = min(remaining, self._affordable_bits())
            remaining -= width
            self.shifts.append(remaining)
            self.bits.append(width)
            through = self._histogram().cumsum(axis=1)
            if not self.chains:
                self.totals = through[:, -1]
            mass = self._narrow(through, width)
        if not len(self.code):
            return np.empty((self.codes, self.buckets - 1), np.int64)
        # The value found holds the boundary: it goes up if its middle lies at or past it.
        total = self.totals[self.code]
        goes_up = self.buckets * (2 * self.below + mass) >= 2 * total * self.boundary
        found = np.where(goes_up, self.prefix, self.prefix + 1)
        found[total == 0] = np.iinfo(np.int64).max
        return found.reshape(self.codes, self.buckets - 1)

    def _affordable_bits(self) -> int:
        spare = _HISTOGRAM_BITS - (self.slots - 1).bit_length()
        return min(_MOST_BITS, max(_LEAST_BITS, spare))

    def _histogram(self) -> Integers:
        chain = np.concatenate(self.chains) if self.chains else np.empty(0, np.int32)
        offsets = np.cumsum([0, *(len(chain) for chain in self.chains)]).astype(np.int64)
        shifts, bits = np.array(self.shifts, np.int64), np.array(self.bits, np.int64)

        level = Level(chain, offsets, shifts, bits, self.slots)
        total: Integers | None = None
        for histogram in self._counted(level):
            total = histogram if total is None else total + histogram
        assert total is not None
        return total

    def _counted(self, level: Level) -> Iterator[Integers]:
        if self.workers.cluster is not None:
            shared = Shared(level)
            places = self.population.places(_CLUSTER_BLOCKS)
            items = [(self.shared, shared, low, high) for low, high in places]
            return map_items(counted_rows, items, workers=self.workers, label=_LABEL)
        blocks = self.population.blocks(self.workers.count)
        return map_threads(
            lambda block: level.count(block, self.values), blocks, workers=self.workers
        )

    def _narrow(self, through: Integers, width: int) -> Integers:
        """Move every target into the bin that holds it; return that bin's mass."""
        total = self.totals[self.code]
        needs = total * self.boundary // self.buckets - self.below
        bins, below = np.empty_like(self.code), np.empty_like(self.code)
        kernels.locate(through, self.slot, needs, bins, below)
        mass = through[self.slot, bins] - below
        self.below += below
        self.prefix = (self.prefix << width) | bins
        cells = (self.slot << width) | bins
        wanted, slot = np.unique(cells, return_inverse=True)
        chain = np.full(self.slots << width, -1, np.int32)
        chain[wanted] = np.arange(len(wanted))
        self.chains.append(chain)
        self.slot, self.slots = slot.reshape(-1), len(wanted)
        return mass
