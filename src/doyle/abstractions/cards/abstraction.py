"""A card abstraction: (round, hole cards, board) -> bucket, for one hand, a board or many deals.

Tables are memory-mapped, so opening one costs nothing and processes share the memory. The order of
the board matters to perfect recall: its first three cards are the flop.

`BucketTables` are what it is made of once built, and its form in the artifact store. Preflop and flop are
tables over (board row, hole). The turn is one over turn boards, or over (flop,
turn card) sequences when its buckets depend on which cards came first. The river is a table over
river boards, or a rule (memory of the turn bucket, exact strength) -> bucket, which is all that
percentiles, or any other division of a line, need. Entries of holes that share a card with the
board mean nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.cards import _lookup_kernels as lookups
from doyle.abstractions.cards.methods import _percentile_kernels as kernels
from doyle.abstractions.cards.strength.atlas import FULL_STRENGTH, Atlas
from doyle.base.artifacts import Artifact, Builder
from doyle.base.errors import DoyleError
from doyle.base.workers import map_threads
from doyle.cards.cards import HOLE_COUNT, HOLES, check_cards, hole_index
from doyle.cards.suits.boards import (
    BINOMIALS,
    CARD_MAPS,
    COMPOSITIONS,
    FULL,
    HOLE_MAPS,
    boards,
    flop_turns,
)

ROUNDS = 4
STRENGTHS = FULL_STRENGTH + 1
_MOST_RULES = 1 << 28


@dataclass(frozen=True, eq=False)
class BucketTables:
    """A built card abstraction.

    `turn_memory[turn bucket]` is the row of `river_by_strength[rows, 1981]`; both are empty when
    `river` is a table [134459, 1326] instead. `parents[round]` gives each bucket's bucket on the
    round before, or None where that is forgotten. `masses[round]` are exact numbers of deals.
    """

    counts: tuple[int, ...]
    preflop: NDArray[Any]
    flop: NDArray[Any]
    turn: NDArray[Any]
    turn_memory: NDArray[Any]
    river_by_strength: NDArray[Any]
    river: NDArray[Any]
    parents: tuple[NDArray[Any] | None, ...] = (None,) * ROUNDS
    masses: tuple[NDArray[Any], ...] = ()

    def __post_init__(self) -> None:
        shapes: dict[str, tuple[tuple[int, ...], list[tuple[int, ...]]]] = {
            "preflop": (self.preflop.shape, [(HOLE_COUNT,)]),
            "flop": (self.flop.shape, [(len(boards(3)), HOLE_COUNT)]),
            "turn": (
                self.turn.shape,
                [(len(boards(4)), HOLE_COUNT), (len(flop_turns()), HOLE_COUNT)],
            ),
        }
        if self.by_strength:
            shapes["turn_memory"] = (self.turn_memory.shape, [(self.counts[2],)])
        else:
            shapes["river"] = (self.river.shape, [(len(boards(5)), HOLE_COUNT)])
        for name, (shape, allowed) in shapes.items():
            if shape not in allowed:
                raise DoyleError(f"card abstraction: table {name!r} has shape {shape}")

    @property
    def by_sequence(self) -> bool:
        """Whether the turn's rows are (flop, turn card) sequences."""
        return len(self.turn) == len(flop_turns())

    @property
    def by_strength(self) -> bool:
        """Whether the river goes by the rule on strengths."""
        return self.river_by_strength.size > 0

    def save(self, builder: Builder) -> None:
        """Write everything as an artifact, in the narrowest types that hold the buckets."""
        names = ("preflop", "flop", "turn", "turn_memory", "river_by_strength", "river")
        for name in names:
            limit = max(self.counts)
            builder.put(name, _narrow(getattr(self, name), limit))
        for round in range(ROUNDS):
            parent = self.parents[round]
            if parent is not None:
                builder.put(f"parents{round}", np.asarray(parent, np.int32))
            builder.put(f"masses{round}", np.asarray(self.masses[round], np.int64))
        builder.metadata["counts"] = list(self.counts)

    @classmethod
    def load(cls, artifact: Artifact) -> BucketTables:
        present = set(artifact.arrays())
        return cls(
            counts=tuple(artifact.metadata["counts"]),
            preflop=artifact.array("preflop"),
            flop=artifact.array("flop"),
            turn=artifact.array("turn"),
            turn_memory=artifact.array("turn_memory"),
            river_by_strength=artifact.array("river_by_strength"),
            river=artifact.array("river"),
            parents=tuple(
                artifact.array(f"parents{round}") if f"parents{round}" in present else None
                for round in range(ROUNDS)
            ),
            masses=tuple(artifact.array(f"masses{round}") for round in range(ROUNDS)),
        )


