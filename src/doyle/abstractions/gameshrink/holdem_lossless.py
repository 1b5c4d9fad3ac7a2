"""The lossless relation on Hold'em: the coarsest classes that meet each other alike.

A *step* takes the classes of the round before the last, hashes every last signal by its parent, its
wins and losses, and in a few passes by the hashes of the opponents that it beats, ties and loses to;
the sums of these hashes modulo 2**64 split the earlier rounds from the last to the first. All of it
commutes with suits, so flops and (flop, turn card)s up to suits are enough. Steps start from the
matching, only split what lossless classes split, and each makes one pass more than the one before.
When a step splits nothing more in any round, its last pass did not either, so every class meets every
class equally often with each result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.gameshrink import _shrink_kernels as kernels
from doyle.abstractions.gameshrink._shrink_kernels import sort_scratch
from doyle.abstractions.gameshrink.holdem_classes import HoldemSignals, ListedClasses, list_matching
from doyle.abstractions.gameshrink.isomorphism_classes import IsomorphismClasses, opponents
from doyle.base.artifacts import Artifact, Builder, Description, Store
from doyle.base.workers import Progress, Workers, map_threads
from doyle.cards.ranking import rank_tables
from doyle.cards.suits.relabelling import orbit_counts

VERSION = 1
_MOST_STEPS = 1000
_FLOPS_IN_STAGE = 24


@dataclass(frozen=True, eq=False)
class Refinement:
    """Classes after some steps.

    `children[sequence, hole]` numbers a turn under its flop class and `rivers` counts the river
    classes under it; both are empty in games that end earlier. `passes` made them.
    """

    listed: ListedClasses
    children: NDArray[np.uint8]
    rivers: NDArray[np.uint8]
    passes: int

    @staticmethod
    def load(artifact: Artifact) -> Refinement:
        return Refinement(
            ListedClasses.load(artifact),
            artifact.array("children"),
            artifact.array("rivers"),
            int(artifact.metadata["passes"]),
        )


def build_lossless(
    signals: HoldemSignals,
    tree: IsomorphismClasses,
    builder: Builder,
    *,
    store: Store,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> None:
    """Run steps, each an artifact that a killed build keeps, until nothing splits."""
    deck, ends = signals.deck, signals.ends
    finest = orbit_counts(deck.ranks, deck.suits, np.diff(ends, prepend=-2).tolist())
    step = _start(signals, tree)
    folders = []
    for number in range(1, _MOST_STEPS):
        task = _RefinementTask(
            signals, step, workers or Workers(), progress, f"lossless step {number}"
        )
        parameters = {**signals.parameters, "step": number}
        artifact = store.get(Description("shrink-step", VERSION, parameters), task.build)
        folders.append(artifact.folder)
        before, step = step.listed.counts, Refinement.load(artifact)
        # Lossless classes are unions of orbits, so what has been split into orbits is done.
        if step.listed.counts in (before, finest):
            break
    builder.put("children", step.children)
    builder.put("rivers", step.rivers)
    step.listed.save(builder)
    builder.metadata["passes"] = step.passes
    for folder in folders:
        store.remove(folder)


def _start(signals: HoldemSignals, tree: IsomorphismClasses) -> Refinement:
    """The classes of the matching, which lossless classes refine."""
    deck, holes = signals.deck, len(signals.deck.holes)
    listed = list_matching(signals, tree)
    turns = len(deck.sequences) if signals.ends[-1] == 5 else 0
    children = np.zeros((turns, holes), np.uint8)
    for row in range(len(deck.boards(3)) if turns else 0):
        children[slice(*deck.sequences.starts[row : row + 2])] = turn_numbers(tree, row)
    return Refinement(listed, children, np.zeros_like(children), 1)


def turn_numbers(tree: IsomorphismClasses, row: int) -> NDArray[np.uint8]:
    """uint8[sequences, holes]: the number of each turn among the kinds of turns of its flop."""
    deck = tree.deck
    code = deck.sequences.table[row]
    flop = deck.boards(3).boards[row].tolist()
    kinds = np.full((deck.size, len(deck.holes)), -1, np.int32)
    for card in np.flatnonzero(code >= 0).tolist():
        turn, permutation = deck.find_board([*flop, card])
        kinds[card] = tree.rounds[2].table[turn, deck.hole_maps[permutation]]
    ordered = np.sort(kinds, axis=0)
    new = (np.diff(ordered, axis=0, prepend=-1) > 0).astype(np.uint8)
    rank = np.cumsum(new, axis=0, dtype=np.uint8)
    numbers = np.empty_like(rank)
    np.put_along_axis(numbers, np.argsort(kinds, axis=0, kind="stable"), rank, axis=0)
    cards = deck.sequences.turn_card[slice(*deck.sequences.starts[row : row + 2])]
    return np.maximum(numbers[cards], 1) - np.uint8(1)


@dataclass(frozen=True, eq=False)
class _RefinementTask:
    """One step: what it starts from, and the arrays it fills flop by flop."""

    signals: HoldemSignals
    start: Refinement
    workers: Workers
    progress: Progress | None
    label: str

    def build(self, builder: Builder) -> None:
        deck = self.signals.deck
        flops, holes = len(deck.boards(3)), len(deck.holes)
        # Kept with the step, so that a killed build resumes after the last finished stage.
        kinds = builder.array("kinds", (flops, holes), np.uint64)
        counts = builder.array("counts", (flops, holes, 2), np.int32)
        children = builder.array("children", self.start.children.shape, np.uint8)
        rivers = builder.array("rivers", self.start.children.shape, np.uint8)
        passes = self.start.passes + 1

        def work(row: int) -> None:
            walk = FlopWalk(self.signals, self.start, row, passes=passes)
            kinds[row], counts[row] = walk.kinds, walk.counts
            children[walk.sequences], rivers[walk.sequences] = walk.children, walk.rivers

        stages = np.array_split(np.arange(flops), -(-flops // _FLOPS_IN_STAGE))
        for number, rows in enumerate(stages):
            if not builder.finished(f"stage {number}"):
                for _ in map_threads(work, rows.tolist(), workers=self.workers):
                    pass
                builder.finish(f"stage {number}")
            if self.progress is not None:
                self.progress(self.label, number + 1, len(stages))
        hands, later = deck.hands(3), len(self.signals.ends) - 2
        below = counts[hands.row, hands.hole][:, :later]
        preflop = self._preflop(kinds)
        ListedClasses.number(deck, preflop, kinds[hands.row, hands.hole], below).save(builder)
        builder.metadata["passes"] = passes

    def _preflop(self, kinds: NDArray[np.uint64]) -> NDArray[np.int32]:
        """The class of each hole by the multiset of the kinds of its flops, in the order of hands."""
        deck = self.signals.deck
        hands, code = deck.hands(0), deck.boards(3).table
        hashes = np.empty(len(hands), np.uint64)
        for number, hole in enumerate(hands.hole):
            mapped = deck.hole_maps[code & 31, hole]
            free = deck.hands(3).index[code >> 5, mapped] >= 0
            hashes[number] = mixed(kinds[(code >> 5)[free], mapped[free]]).sum(dtype=np.uint64)
        _, first, alike = np.unique(hashes, return_index=True, return_inverse=True)
        rank = np.empty(len(first), np.int32)
        rank[np.argsort(first)] = np.arange(len(first))
        return np.asarray(rank[alike.reshape(-1)][hands.index[0]], np.int32)


class FlopWalk:
    """Hashes of all signals under one flop: `kinds` of the flop hands, `counts` of what is below
    them, and `children` and `rivers` of their turns, at rows `sequences`."""

    def __init__(self, signals: HoldemSignals, start: Refinement, row: int, *, passes: int) -> None:
        deck, later = signals.deck, len(signals.ends) - 2
        holes = len(deck.holes)
        self.sequences = slice(*deck.sequences.starts[row : row + 2].tolist())
        self.kinds = np.zeros(holes, np.uint64)
        self.counts = np.zeros((holes, 2), np.int32)
        self.children: NDArray[np.uint8] = np.zeros((0, holes), np.uint8)
        self.rivers: NDArray[np.uint8] = self.children
        flop = deck.boards(3).boards[row].astype(np.int64)
        if later == 0:
            kernels.hash_last(
                rank_tables(5), deck.cards, flop, opponents(deck, 3),
                start.listed.preflop.astype(np.uint64), passes, sort_scratch(holes), self.kinds,
            )  # fmt: skip
            return
        cards = deck.sequences.turn_card[self.sequences]
        classes = np.maximum(start.listed.flop[row], 0)
        if later == 1:
            hashes = hash_children(signals, flop, classes, passes=passes)[cards]
            rivers = np.zeros(hashes.shape, np.uint8)
        else:
            turns = start.children[self.sequences]
            hashes, rivers = _hash_turns(signals, flop, cards, classes, turns, passes=passes)
        children = np.empty(rivers.shape, np.uint8)
        kernels.gather_turns(
            deck.sequences.table[row], self.sequences.start, deck.hole_maps, hashes, rivers,
            self.kinds, children, self.counts,
        )  # fmt: skip
        if later == 2:
            self.children, self.rivers = children, rivers


def hash_children(
    signals: HoldemSignals, board: NDArray[np.int64], parents: NDArray[Any], *, passes: int
) -> NDArray[np.uint64]:
    """uint64[cards, holes]: hashes of the last signals under a board, 0 where there is none.

    `parents[hole]` numbers the parent.
    """
    deck, last = signals.deck, signals.ends[-1]
    holes = len(deck.holes)
    out = np.empty((deck.size, holes), np.uint64)
    kernels.hash_children(
        rank_tables(last + 2), deck.cards, board, opponents(deck, last),
        parents.astype(np.uint64), passes, sort_scratch(holes), out,
    )  # fmt: skip
    return out


def _hash_turns(
    signals: HoldemSignals,
    flop: NDArray[np.int64],
    turn_cards: NDArray[np.int8],
    classes: NDArray[np.int32],
    children: NDArray[np.uint8],
    *,
    passes: int,
) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """[turn cards, holes]: hashes of the turns of a flop, and how many different rivers they have."""
    deck, last = signals.deck, signals.ends[-1]
    holes = len(deck.holes)
    kinds = np.empty((len(turn_cards), holes), np.uint64)
    rivers = np.empty((len(turn_cards), holes), np.uint8)
    kernels.hash_turns(
        rank_tables(last + 2), deck.cards, flop, turn_cards, opponents(deck, last), classes,
        np.ascontiguousarray(children), passes, sort_scratch(holes),
        np.empty(kernels.SLOTS, np.uint64), np.empty(kernels.SLOTS, np.int64),
        np.empty((deck.size, holes), np.uint64), kinds, rivers,
    )  # fmt: skip
    return kinds, rivers


def mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`_shrink_kernels.mix` of each word."""
    word = words + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(word ^ (word >> np.uint64(31)))


