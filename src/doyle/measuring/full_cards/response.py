"""Exploitability inside a strategy's betting tree over all cards.

The best response of the public game "Hold'em inside a betting tree" (`whole_game`) to a strategy. The
responder knows its exact two cards and the exact board, and may use every bet of the tree; the
strategy sees its buckets. This is the valid number for imperfect-recall abstractions, and its
distance from the abstract game's exploitability is the cost of the card abstraction.

All boards are walked, flop by flop; the last round is evaluated by a kernel. The best responses
(BEST_0, BEST_1) are accompanied by the strategy's self-play value in seat 0 (OWN), from which each
seat's share of the exploitability follows. Suits: strategies treat suit-isomorphic hands alike, so
one board represents all its images; `whole_game(tree, suits_alike=...)` enables this.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import DECISION, PackedTree, pack_tree
from doyle.abstractions.betting.packed_tree import OFFSET
from doyle.agents.strategy_agent import Bucketing
from doyle.base.errors import DoyleError
from doyle.cards.suits.relabelling import SAME_SUITS, Cards
from doyle.measuring.full_cards import _response_kernels as kernels
from doyle.solving.board_walk import BoardWalk, Rows, ValueQuery, best_rule, mean_rule
from doyle.solving.games import Board, PublicGame, whole_game
from doyle.solving.games.evaluators import RankHands
from doyle.solving.games.poker import hole_ranks
from doyle.strategy import Strategy

WANTED = (ValueQuery(0, best_rule), ValueQuery(1, best_rule), ValueQuery(0, mean_rule))
BEST_0, BEST_1, OWN = range(3)

Floats = npt.NDArray[np.float64]


class StrategyPlay:
    """A strategy with its buckets as play over all cards."""

    def __init__(self, strategy: Strategy, bucketing: Bucketing) -> None:
        self.strategy, self.bucketing = strategy, bucketing

    def on(self, board: Board) -> Rows:
        buckets = np.maximum(self.bucketing.buckets(board.cards), 0)

        def rows(node: int) -> npt.NDArray[Any]:
            return self.strategy.probabilities(node, buckets)

        return rows


class FullCardResponse:
    """Best responses to `strategy` over all cards of its game."""

    def __init__(
        self, strategy: Strategy, bucketing: Bucketing, game: PublicGame | None = None
    ) -> None:
        self.strategy, self.bucketing = strategy, bucketing
        if strategy.tree.game.hole_cards != 2:
            raise DoyleError(f"{strategy.tree.game.name}: expected two hole cards")
        self.game = game or whole_game(strategy.tree)
        self.packed: PackedTree = pack_tree(strategy.tree)
        self.last_table = self._last_table()
        self._cards = self.game.hands[0].cards.astype(np.uint8)
        play = StrategyPlay(strategy, bucketing)
        self.walk = BoardWalk(self.game, (play, play), WANTED, last_round=self._add_last_round)

    def flops(self) -> list[Board]:
        """The work items: the first board round's deals up to suits."""
        return list(self.game.below(self.game.root))

    def total(self) -> Floats:
        """Accumulator of flop values [BEST_0, BEST_1 or OWN; nodes that wait for the flop; hands],
        zero."""
        return np.stack(self.walk.nothing(self.walk.rounds[0].waiting))

    def flop_values(self, flop: Board) -> Floats:
        """Values [BEST_0, BEST_1 or OWN; nodes that wait for the flop; hands] once `flop` is
        dealt."""
        waiting, entering = self.walk.rounds[0].waiting, self.walk.enter_root()
        if flop.level == self.game.levels - 1:
            values = self.walk.nothing(waiting)
            self._add_last_round(flop._replace(copies=(SAME_SUITS,)), waiting, entering, values)
            return np.stack(values)
        return np.stack(self.walk.board_values(flop, waiting, entering))

    def add_flop(self, flop: Board, values: Floats, total: Floats) -> None:
        """Add the values of a canonical flop for all its images."""
        self.game.add_leaving(0, flop, values, total)

    def root_values(self, total: Floats) -> tuple[float, float, float]:
        """BEST_0, BEST_1 and OWN, chips per hand, from the values added over all flops."""
        found = self.walk.finish(list(total / self.game.ways(self.game.root)))
        first, second, own = (float(values.sum()) / self.game.mass for values in found)
        return first, second, own

    def run(self) -> tuple[float, float, float]:
        """The root values, in this process, without checkpoints."""
        total = self.total()
        for flop in self.flops():
            self.add_flop(flop, self.flop_values(flop), total)
        return self.root_values(total)

    def _add_last_round(
        self,
        board: Board,
        waiting: npt.NDArray[np.int64],
        entering: Sequence[Floats],
        total: Sequence[Floats],
    ) -> None:
        """Add the values [waiting, hands] of a whole board to `total`, once for every copy."""
        order, cards, group_end = self._ranked(board.cards)
        buckets = self.bucketing.buckets(board.cards)[order]
        targets = np.array([hands[order] for hands in self.game.images(0, board)], dtype=np.int32)
        no_values = np.zeros((0, 0))
        for responder, reach in enumerate(entering):
            kernels.respond(
                self.packed.nodes,
                self.packed.children,
                self.strategy.tree.subtree_ends,
                self.last_table,
                buckets,
                cards,
                group_end,
                waiting.astype(np.int32),
                reach,
                order,
                targets,
                responder,
                self._frames,
                total[responder],
                # Seat 1's own values are seat 0's negated.
                total[OWN] if responder == WANTED[OWN].seat else no_values,
            )

    def _ranked(
        self, board: Cards
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
        """The hands that miss the board in ascending order of rank, their cards, ends of ties."""
        ranks = np.asarray(self._ranks(board), np.int64)
        order = np.argsort(ranks, kind="stable").astype(np.int32)
        order = order[ranks[order] > 0]
        ends = np.append(np.flatnonzero(np.diff(ranks[order])) + 1, order.size)
        return order, np.ascontiguousarray(self._cards[order]), ends.astype(np.int32)

    @cached_property
    def _ranks(self) -> RankHands:
        return hole_ranks(self.strategy.tree.game, self.game.hands[0].cards)

    @cached_property
    def _frames(self) -> kernels.ResponseFrames:
        waiting = [one.waiting for one in self.walk.rounds]
        tree, last = self.strategy.tree, self.game.levels - 1
        entries = waiting[-2][tree.round[waiting[-2]] == last]
        return kernels.ResponseFrames.of(
            len(self.game.hands[0]),
            nodes=int((tree.subtree_ends[entries] - entries).max(initial=1)),
            entries=max(len(nodes) for nodes in waiting),
        )

    def _last_table(self) -> npt.NDArray[np.float32]:
        """The last round's probabilities [columns, buckets], by the packed tree's columns."""
        tree = self.strategy.tree
        last = tree.rounds - 1
        buckets = np.arange(self.strategy.bucket_count(last))
        width = int(self.packed.width[last])
        table = np.zeros((width, buckets.size), dtype=np.float32)
        for node in np.flatnonzero((tree.kind == DECISION) & (tree.round == last)).tolist():
            start, count = int(self.packed.nodes[node, OFFSET]), int(tree.child_count[node])
            table[start : start + count] = self.strategy.probabilities(node, buckets).T
        return table
