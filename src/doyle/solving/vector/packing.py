"""`Side`: one seat's part of a public game as flat arrays, so that no kernel walks a tree.

In every round a seat has *slots*: first the entries, the ways in which its own play may have led
into the round, then its sequences (a decision with one of its actions), depth first. A decision
takes the reach of its parent slot and divides it among its own slots. Exits are the slots from
which play continues into the next round; exit k of a round is entry k of the next. An all-in before
the last round runs through the remaining rounds as an exit and entry without decisions, and its
showdown is a leaf of the last round.

The leaves at which the seat is paid are grouped by *lanes*. A lane is a slot of the other seat that
ends in a leaf; 32 lanes are evaluated at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting.public_tree import DECISION, FOLD_LEAF
from doyle.solving.games._evaluator_kernels import LANES
from doyle.solving.games.evaluators import WIDTH
from doyle.solving.games.public_game import PublicGame
from doyle.solving.vector._kernels import SHOWN, Side
from doyle.solving.vector.live_hands import LiveHands, live_hands

Ints = npt.NDArray[Any]
Leaf = tuple[int, int, int]
"""A node with the slots of both seats."""


@dataclass
class _SeatRound:
    """What one seat has in one round, while it is collected; entries are -1, -2, ... here."""

    entries: int = 0
    sequences: int = 0
    parents: list[int] = field(default_factory=list)
    firsts: dict[int, int] = field(default_factory=dict)
    """The first sequence of each decision, by node."""
    exits: dict[int, int] = field(default_factory=dict)

    def leave_by(self, slot: int) -> int:
        """The entry of the next round that this slot leads to."""
        return -1 - self.exits.setdefault(slot, len(self.exits))

    def slot(self, number: int) -> int:
        return -1 - number if number < 0 else self.entries + number


@dataclass
class _Round:
    seats: tuple[_SeatRound, _SeatRound]
    leaves: list[Leaf] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Packed:
    """Both sides, and where the decisions of the betting tree went."""

    sides: tuple[Side, Side]
    live: tuple[LiveHands, LiveHands]
    decision_of: Ints
    """For each node of the betting tree its number among the decisions of its side; -1 at leaves."""
    scale: tuple[float, float]
    """Chips for each seat by what the kernels call 1, before division by the pairs' weight."""

    def sequences(self, seat: int, level: int) -> int:
        side = self.sides[seat]
        return int(side.slots[level] - side.entries[level])

    def places(self, seat: int, board: int) -> Ints:
        """The row of each hand on a board, padded; -1 where it has none."""
        return np.asarray(self.live[seat].places[board])

    def tiles(self, table: npt.NDArray[Any], seat: int, board: int, level: int) -> npt.NDArray[Any]:
        """The part [tile, sequence, row of the tile] of a table on a board of a level."""
        side, sequences = self.sides[seat], self.sequences(seat, level)
        start, end = side.table_start[board : board + 2].tolist()
        return table[start:end].reshape(int(side.tiles[board]), sequences, WIDTH)

    def table_sizes(self) -> tuple[int, int]:
        """Entries of one table of each seat."""
        return int(self.sides[0].table_start[-1]), int(self.sides[1].table_start[-1])


def pack(game: PublicGame) -> Packed:
    """The sides of both seats."""
    rounds = _collect(game)
    decision_of = np.full(game.tree.node_count, -1, np.int32)
    for seat in (0, 1):
        nodes = [node for one in rounds for node in one.seats[seat].firsts]
        decision_of[nodes] = np.arange(len(nodes))
    largest = max(float(np.abs(game.tree.leaf_chips(seat)).max()) for seat in (0, 1))
    weights = [float(hands.weights.sum()) for hands in game.hands]
    # Leaves are paid in units of the largest, against an opponent whose weights sum to 1.
    scales = (largest * weights[1], largest * weights[0])
    live = (live_hands(game, 0), live_hands(game, 1))
    return Packed(
        (_side(game, rounds, 0, live[0], scales[0]), _side(game, rounds, 1, live[1], scales[1])),
        live,
        decision_of,
        scales,
    )


def _collect(game: PublicGame) -> list[_Round]:
    """Number entries and sequences round by round."""
    tree = game.tree
    levels = game.boards.levels
    level_of = tree.round.astype(np.int64) - game.first_level
    rounds = [_Round((_SeatRound(), _SeatRound())) for _ in range(levels)]
    slots = np.zeros((tree.node_count, 2), np.int64)
    run_outs: list[Leaf] = []
    for level, here in enumerate(rounds):
        entered = run_outs
        run_outs = []
        for node, first, second in entered:
            _end(rounds, level, run_outs, (node, first, second))
        for node in np.flatnonzero(level_of == level).tolist():
            _follow(game, rounds, level_of, slots, node)
            first, second = int(slots[node, 0]), int(slots[node, 1])
            if tree.kind[node] == DECISION:
                actor = here.seats[int(tree.actor[node])]
                actor.parents.append(int(slots[node, int(tree.actor[node])]))
                actor.firsts[node] = actor.sequences
                actor.sequences += int(tree.child_count[node])
            elif tree.kind[node] == FOLD_LEAF:
                here.leaves.append((node, first, second))
            else:
                _end(rounds, level, run_outs, (node, first, second))
    for level, here in enumerate(rounds):
        for seat in (0, 1):
            here.seats[seat].entries = len(rounds[level - 1].seats[seat].exits) if level else 1
    return rounds


