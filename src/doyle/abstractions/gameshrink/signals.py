"""Signals: what one seat has seen, its hole cards and the board cards of each round in turn.

A `SignalTree` holds the signals of every round up to a relabelling of suits, which never changes who
wins. A signal's parent is what the seat had seen a round earlier, so the tree has perfect recall:
the flop cards of Hold'em stay apart from the turn card. Every signal of an orbit has equally many
children in each orbit below, so `weight[child] / weight[parent]` is how many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, factorial

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.base.workers import Progress
from doyle.cards.suits.relabelling import card_map, relabellings
from doyle.games import Game
from doyle.games.payoffs import best_rank

Cards = tuple[int, ...]
Signal = tuple[Cards, ...]
"""The hole cards, then the board cards of each round so far, each group ascending."""

CardMap = tuple[int, ...]
"""What each of the 52 cards becomes."""

_MOST_SIGNALS = 2_000_000


@dataclass(frozen=True, eq=False)
class SignalRound:
    """The signals of one round: representatives, parents, and how many deals each stands for."""

    signals: tuple[Signal, ...]
    parent: npt.NDArray[np.int32]
    weight: npt.NDArray[np.int64]
    index: dict[Signal, int]

    def __len__(self) -> int:
        return len(self.signals)


@dataclass(frozen=True, eq=False)
class SignalTree:
    """The signals of a game up to suits, round by round."""

    game: Game
    rounds: tuple[SignalRound, ...]
    card_maps: tuple[CardMap, ...]

    @staticmethod
    def build(game: Game, *, progress: Progress | None = None) -> SignalTree:
        """All signals of a seat.

        >>> [len(signals) for signals in SignalTree.build(Game.named("rhode-island")).rounds]
        [13, 325, 9997]
        """
        return _build(game, game.hole_cards, progress)

    @staticmethod
    def build_public(game: Game) -> SignalTree:
        """All signals of a spectator, who sees the board only."""
        return _build(game, 0)

    def find(self, hole: Sequence[int], board: Sequence[int]) -> tuple[int, int]:
        """The round and the index of what a seat sees.

        >>> tree = SignalTree.build(Game.named("leduc"))
        >>> tree.find((51,), (50,)) == tree.find((50,), (51,))
        True
        """
        number, groups = self.groups(board)
        signal = canonical((tuple(sorted(hole)), *groups), self.card_maps)
        try:
            return number, self.rounds[number].index[signal]
        except KeyError:
            raise DoyleError(
                f"{self.game.name}: {tuple(hole)} on {tuple(board)} is not a hand of this game"
            ) from None

    def groups(self, board: Sequence[int]) -> tuple[int, list[Cards]]:
        """The last round in which `board` is all that shows, and its cards round by round."""
        ends = self.game.board_ends
        if len(board) not in ends:
            raise DoyleError(f"{self.game.name}: no round shows {len(board)} board cards")
        number = len(ends) - 1 - ends[::-1].index(len(board))
        starts = (0, *ends)
        return number, [tuple(sorted(board[starts[r] : ends[r]])) for r in range(number + 1)]

    @cached_property
    def holes(self) -> tuple[Cards, ...]:
        """All holes: by card, or by pair in the order of `doyle.cards.HOLES`."""
        pairs = combinations(self.game.deck, self.game.hole_cards)
        return tuple(sorted(pairs, key=lambda hole: hole[::-1]))

    def on_boards(self, round: int) -> npt.NDArray[np.int32]:
        """int32[public boards, holes]: the signal of each hole, -1 where it shares a card."""
        public = SignalTree.build_public(self.game).rounds[round]
        found = np.full((len(public), len(self.holes)), -1, np.int32)
        index = self.rounds[round].index
        for row, (_, *groups) in enumerate(public.signals):
            seen = {card for group in groups for card in group}
            for column, hole in enumerate(self.holes):
                if not seen.intersection(hole):
                    found[row, column] = index[canonical((hole, *groups), self.card_maps)]
        return found

    @cached_property
    def showdowns(self) -> Showdowns:
        """Every opposing hand of every last signal."""
        signals = self.on_boards(len(self.rounds) - 1)
        public = SignalTree.build_public(self.game).rounds[-1]
        ranks: dict[Cards, int] = {}

        def rank(cards: Cards) -> int:
            key = tuple(sorted(cards))
            if key not in ranks:
                ranks[key] = best_rank(key)
            return ranks[key]

        meets = disjoint(self.holes)
        count = len(self.rounds[-1])
        others: list[npt.NDArray[np.int32]] = [np.empty(0, np.int32)] * count
        results: list[npt.NDArray[np.int8]] = [np.empty(0, np.int8)] * count
        for row, (_, *groups) in enumerate(public.signals):
            board = sum(groups, ())
            possible = signals[row] >= 0
            strengths = np.array(
                [rank(hole + board) if ok else 0
                 for hole, ok in zip(self.holes, possible, strict=True)]
            )  # fmt: skip
            for column in np.flatnonzero(possible):
                signal = signals[row, column]
                if len(others[signal]) == 0:
                    facing = meets[column] & possible
                    others[signal] = signals[row, facing]
                    gap = np.sign(strengths[column] - strengths[facing])
                    results[signal] = gap.astype(np.int8)
        return Showdowns(np.array(others), np.array(results))


@dataclass(frozen=True, eq=False)
class Showdowns:
    """Per last signal and opposing hand: the opponent's signal [n, m], and 1, 0 or -1 for a win, a
    tie or a loss [n, m]."""

    others: npt.NDArray[np.int32]
    results: npt.NDArray[np.int8]


def disjoint(holes: tuple[Cards, ...]) -> npt.NDArray[np.bool_]:
    """Which pairs of holes can be dealt together."""
    cards = np.zeros((len(holes), 52), np.int64)
    for row, hole in enumerate(holes):
        cards[row, list(hole)] = 1
    return np.asarray(cards @ cards.T == 0)


_BUILT: dict[tuple[Game, int], SignalTree] = {}


def _build(game: Game, hole_cards: int, progress: Progress | None = None) -> SignalTree:
    if (game, hole_cards) in _BUILT:
        return _BUILT[game, hole_cards]
    _check_size(game, hole_cards)
    maps = _card_maps(game)
    above = SignalRound(((),), np.zeros(1, np.int32), np.ones(1, np.int64), {(): 0})
    above = _grow(above, game, maps, hole_cards)
    rounds: list[SignalRound] = []
    for count in game.board_cards:
        above = _grow(above, game, maps, count, progress)
        rounds.append(above)
    return _BUILT.setdefault((game, hole_cards), SignalTree(game, tuple(rounds), maps))


def canonical(signal: Signal, card_maps: tuple[CardMap, ...]) -> Signal:
    """The least of the signals that a relabelling of suits makes of this one."""
    return min(
        [
            tuple([tuple(sorted([mapping[card] for card in group])) for group in signal])
            for mapping in card_maps
        ]
    )


def _card_maps(game: Game) -> tuple[CardMap, ...]:
    return tuple(card_map(suits) for suits in relabellings(game.suits))


def _grow(
    above: SignalRound,
    game: Game,
    maps: tuple[CardMap, ...],
    count: int,
    progress: Progress | None = None,
) -> SignalRound:
    """Deal `count` more cards to every signal."""
    index: dict[Signal, int] = {}
    parent: list[int] = []
    weight: list[int] = []
    for number, signal in enumerate(above.signals):
        if progress is not None:
            progress(f"signals with {count} more cards", number + 1, len(above))
        seen = {card for group in signal for card in group}
        rest = [card for card in game.deck if card not in seen]
        for group in combinations(rest, count):
            child = canonical((*signal, group), maps)
            place = index.get(child)
            if place is None:
                index[child] = len(parent)
                parent.append(number)
                weight.append(int(above.weight[number]))
            else:
                weight[place] += int(above.weight[number])
    return SignalRound(tuple(index), np.array(parent, np.int32), np.array(weight, np.int64), index)


def deal_counts(game: Game, hole_cards: int | None = None) -> tuple[int, ...]:
    """How many deals of hole and board, in the order of the rounds, a seat can have seen by round.

    >>> deal_counts(Game.named("holdem-nl-200bb"))
    (1326, 25989600, 1221511200, 56189515200)
    """
    hole_cards = game.hole_cards if hole_cards is None else hole_cards
    left = len(game.deck) - hole_cards
    deals = comb(len(game.deck), hole_cards)
    found = []
    for count in game.board_cards:
        deals *= comb(left, count)
        left -= count
        found.append(deals)
    return tuple(found)


def can_list(game: Game, hole_cards: int | None = None) -> bool:
    """Whether a game has few enough signals to compare them one by one."""
    return deal_counts(game, hole_cards)[-1] <= _MOST_SIGNALS * factorial(game.suits)


def _check_size(game: Game, hole_cards: int) -> None:
    if not can_list(game, hole_cards):
        raise DoyleError(
            f"{game.name}: {deal_counts(game, hole_cards)[-1]:,} signals are too many to compare one "
            "by one; take a game with fewer ranks or suits (`doyle shrink` does Hold'em of any size, "
            "with 2 hole cards and 0, 3, 1 and 1 board cards)"
        )
