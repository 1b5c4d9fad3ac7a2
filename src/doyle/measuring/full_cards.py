"""Exploitability inside a strategy's betting tree over all cards.

The responder knows its exact two cards and the exact board, and may use every bet of the tree; the
strategy sees its buckets. This is the honest number for imperfect-recall abstractions, and its
distance from the abstract game's exploitability is what the card abstraction costs.

All boards are walked, flop by flop. Values are chips of the responder, summed over the opponent's
reach and averaged over chance; beside the best responses (BEST_0, BEST_1) stands what the strategy
wins against itself in seat 0 (OWN), from which each seat's share of the exploitability follows.
Suits: strategies treat suit-isomorphic hands alike, so one board stands for all its images;
`Deck.suits_alike` says whether that may be used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from math import comb
from typing import Protocol

import numpy as np
import numpy.typing as npt

from doyle.betting import DECISION, FOLD_LEAF, SHOWDOWN_LEAF, BettingTree, PackedTree, pack_tree
from doyle.betting.packed_tree import AMOUNT, OFFSET
from doyle.cards import rank_hand
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.measuring import _full_card_kernels as kernels
from doyle.strategy import Strategy

BEST_0, BEST_1, OWN = range(3)
RESPONDER = (0, 1, 0)
"""The seat whose values each of the three is."""

Floats = npt.NDArray[np.float64]
Cards = tuple[int, ...]


class Bucketing(Protocol):
    """Buckets of all hole pairs on a board, in the deck's hole order; -1 where they collide."""

    def buckets(self, board: Cards) -> npt.NDArray[np.int32]: ...


@dataclass(frozen=True)
class Deck:
    """The cards of a game with two hole cards, its hole pairs, and the symmetry of its suits."""

    game: Game
    suits_alike: bool = True

    def __post_init__(self) -> None:
        if self.game.hole_cards != 2 or self.game.players != 2:
            raise DoyleError(f"{self.game.name}: expected two players with two hole cards each")

    @cached_property
    def cards(self) -> Cards:
        return tuple(
            4 * rank + suit
            for rank in range(13 - self.game.ranks, 13)
            for suit in range(4 - self.game.suits, 4)
        )

    @cached_property
    def holes(self) -> npt.NDArray[np.uint8]:
        """uint8[holes, 2]: pairs a < b in the order of b*(b-1)/2 + a, as `doyle.cards.HOLES`."""
        pairs = [(low, high) for high in self.cards for low in self.cards if low < high]
        return np.array(pairs, dtype=np.uint8)

    @cached_property
    def suit_maps(self) -> list[tuple[dict[int, int], npt.NDArray[np.int64]]]:
        """Each renaming of suits: the card each card becomes, and the hole each hole becomes."""
        suits = range(4 - self.game.suits, 4)
        images = permutations(suits) if self.suits_alike else iter([tuple(suits)])
        place = {tuple(pair): index for index, pair in enumerate(self.holes.tolist())}
        maps = []
        for image in images:
            renamed = dict(zip(suits, image, strict=True))
            card_map = {card: card - card % 4 + renamed[card % 4] for card in self.cards}
            holes = [
                place[tuple(sorted((card_map[low], card_map[high])))]
                for low, high in self.holes.tolist()
            ]
            maps.append((card_map, np.array(holes, dtype=np.int64)))
        return maps

    def orbits(self, board: Cards, count: int) -> list[tuple[Cards, list[npt.NDArray[np.int64]]]]:
        """The ways to deal `count` more cards, up to renamings that keep the dealt board.

        Each is a representative and one hole map for every distinct image of it (itself included).
        """
        seen: set[Cards] = set()
        keeping = [
            (card_map, holes) for card_map, holes in self.suit_maps if self._keeps(board, card_map)
        ]
        rest = [card for card in self.cards if card not in board]
        found = []
        for dealt in combinations(rest, count):
            if dealt in seen:
                continue
            images: dict[Cards, npt.NDArray[np.int64]] = {}
            for card_map, holes in keeping:
                image = tuple(sorted(card_map[card] for card in dealt))
                images.setdefault(image, holes)
            seen.update(images)
            found.append((dealt, list(images.values())))
        return found

    def _keeps(self, board: Cards, card_map: dict[int, int]) -> bool:
        """Whether a renaming maps the cards of each round onto themselves."""
        start = 0
        for cards in self.game.board_cards:
            part = board[start : start + cards]
            if {card_map[card] for card in part} != set(part):
                return False
            start += cards
        return True


