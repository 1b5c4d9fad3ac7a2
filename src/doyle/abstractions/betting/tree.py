"""`BettingTree`: the public tree of every betting sequence that a model spans in a game.

Node 0 is the root: the moment after the blinds, or any later one. The arrays and what follows from
them are those of `PublicTree`; here are the game, the model, and betting as text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from doyle.abstractions.betting.added_bets import with_bet
from doyle.abstractions.betting.enumeration import LARGEST_TREE, span
from doyle.abstractions.betting.model import BettingModel
from doyle.abstractions.betting.public_tree import IntArray, PublicTree
from doyle.base.errors import DoyleError
from doyle.games import Game, State, action_name


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
        model: BettingModel | str,
        game: Game | str,
        *,
        root: State | None = None,
        added: Iterable[tuple[str | Iterable[int], int]] = (),
        most_nodes: int | None = None,
    ) -> BettingTree:
        """Enumerate the tree of `model` in `game`, from the blinds or from the moment `root`.

        Both may be given by what they are called, such as `fcpa` and `leduc-nl12`.
        `added` are single bets that the model lacks: a history from the root, as betting string or
        actions, and what is raised to there. Refused if the tree has more than `most_nodes` (by
        default LARGEST_TREE) nodes, before it takes time and memory to make it.
        """
        model = BettingModel.parse(model) if isinstance(model, str) else model
        game = Game.of(game)
        model.check(game)
        most = LARGEST_TREE if most_nodes is None else min(most_nodes, LARGEST_TREE)
        start = State.start(game) if root is None else root
        if model.document is not None:
            return cls._of_document(model, start, added=added, most_nodes=most)
        spanned = span(model, start, most_nodes=most)
        tree = cls(*spanned, replace(model, added=()), game)
        bets = [(bet.history, bet.raise_to) for bet in model.added]
        for history, raise_to in (*bets, *added):
            tree = with_bet(tree, start, history, raise_to, most_nodes=most)
        return tree

    @classmethod
    def _of_document(
        cls, model: BettingModel, start: State, *, added: Iterable[object], most_nodes: int
    ) -> BettingTree:
        from doyle.abstractions.betting.bml.models import span_document

        if any(True for _ in added):
            raise DoyleError(f"betting model {model}: add the bet to the BML file itself")
        return cls(*span_document(model, start, most_nodes=most_nodes), model, start.game)

    @property
    def rounds(self) -> int:
        return self.game.rounds

    def actions_of(self, node: int) -> IntArray:
        """The actions of a decision: fold, call, raises ascending."""
        return self.action[self.children_of(node)]

    def action_names(self, node: int) -> tuple[str, ...]:
        """The actions of a decision in words: fold, check, call, raise 300, all-in."""
        seat, spent = int(self.actor[node]), self.spent[node]
        to_call, stack = int(spent.max() - spent[seat]), self.game.stacks[seat]
        actions = self.actions_of(node).tolist()
        return tuple(action_name(action, to_call=to_call, stack=stack) for action in actions)

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
