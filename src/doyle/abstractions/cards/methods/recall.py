"""From notation to tables: percentile, uniform and public parts with perfect or partial recall.

A round's bucket is (what is remembered, this round's parts), numbered in mixed radix: memory first,
then each part in turn. Each part divides the hands that share everything before it, so that parts
nest and rounds refine; what later rounds remember is the same number without the forgotten parts.
Source: Schnizlein 2009, section 2.3.2.

Public buckets are clusters of boards by how hands move between strength buckets on them. For each board
a transition table has the probability of going from each bucket of the round before
to each bucket of this round, over the hands that the board allows; k-means over these tables gives
the clusters (Schnizlein 2009, section 2.3.2). The thesis leaves open which abstraction the tables
are of: here it is 8 percentiles of E[HS^2] on every round, without recall. Turn boards are (flop,
turn card) and are clustered within each public bucket of the flop that is remembered.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.cards.abstraction import (
    STRENGTHS,
    BucketTables,
    collisions,
    count_river_strengths,
    make_tables,
    turn_boards,
)
from doyle.abstractions.cards.clustering.kmeans import kmeans
from doyle.abstractions.cards.methods import _percentile_kernels as kernels
from doyle.abstractions.cards.methods.emd import (
    emd_buckets,
    potential_emd_buckets,
    strength_clusters,
)
from doyle.abstractions.cards.methods.ochs import ochs_buckets, ochs_table
from doyle.abstractions.cards.methods.percentile import (
    Population,
    divide,
    midpoint_buckets,
    percentile_thresholds,
    uniform_thresholds,
)
from doyle.abstractions.cards.notation import Notation, Part, Round
from doyle.abstractions.cards.strength.atlas import FULL_STRENGTH, Atlas, largest_sum
from doyle.base.artifacts import Stages
from doyle.base.errors import DoyleError
from doyle.base.workers.memory import usable_memory
from doyle.cards.cards import HOLE_COUNT
from doyle.cards.suits.boards import HOLE_MAPS, boards, flop_turns, hands

BASE_BUCKETS = 8
_POWER = 2
_RESTARTS = 3

Clusters = NDArray[np.int64]


def public_flops(atlas: Atlas, *, clusters: int, seed: int) -> Clusters:
    """The public bucket of each of the atlas's flops."""
    rows = atlas.flop_rows
    preflop, flop = base_buckets(atlas, 0), base_buckets(atlas, 1)
    points = transition_tables(preflop, np.zeros(len(rows), np.int64), flop, rows * 32)
    return _clustered(points, boards(3).weights[rows], clusters, seed, atlas)


def public_turns(atlas: Atlas, *, within: Clusters, clusters: int, seed: int) -> Clusters:
    """The public bucket of each of the atlas's (flop, turn card) sequences.

    `within[flop]` is what is remembered of each of the atlas's flops; each such group of boards is
    clustered by itself.
    """
    rows, numbered = atlas.sequence_rows, flop_turns()
    flop, turn = base_buckets(atlas, 1), base_buckets(atlas, 2)
    points = transition_tables(
        flop,
        numbered.flop_row[rows].astype(np.int64),
        turn,
        numbered.turn_code[rows].astype(np.int64),
    )
    group = within[np.searchsorted(atlas.flop_rows, numbered.flop_row[rows])]
    found = np.empty(len(rows), np.int64)
    for number in np.unique(group):
        chosen = np.flatnonzero(group == number)
        weights = numbered.weights[rows[chosen]]
        found[chosen] = _clustered(points[chosen], weights, clusters, seed, atlas)
    return found


def base_buckets(atlas: Atlas, round: int) -> NDArray[np.int32]:
    """The buckets whose transitions are compared: [rows, 1326], -1 on collisions."""
    if round == 0:
        rows, weights = np.zeros(1, np.int64), np.ones(1, np.int64)
        hit = np.zeros((1, HOLE_COUNT), bool)
    else:
        rows = atlas.flop_rows if round == 1 else atlas.turn_rows
        weights = boards(round + 2).weights[rows]
        hit = collisions(boards(round + 2).boards[rows])
    population = Population(np.where(hit, -1, 0).astype(np.int32), rows * 32, weights)
    values = atlas.sums(round, _POWER)
    thresholds = percentile_thresholds(
        population,
        values,
        codes=1,
        buckets=BASE_BUCKETS,
        largest=largest_sum(round, _POWER),
        workers=atlas.workers,
    )
    divide(population, values, thresholds=thresholds, workers=atlas.workers)
    table = np.full((1 if round == 0 else len(boards(round + 2)), HOLE_COUNT), -1, np.int32)
    table[rows] = population.codes
    return table


