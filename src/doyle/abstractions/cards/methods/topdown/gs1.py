"""GS1: lossy GameShrink as a card abstraction, `gs1-0.25` with the threshold of its merging.

Gilpin and Sandholm (AAAI 2006), as told in Gilpin, Sandholm and Sørensen (2008, section 5): "a simple
modification to the basic GameShrink algorithm yields a lossy version", with which GS1 was made.
Siblings merge whose children can be matched within the threshold (`doyle.abstractions.gameshrink.holdem_lossy`):
preflop hands first, then flop hands below each class, then turn hands, so a bucket knows its parent.

On the river only wins - losses count, on which the rule of a table goes: hands of one turn bucket are
divided, from the weakest on, into intervals as long as the threshold. GameShrink also keeps hands
apart that have equal wins - losses and very different numbers of ties.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.abstraction import (
    STRENGTHS,
    BucketTables,
    collisions,
    count_river_strengths,
    make_tables,
)
from doyle.abstractions.cards.methods.topdown import _topdown_kernels as kernels
from doyle.abstractions.cards.methods.topdown.division import Table, parents_of
from doyle.abstractions.cards.strength.atlas import Atlas
from doyle.abstractions.gameshrink.holdem_lossy import FlopFamilies, LossyMerging
from doyle.abstractions.gameshrink.isomorphism_classes import stored_kinds
from doyle.base.artifacts import Stages
from doyle.base.errors import ParseError
from doyle.base.workers import map_threads
from doyle.cards.cards import HOLE_COUNT
from doyle.cards.suits.boards import HOLE_MAPS, Deck, boards, flop_turns

PREFIX = "gs1-"
_MOST_TURN_BUCKETS = 100_000
_DECK, _ENDS = Deck(13, 4), (0, 3, 4, 5)

Starts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Threshold:
    """The threshold of a name, as the share of opponents by which merged hands may differ.

    >>> str(Threshold.parse("gs1-0.50"))
    'gs1-0.5'
    """

    value: float

    @classmethod
    def parse(cls, name: str) -> Threshold:
        digits = name.removeprefix(PREFIX)
        try:
            value = float(digits) if digits.replace(".", "", 1).isdigit() else -1.0
        except ValueError:
            value = -1.0
        if not 0 < value <= 2:
            raise ParseError(
                "expected a threshold above 0 and at most 2",
                text=name, position=len(PREFIX), what="card abstraction",
            )  # fmt: skip
        return cls(value)

    def __str__(self) -> str:
        return f"{PREFIX}{self.value:g}"


def make_gs1(name: str, *, atlas: Atlas, seed: int, stages: Stages | None = None) -> BucketTables:
    """The tables of `gs1-T`; nothing is left to chance, so `seed` changes nothing."""
    stages = stages or Stages()
    kinds = stored_kinds(
        _DECK, _ENDS, store=atlas.store, workers=atlas.workers, progress=atlas.progress
    )
    merging = LossyMerging(kinds, Threshold.parse(name).value)
    preflop = np.asarray(
        stages.array("preflop", lambda: merging.fit_preflop(atlas.workers, atlas.progress))
    )
    families = FlopFamilies(preflop, FlopFamilies.list(kinds, preflop), np.empty(0, np.int32))
    classes = stages.array("flop-classes", lambda: _flop_classes(merging, families, atlas))
    families = replace(families, classes=np.asarray(classes))
    flop, flop_starts = _flop(families, merging, atlas)
    turn, turn_starts = stages.arrays("turn", lambda: _turn(families, merging, flop, atlas))
    return _with_rivers(merging, families, atlas, flop, turn, [flop_starts, turn_starts], stages)


MAKERS = {PREFIX: make_gs1}


def _flop_classes(
    merging: LossyMerging, families: FlopFamilies, atlas: Atlas
) -> npt.NDArray[np.int32]:
    """The class of every flop kind of each family, all families one after the other."""
    found = map_threads(
        lambda family: merging.fit(1, family)[0], families.kinds,
        workers=atlas.workers, progress=atlas.progress, label="merging flop hands",
    )  # fmt: skip
    return np.concatenate(list(found))


def _flop(families: FlopFamilies, merging: LossyMerging, atlas: Atlas) -> tuple[Table, Starts]:
    """The flop bucket of every hole on every flop, and the first bucket of each preflop class."""
    ends = families.starts
    counts = [int(families.classes[start:stop].max()) + 1 for start, stop in pairwise(ends)]
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    above = _preflop_of_holes(families, merging)
    kinds = np.asarray(merging.tree.rounds[1].table)
    flop = np.full((len(boards(3)), HOLE_COUNT), -1, np.int32)
    free = ~collisions(boards(3).boards)
    free[np.setdiff1d(np.arange(len(free)), atlas.flop_rows)] = False
    for number, family in enumerate(families.kinds):
        chosen = free & (above == number)[None, :]
        place = np.searchsorted(family, kinds[chosen])
        flop[chosen] = starts[number] + families.classes[ends[number] + place]
    return flop, starts


def _preflop_of_holes(families: FlopFamilies, merging: LossyMerging) -> npt.NDArray[np.int32]:
    kinds = np.asarray(merging.tree.rounds[0].table).reshape(-1)
    return np.asarray(families.preflop[kinds], np.int32)


def _turn(
    families: FlopFamilies, merging: LossyMerging, flop: Table, atlas: Atlas
) -> tuple[Table, Starts]:
    """The turn bucket of every hole on every (flop, turn card), and each flop class's first."""
    starts, members = families.members
    numbered, table = flop_turns(), np.asarray(merging.tree.rounds[2].table)
    children = merging.tree.rounds[1].children
    # All hands of one flop class together, in the order of classes; collisions come first.
    order = np.argsort(flop.reshape(-1), kind="stable")
    firsts = np.searchsorted(flop.reshape(-1)[order], np.arange(len(starts)))
    turn = np.full((len(numbered), HOLE_COUNT), -1, np.int32)
    sequences = np.searchsorted(numbered.flop_row, np.arange(len(boards(3)) + 1))

    def work(number: int) -> int:
        own = members[starts[number] : starts[number + 1]]
        siblings = np.unique(children[own]).astype(np.int32)
        classes, count = merging.fit(2, siblings)
        hands = order[firsts[number] : firsts[number + 1]]
        kernels.assign_classes(
            hands // HOLE_COUNT, hands % HOLE_COUNT, sequences, numbered.turn_code, HOLE_MAPS,
            table, siblings, classes, turn,
        )  # fmt: skip
        return count

    counts = list(
        map_threads(
            work, range(len(starts) - 1),
            workers=atlas.workers, progress=atlas.progress, label="merging turn hands",
        )
    )  # fmt: skip
    turn_starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    if turn_starts[-1] > _MOST_TURN_BUCKETS:
        raise ParseError(
            f"{turn_starts[-1]:,} turn buckets; at most {_MOST_TURN_BUCKETS:,} fit: take a larger "
            "threshold",
            text=str(Threshold(merging.threshold)), position=len(PREFIX), what="card abstraction",
        )  # fmt: skip
    # `assign_classes` numbers classes within their flop class.
    above = flop[numbered.flop_row]
    reached = turn >= 0
    turn[reached] += turn_starts[above[reached]].astype(np.int32)
    return turn, turn_starts


