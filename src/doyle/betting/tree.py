"""`BettingTree`: every betting sequence a model spans in a game, as flat depth-first arrays.

Node 0 is the root: the moment after the blinds, or any later one. A child has a larger number than
its parent, and a subtree is a range of numbers, so one forward loop pushes reach down and one
backward loop pulls values up. A decision is a point where a seat acts. A leaf belongs to the round
in which the betting ended: a call of an all-in before the flop is a showdown leaf of round 0,
whatever cards are still to come.

A *sequence* of a seat is a decision of that seat with one of its actions. Sequences are numbered per
seat, by round and within a round depth-first, so that those of one round are one range
(`sequence_starts`). -1 stands for the empty sequence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from doyle.betting import _tree_kernels as kernels
from doyle.betting.model import BettingModel
from doyle.betting.tree_size import count_nodes, most_actions
from doyle.errors import DoyleError
from doyle.games import Game, State

DECISION, FOLD_LEAF, SHOWDOWN_LEAF = range(3)

IntArray = npt.NDArray[np.int32]
ByteArray = npt.NDArray[np.int8]

# About 2 GB of arrays. No solver here holds the strategy of a larger tree, whatever the buckets.
LARGEST_TREE = 50_000_000
# Which restricted sizes each seat has used is one bit each of a signed 64-bit number.
MOST_USES = 62


@dataclass(frozen=True)
class TreeCounts:
    """How many nodes of each kind a tree has, by round."""

    decisions: tuple[int, ...]
    fold_leaves: tuple[int, ...]
    showdown_leaves: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class BettingTree:
    """Flat arrays over nodes; children of node n are `children[child_start[n]:][:child_count[n]]`.

    `action` is the Action that led to a node (-1 at the root), `spent[n, seat]` the chips put in,
    `folded` a bit mask of seats, `actor` the seat to act (-1 at leaves). Children are in the order
    fold, call, raises ascending.

    >>> tree = BettingTree.build(BettingModel.parse("fcpa"), Game.named("doyle-500bb"))
    >>> tree.decision_count, tree.counts().decisions
    (2576, (24, 144, 584, 1824))
    >>> tree.betting_text(tree.find([1, 1, 6]))
    'cc/r6'
    """

    model: BettingModel
    game: Game
    kind: ByteArray
    round: ByteArray
    actor: ByteArray
    parent: IntArray
    action: IntArray
    child_start: IntArray
    child_count: IntArray
    children: IntArray
    spent: IntArray
    folded: npt.NDArray[np.int16]

    @classmethod
    def build(
        cls,
        model: BettingModel,
        game: Game,
        *,
        root: State | None = None,
        most_nodes: int | None = None,
    ) -> BettingTree:
        """Enumerate the tree of `model` in `game`, from the blinds or from the moment `root`.

        Refused if it has more than `most_nodes` (by default LARGEST_TREE) nodes, before it takes
        time and memory to make it.
        """
        model.check(game)
        rules = _rules(model, game)
        most = LARGEST_TREE if most_nodes is None else min(most_nodes, LARGEST_TREE)
        depth = most_actions(rules)
        totals, bets = np.zeros((2, depth, len(model.bets) + 3), np.int64)
        first = np.zeros(kernels.SPENT + game.players, np.int64)
        kernels.begin(rules, first)
        for action in () if root is None else chain.from_iterable(root.betting):
            kernels.follow(rules, first, action, totals[0], bets[0])
        counted = count_nodes(rules, most_nodes=most, root=first)
        if counted.nodes > most:
            raise _too_large(model, game, most)
        # A count that gave up leaves room for as many as are allowed: pages are used as they fill.
        arrays = _arrays(counted.nodes if counted.exact else most, game)
        path = np.zeros((depth, 3), np.int64)
        states = np.zeros((depth, kernels.SPENT + game.players), np.int64)
        nodes = int(kernels.enumerate_tree(rules, first, arrays, path, states, totals, bets))
        if nodes > most:
            raise _too_large(model, game, most)
        return cls(model, game, *_cut(arrays, nodes))

    @property
    def node_count(self) -> int:
        return self.kind.size

    @cached_property
    def decisions(self) -> IntArray:
        """The nodes where a seat acts, ascending."""
        return np.flatnonzero(self.kind == DECISION).astype(np.int32)

    @cached_property
    def leaves(self) -> IntArray:
        """The nodes where the betting has ended, ascending."""
        return np.flatnonzero(self.kind != DECISION).astype(np.int32)

    @property
    def decision_count(self) -> int:
        return self.decisions.size

    def counts(self) -> TreeCounts:
        """Nodes of each kind by round."""

        def by_round(kind: int) -> tuple[int, ...]:
            found = np.bincount(self.round[self.kind == kind], minlength=self.game.rounds)
            return tuple(int(number) for number in found)

        return TreeCounts(by_round(DECISION), by_round(FOLD_LEAF), by_round(SHOWDOWN_LEAF))

    @cached_property
    def decision_index(self) -> IntArray:
        """For each decision its number among the decisions of its round; -1 at leaves."""
        index = np.full(self.node_count, -1, dtype=np.int32)
        for number in range(self.game.rounds):
            here = np.flatnonzero((self.kind == DECISION) & (self.round == number))
            index[here] = np.arange(here.size)
        return index

    @cached_property
    def sequence_starts(self) -> IntArray:
        """[seat, round + 1]: where the sequences of each round begin; the last column is the total."""
        starts = np.zeros((self.game.players, self.game.rounds + 1), dtype=np.int32)
        np.add.at(
            starts,
            (self.actor[self.decisions], self.round[self.decisions] + 1),
            self.child_count[self.decisions],
        )
        return np.cumsum(starts, axis=1, dtype=np.int32)

    @cached_property
    def first_sequence(self) -> IntArray:
        """For each decision, the acting seat's number of its first action; -1 at leaves.

        Action k of the decision is sequence `first_sequence + k`.
        """
        first = np.full(self.node_count, -1, dtype=np.int32)
        for seat in range(self.game.players):
            for number in range(self.game.rounds):
                mine = (self.kind == DECISION) & (self.round == number) & (self.actor == seat)
                here = np.flatnonzero(mine)
                widths = self.child_count[here]
                first[here] = self.sequence_starts[seat, number] + np.cumsum(widths) - widths
        return first

    @cached_property
    def last_sequence(self) -> IntArray:
        """[node, seat]: the seat's last sequence on the way to the node; -1 if it has not acted."""
        last = np.empty((self.node_count, self.game.players), dtype=np.int32)
        taken = np.zeros(self.node_count, dtype=np.int32)
        kernels.trace_sequences(self.parent, self.actor, self.first_sequence, taken, last)
        return last

    def children_of(self, node: int) -> IntArray:
        """The children of a node, in the order of its actions."""
        start = self.child_start[node]
        return self.children[start : start + self.child_count[node]]

    def actions_of(self, node: int) -> IntArray:
        """The actions of a decision: fold, call, raises ascending."""
        return self.action[self.children_of(node)]

    def child(self, node: int, action: int) -> int:
        """The node an action leads to; DoyleError if the tree has no such action there."""
        below = self.children_of(node)
        found = np.flatnonzero(self.action[below] == action)
        if not found.size:
            known = (
                " ".join(str(number) for number in self.action[below]) or "none: betting is over"
            )
            raise DoyleError(
                f"betting tree {self.model}: no action {action} after "
                f"{self.betting_text(node)!r}; actions there: {known}"
            )
        return int(below[found[0]])

    def find(self, actions: Iterable[int] | Iterable[Iterable[int]]) -> int:
        """The node after these actions, flat or grouped by round as in `State.betting`."""
        node = 0
        for item in actions:
            for action in (item,) if isinstance(item, int | np.integer) else item:
                node = self.child(node, int(action))
        return node

    def path(self, node: int) -> tuple[int, ...]:
        """The actions from the root to a node."""
        actions: list[int] = []
        while node > 0:
            actions.append(int(self.action[node]))
            node = int(self.parent[node])
        return tuple(reversed(actions))

    def betting_text(self, node: int) -> str:
        """The betting string of a node, such as 'cr6c/r18f'; rounds that began are after a slash."""
        parts: list[str] = []
        while node > 0:
            parent = int(self.parent[node])
            action = int(self.action[node])
            text = "fc"[action] if action < 2 else ("r" if self.game.is_limit else f"r{action}")
            parts.append(text + "/" * int(self.round[node] - self.round[parent]))
            node = parent
        return "".join(reversed(parts))

    def walk(self, root: int = 0) -> Iterator[int]:
        """The nodes of a subtree, depth-first."""
        return iter(range(root, self.subtree_end(root)))

    def subtree_end(self, node: int) -> int:
        """One past the last node below `node`."""
        while self.child_count[node]:
            node = int(self.children[self.child_start[node] + self.child_count[node] - 1])
        return node + 1


