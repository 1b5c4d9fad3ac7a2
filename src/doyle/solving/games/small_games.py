"""Poker games with a small deck, from their start: a betting tree with merged private states.

Seat 0 is the seat that posts the first blind, as in the game definition. A private state is a seat's
hole cards and the board, up to relabelling of suits.

Two situations that differ by a relabelling of suits are one state (`lossless`), because the game
then treats them alike; if no hand's rank depends on suits at all, suits may be relabelled rank by
rank, which leaves ranks only. Without `lossless` every combination of cards is its own state.
The board is public, so the joint probabilities of the two seats' states form one block per board.
Cards of later rounds are summed out exactly: the matrices of a round are those of the next round
added up over child states. Invariant: probabilities of a round sum to 1.

Rows of strategy tables in games with a small deck: which row a hand reads on a board.

Solvers that walk the tree number private states up to suits (`StateNumbers`); sampling solvers
number every card with every board (`SmallDeals`). The tables of one are told from those of the
other by their numbers of rows, which differ unless the two numberings are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.cards.suits.relabelling import Cards, image, relabellings
from doyle.games import Deal, Game, showdown_ranks
from doyle.games.policies import policy_row, policy_rows
from doyle.solving.games.matrix_game import BlockMatrix, Floats, Ints, MatrixGame, PrivateStates
from doyle.solving.sampling.deals import SmallDeals
from doyle.strategy.strategy import WALKED_BYTES, check_room

LARGEST_SOLVED = 5_000_000
"""Nodes of a betting tree that is walked as a whole."""

Key = tuple[Cards, ...]
"""The hole cards, then the cards of each round's board, each group ascending."""

LARGEST = 50_000_000
"""Boards times pairs of holes beyond which a game is not for this module."""


@dataclass(frozen=True)
class StateNumbers:
    """Which state any hole cards and board are in."""

    game: Game
    lossless: bool
    keys: tuple[tuple[Key, ...], ...]
    _index: tuple[dict[Key, int], ...]
    _canonical: Callable[[Key], Key]

    @classmethod
    def of(cls, game: Game, *, lossless: bool = True) -> StateNumbers:
        """Number the states of a game with a small deck."""
        numbers, _, _, _ = _numbered(game, lossless=lossless)
        return numbers

    def state(self, round: int, hole: Cards, board: Cards) -> int:
        """The state of these hole cards with the board as seen in `round`."""
        return self._index[round][self._canonical(_key(self.game, round, hole, board))]


@dataclass(frozen=True)
class CardStates(StateNumbers):
    """The same with the matrices of every round."""

    rounds: tuple[PrivateStates, ...]

    @classmethod
    def of(cls, game: Game, *, lossless: bool = True) -> CardStates:
        """Enumerate the states of a game with a small deck."""
        numbers, boards, parents, sizes = _numbered(game, lossless=lossless)
        canonical = numbers._canonical
        last = _final_matrices(game, boards[-1], numbers._index[-1], canonical)
        rounds = _summed_back(boards, parents, sizes, last, canonical)
        return cls(**vars(numbers), rounds=rounds)


@dataclass(frozen=True, eq=False)
class SmallGame(MatrixGame):
    """A game whose cards can be enumerated, with what ties its states to real situations."""

    tree: BettingTree
    cards: CardStates


def small_game(
    game: Game, betting: BettingTree | None = None, *, lossless: bool = True
) -> SmallGame:
    """The game of a small deck; all legal bets unless a betting tree is given.

    >>> small_game(Game.named("leduc")).information_sets()
    (144, 144)
    """
    check_size(game)  # before a tree that may take long
    tree = betting or solvable_tree(BettingModel.parse("full"), game)
    cards = CardStates.of(game, lossless=lossless)
    check_walked(tree, cards.rounds)
    return SmallGame(game.name, tree, cards.rounds, cards)


def solvable_tree(model: BettingModel, game: Game) -> BettingTree:
    """The betting tree of a game that is solved by walking all of it."""
    return BettingTree.build(model, game, most_nodes=LARGEST_SOLVED)


