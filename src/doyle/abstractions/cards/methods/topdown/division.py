"""Top-down abstraction: each bucket divided into children, with perfect recall.

What GS2, GS3 and our potential-aware abstraction share: the names (`method-8-12-4-4`), how many
children each parent gets, the walk over turn hands in the order in which their cards came, and the
river, whose hands are divided by exact strength within each turn bucket (optimal on the line).

Numbers that strictly increase are totals per round (`potential-10-150-750-3750`). Others are mean
branching factors: a round's total is their product so far, so `potential-8-12-4-4` is another name of
`potential-8-96-384-1536`, and `potential-mean-8-12-4-4` says it outright. An integer program shares
each total among the parents. In `potential-fixed-8-12-4-4` it plays no part: every bucket has exactly
that many children.

A `Family`, the hands below one parent bucket, is clustered for every number of children that is tried.
It stands for the mass of its parent, so that the errors of different parents can be added when an
integer program decides how many children each gets (`allocation`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.abstraction import BucketTables, count_river_strengths, make_tables
from doyle.abstractions.cards.clustering.kmeans import Floats, LineClusters, cluster_line, kmeans
from doyle.abstractions.cards.methods.topdown import _topdown_kernels as kernels
from doyle.abstractions.cards.methods.topdown.allocation import allocate
from doyle.abstractions.cards.strength.atlas import Atlas, each_block
from doyle.base.artifacts import Stages
from doyle.base.errors import ParseError
from doyle.base.workers import map_threads
from doyle.cards.cards import HOLE_COUNT
from doyle.cards.suits.boards import HOLE_MAPS, boards, flop_turns, hands

Table = npt.NDArray[np.int32]
Starts = npt.NDArray[np.int64]
"""The first bucket of each parent's children, and the end."""

ROUNDS = 4
FIXED, MEAN = "fixed", "mean"
_WORDS = (FIXED, MEAN)
_MOST_BUCKETS = 1_000_000
_SPREAD = 3
"""A parent gets at most this many times the mean number of children."""


