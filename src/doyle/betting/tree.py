"""`BettingTree`: the public tree of every betting sequence that a model spans in a game.

Node 0 is the root: the moment after the blinds, or any later one. The arrays and what follows from
them are those of `PublicTree`; here are the game, the model, and betting as text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from doyle.betting import _tree_kernels as kernels
from doyle.betting.model import BettingModel
from doyle.betting.public_tree import IntArray, PublicTree
from doyle.betting.tree_size import count_nodes, most_actions
from doyle.errors import DoyleError
from doyle.games import Game, State

# About 2 GB of arrays. No solver here holds the strategy of a larger tree, whatever the buckets.
LARGEST_TREE = 50_000_000
# Which restricted sizes each seat has used is one bit each of a signed 64-bit number.
MOST_USES = 62


@dataclass(frozen=True, eq=False)
class BettingTree(PublicTree):
    """A tree whose actions are those of a `State`: children are fold, call, raises ascending.

    >>> tree = BettingTree.build(BettingModel.parse("fcpa"), Game.named("doyle-500bb"))
    >>> tree.decision_count, tree.counts().decisions
    (2576, (24, 144, 584, 1824))
    >>> tree.betting_text(tree.find([1, 1, 6]))
    'cc/r6'
    """

    model: BettingModel
    game: Game

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
        return cls(*_cut(arrays, nodes), model, game)

    @property
    def rounds(self) -> int:
        return self.game.rounds

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