def _with_rivers(
    merging: LossyMerging,
    families: FlopFamilies,
    atlas: Atlas,
    flop: Table,
    turn: Table,
    starts: list[Any],
    stages: Stages,
) -> BucketTables:
    """The tables, with the river hands of each turn bucket in intervals of wins - losses."""
    turns = int(starts[1][-1])
    counts = stages.array(
        "river-strengths",
        lambda: count_river_strengths(atlas, turn, groups=np.arange(turns), count=turns),
    )
    rule = np.empty((turns, STRENGTHS), np.int32)
    river_starts = np.empty(turns + 1, np.int64)
    # A strength is wins - losses + 990, so distances are those of `LossyMerging`.
    kernels.greedy_intervals(np.asarray(counts), merging.limit(3), rule, river_starts)
    sizes = (len(starts[0]) - 1, int(starts[0][-1]), turns, int(river_starts[-1]))
    parents = [
        parents_of(first, sizes[round])
        for round, first in enumerate([*starts, river_starts], start=1)
    ]
    return make_tables(
        counts=sizes,
        preflop=_preflop_of_holes(families, merging),
        flop=flop,
        turn=turn,
        atlas=atlas,
        turn_memory=np.arange(turns),
        river_by_strength=rule,
        river_counts=np.asarray(counts),
        parents=(None, *parents),
    )