def check_walked(betting: BettingTree, rounds: Sequence[PrivateStates]) -> None:
    """Refuse a game for more than two seats, or one whose tables would not fit in memory."""
    if betting.game.players != 2:
        raise DoyleError(
            f"{betting.game.name}: solving needs two players, not {betting.game.players}; "
            "external and pure take more"
        )
    counts = [max(states.count(seat) for seat in (0, 1)) for states in rounds]
    check_room(betting, counts, bytes_each=WALKED_BYTES)


def bucket_game(name: str, betting: BettingTree, rounds: tuple[PrivateStates, ...]) -> MatrixGame:
    """The abstract game of a betting tree over buckets with given matrices per round."""
    check_walked(betting, rounds)
    return MatrixGame(name, betting, rounds)


def _numbered(
    game: Game, *, lossless: bool
) -> tuple[StateNumbers, list[dict[tuple[Cards, ...], int]], list[Ints], list[list[int]]]:
    """The states with the boards of each round, their parents, and how many a board has."""
    if game.players != 2:
        raise DoyleError(f"{game.name}: solving needs two players, not {game.players}")
    check_size(game)
    canonical = _canonical_form(game) if lossless else _as_it_is
    boards = [_boards(game, round, canonical) for round in range(game.rounds)]
    keys, index, parents, sizes = _states(game, boards, canonical)
    return StateNumbers(game, lossless, keys, index, canonical), boards, parents, sizes


def check_size(game: Game) -> None:
    """Refuse a game whose cards are too many to enumerate."""
    deck = len(game.deck)
    boards = prod(comb(deck, count) for count in game.board_cards)
    holes = comb(deck, game.hole_cards)
    if boards * holes * holes > LARGEST:
        raise DoyleError(
            f"{game.name}: {boards:,} boards and {holes:,} holes are too many to enumerate; "
            "give a card abstraction"
        )


def _as_it_is(key: Key) -> Key:
    return key