def _too_large(model: BettingModel, game: Game, most_nodes: int) -> DoyleError:
    """Why there is no such tree, and what to make smaller."""
    what = f"betting model {model} in {game.name}: more than {most_nodes:,} nodes"
    raises = max(game.max_raises)
    rules = f"{game.players} players, {game.rounds} rounds"
    if game.is_limit:
        return DoyleError(
            f"{what} with {rules}, up to {raises} raises a round; make one of the three smaller"
        )
    if model.kind == "full":
        return DoyleError(
            f"{what} with {rules}, stacks of {max(game.stacks):,}; take smaller stacks, or a model "
            "with a few sizes such as fcpa"
        )
    return DoyleError(
        f"{what} with {len(model.bets)} sizes, {game.rounds} rounds, stacks of "
        f"{max(game.stacks):,}; allow fewer sizes, restrict (fchpa/h) or cap them (fchpa@3)"
    )


def _arrays(nodes: int, game: Game) -> kernels.Arrays:
    def column(dtype: type[np.signedinteger]) -> npt.NDArray[np.signedinteger]:
        return np.zeros(nodes, dtype=dtype)

    return kernels.Arrays(
        kind=column(np.int8),
        round=column(np.int8),
        actor=column(np.int8),
        parent=column(np.int32),
        action=column(np.int32),
        child_start=column(np.int32),
        child_count=column(np.int32),
        children=np.zeros(max(nodes - 1, 0), dtype=np.int32),
        spent=np.zeros((nodes, game.players), dtype=np.int32),
        folded=column(np.int16),
    )


