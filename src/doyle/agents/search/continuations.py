"""Values at a depth limit: what is won after a street if both seats go on as a blueprint does.

A seat that may choose leans: the probability of a class of its actions (fold, call, raise) is
multiplied by a factor wherever it acts, and all are made to sum to 1 again (Brown, Sandholm and Amos 2018,
"Depth-limited solving for imperfect-information games"). For one pair of continuations the chips of the first seat are
a matrix [its hands, hands of the second seat]. It is the mean over run-outs, on each of which the
blueprint's play is walked with all hands at once: every end of the betting adds the outer product of both
seats' reach, at a showdown times who is stronger.

Where there are more run-outs than asked for they are drawn, from the board alone. Then the share of the
chips that goes with the mean showdown is taken from all run-outs instead (a control variate).
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations
from math import perm
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from doyle.agents.search._leaf_kernels import add_showdowns, add_signs
from doyle.cards import live_hands
from doyle.games import CALL, FOLD, Action, Deal, Game, State
from doyle.games.policies import policy_cards
from doyle.solving.games.poker import hole_ranks

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Ranks = npt.NDArray[np.int16]
Cards = tuple[int, ...]

SEED = 1009
"""Of the run-outs; which board they belong to is added."""
UNLIKELY = 1e-3
"""Where both seats' weights have shrunk to less than this in product, the hands are shown at once."""
KEPT_BYTES = 1 << 30
"""Of the matrices of one street that are kept between solves."""
LEANINGS = 4
"""The blueprint, and leaning to fold, to call, to raise."""
_BOARDS_TOGETHER = 256


class Walked(Protocol):
    """Whose play goes on."""

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]: ...


class End(NamedTuple):
    """An end of the betting: chips of the first seat at a fold, chips at stake at a showdown."""

    shown: bool
    chips: float
    reach: tuple[Singles, Singles]
    """Of both seats [continuations, hands]."""


def run_outs(game: Game, board: Cards, count: int) -> list[Cards]:
    """All ways in which the rest of the board can come, in order; `count` of them if there are more.

    Those that are drawn begin with different cards while there are any.
    """
    rest = [card for card in game.deck if card not in board]
    missing = game.board_ends[-1] - len(board)
    if perm(len(rest), missing) <= count:
        return list(permutations(rest, missing))
    rng = np.random.default_rng((SEED, *board))
    first = rng.permutation(rest).tolist()
    found = []
    for number in range(count):
        card = first[number % len(first)]
        others = rng.permutation([one for one in rest if one != card])[: missing - 1]
        found.append((card, *others.tolist()))
    return found


def leaned(actions: tuple[Action, ...], shares: Floats, factor: float) -> Floats:
    """Probabilities [continuations, hands, actions] of the blueprint and of its leanings.

    >>> leaned((FOLD, CALL), np.array([[0.5, 0.5]]), 9.0).tolist()
    [[[0.5, 0.5]], [[0.9, 0.1]], [[0.1, 0.9]], [[0.5, 0.5]]]
    """
    if factor == 1:
        return shares[None]
    kinds = np.array([0 if action == FOLD else 1 if action == CALL else 2 for action in actions])
    times = np.ones((LEANINGS, 1, len(actions)))
    for kind in range(LEANINGS - 1):
        times[1 + kind, 0, kinds == kind] = factor
    found = shares * times
    return np.asarray(found / np.maximum(found.sum(axis=2, keepdims=True), 1e-300))