def make_tables(
    *,
    counts: tuple[int, ...],
    preflop: NDArray[Any],
    flop: NDArray[Any],
    turn: NDArray[Any],
    atlas: Atlas,
    turn_memory: NDArray[Any] | None = None,
    river_by_strength: NDArray[Any] | None = None,
    river: NDArray[Any] | None = None,
    river_counts: NDArray[np.int64] | None = None,
    parents: tuple[NDArray[Any] | None, ...] = (None,) * ROUNDS,
) -> BucketTables:
    """Tables with the mass of every bucket counted.

    Give `river` or `river_by_strength`; without `turn_memory` the rule has a row per turn bucket, or
    a single row. `river_counts[memory, strength]` saves counting them again.
    """
    nothing = np.empty((0, 0), np.int32)
    if river_by_strength is not None and turn_memory is None:
        rows = len(river_by_strength)
        turn_memory = np.arange(counts[2]) if rows > 1 else np.zeros(counts[2], np.int64)
    tables = BucketTables(
        counts=counts,
        preflop=preflop,
        flop=flop,
        turn=turn,
        turn_memory=np.empty(0, np.int32) if turn_memory is None else turn_memory,
        river_by_strength=nothing if river_by_strength is None else river_by_strength,
        river=nothing if river is None else river,
        parents=parents,
    )
    return replace(tables, masses=_masses(tables, atlas, river_counts))


def _masses(
    tables: BucketTables, atlas: Atlas, river_counts: NDArray[np.int64] | None
) -> tuple[NDArray[np.int64], ...]:
    turns = flop_turns().weights if tables.by_sequence else boards(4).weights
    turn_rows = atlas.sequence_rows if tables.by_sequence else atlas.turn_rows
    parts = [
        np.bincount(tables.preflop, minlength=tables.counts[0]),
        _table_masses(
            tables.flop, boards(3).boards, boards(3).weights, atlas.flop_rows, tables.counts[1]
        ),
        _table_masses(
            tables.turn,
            turn_boards(by_sequence=tables.by_sequence),
            turns,
            turn_rows,
            tables.counts[2],
        ),
    ]
    if tables.by_strength:
        if river_counts is None:
            river_counts = count_river_strengths(
                atlas, tables.turn, groups=tables.turn_memory, count=len(tables.river_by_strength)
            )
        last = np.zeros(tables.counts[3], np.int64)
        np.add.at(last, tables.river_by_strength, river_counts)
        parts.append(last)
    else:
        river = boards(5)
        parts.append(
            _table_masses(
                tables.river, river.boards, river.weights, atlas.river_rows, tables.counts[3]
            )
        )
    return tuple(parts)