def _canonical_form(game: Game) -> Callable[[Key], Key]:
    """A function that maps all keys of one class to the same key."""
    lowest = 4 - game.suits
    if _suits_matter(game) and max(game.hole_cards, *game.board_cards) == 1:

        def by_appearance(key: Key) -> Key:
            # Single cards have an order: number the suits as they appear.
            names: dict[int, int] = {}
            return tuple(
                tuple(
                    card - card % 4 + names.setdefault(card % 4, lowest + len(names))
                    for card in group
                )
                for group in key
            )

        return by_appearance

    if _suits_matter(game):
        every = relabellings(game.suits)

        def by_suit(key: Key) -> Key:
            return min(tuple(image(group, suits) for group in key) for suits in every)

        return by_suit

    def by_rank(key: Key) -> Key:
        # The cards of one rank are interchangeable: number them in order of appearance.
        seen: dict[int, int] = {}
        groups = []
        for group in key:
            cards = []
            for rank in sorted(card // 4 for card in group):
                cards.append(4 * rank + lowest + seen.get(rank, 0))
                seen[rank] = seen.get(rank, 0) + 1
            groups.append(tuple(cards))
        return tuple(groups)

    return by_rank


def _suits_matter(game: Game) -> bool:
    """Whether some hand's rank depends on its suits; true as soon as a flush is possible."""
    if game.suits == 1:
        return False
    count = game.hole_cards + sum(game.board_cards)
    if count > game.ranks:
        return True
    ranks = range(13 - game.ranks, 13)
    for chosen in combinations(ranks, count):
        flush = tuple(4 * rank + 3 for rank in chosen)
        mixed = tuple(4 * rank + 3 - (number == 0) for number, rank in enumerate(chosen))
        if _rank(game, flush) != _rank(game, mixed):
            return True
    return False


def _rank(game: Game, cards: Cards) -> int:
    """The rank of a hand of hole and board cards."""
    hole, board = cards[: game.hole_cards], cards[game.hole_cards :]
    return showdown_ranks(game, Deal(hole=(hole, ()), board=board), (False, True))[0]


def _key(game: Game, round: int, hole: Cards, board: Cards) -> Key:
    ends = game.board_ends
    groups = [tuple(sorted(hole))]
    for number in range(round + 1):
        first = ends[number - 1] if number else 0
        groups.append(tuple(sorted(board[first : ends[number]])))
    return tuple(groups)


def _all_boards(game: Game, round: int) -> Iterator[tuple[Cards, ...]]:
    """Every board as seen in `round`, as groups of cards by round."""

    def extend(groups: tuple[Cards, ...]) -> Iterator[tuple[Cards, ...]]:
        if len(groups) == round + 1:
            yield groups
            return
        used = {card for group in groups for card in group}
        rest = [card for card in game.deck if card not in used]
        for cards in combinations(rest, game.board_cards[len(groups)]):
            yield from extend((*groups, cards))

    return extend(())


def _boards(
    game: Game, round: int, canonical: Callable[[Key], Key]
) -> dict[tuple[Cards, ...], int]:
    """Canonical boards of a round with the number of boards each stands for."""
    counts: dict[tuple[Cards, ...], int] = {}
    for groups in _all_boards(game, round):
        board = canonical(groups)
        counts[board] = counts.get(board, 0) + 1
    return dict(sorted(counts.items()))


def _holes(game: Game, board: tuple[Cards, ...]) -> list[Cards]:
    used = {card for group in board for card in group}
    return list(combinations([card for card in game.deck if card not in used], game.hole_cards))


def _states(
    game: Game, boards: list[dict[tuple[Cards, ...], int]], canonical: Callable[[Key], Key]
) -> tuple[tuple[tuple[Key, ...], ...], tuple[dict[Key, int], ...], list[Ints], list[list[int]]]:
    """Number the states of each round, board by board; find their parents, count per board."""
    all_keys: list[tuple[Key, ...]] = []
    indexes: list[dict[Key, int]] = []
    all_parents: list[Ints] = []
    all_sizes: list[list[int]] = []
    for round, table in enumerate(boards):
        keys: list[Key] = []
        sizes: list[int] = []
        for board in table:
            found = {canonical((hole, *board)) for hole in _holes(game, board)}
            keys.extend(sorted(found))
            sizes.append(len(found))
        index = {key: number for number, key in enumerate(keys)}
        if len(index) != len(keys):
            raise DoyleError(f"{game.name}: two boards share a state")
        if round == 0:
            parents = np.zeros(len(keys), np.int64)
        else:
            before = indexes[-1]
            parents = np.array([before[canonical(key[:-1])] for key in keys], np.int64)
        all_keys.append(tuple(keys))
        indexes.append(index)
        all_parents.append(parents)
        all_sizes.append(sizes)
    return tuple(all_keys), tuple(indexes), all_parents, all_sizes


def _final_matrices(
    game: Game,
    boards: dict[tuple[Cards, ...], int],
    index: dict[Key, int],
    canonical: Callable[[Key], Key],
) -> list[tuple[Floats, Floats]]:
    """Probabilities and results of the last round, one pair of blocks per canonical board."""
    total = sum(boards.values())
    result = []
    for board, count in boards.items():
        holes = _holes(game, board)
        states = np.array([index[canonical((hole, *board))] for hole in holes])
        local = states - states.min()
        flat = tuple(card for group in board for card in group)
        ranks = np.array([_rank(game, hole + flat) for hole in holes])
        masks = np.array([sum(1 << card for card in hole) for hole in holes])
        apart = (masks[:, None] & masks[None, :]) == 0
        pairs = apart.sum()
        share = count / total / pairs
        size = int(local.max()) + 1
        weight, sign = np.zeros((size, size)), np.zeros((size, size))
        order = np.sign(ranks[:, None] - ranks[None, :])
        at = np.broadcast_to(local[:, None], apart.shape), np.broadcast_to(local, apart.shape)
        np.add.at(weight, at, share * apart)
        np.add.at(sign, at, share * apart * order)
        result.append((weight, sign))
    return result


def _summed_back(
    boards: list[dict[tuple[Cards, ...], int]],
    parents: list[Ints],
    sizes: list[list[int]],
    last: list[tuple[Floats, Floats]],
    canonical: Callable[[Key], Key],
) -> tuple[PrivateStates, ...]:
    """The matrices of every round, from the last one backwards."""
    blocks = last
    rounds: list[PrivateStates] = []
    for round in range(len(boards) - 1, -1, -1):
        joint, showdown = (BlockMatrix.of([block[n] for block in blocks]) for n in (0, 1))
        rounds.append(PrivateStates((parents[round], parents[round]), joint, showdown))
        if round == 0:
            break
        place = {board: number for number, board in enumerate(boards[round - 1])}
        firsts = [0, *np.cumsum(sizes[round - 1]).tolist()]
        previous = [(np.zeros((n, n)), np.zeros((n, n))) for n in sizes[round - 1]]
        for number, board in enumerate(boards[round]):
            home = place[canonical(board[:-1])]
            start = int(joint.row_start[number])
            up = parents[round][start : start + blocks[number][0].shape[0]] - firsts[home]
            grid = np.ix_(up, up)
            for target, source in zip(previous[home], blocks[number], strict=True):
                np.add.at(target, grid, source)
        blocks = previous
    return tuple(reversed(rounds))


class SmallDeckBuckets:
    """The rows of one game's tables, `bucket_counts` by round."""

    def __init__(self, game: Game, bucket_counts: Sequence[int]) -> None:
        if game.hole_cards not in (1, 2):
            raise DoyleError(f"{game.name}: strategies are played with one or two hole cards")
        self.game, self.bucket_counts = game, tuple(bucket_counts)
        self._numbers = StateNumbers.of(game)
        states = tuple(len(keys) for keys in self._numbers.keys)
        cards = SmallDeals(game).bucket_counts if game.hole_cards == 1 else states
        if self.bucket_counts not in (states, cards):
            raise DoyleError(
                f"tables of {self.bucket_counts} rows by round; {game.name} has {states} states "
                f"up to suits" + (f" and {cards} in all" if cards != states else "")
            )
        self.lossless = self.bucket_counts == states
        """Whether hands that differ by suits alone share a row."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Numbers are counted again in another process."""
        return SmallDeckBuckets, (self.game, self.bucket_counts)

    @cached_property
    def _deals(self) -> SmallDeals:
        return SmallDeals(self.game)

    def row(self, round: int, hole: Cards, board: Cards) -> int:
        """The row of these hole cards with the board as seen in `round`."""
        if self.lossless:
            return self._numbers.state(round, hole, board)
        # Cards dealt together have an order in these tables; play and measurement read one of them.
        starts, ends = (0, *self.game.board_ends), self.game.board_ends
        groups = [sorted(board[starts[number] : ends[number]]) for number in range(round + 1)]
        return self._deals.bucket(hole[0], tuple(card for group in groups for card in group), round)

    def hands(self, round: int) -> Iterator[tuple[Key, int]]:
        """The hands of a round, one for each row that can occur, with the row."""
        numbers = self._numbers if self.lossless else StateNumbers.of(self.game, lossless=False)
        for key in numbers.keys[round]:
            yield key, self.row(round, key[0], sum(key[1:], ()))

    def buckets(self, board: Cards) -> npt.NDArray[np.int32]:
        """The row of every hole, in the order of a policy; -1 where it shares a card."""
        game = self.game
        round = game.board_ends.index(len(board))
        rest = [card for card in game.deck if card not in board]
        rows = np.full(policy_rows(game), -1, np.int32)
        for place, card in enumerate(rest):
            others = [()] if game.hole_cards == 1 else [(other,) for other in rest[:place]]
            for other in others:
                hole = (*other, card)
                rows[policy_row(game, hole)] = self.row(round, hole, board)
        return rows
