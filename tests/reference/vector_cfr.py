"""Plain twin of the vector kernels: recursion over nodes and boards, pairs of hands one by one."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from doyle.abstractions.betting import DECISION, FOLD_LEAF
from doyle.cards import rank_hand
from doyle.solving.games import PublicGame
from doyle.solving.solvers import Discounting

Cards = tuple[int, ...]


class PlainVectors:
    """Regrets and averages by (node, board); all boards are dealt, suits are not merged."""

    def __init__(self, game: PublicGame, rule: Discounting) -> None:
        self.game, self.rule, self.average_power = game, rule, rule.average
        self.regrets: dict[tuple[int, Cards], Any] = {}
        self.averages: dict[tuple[int, Cards], Any] = {}
        self.iteration = 0
        self.hands = [[tuple(map(int, hand)) for hand in one.cards] for one in game.hands]

    def iterate(self) -> None:
        self.iteration += 1
        for seat in (0, 1):
            self._walk(
                0, self.game.boards.cards[0], seat, self.game.hands[1 - seat].weights, "improve"
            )

    def best_response(self, seat: int) -> float:
        """Chips per hand against the other seat's average."""
        return self._measured(seat, "respond")

    def value(self, seat: int) -> float:
        """Chips per hand of the average strategies."""
        return self._measured(seat, "expect")

    def _measured(self, seat: int, mode: str) -> float:
        other = self.game.hands[1 - seat].weights
        values = self._walk(0, self.game.boards.cards[0], seat, other, mode)
        mass = sum(
            self.game.hands[0].weights[i] * self.game.hands[1].weights[j]
            for i, first in enumerate(self.hands[0])
            for j, second in enumerate(self.hands[1])
            if not set(first) & set(second)
        )
        return float(self.game.hands[seat].weights @ values / mass)

    def strategy(self, node: int, board: Cards, table: dict[tuple[int, Cards], Any]) -> Any:
        count = int(self.game.tree.child_count[node])
        size = len(self.hands[int(self.game.tree.actor[node])])
        weights = np.maximum(table.get((node, board), np.zeros((size, count))), 0.0)
        total = weights.sum(axis=1, keepdims=True)
        return np.where(total > 0, weights / np.where(total > 0, total, 1.0), 1.0 / count)

    def _walk(self, node: int, board: Cards, seat: int, reach: Any, mode: str) -> Any:
        tree = self.game.tree
        needed = tree.game.board_ends[int(tree.round[node])]
        if len(board) < needed:
            return self._deal(node, board, seat, reach, mode, needed - len(board))
        if tree.kind[node] != DECISION:
            return self._leaf(node, board, seat, reach)
        children = tree.children_of(node).tolist()
        if tree.actor[node] != seat:
            table = self.regrets if mode == "improve" else self.averages
            shares = self.strategy(node, board, table)
            if mode == "improve":
                before = self.averages.get((node, board), 0.0)
                decay = ((self.iteration - 1) / self.iteration) ** self.average_power
                self.averages[node, board] = before * decay + reach[:, None] * shares
            return sum(
                self._walk(child, board, seat, reach * shares[:, place], mode)
                for place, child in enumerate(children)
            )
        below = np.stack(
            [self._walk(child, board, seat, reach, mode) for child in children], axis=1
        )
        if mode == "respond":
            return below.max(axis=1)
        table = self.regrets if mode == "improve" else self.averages
        value = (below * self.strategy(node, board, table)).sum(axis=1)
        if mode == "improve":
            regrets = self.regrets.get((node, board), 0.0) + below - value[:, None]
            clocks = (self.rule.positive, 1.0), (self.rule.negative, self.rule.delay)
            kept = [
                1.0 - 1.0 / ((self.iteration / delay) ** power + 1) if abs(power) < np.inf
                else float(power > 0)
                for power, delay in clocks
            ]  # fmt: skip
            self.regrets[node, board] = regrets * np.where(regrets > 0, kept[0], kept[1])
        return value

    def _deal(self, node: int, board: Cards, seat: int, reach: Any, mode: str, count: int) -> Any:
        rest = [card for card in self.game.tree.game.deck if card not in board]
        hidden = 2 * self.game.tree.game.hole_cards
        total = np.zeros(len(self.hands[seat]))
        ways = len(list(combinations(range(len(rest) - hidden), count)))
        for new in combinations(rest, count):
            possible = [not set(hand) & set(new) for hand in self.hands[1 - seat]]
            below = self._walk(node, (*board, *new), seat, reach * possible, mode)
            own = [not set(hand) & set(new) for hand in self.hands[seat]]
            total += np.array(own) * below / ways
        return total

    def _leaf(self, node: int, board: Cards, seat: int, reach: Any) -> Any:
        tree = self.game.tree
        last = tree.game.board_ends[-1]
        if tree.kind[node] != FOLD_LEAF and len(board) < last:
            return self._run_out(node, board, seat, reach)
        spent = tree.spent[node]
        values = np.zeros(len(self.hands[seat]))
        for i, own in enumerate(self.hands[seat]):
            for j, other in enumerate(self.hands[1 - seat]):
                if set(own) & set(other) or set(own) & set(board) or set(other) & set(board):
                    continue
                if tree.kind[node] == FOLD_LEAF:
                    lost = (int(tree.folded[node]) >> seat) & 1
                    chips = -float(spent[seat]) if lost else float(spent[1 - seat])
                else:
                    mine, theirs = rank_hand((*own, *board)), rank_hand((*other, *board))
                    chips = float(min(spent)) * ((mine > theirs) - (mine < theirs))
                values[i] += reach[j] * chips
        return values

    def _run_out(self, node: int, board: Cards, seat: int, reach: Any) -> Any:
        ends = self.game.tree.game.board_ends
        count = next(end for end in ends if end > len(board)) - len(board)
        rest = [card for card in self.game.tree.game.deck if card not in board]
        ways = len(list(combinations(range(len(rest) - 2 * self.game.tree.game.hole_cards), count)))
        return sum(
            self._leaf(node, (*board, *new), seat, reach) / ways
            for new in combinations(rest, count)
        )