class FullCardResponse:
    """Best responses to `strategy` over all cards of its game."""

    def __init__(self, strategy: Strategy, bucketing: Bucketing, deck: Deck) -> None:
        self.strategy, self.bucketing, self.deck = strategy, bucketing, deck
        tree = strategy.tree
        self.game = tree.game
        self.rounds = self.game.rounds
        self.packed: PackedTree = pack_tree(tree)
        self.subtree_end = _subtree_ends(tree)
        self.last_table = self._last_table()
        parent_round = np.where(tree.parent >= 0, tree.round[tree.parent], -1)
        self.entries = [
            np.flatnonzero((tree.round == number) & (parent_round < number))
            for number in range(self.rounds)
        ]
        all_in = [
            np.flatnonzero((tree.kind == SHOWDOWN_LEAF) & (tree.round == number))
            for number in range(self.rounds)
        ]
        # Nodes whose value a round waits for: where later rounds begin, and all-in leaves so far.
        self.exits = [
            np.concatenate((self.entries[number + 1], *all_in[: number + 1]))
            for number in range(self.rounds - 1)
        ]

    def flops(self) -> list[tuple[Cards, list[npt.NDArray[np.int64]]]]:
        """The work items: the first board round's deals up to suits, with their images."""
        return self.deck.orbits((), self.game.board_cards[1])

    def flop_values(self, flop: Cards) -> Floats:
        """[BEST_0, BEST_1 or OWN; exits of the first round; holes]: values once `flop` is dealt."""
        start = {0: np.ones(len(self.deck.holes))}
        reaches = [self._forward(0, (), start, responder) for responder in range(2)]
        entering = [_stacked(reach, self.exits[0]) for reach in reaches]
        return self._dealt(1, flop, self.exits[0], entering)

    def root_values(self, exit_values: Floats) -> tuple[float, float, float]:
        """BEST_0, BEST_1 and OWN, chips per hand, from the exit values summed over all flops."""
        results = []
        holes = len(self.deck.holes)
        pairs = holes * (holes - 1 - 2 * (len(self.deck.cards) - 2))
        for kind, responder in enumerate(RESPONDER):
            reach = self._forward(0, (), {0: np.ones(holes)}, responder)
            known = dict(zip(self.exits[0].tolist(), exit_values[kind], strict=True))
            value = self._backward(0, (), reach, known, kind)
            results.append(float(value[0].sum()) / pairs)
        return results[0], results[1], results[2]

    def flop_count(self) -> int:
        """Deals of the first board round once both holes are known."""
        return comb(len(self.deck.cards) - 4, self.game.board_cards[1])

    def run(self) -> tuple[float, float, float]:
        """The root values, in this process, without checkpoints."""
        total = np.zeros((len(RESPONDER), len(self.exits[0]), len(self.deck.holes)))
        for flop, images in self.flops():
            add_images(total, self.flop_values(flop), images)
        return self.root_values(total / self.flop_count())

    def _dealt(
        self,
        number: int,
        board: Cards,
        waiting: npt.NDArray[np.int64],
        entering: list[Floats],
    ) -> Floats:
        """Values [3, waiting, holes] of the nodes that wait for round `number`.

        `entering` is the opponent's reach [waiting, holes] of them for either responder.
        """
        if number == self.rounds - 1:
            whole = np.zeros((len(RESPONDER), len(waiting), len(self.deck.holes)))
            itself = [np.arange(len(self.deck.holes))]
            self._add_last_round(board, waiting, entering, itself, whole)
            return whole
        free: npt.NDArray[np.bool_] = ~np.asarray(np.isin(self.deck.holes, board).any(axis=1))
        nodes = waiting.tolist()
        reaches = [
            self._forward(number, board, dict(zip(nodes, reach * free, strict=True)), responder)
            for responder, reach in enumerate(entering)
        ]
        exits = self.exits[number]
        leaving = [_stacked(reach, exits) for reach in reaches]
        summed = np.zeros((len(RESPONDER), len(exits), len(free)))
        deals = len(self.deck.cards) - 4 - len(board)
        if self.game.board_cards[number + 1] != 1:
            raise DoyleError(f"{self.game.name}: rounds after the flop must deal one card each")
        for card, images in self.deck.orbits(board, 1):
            if number + 1 == self.rounds - 1:
                self._add_last_round(board + card, exits, leaving, images, summed)
            else:
                add_images(summed, self._dealt(number + 1, board + card, exits, leaving), images)
        results = []
        for kind, responder in enumerate(RESPONDER):
            known = dict(zip(exits.tolist(), summed[kind] / deals, strict=True))
            values = self._backward(number, board, reaches[responder], known, kind)
            results.append(np.stack([np.where(free, values[node], 0.0) for node in nodes]))
        return np.stack(results)

    def _forward(
        self, number: int, board: Cards, reach: dict[int, Floats], responder: int
    ) -> dict[int, Floats]:
        """The opponent's reach [holes] at every node of the round and at its exits."""
        tree = self.strategy.tree
        buckets = np.maximum(self.bucketing.buckets(board), 0)
        found = dict(reach)
        for node in self._decisions[number]:
            children = tree.children_of(node)
            if tree.actor[node] == responder:
                for child in children.tolist():
                    found[child] = found[node]
            else:
                shares = self.strategy.probabilities(node, buckets)
                for place, child in enumerate(children.tolist()):
                    found[child] = found[node] * shares[:, place]
        return found

    def _backward(
        self,
        number: int,
        board: Cards,
        reach: dict[int, Floats],
        known: dict[int, Floats],
        kind: int,
    ) -> dict[int, Floats]:
        """Values [holes] of one kind at every node of the round, given those of its exits."""
        tree = self.strategy.tree
        responder = RESPONDER[kind]
        buckets = np.maximum(self.bucketing.buckets(board), 0)
        values = dict(known)
        outcome = 1.0 if responder == 0 else -1.0
        for node in reversed(self._decisions[number]):
            children = tree.children_of(node).tolist()
            for child in children:
                if child not in values:
                    if tree.kind[child] != FOLD_LEAF:
                        raise AssertionError(f"node {child} has no value")
                    amount = outcome * float(self.packed.nodes[child, AMOUNT])
                    values[child] = amount * self._unblocked(reach[child])
            below = np.stack([values[child] for child in children])
            if tree.actor[node] != responder:
                values[node] = below.sum(axis=0)
            elif kind == OWN:
                shares = self.strategy.probabilities(node, buckets)
                values[node] = (below * shares.T).sum(axis=0)
            else:
                values[node] = below.max(axis=0)
        return values

    @cached_property
    def _decisions(self) -> list[list[int]]:
        tree = self.strategy.tree
        return [
            np.flatnonzero((tree.kind == DECISION) & (tree.round == number)).tolist()
            for number in range(self.rounds)
        ]

    def _unblocked(self, reach: Floats) -> Floats:
        """For each hole the reach of all holes that share no card with it."""
        holes = self.deck.holes
        by_card = np.bincount(holes[:, 0], reach, 52) + np.bincount(holes[:, 1], reach, 52)
        result: Floats = reach.sum() - by_card[holes[:, 0]] - by_card[holes[:, 1]] + reach
        return result

    def _add_last_round(
        self,
        board: Cards,
        waiting: npt.NDArray[np.int64],
        entering: list[Floats],
        images: list[npt.NDArray[np.int64]],
        summed: Floats,
    ) -> None:
        """Add the values [3, waiting, holes] of a whole board to `summed`, once for every image."""
        order, cards, group_end = self._ranked(board)
        buckets = self.bucketing.buckets(board)[order]
        targets = np.array([holes[order] for holes in images], dtype=np.int32)
        no_values = np.zeros((0, 0))
        for responder, reach in enumerate(entering):
            kernels.respond(
                self.packed.nodes,
                self.packed.children,
                self.subtree_end,
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
                summed[responder],
                # Seat 1's own values are those of seat 0 with the other sign.
                summed[OWN] if responder == RESPONDER[OWN] else no_values,
            )

    def _ranked(
        self, board: Cards
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
        """The holes that miss the board in ascending order of rank, their cards, ends of ties."""
        holes = self.deck.holes
        if len(self.deck.cards) == 52 and len(board) == 5:
            from doyle.cards import board_ranks

            ranks = board_ranks(board).astype(np.int64)
        else:
            ranks = np.array(
                [
                    0 if set(pair) & set(board) else rank_hand((*pair, *board))
                    for pair in holes.tolist()
                ],
                dtype=np.int64,
            )
        order = np.argsort(ranks, kind="stable").astype(np.int32)
        order = order[ranks[order] > 0]
        ends = np.append(np.flatnonzero(np.diff(ranks[order])) + 1, order.size)
        return order, np.ascontiguousarray(holes[order]), ends.astype(np.int32)

    @cached_property
    def _frames(self) -> kernels.ResponseFrames:
        entries = self.entries[-1]
        return kernels.ResponseFrames.of(
            len(self.deck.holes),
            nodes=int((self.subtree_end[entries] - entries).max(initial=1)),
            entries=max(len(exits) for exits in self.exits),
        )

    def _last_table(self) -> npt.NDArray[np.float32]:
        """The last round's probabilities [columns, buckets], by the packed tree's columns."""
        tree = self.strategy.tree
        last = self.rounds - 1
        buckets = np.arange(self.strategy.bucket_count(last))
        width = int(self.packed.width[last])
        table = np.zeros((width, buckets.size), dtype=np.float32)
        for node in np.flatnonzero((tree.kind == DECISION) & (tree.round == last)).tolist():
            start, count = int(self.packed.nodes[node, OFFSET]), int(tree.child_count[node])
            table[start : start + count] = self.strategy.probabilities(node, buckets).T
        return table


def _subtree_ends(tree: BettingTree) -> npt.NDArray[np.int32]:
    """For each node the end of the range of nodes that begins with it and lies below it."""
    end = np.arange(1, len(tree.parent) + 1, dtype=np.int32)
    for node in range(len(end) - 1, 0, -1):
        above = tree.parent[node]
        end[above] = max(end[above], end[node])
    return end


def _stacked(reach: dict[int, Floats], nodes: npt.NDArray[np.int64]) -> Floats:
    return np.stack([reach[node] for node in nodes.tolist()])


def add_images(total: Floats, values: Floats, images: list[npt.NDArray[np.int64]]) -> None:
    """Add values[..., holes] to total once for every image of the deal they belong to."""
    for holes in images:
        total[..., holes] += values
