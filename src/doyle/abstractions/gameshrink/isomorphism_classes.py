"""Kinds: what the matching of Gilpin and Sandholm sees of a hand of Hold'em, in any deck.

The kind of a last hand is its numbers of wins and losses; the kind of an earlier one is the multiset
of its children's kinds. So it does not depend on the order in which the board came, and boards up to
suits are enough (134,459 rivers for 56 billion signals). Kinds of a round are numbered by strength:
by wins - losses summed over all run-outs, then by wins, then by a hash of the multiset, which is
the sum modulo 2**64 of a mixing of its members. Two multisets of equal sums are taken to be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.gameshrink import _kinds_kernels as kind_kernels
from doyle.abstractions.gameshrink import _shrink_kernels as kernels
from doyle.base.artifacts import Artifact, Builder, Description, Store
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers, map_threads
from doyle.base.workers.memory import usable_memory
from doyle.cards.ranking import rank_tables
from doyle.cards.suits.boards import Deck

VERSION = 1
_CODES = 1 << 21
_BLOCKS = 64
_PARTS = ("table", "sums", "children", "classes")

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RoundClasses:
    """The kinds of one round.

    `table[board row, hole]` is the kind, -1 where hole and board share a card; `sums[kind]` are
    wins - losses and wins over all run-outs; `children[kind]` are the sorted kinds of its children;
    `classes[kind]` counts the different ones, and those among the children of each of these. The
    last round has no children, and once stored no table unless it is the flop.
    """

    table: NDArray[np.int32]
    sums: NDArray[np.int64]
    children: NDArray[Any]
    classes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sums)


@dataclass(frozen=True, eq=False)
class IsomorphismClasses:
    """The kinds of every round of a Hold'em game, by how many board cards it shows."""

    deck: Deck
    ends: tuple[int, ...]
    rounds: tuple[RoundClasses, ...]

    @property
    def opponents(self) -> int:
        return opponents(self.deck, self.ends[-1])

    def find(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The kind of a hand, given by positions."""
        if len(board) == self.ends[-1]:
            return self._find_last(hole, board)
        row, permutation = self.deck.find_board(board)
        table = self.rounds[self.ends.index(len(board))].table
        return int(table[row, self.deck.find_hole(hole, permutation)])

    def _find_last(self, hole: Sequence[int], board: Sequence[int]) -> int:
        codes = np.full((1, len(self.deck.holes)), kernels.NO_CODE, np.uint32)
        kernels.board_codes(
            rank_tables(len(board) + 2), self.deck.cards, np.array([board], np.int8),
            np.zeros(1, np.int64), self.opponents, kernels.sort_scratch(codes.shape[1]), codes,
        )  # fmt: skip
        code = int(codes[0, self.deck.find_hole(hole, 0)])
        sums = self.rounds[-1].sums
        return int(np.searchsorted(((sums[:, 0] + 1024) << 10) + sums[:, 1], code))

    @staticmethod
    def load(deck: Deck, ends: tuple[int, ...], artifact: Artifact) -> IsomorphismClasses:
        """The kinds that `stored_kinds` stored."""
        last = len(ends) - 1
        none = np.empty((0, 0), np.int64)
        rounds = [
            RoundClasses(*(artifact.array(f"{name}{number}") for name in _PARTS))
            for number in range(last)
        ]
        listed = f"table{last}" in artifact.arrays()
        table = artifact.array(f"table{last}") if listed else none.astype(np.int32)
        rounds.append(RoundClasses(table, artifact.array(f"sums{last}"), none, none))
        return IsomorphismClasses(deck, ends, tuple(rounds))


def opponents(deck: Deck, board_cards: int) -> int:
    """How many holes an opponent can have.

    >>> opponents(Deck(13, 4), 5)
    990
    """
    return comb(deck.size - 2 - board_cards, 2)


def stored_kinds(
    deck: Deck,
    ends: tuple[int, ...],
    *,
    store: Store | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> IsomorphismClasses:
    """The kinds of every round, from the store; `ends` starts with 0, 3 and goes up by one card."""
    parameters = {"ranks": deck.ranks, "suits": deck.suits, "boards": list(ends)}
    description = Description("shrink-kinds", VERSION, parameters)

    def build(builder: Builder) -> None:
        _check_memory(deck, ends[-1])
        task = _ClassesTask(deck, workers or Workers(), progress)
        below = task.last_kinds(ends[-1])
        builder.put(f"sums{len(ends) - 1}", below.sums)
        if ends[-1] == 3:  # flop classes are listed; later ones are found from the cards
            builder.put("table1", below.table)
        for number in range(len(ends) - 2, -1, -1):
            count = ends[number]
            below = task.earlier_kinds(count, below) if count else task.preflop_kinds(below)
            for name in _PARTS:
                builder.put(f"{name}{number}", getattr(below, name))

    return IsomorphismClasses.load(deck, ends, (store or Store()).get(description, build))


def _check_memory(deck: Deck, count: int) -> None:
    """Refuse what does not fit: three times the table of the last round is held at the most."""
    needed, there = 3 * 4 * len(deck.boards(count)) * len(deck.holes), usable_memory()
    if needed > there:
        raise DoyleError(
            f"shrink: making the classes of {deck.size} cards needs {needed / 2**30:.1f} GiB of "
            f"memory, and there are {there / 2**30:.1f}; take a game with fewer ranks or suits"
        )


@dataclass(frozen=True)
class _ClassesTask:
    """Making the kinds of one round after the other."""

    deck: Deck
    workers: Workers
    progress: Progress | None

    def last_kinds(self, count: int) -> RoundClasses:
        boards, holes = self.deck.boards(count), len(self.deck.holes)
        codes = np.empty((len(boards), holes), np.uint32)

        def work(rows: Rows) -> None:
            kernels.board_codes(
                rank_tables(count + 2), self.deck.cards, boards.boards, rows,
                opponents(self.deck, count), kernels.sort_scratch(holes), codes,
            )  # fmt: skip

        self._each_block(len(boards), "showdowns", work)
        blocks = np.array_split(codes, _BLOCKS)
        present = np.zeros(_CODES, bool)
        for block in blocks:
            present[block[block != kernels.NO_CODE]] = True
        number = np.cumsum(present, dtype=np.int32) - 1
        for block in blocks:  # in place: the table is the largest thing held
            free = block != kernels.NO_CODE
            block[...] = np.where(free, number[np.where(free, block, 0)], -1).view(np.uint32)
        found = np.flatnonzero(present)
        sums = np.stack([(found >> 10) - 1024, found & 1023], axis=1)
        empty = np.zeros((len(found), 2), np.int64)
        return RoundClasses(codes.view(np.int32), sums, empty, empty)

    def earlier_kinds(self, count: int, below: RoundClasses) -> RoundClasses:
        deck, hands = self.deck, self.deck.hands(count)
        boards = deck.boards(count)
        sums, classes = (np.empty((len(hands), 2), np.int32) for _ in range(2))
        hashes = np.empty(len(hands), np.uint64)
        where = (boards.boards, hands.starts, hands.hole, below.table, deck.next_boards(count))
        child_classes = np.ascontiguousarray(below.classes[:, 0])

        def gather(rows: Rows) -> None:
            kind_kernels.gather_kinds(
                rows, *where, below.sums, child_classes, self._matrix(),
                sums, hashes, classes,
            )  # fmt: skip

        self._each_block(len(boards), f"kinds on {count} cards", gather)
        kind, members = _numbered(sums, hashes)
        slots = np.full(len(hands), -1, np.int32)
        slots[members] = np.arange(len(members))
        narrow = np.uint16 if len(below) <= 1 << 16 else np.int32
        children = np.empty((len(members), deck.size - 2 - count), narrow)

        def write(rows: Rows) -> None:
            kind_kernels.list_children(rows, *where, slots, self._matrix(), children)

        self._each_block(len(boards), f"children on {count} cards", write)
        table = kind[hands.index]
        table[hands.index < 0] = -1
        return RoundClasses(
            table, sums[members].astype(np.int64), children, classes[members].astype(np.int64)
        )

    def preflop_kinds(self, below: RoundClasses) -> RoundClasses:
        deck, hands = self.deck, self.deck.hands(0)
        flops = np.empty((len(hands), comb(deck.size - 2, 3)), np.int32)
        code = deck.boards(3).table
        for number, hole in enumerate(hands.hole):
            kinds = below.table[code >> 5, deck.hole_maps[code & 31, hole]]
            flops[number] = np.sort(kinds[kinds >= 0])
        sums = below.sums[flops].sum(axis=1)
        _, alike = np.unique(flops, axis=0, return_inverse=True)
        kind, members = _numbered(sums, alike.reshape(-1).astype(np.uint64))
        children = flops[members]
        new = np.diff(children, axis=1, prepend=-1) > 0
        deeper = (below.classes[children, 0] * new).sum(axis=1)
        classes = np.stack([new.sum(axis=1), deeper], axis=1).astype(np.int64)
        return RoundClasses(kind[hands.index], sums[members], children, classes)

    def _matrix(self) -> NDArray[np.int32]:
        return np.empty((len(self.deck.holes), self.deck.size), np.int32)

    def _each_block(self, rows: int, label: str, work: Callable[[Rows], None]) -> None:
        blocks = [block for block in np.array_split(np.arange(rows), _BLOCKS) if len(block)]
        for _ in map_threads(
            work, blocks, workers=self.workers, progress=self.progress, label=label
        ):
            pass


def _numbered(
    sums: NDArray[Any], hashes: NDArray[np.uint64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Number hands by (sums, hash): the number of each, and a hand (the first) of each number."""
    key = (sums[:, 0].astype(np.int64) << 32) + sums[:, 1]
    order = np.lexsort((hashes, key))
    key, hashes = key[order], hashes[order]
    new = np.ones(len(order), bool)
    new[1:] = (key[1:] != key[:-1]) | (hashes[1:] != hashes[:-1])
    kind = np.empty(len(order), np.int32)
    kind[order] = np.cumsum(new) - 1
    return kind, order[new]
