"""Plain twin of the full-card values: every hole, board and opponent hole, by recursion."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from operator import mul

from doyle.abstractions.betting import DECISION, FOLD_LEAF, BettingTree
from doyle.cards import rank_hand

Cards = tuple[int, ...]
Shares = Callable[[int, Cards, Cards], list[float]]


class PlainResponse:
    """`shares(node, hole, board)` are the strategy's probabilities.

    The responder plays a best response, or with `own_play` the strategy itself.
    """

    def __init__(
        self, tree: BettingTree, cards: Cards, shares: Shares, *, own_play: bool = False
    ) -> None:
        self.tree, self.cards, self.shares, self.own_play = tree, cards, shares, own_play

    def value(self, responder: int) -> float:
        """Chips per hand of the best response, played in seat `responder`."""
        holes = list(combinations(self.cards, 2))
        total, pairs = 0.0, 0
        for hole in holes:
            others = {other: 1.0 for other in holes if not set(other) & set(hole)}
            pairs += len(others)
            total += self._node(0, responder, hole, (), others)
        return total / pairs

    def _node(
        self, node: int, responder: int, hole: Cards, board: Cards, reach: dict[Cards, float]
    ) -> float:
        tree = self.tree
        spent = tree.spent[node]
        if tree.kind[node] == FOLD_LEAF:
            folder = 0 if tree.folded[node] & 1 else 1
            won = spent[1 - responder] if folder != responder else -spent[responder]
            return float(won) * sum(reach.values())
        if tree.kind[node] != DECISION:
            return self._run_out(float(min(spent)), hole, board, reach)
        wanted = sum(tree.game.board_cards[: tree.round[node] + 1])
        if len(board) < wanted:
            return self._deal(node, responder, hole, board, reach, wanted - len(board))
        children = tree.children_of(node).tolist()
        if tree.actor[node] == responder:
            below = [self._node(child, responder, hole, board, reach) for child in children]
            if not self.own_play:
                return max(below)
            return sum(map(mul, below, self.shares(node, hole, board)))
        total = 0.0
        rows = {other: self.shares(node, other, board) for other in reach}
        for place, child in enumerate(children):
            left = {other: weight * rows[other][place] for other, weight in reach.items()}
            total += self._node(child, responder, hole, board, left)
        return total

    def _deal(
        self,
        node: int,
        responder: int,
        hole: Cards,
        board: Cards,
        reach: dict[Cards, float],
        count: int,
    ) -> float:
        rest = [card for card in self.cards if card not in hole and card not in board]
        ways = len(list(combinations(rest[2:], count)))  # the opponent holds two of them
        total = 0.0
        for dealt in combinations(rest, count):
            left = {other: w for other, w in reach.items() if not set(other) & set(dealt)}
            if left:
                total += self._node(node, responder, hole, board + dealt, left)
        return total / ways

    def _run_out(self, stake: float, hole: Cards, board: Cards, reach: dict[Cards, float]) -> float:
        missing = sum(self.tree.game.board_cards) - len(board)
        rest = [card for card in self.cards if card not in hole and card not in board]
        ways = len(list(combinations(rest[2:], missing)))
        total = 0.0
        for dealt in combinations(rest, missing):
            mine = rank_hand((*hole, *board, *dealt))
            for other, weight in reach.items():
                if not set(other) & set(dealt):
                    theirs = rank_hand((*other, *board, *dealt))
                    total += weight * stake * ((mine > theirs) - (mine < theirs))
        return total / ways