def _table_masses(
    table: NDArray[Any],
    cards: NDArray[Any],
    weights: NDArray[np.int64],
    rows: NDArray[np.int64],
    count: int,
) -> NDArray[np.int64]:
    masses = np.zeros(count, np.int64)
    for block in np.array_split(rows, max(1, len(rows) // 512)):
        codes = np.where(collisions(cards[block]), -1, table[block].astype(np.int32))
        kernels.add_masses(codes.astype(np.int32), weights[block], masses)
    return masses


def collisions(cards: NDArray[Any]) -> NDArray[np.bool_]:
    """bool[n, 1326]: which holes share a card with each of the boards cards[n, k]."""
    from doyle.cards.cards import HOLES

    taken = np.zeros((len(cards), 52), bool)
    taken[np.arange(len(cards))[:, None], cards.astype(np.int64)] = True
    return np.asarray(taken[:, HOLES[:, 0]] | taken[:, HOLES[:, 1]])


def turn_boards(*, by_sequence: bool) -> NDArray[np.int8]:
    """The four cards of every turn row."""
    if not by_sequence:
        return boards(4).boards
    numbered = flop_turns()
    return np.column_stack([boards(3).boards[numbered.flop_row], numbered.turn_card])


def count_river_strengths(
    atlas: Atlas, turn: NDArray[Any] | None, *, groups: NDArray[Any] | None, count: int
) -> NDArray[np.int64]:
    """Exact deals by (group of the turn bucket, river strength): int64[count, 1981].

    `turn` is a table of turn buckets over turn boards or sequences and `groups[turn bucket]` puts
    them together; with count 1 all hands are one group.
    """
    if count * STRENGTHS > _MOST_RULES:
        raise DoyleError(
            f"card abstraction: the river would depend on {count:,} turn buckets; "
            f"the most that fits is {_MOST_RULES // STRENGTHS:,}"
        )
    strength = atlas.river_strength
    if count == 1 or turn is None or groups is None:
        counts = np.zeros(STRENGTHS, np.int64)
        kernels.count_strengths(strength, atlas.river_rows, boards(5).weights, counts)
        return counts[None, :]
    by_sequence = len(turn) == len(flop_turns())
    cards = turn_boards(by_sequence=by_sequence)
    weights = flop_turns().weights if by_sequence else boards(4).weights
    rows = atlas.sequence_rows if by_sequence else atlas.turn_rows
    codes = (
        flop_turns().turn_code.astype(np.int64) if by_sequence else np.arange(len(boards(4))) * 32
    )
    rows = rows[np.argsort(codes[rows], kind="stable")]
    starts = np.asarray(groups, np.int32) * np.int32(STRENGTHS)
    total = np.zeros(count * STRENGTHS, np.int64)

    def work(share: NDArray[np.int64]) -> NDArray[np.int64]:
        counted = np.zeros(count * STRENGTHS, np.int64)
        matrix = np.empty((HOLE_COUNT, 48), np.uint16)
        for block in np.array_split(share, max(1, len(share) // 256)):
            hit = collisions(cards[block])
            buckets = np.where(hit, 0, turn[block].astype(np.int64))
            group = np.where(hit, np.int32(-1), starts[buckets]).astype(np.int32)
            kernels.count_rivers(
                boards(4).boards, codes[block], group, weights[block], strength,
                FULL.next_boards(4), matrix, counted,
            )  # fmt: skip
        return counted

    for counted in map_threads(
        work, np.array_split(rows, atlas.workers.count), workers=atlas.workers
    ):
        total += counted
    return total.reshape(count, STRENGTHS)


def _narrow(table: NDArray[Any], limit: int) -> NDArray[Any]:
    return table.astype(np.uint16 if limit < 1 << 16 else np.int32)


BOARD_CARDS = (0, 3, 4, 5)
"""Cards on the board, by round."""


class CardAbstraction:
    """Buckets of every hand of Texas Hold'em, by round."""

    def __init__(self, spec: str, tables: BucketTables, atlas: Atlas) -> None:
        self.spec = spec
        self.tables = tables
        self._atlas = atlas

    def __repr__(self) -> str:
        return f"CardAbstraction({self.spec!r}, buckets={self.tables.counts})"

    @property
    def rounds(self) -> int:
        return ROUNDS

    def bucket_count(self, round: int) -> int:
        """Buckets of a round, remembered ones included (the thesis's bucket sequences)."""
        return int(self.tables.counts[_checked_round(round)])

    def parents(self, round: int) -> NDArray[Any] | None:
        """Each bucket's bucket on the round before; None where that is not remembered."""
        return self.tables.parents[_checked_round(round)]

    def masses(self, round: int) -> NDArray[np.float64]:
        """The probability of each bucket of a round."""
        deals = np.asarray(self.tables.masses[_checked_round(round)], np.float64)
        return np.asarray(deals / deals.sum())

    def bucket(self, round: int, hole: Sequence[int], board: Sequence[int] = ()) -> int:
        """The bucket of one hand; board cards beyond the round's are not looked at."""
        needed = BOARD_CARDS[_checked_round(round)]
        cards = check_cards((*hole, *board), what="hand")
        if len(hole) != 2 or len(board) < needed:
            raise DoyleError(
                f"round {round} needs two hole cards and a board of {needed}, "
                f"not {len(hole)} and {len(board)}"
            )
        return int(self.buckets(cards[2 : 2 + needed])[hole_index(cards[0], cards[1])])

    def buckets(self, board: Sequence[int]) -> NDArray[np.int32]:
        """The bucket of every hole, int32[1326]; -1 where it shares a card with the board."""
        cards = np.array(board, np.int64)
        if len(cards) not in BOARD_CARDS:
            raise DoyleError(f"board of {len(cards)} cards: expected 0, 3, 4 or 5")
        check_cards(board, what="board")
        out = np.empty(HOLE_COUNT, np.int32)
        lookups.board_buckets(self.lookup, cards, len(cards), HOLES, out)
        return out

    def deal_buckets(self, holes: NDArray[Any], boards: NDArray[Any]) -> NDArray[np.int32]:
        """Buckets int32[n, seats, 4] of the hands holes[n, seats, 2] on boards[n, 5].

        For solvers: cards are not checked, and the kernel releases the GIL.
        """
        if holes.ndim != 3 or holes.shape[2] != 2 or boards.shape != (len(holes), 5):
            raise DoyleError(
                f"deals of shapes {holes.shape} and {boards.shape}: expected [n, seats, 2], [n, 5]"
            )
        out = np.empty((*holes.shape[:2], ROUNDS), np.int32)
        lookups.deal_buckets(self.lookup, holes.astype(np.int64), boards.astype(np.int64), out)
        return out

    @cached_property
    def lookup(self) -> lookups.Lookup:
        """What kernels take; `_lookup_kernels.deal_buckets` may be called with it from other kernels."""
        tables = self.tables
        strength = self._atlas.river_strength if tables.by_strength else np.empty((0, 0), np.uint16)
        return lookups.Lookup(
            # Plain views: Numba takes much longer to recognise a subclass such as memmap.
            preflop=np.asarray(tables.preflop),
            flop=np.asarray(tables.flop),
            turn=np.asarray(tables.turn),
            turn_memory=np.asarray(tables.turn_memory),
            river_by_strength=np.asarray(tables.river_by_strength),
            river=np.asarray(tables.river),
            strength=np.asarray(strength),
            flop_table=boards(3).table,
            turn_table=boards(4).table,
            river_table=boards(5).table,
            sequence_table=flop_turns().table,
            card_maps=CARD_MAPS,
            hole_maps=HOLE_MAPS,
            compositions=COMPOSITIONS,
            binomials=BINOMIALS,
            by_sequence=int(tables.by_sequence),
            by_strength=int(tables.by_strength),
        )


def _checked_round(round: int) -> int:
    if not 0 <= round < ROUNDS:
        raise DoyleError(f"round {round}: expected 0 (preflop) to 3 (river)")
    return round