@dataclass(frozen=True)
class Sizes:
    """The method of a name, its buckets by round, and whether all parents get the same share.

    >>> Sizes.parse("potential-8-12-4-4").totals
    (8, 96, 384, 1536)
    >>> str(Sizes.parse("potential-8-12-4-4")), str(Sizes.parse("gs2-fixed-8-12-4-4"))
    ('potential-8-96-384-1536', 'gs2-fixed-8-12-4-4')
    >>> str(Sizes.parse("gs2-8-12-1-4")), Sizes.parse("gs2-mean-2-3-4-5").totals
    ('gs2-mean-8-12-1-4', (2, 6, 24, 120))
    """

    method: str
    totals: tuple[int, ...]
    fixed: bool

    @classmethod
    def parse(cls, name: str) -> Sizes:
        method = name.partition("-")[0]
        word = next((word for word in _WORDS if name.startswith(f"{method}-{word}-")), "")
        numbers = _numbers(name, len(method) + (len(word) + 1 if word else 0))
        branching = word != "" or not _increase(numbers)
        totals = [prod(numbers[: r + 1]) for r in range(ROUNDS)] if branching else numbers
        if totals[-1] > _MOST_BUCKETS:
            _fail(f"more than {_MOST_BUCKETS:,} buckets on the river", name, len(name) - 1)
        return cls(method, tuple(totals), fixed=word == FIXED)

    def __str__(self) -> str:
        """The one name under which an abstraction is kept: by totals where they say it all."""
        if _increase(self.totals) and not self.fixed:
            return "-".join([self.method, *map(str, self.totals)])
        factors = [self.totals[0], *(b // a for a, b in pairwise(self.totals))]
        return "-".join([self.method, FIXED if self.fixed else MEAN, *map(str, factors)])

    def children(self, round: int) -> range:
        """The numbers of children of a parent of the round before to try."""
        parents = self.totals[round - 1]
        if self.fixed:
            each = self.totals[round] // parents
            return range(each, each + 1)
        mean = -(-self.totals[round] // parents)
        return range(1, min(_SPREAD * mean, self.totals[round] - parents + 1) + 1)

    def share(self, round: int, errors: Sequence[Floats]) -> npt.NDArray[np.int64]:
        """The number of children of each parent, from the errors of 1, 2, ... children."""
        if self.fixed:
            return np.full(len(errors), self.children(round)[0])
        return np.array(allocate(errors, budget=self.totals[round]).children)


def _increase(numbers: Sequence[int]) -> bool:
    return all(b > a for a, b in pairwise(numbers))


def _numbers(name: str, position: int) -> list[int]:
    """The four numbers of a name that stand behind the '-' at `position`."""
    numbers: list[int] = []
    while 0 <= position < len(name) and len(numbers) < ROUNDS:
        end = name.find("-", position + 1)
        digits = name[position + 1 :] if end < 0 else name[position + 1 : end]
        if not (digits.isascii() and digits.isdigit()) or digits.startswith("0"):
            _fail("expected a number of buckets from 1 up", name, position + 1)
        if len(digits) > 7 or int(digits) > _MOST_BUCKETS:
            _fail(f"more than {_MOST_BUCKETS:,} buckets", name, position + 1)
        numbers.append(int(digits))
        if len(numbers) == 1 and numbers[0] > 169:
            _fail("the preflop has only 169 different hands", name, position + 1)
        position = end
    if position >= 0 or len(numbers) < ROUNDS:
        where = position if position >= 0 else len(name)
        _fail(f"expected {ROUNDS} numbers separated by '-'", name, where)
    return numbers


def _fail(problem: str, name: str, position: int) -> None:
    raise ParseError(problem, text=name, position=position, what="card abstraction")


def first_buckets(children: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Where each parent's children start when they are numbered parent by parent; and the end."""
    return np.concatenate([[0], np.cumsum(children)])


def assemble(
    atlas: Atlas,
    sizes: Sizes,
    *,
    preflop: Table,
    flop: Table,
    turn: Table,
    starts: list[Any],
    stages: Stages,
) -> BucketTables:
    """The tables of a top-down abstraction, its river divided by strength within turn buckets.

    `starts[round]` are the first buckets of the parents' children on flop and turn.
    """
    parents = sizes.totals[2]
    counts = stages.array(
        "river-strengths",
        lambda: count_river_strengths(atlas, turn, groups=np.arange(parents), count=parents),
    )
    rule, ends = divide_lines(counts, sizes, round=3)
    starts = [*starts, ends]
    return make_tables(
        counts=sizes.totals,
        preflop=preflop,
        flop=flop,
        turn=turn,
        atlas=atlas,
        turn_memory=np.arange(parents),
        river_by_strength=rule,
        river_counts=counts,
        parents=(None, *(parents_of(first, sizes.totals[r]) for r, first in enumerate(starts, 1))),
    )


def parents_of(starts: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int32]:
    """The parent of each bucket; a total that allocation left unused stays with the last parent."""
    found = np.searchsorted(starts, np.arange(count), side="right") - 1
    return np.minimum(found, len(starts) - 2).astype(np.int32)


def divide_lines(
    counts: npt.NDArray[np.int64], sizes: Sizes, *, round: int
) -> tuple[Table, npt.NDArray[np.int64]]:
    """Divide each parent's values, counts[parents, values], on the line.

    Returns the bucket of every (parent, value) and the parents' first buckets. Values that a parent
    never has go with the next that it has.
    """
    choices = sizes.children(round)
    lines: list[LineClusters | None] = []
    errors: list[Floats] = []
    for row in counts:
        present = np.flatnonzero(row)
        line = None
        if len(present):
            weights = row[present].astype(np.float64)
            line = cluster_line(
                present / (counts.shape[1] - 1), weights=weights, clusters=choices[-1]
            )
        lines.append(line)
        errors.append(np.zeros(1) if line is None else line.errors)
    children = sizes.share(round, errors)
    starts = first_buckets(children)
    rule = np.empty(counts.shape, np.int32)
    for parent, line in enumerate(lines):
        if line is None:
            rule[parent] = starts[parent]
            continue
        assignment = line.assignment(min(int(children[parent]), len(line.errors)))
        present = np.flatnonzero(counts[parent])
        places = np.searchsorted(present, np.arange(counts.shape[1]))
        rule[parent] = starts[parent] + assignment[np.minimum(places, len(present) - 1)]
    return rule, starts


def divide_turns(
    atlas: Atlas,
    centres: tuple[npt.NDArray[Any], ...],
    assign: Callable[[Starts, npt.NDArray[np.float32], Starts, Table], None],
) -> tuple[Table, Starts]:
    """Turn buckets from the results of `divide_all`: `assign` fills rows of the table, on threads."""
    centroids, starts = padded(*centres), centres[2]
    turn = np.full((len(flop_turns()), HOLE_COUNT), -1, np.int32)
    each_block(
        atlas,
        atlas.sequence_rows,
        lambda rows: assign(rows, centroids, starts, turn),
        "turn buckets",
    )
    return turn, starts


def make_top_down(
    atlas: Atlas,
    sizes: Sizes,
    stages: Stages,
    *,
    preflop: Callable[[], Table],
    flop: Callable[[Table], tuple[Table, Starts]],
    turn: Callable[[Table], tuple[Table, Starts]],
) -> BucketTables:
    """The tables of a method: each round from the buckets of the round before, in stages."""
    first = stages.array("preflop", preflop)
    second, flop_starts = stages.arrays("flop", lambda: flop(first))
    third, turn_starts = stages.arrays("turn", lambda: turn(second))
    return assemble(
        atlas, sizes, preflop=first, flop=second, turn=third, starts=[flop_starts, turn_starts],
        stages=stages,
    )  # fmt: skip


def sample_turn_hands(
    atlas: Atlas, flop: Table, *, parents: int, samples: int, seed: tuple[int, ...]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """int32[parents, samples]: turn hands of each flop bucket, drawn by how often they occur (-1 for
    parents without hands); and the deals of each."""
    numbered = flop_turns()
    mass = turn_masses(atlas, flop, parents)
    draws = np.sort(np.random.default_rng(seed).random((parents, samples)), axis=1)
    found = np.full((parents, samples), -1, np.int32)
    kernels.sample_turns(
        atlas.sequence_rows, numbered.flop_row, numbered.turn_code, numbered.weights, HOLE_MAPS,
        flop, hands(2).index, draws * mass[:, None], np.zeros(parents, np.int64),
        np.zeros(parents, np.int64), found,
    )  # fmt: skip
    return found, mass


def turn_masses(atlas: Atlas, flop: Table, parents: int) -> npt.NDArray[np.int64]:
    """Deals of (hole, flop, turn card) of each flop bucket: 47 turn cards follow a hole and a flop."""
    rows = atlas.flop_rows
    mass = np.zeros(parents + 1, np.int64)
    for row in rows:
        mass += np.bincount(flop[row] + 1, minlength=parents + 1) * boards(3).weights[row]
    return mass[1:] * 47


ITERATIONS = 40

Order = Callable[[Floats], Floats]
"""Puts centroids [k, d] in order from weak to strong."""


@dataclass(frozen=True, eq=False)
class Family:
    """The training hands of one parent: features, weights, and the mass they stand for."""

    features: npt.NDArray[Any]
    weights: Floats
    mass: float
    seed: tuple[int, ...]


def divide(family: Family, choices: range, ordered: Order) -> tuple[list[Floats], Floats]:
    """The centroids for each number of children in `choices`, and their errors."""
    centres: list[Floats] = []
    errors: list[float] = []
    for children in choices:
        if len(family.features) == 0:
            centres.append(np.zeros((1, family.features.shape[1])))
            errors.append(0.0)
            continue
        found = kmeans(
            family.features,
            weights=family.weights,
            clusters=children,
            seed=(*family.seed, children),
            iterations=ITERATIONS,
        )
        centres.append(ordered(found.centroids))
        errors.append(found.inertia * family.mass / float(family.weights.sum()))
    return centres, np.array(errors)


def divide_all(
    atlas: Atlas, sizes: Sizes, round: int, *, families: Sequence[Family], ordered: Order
) -> tuple[npt.NDArray[Any], ...]:
    """The centroids of all parents' children, how many each parent has, where their numbers start."""
    label = ("", "flop clusters", "turn clusters")[round]
    choices = sizes.children(round)

    def work(family: Family) -> tuple[list[Floats], Floats]:
        return divide(family, choices, ordered)

    found = list(
        map_threads(work, families, workers=atlas.workers, progress=atlas.progress, label=label)
    )
    children = sizes.share(round, [errors for _, errors in found])
    chosen = [
        centres[int(count) - choices[0]]
        for (centres, _), count in zip(found, children, strict=True)
    ]
    counts = np.array([len(centres) for centres in chosen])
    return np.concatenate(chosen), counts, first_buckets(children)


def padded(
    centres: npt.NDArray[Any], counts: npt.NDArray[Any], starts: npt.NDArray[np.int64]
) -> npt.NDArray[np.float32]:
    """Centroids at their buckets' numbers; infinitely far where a parent has fewer clusters."""
    result = np.full((int(starts[-1]), centres.shape[1]), np.inf, np.float32)
    for own, start in zip(np.split(centres, np.cumsum(counts)[:-1]), starts, strict=False):
        result[start : start + len(own)] = own
    return result