@dataclass(frozen=True, eq=False)
class BelowLossless:
    """Turns are numbered in the store; rivers by the order of their hashes under one turn."""

    signals: HoldemSignals
    step: Refinement

    def place(self, hole: Sequence[int], board: Sequence[int]) -> int:
        deck, step = self.signals.deck, self.step
        row, permutation = deck.find_board(board[:3])
        maps = deck.card_maps
        code = int(deck.sequences.table[row, maps[permutation, board[3]]])
        sequence, again = code >> 5, code & 31
        held = int(deck.hole_maps[again, deck.find_hole(hole, permutation)])
        flop = deck.boards(3).boards[row].astype(np.int64)
        if self.signals.ends[-1] == 4:
            hashes = hash_children(
                self.signals, flop, np.maximum(step.listed.flop[row], 0), passes=step.passes
            )
            turn = int(maps[again, maps[permutation, board[3]]])
            return _rank(hashes[:, held], turn)
        own = int(step.children[sequence, held])
        if len(board) == 4:
            return own
        skipped = self._rivers_before(row, deck.find_hole(hole, permutation), own)
        classes = np.maximum(step.listed.flop[row], 0).astype(np.int64)
        parents = (classes << 6) | step.children[sequence]
        whole = np.array([*flop, deck.sequences.turn_card[sequence]], np.int64)
        hashes = hash_children(self.signals, whole, parents, passes=step.passes)
        river = int(maps[again, maps[permutation, board[4]]])
        return skipped + _rank(hashes[:, held], river)

    def _rivers_before(self, row: int, hole: int, own: int) -> int:
        """The river classes under the turn classes with lower numbers than `own`."""
        deck, step = self.signals.deck, self.step
        code = deck.sequences.table[row]
        code = code[code >= 0]
        held = deck.hole_maps[code & 31, hole]
        cards = deck.sequences.turn_card[code >> 5]
        free = (deck.holes[held] != cards[:, None]).all(axis=1)
        children = step.children[code[free] >> 5, held[free]]
        numbers, first = np.unique(children, return_index=True)
        rivers = step.rivers[code[free][first] >> 5, held[free][first]]
        return int(rivers[numbers < own].sum(dtype=np.int64))


def _rank(hashes: NDArray[np.uint64], card: int) -> int:
    """The place of one card's hash among the different hashes, of which 0 is none."""
    different = np.unique(hashes[hashes != 0])
    return int(np.searchsorted(different, hashes[card]))
