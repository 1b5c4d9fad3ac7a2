"""The lossy version for Hold'em: siblings within a threshold of each other merge.

`shrinking` finds the best matching of two signals' children. For 19,600 flops with 2,162 run-outs
each that is out of reach, so children are matched in the order of strength, at every level:
an exhibited matching, whose mean distance is at least that of the best one. So what merges is within
the threshold, and some pairs that the best matching would merge stay apart; with the threshold 0 it is
the paper's relation. Siblings are taken from the weakest to the strongest, and each joins the first
class whose first member is near enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.gameshrink import _kinds_kernels as kernels
from doyle.abstractions.gameshrink.holdem_classes import HoldemSignals, ListedClasses
from doyle.abstractions.gameshrink.isomorphism_classes import IsomorphismClasses
from doyle.base.artifacts import Artifact, Builder
from doyle.base.workers import Progress, Workers, map_threads

_BLOCKS = 64
_NO_CHILDREN = np.empty((1, 0), np.int32)

Numbers = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class LossyMerging:
    """First-fit merging of kinds, by nested sorted distances."""

    tree: IsomorphismClasses
    threshold: float

    def limit(self, round: int) -> int:
        """The largest distance that merges, in opponents summed over all run-outs."""
        leaves: int = prod(kinds.children.shape[1] for kinds in self.tree.rounds[round:-1])
        share = Fraction(repr(self.threshold))
        return share.numerator * self.tree.opponents * leaves // share.denominator

    @cached_property
    def vectors(self) -> NDArray[np.int16]:
        """Wins and losses of the children of each kind of the round before the last."""
        wins, losses = self.last_vectors.T
        children = self.tree.rounds[-2].children
        both = np.empty((len(children), 2, children.shape[1]), np.int16)
        both[:, 0], both[:, 1] = wins[children], losses[children]
        return both.reshape(len(children), -1)

    @cached_property
    def last_vectors(self) -> NDArray[np.int16]:
        """int16[last kinds, 2]: wins and losses."""
        difference, wins = np.asarray(self.tree.rounds[-1].sums).T
        return np.stack([wins, wins - difference], axis=1).astype(np.int16)

    def fit(self, round: int, siblings: Numbers) -> tuple[Numbers, int]:
        """The class of each of some kinds of a round after the first, and how many there are."""
        last = len(self.tree.rounds) - 1
        vectors = self.last_vectors if round == last else self.vectors
        children = self.tree.rounds[round].children if round < last - 1 else _NO_CHILDREN
        classes = np.empty(len(siblings), np.int32)
        count = kernels.fit_siblings(
            siblings, self.tree.rounds[round].sums, vectors, children, self.limit(round),
            np.empty(len(siblings), np.int32), classes,
        )  # fmt: skip
        return classes, int(count)

    def fit_preflop(self, workers: Workers, progress: Progress | None) -> Numbers:
        """The class of each preflop kind."""
        kinds, limit = self.tree.rounds[0], self.limit(0)
        firsts: list[int] = []
        classes = np.empty(len(kinds), np.int32)
        for own, (difference, wins) in enumerate(np.asarray(kinds.sums).tolist()):
            classes[own] = len(firsts)
            for number, other in enumerate(firsts):
                gap = wins - int(kinds.sums[other, 1])
                bound = abs(gap) + abs(gap - (difference - int(kinds.sums[other, 0])))
                if bound <= limit and self._preflop_distance(own, other, workers) <= limit:
                    classes[own] = number
                    break
            if classes[own] == len(firsts):
                firsts.append(own)
            if progress is not None:
                progress("merging preflop hands", own + 1, len(kinds))
        return classes

    def _preflop_distance(self, first: int, second: int, workers: Workers) -> int:
        """The distance of two preflop kinds, or something above the limit."""
        flops, limit = self.tree.rounds[0].children, self.limit(0)
        last = len(self.tree.rounds) - 1
        vectors = self.last_vectors if last == 1 else self.vectors

        def part(which: NDArray[np.int64]) -> int:
            one, other = flops[first][which], flops[second][which]
            if last < 3:
                return int(kernels.list_distance(vectors, one, other, limit))
            children = self.tree.rounds[1].children
            return int(kernels.nested_distance(vectors, children, one, other, limit))

        total = 0
        for found in map_threads(
            part, np.array_split(np.arange(flops.shape[1]), _BLOCKS), workers=workers
        ):
            total += found
            if total > limit:
                break
        return total


@dataclass(frozen=True, eq=False)
class FlopFamilies:
    """The flop kinds under each preflop class, ascending, and the flop class of each of them."""

    preflop: Numbers
    kinds: tuple[Numbers, ...]
    classes: Numbers

    @staticmethod
    def list(tree: IsomorphismClasses, preflop: Numbers) -> tuple[Numbers, ...]:
        """The flop kinds under each preflop class, given the class of each preflop kind."""
        return tuple(
            np.unique(tree.rounds[0].children[preflop == number])
            for number in range(int(preflop.max()) + 1)
        )

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        return np.cumsum([0, *(len(kinds) for kinds in self.kinds)])

    @cached_property
    def members(self) -> tuple[NDArray[np.int64], Numbers]:
        """The flop kinds of all flop classes one after the other, and where each class starts."""
        counts = [
            int(self.classes[start:stop].max()) + 1
            for start, stop in zip(self.starts[:-1], self.starts[1:], strict=True)
        ]
        sizes = np.diff(self.starts)
        number = self.classes + np.repeat(np.cumsum([0, *counts[:-1]]), sizes)
        order = np.argsort(number, kind="stable")
        starts = np.searchsorted(number[order], np.arange(sum(counts) + 1))
        return starts, np.concatenate(self.kinds)[order]

    def classes_of(self, signals: HoldemSignals, tree: IsomorphismClasses) -> ListedClasses:
        """The classes of all preflop and flop hands, with nothing counted below them yet."""
        hands = signals.deck.hands(3)
        preflop = self.preflop[tree.rounds[0].table[0]]
        kinds = np.asarray(tree.rounds[1].table[hands.row, hands.hole])
        above = preflop[hands.hole]
        own = np.empty(len(hands), np.int32)
        for number, family in enumerate(self.kinds):
            chosen = above == number
            place = self.starts[number] + np.searchsorted(family, kinds[chosen])
            own[chosen] = self.classes[place]
        below = np.zeros((len(hands), len(signals.ends) - 2), np.int64)
        return ListedClasses.number(signals.deck, preflop, own, below)


@dataclass(frozen=True, eq=False)
class LossyTask:
    """Building: preflop, flop, then turn and river hands, in stages that a killed build keeps."""

    signals: HoldemSignals
    merging: LossyMerging
    builder: Builder
    workers: Workers
    progress: Progress | None

    def build(self) -> None:
        tree, builder = self.merging.tree, self.builder
        preflop = builder.array("preflop_kinds", (len(tree.rounds[0]),), np.int32)
        if not builder.finished("preflop"):
            preflop[:] = self.merging.fit_preflop(self.workers, self.progress)
            builder.finish("preflop")
        families = FlopFamilies.list(tree, np.array(preflop))
        sizes = [len(family) for family in families]
        ends = np.cumsum(sizes)
        classes = builder.array("flop_classes", (int(ends[-1]),), np.int32)

        def merge(number: int) -> None:
            stop = int(ends[number])
            classes[stop - sizes[number] : stop] = self.merging.fit(1, families[number])[0]

        self._in_stages(len(families), "merging flop hands", merge)
        found = FlopFamilies(np.array(preflop), families, np.array(classes))
        listed = found.classes_of(self.signals, tree)
        below = builder.array("below", listed.below.shape, np.int64)
        if below.shape[1]:
            self._merge_later(found, below)
        replace(listed, below=np.array(below)).save(builder)

    def _merge_later(self, families: FlopFamilies, below: NDArray[np.int64]) -> None:
        """Count the turn and river classes under each flop class."""
        rounds, merging = self.merging.tree.rounds, self.merging
        river = len(rounds) == 4
        starts, members = families.members
        # Blocks of about equal numbers of members.
        cuts = np.searchsorted(starts, np.linspace(0, len(members), 16 * _BLOCKS + 1))
        cuts[0], cuts[-1] = 0, len(below)

        def merge(number: int) -> None:
            first, last = int(cuts[number]), int(cuts[number + 1])
            if first == last:
                return
            most = int(np.diff(starts[first : last + 1]).max()) * rounds[1].children.shape[1]
            kernels.merge_below(
                starts, members, first, last, rounds[1].children, rounds[2].sums,
                merging.vectors if river else merging.last_vectors, merging.limit(2),
                rounds[2].children if river else _NO_CHILDREN, rounds[-1].sums,
                merging.last_vectors, merging.limit(len(rounds) - 1),
                np.empty((5, most + 1), np.int32), below,
            )  # fmt: skip

        self._in_stages(len(cuts) - 1, "merging later hands", merge)

    def _in_stages(self, count: int, label: str, work: Callable[[int], None]) -> None:
        stages = np.array_split(np.arange(count), min(_BLOCKS, count))
        for number, stage in enumerate(stages):
            name = f"{label} {number}"
            if not self.builder.finished(name):
                for _ in map_threads(work, stage.tolist(), workers=self.workers):
                    pass
                self.builder.finish(name)
            if self.progress is not None:
                self.progress(label, number + 1, len(stages))


@dataclass(frozen=True, eq=False)
class BelowLossy:
    """Turn and river classes under one flop class, merged again when asked for."""

    listed: ListedClasses
    merging: LossyMerging
    families: FlopFamilies

    @staticmethod
    def load(artifact: Artifact, merging: LossyMerging) -> BelowLossy:
        preflop = np.array(artifact.array("preflop_kinds"))
        kinds = FlopFamilies.list(merging.tree, preflop)
        families = FlopFamilies(preflop, kinds, artifact.array("flop_classes"))
        return BelowLossy(ListedClasses.load(artifact), merging, families)

    def place(self, hole: Sequence[int], board: Sequence[int]) -> int:
        tree = self.merging.tree
        row, permutation = tree.deck.find_board(board[:3])
        flop = int(self.listed.flop[row, tree.deck.find_hole(hole, permutation)])
        starts, members = self.families.members
        children = tree.rounds[1].children[members[starts[flop] : starts[flop + 1]]]
        turns = np.unique(children).astype(np.int32)
        classes, _ = self.merging.fit(2, turns)
        own = int(classes[np.searchsorted(turns, tree.find(hole, board[:4]))])
        if len(board) == 4:
            return own
        skipped = sum(self._rivers(turns[classes == number])[2] for number in range(own))
        rivers, river_classes, _ = self._rivers(turns[classes == own])
        return skipped + int(river_classes[np.searchsorted(rivers, tree.find(hole, board))])

    def _rivers(self, turns: Numbers) -> tuple[Numbers, Numbers, int]:
        """The river kinds under some turn kinds, the class of each, and how many classes."""
        rivers = np.unique(self.merging.tree.rounds[2].children[turns]).astype(np.int32)
        return (rivers, *self.merging.fit(3, rivers))