def _cut(arrays: kernels.Arrays, nodes: int) -> kernels.Arrays:
    """The first `nodes` of arrays that may be longer."""
    if arrays.kind.size == nodes:
        return arrays
    columns = {name: column[:nodes].copy() for name, column in arrays._asdict().items()}
    columns["children"] = arrays.children[: max(nodes - 1, 0)].copy()
    return kernels.Arrays(**columns)


def _rules(model: BettingModel, game: Game) -> kernels.Rules:
    """The game and the model as numbers for the kernel."""

    def numbers(values: Iterable[int]) -> npt.NDArray[np.int64]:
        return np.array(list(values), dtype=np.int64)

    kind = {"pot": kernels.KIND_POT, "limit": kernels.KIND_LIMIT, "full": kernels.KIND_FULL}[
        model.kind
    ]
    if model.kind == "full" and game.is_limit:
        kind = kernels.KIND_LIMIT
    if len(model.bets) * game.players > MOST_USES:
        raise DoyleError(
            f"betting model {model}: at most {MOST_USES // game.players} sizes, please"
        )
    every_round = (1 << game.rounds) - 1
    share = model.committed_share
    return kernels.Rules(
        kind=kind,
        players=game.players,
        rounds=game.rounds,
        stacks=numbers(game.stacks),
        blinds=numbers(game.blinds),
        big_blind=game.big_blind,
        first_players=numbers(game.first_players),
        max_raises=numbers(game.max_raises),
        raise_sizes=numbers(game.raise_sizes or (0,) * game.rounds),
        raise_cap=-1 if model.raise_cap is None else model.raise_cap,
        cap_stops_all_in=int(model.cap_stops_all_in),
        all_in=int(model.all_in),
        # Without a limit on commitment no total is too large: 2**20 stacks, which fit into 64 bits.
        committed_numerator=2**20 if share is None else share.numerator,
        committed_denominator=1 if share is None else share.denominator,
        numerators=numbers(bet.fraction.numerator for bet in model.bets),
        denominators=numbers(bet.fraction.denominator for bet in model.bets),
        once=numbers(bet.once for bet in model.bets),
        round_masks=numbers(
            every_round if bet.rounds is None else sum(1 << number for number in bet.rounds)
            for bet in model.bets
        ),
        least_raises=numbers(bet.least_raises for bet in model.bets),
        most_raises=numbers(
            2**31 if bet.most_raises is None else bet.most_raises for bet in model.bets
        ),
    )