def _follow(game: PublicGame, rounds: list[_Round], level_of: Ints, slots: Ints, node: int) -> None:
    """Set the slots of `node` from those of its parent."""
    tree = game.tree
    parent = int(tree.parent[node])
    first = 0
    if node == 0:
        slots[0] = -1
    else:
        first, actor = int(level_of[parent]), int(tree.actor[parent])
        slots[node] = slots[parent]
        place = int(np.flatnonzero(tree.children_of(parent) == node)[0])
        slots[node, actor] = rounds[first].seats[actor].firsts[parent] + place
    for level in range(first, int(level_of[node])):
        for seat in (0, 1):
            slots[node, seat] = rounds[level].seats[seat].leave_by(int(slots[node, seat]))


def _end(rounds: list[_Round], level: int, run_outs: list[Leaf], leaf: Leaf) -> None:
    """A showdown in the last round, or one that runs out into the next."""
    here = rounds[level]
    if level == len(rounds) - 1:
        here.leaves.append(leaf)
        return
    node, first, second = leaf
    run_outs.append((node, here.seats[0].leave_by(first), here.seats[1].leave_by(second)))


def _side(game: PublicGame, rounds: list[_Round], seat: int, live: LiveHands, scale: float) -> Side:
    parts = [one.seats[seat] for one in rounds]
    evaluator = game.evaluator
    sequences = np.array([one.sequences for one in parts], np.int64)
    sizes = sequences[game.boards.level] * live.tiles * WIDTH
    # Rows of hands that cannot be there, or of none, are where the evaluator pays nothing.
    rows = np.full(live.order.shape, evaluator.width.max(), evaluator.rows[seat].dtype)
    board, hand = np.nonzero(live.places >= 0)
    rows[board, live.places[board, hand]] = evaluator.rows[seat].reshape(rows.shape)[board, hand]

    def flat(values: list[int]) -> npt.NDArray[np.int32]:
        return np.array(values, np.int32)

    def starts(lengths: list[int]) -> npt.NDArray[np.int32]:
        return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)

    nodes = [node for one in parts for node in one.firsts]
    return Side(
        tiles=live.tiles,
        entries=flat([one.entries for one in parts]),
        slots=flat([one.entries + one.sequences for one in parts]),
        decision_start=starts([len(one.firsts) for one in parts]),
        parent=flat([one.slot(slot) for one in parts for slot in one.parents]),
        first=flat([one.entries + first for one in parts for first in one.firsts.values()]),
        actions=game.tree.child_count[nodes].astype(np.int32),
        exit_start=starts([len(one.exits) for one in parts]),
        exits=flat([one.slot(slot) for one in parts for slot in one.exits]),
        table_start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        order=live.order.ravel(),
        places=np.maximum(live.places, 0).ravel(),  # the kernels ask for padding too
        fill_start=live.fill_start,
        fill_to=live.fill_to,
        fill_from=live.fill_from,
        rows=rows.ravel(),
        **_lanes(game, rounds, seat, scale),
    )


def _lanes(game: PublicGame, rounds: list[_Round], seat: int, scale: float) -> dict[str, Any]:
    """Blocks of lanes by round, and the leaves that each block pays."""
    chips = game.tree.leaf_chips(seat) / scale
    kind = game.tree.kind
    block_start, leaf_start = [0], [0]
    lane_slot: list[int] = []
    shows: list[int] = []
    folds: list[int] = []
    own: list[int] = []
    source: list[int] = []
    amount: list[float] = []
    for here in rounds:
        mine, theirs = here.seats[seat], here.seats[1 - seat]
        kinds: dict[int, set[bool]] = {}
        for leaf in here.leaves:
            kinds.setdefault(leaf[2 - seat], set()).add(bool(kind[leaf[0]] != FOLD_LEAF))
        # Lanes with the same kinds of leaves stand together: fewer blocks need both passes.
        order = sorted(
            kinds, key=lambda slot: (len(kinds[slot]) == 2) + 2 * (kinds[slot] == {False})
        )
        for begin in range(0, len(order), LANES):
            block = order[begin : begin + LANES]
            places = {slot: place for place, slot in enumerate(block)}
            lane_slot += [theirs.slot(slot) for slot in block] + [0] * (LANES - len(block))
            paid = [leaf for leaf in here.leaves if leaf[2 - seat] in places]
            paid.sort(key=lambda leaf: (places[leaf[2 - seat]] // WIDTH, leaf[1 + seat]))
            for leaf in paid:
                own.append(WIDTH * mine.slot(leaf[1 + seat]))
                shown = SHOWN if kind[leaf[0]] != FOLD_LEAF else 0
                source.append(shown + WIDTH * places[leaf[2 - seat]])
                amount.append(float(chips[leaf[0]]))
            leaf_start.append(len(own))
            shows.append(_halves([True in kinds[slot] for slot in block]))
            folds.append(_halves([False in kinds[slot] for slot in block]))
        block_start.append(len(shows))
    return {
        "block_start": np.array(block_start, np.int32),
        "lane_slot": np.array(lane_slot, np.uint32),
        "shows": np.array(shows, np.int32),
        "folds": np.array(folds, np.int32),
        "leaf_start": np.array(leaf_start, np.int32),
        "leaf_own": np.array(own, np.int32),
        "leaf_source": np.array(source, np.int32),
        "leaf_amount": np.array(amount, np.float64),
    }


def _halves(wanted: list[bool]) -> int:
    """One bit for each half of a block in which some lane is wanted."""
    return int(any(wanted[:WIDTH])) + 2 * int(any(wanted[WIDTH:]))