def transition_tables(
    before: NDArray[np.int32],
    before_rows: NDArray[np.int64],
    after: NDArray[np.int32],
    after_codes: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The transition table of each board, in one row: float64[boards, 8 * 8].

    A bucket that the board leaves empty has a row of zeros.
    """
    counts = np.zeros((len(before_rows), BASE_BUCKETS, BASE_BUCKETS), np.int64)
    kernels.count_transitions(before, before_rows, after, after_codes, HOLE_MAPS, counts)
    leaving = counts.sum(axis=2, keepdims=True)
    return np.asarray((counts / np.maximum(leaving, 1)).reshape(len(counts), -1), np.float64)


def _clustered(
    points: NDArray[np.float64],
    weights: NDArray[np.int64],
    clusters: int,
    seed: int,
    atlas: Atlas,
) -> Clusters:
    found = kmeans(
        points,
        weights=weights.astype(np.float64),
        clusters=clusters,
        seed=seed,
        restarts=_RESTARTS,
        workers=atlas.workers,
    )
    return found.assignment.astype(np.int64)


Buckets = NDArray[np.int32]
_MOST_TOTAL = 2**31 - 1


def build_notation(
    notation: Notation, *, atlas: Atlas, seed: int, stages: Stages | None = None
) -> BucketTables:
    """Build the abstraction that the notation says; `seed` is for the parts that are clusters."""
    check_room(notation)
    build = _Build(notation, atlas, seed, stages or Stages())
    tables = build.run()
    build.report(len(notation.rounds))
    return tables


def check_room(notation: Notation) -> None:
    """Refuse tables that the machine cannot hold, before anything of them is made."""
    largest, memories = max(notation.bucket_totals), notation.memories[-1]
    needed, there = 3 * 8 * largest + 8 * STRENGTHS * memories, usable_memory()
    if largest > _MOST_TOTAL:
        raise DoyleError(
            f"card abstraction {notation}: {largest:,} buckets in one round, more than the "
            f"{_MOST_TOTAL:,} that tables can number; take fewer buckets, or forget earlier ones (ir)"
        )
    if needed > there:
        raise DoyleError(
            f"card abstraction {notation}: {largest:,} buckets in one round need "
            f"{needed / 2**30:,.1f} GiB, and there are {there / 2**30:,.1f}; take fewer buckets, or "
            "forget earlier ones (ir)"
        )


def memory_of(round: Round, memories: int) -> NDArray[np.int64]:
    """What is remembered of each of a round's buckets: the number without its forgotten parts."""
    codes = np.arange(memories * round.buckets)
    digits = []
    for part in reversed(round.parts):
        codes, digit = np.divmod(codes, part.count)
        digits.append(digit)
    memory = codes
    for part, digit, remembered in zip(
        round.parts, reversed(digits), round.remembered, strict=True
    ):
        if remembered:
            memory = memory * part.count + digit
    return np.asarray(memory, np.int64)


class _Build:
    """One build: the rounds in order, each with the memory that the one before left."""

    def __init__(self, notation: Notation, atlas: Atlas, seed: int, stages: Stages) -> None:
        self.notation, self.atlas, self.seed, self.stages = notation, atlas, seed, stages

    def run(self) -> BucketTables:
        rounds, memories = self.notation.rounds, self.notation.memories
        kept = [memory_of(round, memories[place]) for place, round in enumerate(rounds)]
        self.report(0)
        preflop = self._preflop()
        self.report(1)
        flop = self.stages.array("flop", lambda: self._flop(kept[0][preflop]))
        self.report(2)
        turn = self.stages.array("turn", lambda: self._turn(flop, kept[1]))
        self.report(3)
        parents = (None, *(self._parents(place) for place in (1, 2, 3)))
        if rounds[3].parts[0].kind == "ochs":
            return make_tables(
                counts=self.notation.bucket_totals,
                preflop=preflop,
                flop=flop,
                turn=turn,
                river=ochs_table(
                    self.atlas, clusters=rounds[3].buckets, seed=self.seed, stages=self.stages
                ),
                atlas=self.atlas,
                parents=parents,
            )
        counts = self.stages.array(
            "river-strengths",
            lambda: count_river_strengths(self.atlas, turn, groups=kept[2], count=memories[3]),
        )
        return make_tables(
            counts=self.notation.bucket_totals,
            preflop=preflop,
            flop=flop,
            turn=turn,
            turn_memory=kept[2],
            river_by_strength=river_rule(rounds[3], counts),
            river_counts=counts,
            atlas=self.atlas,
            parents=parents,
        )

    def report(self, rounds: int) -> None:
        if self.atlas.progress is not None:
            self.atlas.progress("buckets, rounds", rounds, len(self.notation.rounds))

    def _parents(self, place: int) -> NDArray[np.int64] | None:
        if self.notation.memories[place] != self.notation.bucket_totals[place - 1]:
            return None
        return np.arange(self.notation.bucket_totals[place]) // self.notation.rounds[place].buckets

    def _preflop(self) -> Buckets:
        if self.notation.is_lossless_preflop:
            return np.array(hands(0).index[0], np.int32)
        codes = np.zeros((1, HOLE_COUNT), np.int32)
        population = Population(codes, np.zeros(1, np.int64), np.ones(1, np.int64))
        self._divide_all(population, 0, None)
        return np.asarray(codes[0], np.int32)

    def _flop(self, memory: NDArray[np.int64]) -> Buckets:
        """Buckets on all flops, given what each hole's preflop bucket leaves in memory."""
        rows = self.atlas.flop_rows
        cards = boards(3).boards[rows]
        codes = np.where(collisions(cards), -1, memory[None, :]).astype(np.int32)
        population = Population(codes, rows * 32, boards(3).weights[rows])
        self._divide_all(population, 1, self._public_flops())
        return _whole(codes, rows, len(boards(3)))

    def _public_flops(self) -> NDArray[np.int64] | None:
        """The public bucket of each flop, if the flop has any."""
        part = _public_part(self.notation.rounds[1])
        if part is None:
            return None
        return self.stages.array(
            "public-flops",
            lambda: public_flops(self.atlas, clusters=part.count, seed=self.seed),
        )

    def _turn(self, flop: Buckets, memory: NDArray[np.int64]) -> Buckets:
        part = _public_part(self.notation.rounds[2])
        if self.notation.memories[2] == 1 and part is None:
            return self._turn_without_memory()
        numbered, rows = flop_turns(), self.atlas.sequence_rows
        hit = collisions(turn_boards(by_sequence=True)[rows])
        remembered = np.append(memory, 0)[flop].astype(np.int32)
        codes = np.where(hit, np.int32(-1), remembered[numbered.flop_row[rows]])
        population = Population(
            codes, numbered.turn_code[rows].astype(np.int64), numbered.weights[rows]
        )
        public = None
        if part is not None:
            within = self._remembered_public()
            public = self.stages.array(
                "public-turns",
                lambda: public_turns(
                    self.atlas, within=within, clusters=part.count, seed=self.seed
                ),
            )
        self._divide_all(population, 2, public)
        return _whole(codes, rows, len(numbered))

    def _turn_without_memory(self) -> Buckets:
        rows = self.atlas.turn_rows
        codes = np.where(collisions(boards(4).boards[rows]), -1, 0).astype(np.int32)
        self._divide_all(Population(codes, rows * 32, boards(4).weights[rows]), 2, None)
        return _whole(codes, rows, len(boards(4)))

    def _remembered_public(self) -> NDArray[np.int64]:
        """The public bucket of each flop if the turn remembers it, else one for all."""
        flop, public = self.notation.rounds[1], self._public_flops()
        pairs = zip(flop.parts, flop.remembered, strict=True)
        if public is not None and any(p.kind == "public" and kept for p, kept in pairs):
            return public
        return np.zeros(len(self.atlas.flop_rows), np.int64)

    def _divide_all(
        self, population: Population, place: int, public: NDArray[np.int64] | None
    ) -> None:
        """Apply the round's parts one after the other."""
        codes = self.notation.memories[place]
        for part in self.notation.rounds[place].parts:
            if part.kind == "public":
                assert public is not None
                shifted = population.codes * part.count + public[:, None].astype(np.int32)
                population.codes[...] = np.where(population.codes < 0, -1, shifted)
            else:
                divide_by_part(
                    population, part, round=place, codes=codes, atlas=self.atlas, seed=self.seed,
                    stages=self.stages,
                )  # fmt: skip
            codes *= part.count


def divide_by_part(
    population: Population,
    part: Part,
    *,
    round: int,
    codes: int,
    atlas: Atlas,
    seed: int,
    stages: Stages,
) -> None:
    """Divide every present bucket by percentiles, even intervals or clusters of values."""
    if part.kind in ("emd", "pa", "ochs"):
        if part.kind == "emd":
            clusters = emd_buckets(atlas, round, clusters=part.count, seed=seed, stages=stages)
        elif part.kind == "ochs":
            clusters = ochs_buckets(atlas, round, clusters=part.count, seed=seed, stages=stages)
        else:
            clusters = potential_emd_buckets(atlas, clusters=part.count, seed=seed, stages=stages)
        values = hands(round).spread(clusters)
        thresholds = np.arange(1, part.count, dtype=np.int64)[None, :]
    else:
        values = atlas.sums(round, part.power)
        largest = largest_sum(round, part.power)
        thresholds = uniform_thresholds(largest, part.count)
    if part.kind == "percentile":
        thresholds = percentile_thresholds(
            population,
            values,
            codes=codes,
            buckets=part.count,
            largest=largest,
            workers=atlas.workers,
        )
    divide(population, values, thresholds=thresholds, workers=atlas.workers)


def river_rule(round: Round, counts: NDArray[np.int64]) -> Buckets:
    """The bucket of each (memory, strength) from the deals counts[memories, 1981]: int32 alike.

    E[HS], E[HS^2] and E[HS^3] order river hands alike, so percentiles of any are the same.
    """
    rule = np.broadcast_to(np.arange(len(counts))[:, None], counts.shape).astype(np.int64)
    for part in round.parts:
        if part.kind == "uniform":
            digit = _even_interval(np.arange(STRENGTHS), part)[None, :]
        elif part.kind == "emd":
            digit = strength_clusters(counts.sum(axis=0), part.count)[None, :].astype(np.int64)
        else:
            digit = _nested_percentiles(rule, counts, part.count)
        rule = rule * part.count + digit
    return rule.astype(np.int32)


def _even_interval(strength: NDArray[np.int64], part: Part) -> NDArray[np.int64]:
    cuts = uniform_thresholds(FULL_STRENGTH**part.power, part.count)[0]
    return np.searchsorted(cuts, strength**part.power, side="right")


def _nested_percentiles(
    rule: NDArray[np.int64], counts: NDArray[np.int64], buckets: int
) -> NDArray[np.int64]:
    """Midpoint buckets within each run of equal numbers in the rows of `rule`."""
    digits = np.zeros_like(rule)
    for row in range(len(rule)):
        edges = np.flatnonzero(np.diff(rule[row])) + 1
        for low, high in zip([0, *edges], [*edges, STRENGTHS], strict=True):
            digits[row, low:high] = midpoint_buckets(counts[row, low:high], buckets)
    return digits


def _public_part(round: Round) -> Part | None:
    return next((part for part in round.parts if part.kind == "public"), None)


def _whole(codes: Buckets, rows: NDArray[Any], count: int) -> Buckets:
    """The table over all rows; those outside a restricted atlas are -1."""
    if len(rows) == count:
        return codes
    table = np.full((count, HOLE_COUNT), -1, np.int32)
    table[rows] = codes
    return table