@dataclass(frozen=True, eq=False)
class Continuations:
    """What the blueprint's play after a street is worth, from the street's first state on.

    `rows` are the hands of both seats in the order of policies, `weights` [hands] theirs.
    """

    blueprint: Walked
    root: State
    rows: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
    weights: tuple[Floats, Floats]
    runouts: int
    factor: float
    both: bool = False
    """Whether both seats lean at once, or one at a time."""
    _kept: OrderedDict[Any, tuple[Singles, ...]] = field(default_factory=OrderedDict, repr=False)

    @property
    def bytes(self) -> int:
        """Of the matrices that are kept."""
        return len(self._kept) * self.leaf_bytes

    @property
    def leaf_bytes(self) -> int:
        """Of the matrices of one leaf."""
        pairs = self.count**2 if self.both else 2 * self.count
        return 4 * pairs * len(self.rows[0]) * len(self.rows[1])

    @cached_property
    def cards(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        every = policy_cards(self.root.game)
        return every[self.rows[0]], every[self.rows[1]]

    @cached_property
    def apart(self) -> Singles:
        """1 where two hands share no card."""
        first, second = self.cards
        shared = first[:, None, :, None] == second[None, :, None, :]
        return np.asarray(~shared.any(axis=(2, 3)), np.float32)

    @cached_property
    def equity(self) -> Singles:
        """Wins less losses of the first seat's hands if nobody bets any more, exact."""
        game, board = self.root.game, self.root.board
        rest = [card for card in game.deck if card not in board]
        boards = [(*board, *new) for new in combinations(rest, game.board_ends[-1] - len(board))]
        return self._mean_sign(boards)[0] * self.apart

    @cached_property
    def boards(self) -> list[Cards]:
        """The whole boards on which play is walked."""
        root = self.root
        return [(*root.board, *new) for new in run_outs(root.game, root.board, self.runouts)]

    @cached_property
    def drawn(self) -> tuple[Singles, Singles]:
        """On these boards: wins less losses, and how many of them two hands miss."""
        return self._mean_sign(self.boards)

    def _mean_sign(self, boards: Sequence[Cards]) -> tuple[Singles, Singles]:
        shape = self.apart.shape
        signs, counts = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
        row, met = np.zeros(shape[1], np.int16), np.zeros(shape[1], np.int16)
        for begin in range(0, len(boards), _BOARDS_TOGETHER):
            ranks = [self.ranks(board) for board in boards[begin : begin + _BOARDS_TOGETHER]]
            first, second = (np.stack([pair[seat] for pair in ranks]) for seat in (0, 1))
            add_signs(first, second, row, met, signs, counts)
        met_by = np.maximum(counts, 1).astype(np.float32)
        return np.asarray(signs / met_by, np.float32), met_by

    def ranks(self, board: Cards) -> tuple[Ranks, Ranks]:
        """The ranks of both seats' hands on a last board, from 1 on; 0 where they share a card."""
        cards = np.concatenate(self.cards)
        found = np.asarray(hole_ranks(self.root.game, cards)(board), np.int64)
        _, places = np.unique(found, return_inverse=True)
        dense = np.where(live_hands(cards, board), places + 1, 0).astype(np.int16)
        return dense[: len(self.rows[0])], dense[len(self.rows[0]) :]

    def values(self, leaf: State, chooser: int, *, deadline: float | None = None) -> Singles | None:
        """Chips of the first seat [its continuations, the second seat's, its hands, the second seat's].

        Who is not `chooser` has one continuation; with `both` nobody is. `leaf` is the first state of
        the next street, whose cards are not known yet. None if the moment of the monotonic clock is
        passed.
        """
        if leaf.betting not in self._kept:
            total = self._summed(leaf, deadline)
            if total is None:
                return None
            self._kept[leaf.betting] = total
            while len(self._kept) > 1 and self.bytes > KEPT_BYTES:
                self._kept.popitem(last=False)
        self._kept.move_to_end(leaf.betting)
        return self._kept[leaf.betting][0 if self.both else chooser]

    @property
    def count(self) -> int:
        """How many continuations there are."""
        return 1 if self.factor == 1 else LEANINGS

    def _summed(self, leaf: State, deadline: float | None) -> tuple[Singles, ...] | None:
        kinds = range(self.count)
        pairs = [(a, b) for a in kinds for b in kinds if self.both or not (a and b)]
        total = {pair: np.zeros(self.apart.shape, np.float32) for pair in pairs}
        folds: list[End] = []
        at_stake, met = dict.fromkeys(pairs, 0.0), 0.0
        for board in self.boards:
            if deadline is not None and time.monotonic() > deadline:
                return None
            ends = list(self._ends(leaf, board))
            folds += [end for end in ends if not end.shown]
            shown = [end for end in ends if end.shown]
            ranks = self.ranks(board)
            met += float((ranks[0] > 0).sum()) * float((ranks[1] > 0).sum())
            for pair in pairs if shown else ():
                product, chips = _product(shown, pair)
                add_showdowns(product, *ranks, total[pair])
                at_stake[pair] += chips
        equity, (sign, counts) = self.equity, self.drawn
        for pair in pairs:
            found = total[pair]
            found += _product(folds, pair)[0]
            found /= counts
            found += at_stake[pair] / met * (equity - sign)
            found *= self.apart
        if self.both:
            return (np.stack([np.stack([total[a, b] for b in kinds]) for a in kinds]),)
        return (
            np.stack([total[kind, 0] for kind in kinds])[:, None],
            np.stack([total[0, kind] for kind in kinds])[None],
        )

    def _ends(self, leaf: State, board: Cards) -> Iterator[End]:
        """The ends of the betting after a leaf on one board."""
        ends, mass = self.root.game.board_ends, [float(one.sum()) for one in self.weights]
        live = [live_hands(cards, board) for cards in self.cards]
        reach = [np.tile(one.astype(np.float64), (self.count, 1)) for one in live]
        stack: list[tuple[State, Floats, Floats]] = [(leaf, reach[0], reach[1])]
        while stack:
            state, *now = stack.pop()
            if state.actor < 0 and not state.is_showdown:
                chips = -state.spent[0] if state.folded[0] else state.spent[1]
                yield End(False, float(chips), _single(now))
                continue
            shares = [float((now[s] @ self.weights[s]).max()) / mass[s] for s in (0, 1)]
            if state.actor < 0 or shares[0] * shares[1] < UNLIKELY:
                yield End(True, float(min(state.spent)), _single(now))
                continue
            seat = state.actor
            seen = state.with_deal(Deal(((),) * 2, board[: ends[state.round]]))
            actions, table = self.blueprint.probabilities(seen)
            options = leaned(actions, table[self.rows[seat]], self.factor)
            for place, action in enumerate(actions):
                after = now[seat] * options[:, :, place]
                if after.any():
                    pair = (after, now[1]) if seat == 0 else (now[0], after)
                    stack.append((state.apply(action), *pair))


def _single(reach: Sequence[Floats]) -> tuple[Singles, Singles]:
    return reach[0].astype(np.float32), reach[1].astype(np.float32)


def _product(ends: list[End], pair: tuple[int, int]) -> tuple[Singles, float]:
    """Chips times the reach of both seats' hands over ends of the betting, and the sum of it."""
    if not ends:
        return np.zeros((1, 1), np.float32), 0.0
    first = np.stack([end.chips * end.reach[0][pair[0]] for end in ends]).astype(np.float32)
    second = np.stack([end.reach[1][pair[1]] for end in ends])
    chips = first.sum(axis=1, dtype=np.float64) @ second.sum(axis=1, dtype=np.float64)
    return np.asarray(first.T @ second), float(chips)
