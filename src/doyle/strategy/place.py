"""`PlaceView`: the play at one decision, with every hand.

Strategies, spots, explanations, the explorer, report cards and notebooks show the same object. `reach` is
the probability of the seat's own actions (times a starting weight, in spots); `weights` are the
frequencies of the hands here. A cell of the grid shows the mix of its hands that are here, and is
filled by their mean reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.display import Cell, Share, grid_html, share_text, table_html
from doyle.base.errors import DoyleError
from doyle.cards import HOLES, format_cards, hole_index
from doyle.cards.ranges import grid_means, grid_places, hand_name
from doyle.games import CALL, Action, Policy, State
from doyle.games.histories import format_betting
from doyle.games.policies import policy_cards, possible_hands
from doyle.strategy.strategy import Strategy

Floats = npt.NDArray[np.float64]
Rows = list[list[float] | None]


@dataclass(frozen=True, eq=False)
class PlaceView:
    """The actions of a decision with their names, and for every hand reach, probabilities, values."""

    history: str
    board: tuple[int, ...]
    seat: int
    actions: tuple[Action, ...]
    names: tuple[str, ...]
    """fold, check, call, raise 300, all-in."""
    cards: npt.NDArray[np.integer[Any]]
    """[hands, cards of a hand]."""
    live: npt.NDArray[np.bool_]
    """The hands that can be here; the rows of all others are undefined."""
    reach: Floats
    weights: Floats
    """How often each hand is here, without a common factor; 0 if it is not live."""
    probabilities: Floats
    action_values: Floats | None = None
    """[hands, actions], in chips; NaN for a hand with no hand to meet."""
    equity: Floats | None = None

    @classmethod
    def of_policy(cls, policy: Policy, state: State, *, meeting: bool = False) -> PlaceView:
        """A policy's play at a public state with its board; `meeting` weighs by the other seat's
        hands."""
        state = state.public()
        actions, shares = policy.probabilities(state)
        live = possible_hands(state.game, state.board)
        reach = np.asarray(policy.reach(state, state.actor), np.float64)
        weights = np.where(live, reach, 0.0)
        if meeting:
            weights = weights * meeting_weights(
                np.where(live, policy.reach(state, 1 - state.actor), 0.0)
            )
        return cls(
            format_betting(state),
            state.board,
            state.actor,
            actions,
            tuple(state.action_name(action) for action in actions),
            policy_cards(state.game),
            live,
            reach,
            weights,
            np.where(live[:, None], shares, 0.0),
        )

    @classmethod
    def of_strategy(
        cls, strategy: Strategy, preflop_buckets: npt.NDArray[np.int32], node: int
    ) -> PlaceView:
        """The play of tables at a decision of the first round; `preflop_buckets` int32[1326] by
        hole."""
        tree = strategy.tree
        history = tree.betting_text(node)
        if tree.round[node] != 0 or tree.child_count[node] == 0:
            raise DoyleError(f"history {history!r}: the grid shows decisions before the flop")
        ones = np.ones(len(HOLES))
        return cls(
            history,
            (),
            int(tree.actor[node]),
            tuple(tree.actions_of(node).tolist()),
            tree.action_names(node),
            HOLES,
            ones > 0,
            ones,
            ones,
            strategy.probabilities(node, preflop_buckets),
        )

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The actions as histories write them: f, c, r300."""
        return tuple("fc"[one] if one <= CALL else f"r{one}" for one in self.actions)

    @cached_property
    def frequencies(self) -> Floats:
        """The frequency of each action over the hands that are here; NaN without hands."""
        total = self.weights.sum()
        if total <= 0:
            return np.full(len(self.actions), np.nan)
        return np.asarray(self.weights @ self.probabilities / total)

    @cached_property
    def values(self) -> Floats:
        """The value of each action to the hands that take it, weighted by frequency; NaN if no hand
        takes it."""
        taken = self.weights[:, None] * self.probabilities
        total = taken.sum(axis=0)
        earned = np.nansum(taken * self._action_values, axis=0)
        return np.where(total > 0, earned / np.where(total > 0, total, 1.0), np.nan)

    @cached_property
    def hand_values(self) -> Floats:
        """The value of each hand; NaN where it has no hand to meet."""
        return np.asarray((self.probabilities * self._action_values).sum(axis=1))

    @property
    def _action_values(self) -> Floats:
        if self.action_values is None:
            raise ValueError("values are known of solved spots only")
        return self.action_values

    @cached_property
    def fill(self) -> Floats:
        """[13, 13]: the mean reach of the live hands of each class, at most 1."""
        means = grid_means(self.cards, self.reach[:, None], self.live.astype(np.float64))
        return np.asarray(means[:, :, 0].clip(0.0, 1.0))

    @cached_property
    def cells(self) -> Floats:
        """[13, 13, actions]: the play of each class; the sum is the share of its hands that are
        here."""
        means = grid_means(self.cards, self.probabilities, self.weights)
        return np.asarray(means * self.fill[:, :, None])

    def by_class(self) -> dict[str, dict[str, Any]]:
        """Reach, frequencies, value and equity by starting-hand class, over the hands that are here."""
        groups: dict[str, list[int]] = {}
        for hand, (row, column) in enumerate(zip(*grid_places(self.cards), strict=True)):
            groups.setdefault(hand_name(int(row), int(column)), []).append(hand)
        here = {
            name: [hand for hand in hands if self.weights[hand] > 0]
            for name, hands in groups.items()
        }
        return {name: self._row(np.array(hands)) for name, hands in here.items() if hands}

    def by_hand(self) -> dict[str, dict[str, Any]]:
        """The same for every hand that is here, the higher card first: AsKs."""
        here = np.flatnonzero(self.weights > 0)
        return {
            format_cards(self.cards[hand][::-1]): self._row(here[[at]])
            for at, hand in enumerate(here)
        }

    def _row(self, hands: npt.NDArray[np.int64]) -> dict[str, Any]:
        weights = self.weights[hands] / self.weights[hands].sum()
        row: dict[str, Any] = {
            "reach": _plain(self.reach[hands].mean()),
            "frequencies": [_plain(share) for share in weights @ self.probabilities[hands]],
        }
        if self.action_values is not None:
            row["value"] = _plain(weights @ self.hand_values[hands])
        if self.equity is not None:
            row["equity"] = _plain(weights @ self.equity[hands])
        return row

    def rows(self, buckets: npt.NDArray[np.int32] | None = None) -> tuple[Rows, list[float]]:
        """By hole for the explorer: [reach, bucket or -1, probabilities, value, equity]; the weights."""
        rows: Rows = [None] * len(HOLES)
        shares = [0.0] * len(HOLES)
        total = float(self.weights.sum()) or 1.0
        for hand in np.flatnonzero(self.live).tolist():
            place = hole_index(*self.cards[hand].tolist())
            row = [
                round(float(self.reach[hand]), 5),
                -1 if buckets is None else int(buckets[hand]),
                *(round(float(share), 4) for share in self.probabilities[hand]),
            ]
            if self.action_values is not None and self.equity is not None:
                value = np.nan_to_num(self.hand_values[hand])
                row += [round(float(value), 3), round(float(self.equity[hand]), 4)]
            rows[place] = row
            shares[place] = round(float(self.weights[hand]) / total, 6)
        return rows, shares

    def document(self, *, hands: bool = True) -> dict[str, Any]:
        """The place as plain values; a file of a spot's can be given as a lock."""
        document: dict[str, Any] = {
            "history": self.history,
            "board": format_cards(self.board),
            "seat": self.seat,
            "actions": list(self.texts),
            "names": list(self.names),
            "frequencies": [_plain(share) for share in self.frequencies],
        }
        if self.action_values is not None:
            document["values"] = [_plain(value) for value in self.values]
        if hands:
            document["by_class"] = self.by_class()
            document["by_hand"] = self.by_hand()
        return document

    def grid_document(self) -> dict[str, Any]:
        """The grid as plain values, as `doyle strategy show` prints it."""
        return {
            "history": self.history,
            "seat": self.seat,
            "actions": list(self.names),
            "overall": [round(float(share), 6) for share in self.frequencies],
            "by_class": {
                hand_name(row, column): {
                    "frequencies": [round(float(share), 6) for share in self.cells[row, column]]
                }
                for row in range(13)
                for column in range(13)
            },
        }

    @property
    def title(self) -> str:
        """Where this is: after 'cr300' on Ks7h4d, seat 1."""
        where = f"after {self.history!r}" if self.history else "first to act"
        board = f" on {format_cards(self.board)}" if self.board else ""
        return f"{where}{board}, seat {self.seat}"

    def html(self) -> str:
        """The 13x13 grid, each cell divided by its actions; a table of the cards of a small deck."""
        if self.cards.shape[1] == 2:
            rows = [
                [
                    Cell(hand_name(row, column), self._shares(self.cells[row, column]))
                    for column in range(13)
                ]
                for row in range(13)
            ]
            return grid_html(self.title, rows, self._shares(self.frequencies))
        here = np.flatnonzero(self.weights > 0)
        lines = [
            [format_cards(self.cards[hand]), *(f"{one:.3f}" for one in self.probabilities[hand])]
            for hand in here
        ]
        return table_html(["hand", *self.names], lines, title=self.title)

    def _repr_html_(self) -> str:
        return self.html()

    def _shares(self, shares: Floats) -> list[Share]:
        return list(map(Share, self.names, shares))

    def __repr__(self) -> str:
        shares = zip(self.names, self.frequencies, strict=True)
        mix = ", ".join(f"{name} {share:.1%}" for name, share in shares)
        return f"PlaceView({self.history!r}: {mix})"

    def lines(self) -> list[str]:
        """The grid as text: the most frequent action of each hand that reaches this place, and its
        frequency.

        Each action has a sign, explained in the first lines; a dot marks a hand that never reaches
        this place.
        """
        signs = _signs(self.names)
        key = [
            f"{sign}  {name:<12} {share_text(float(share)):>6} of the hands that get here"
            for sign, name, share in zip(signs, self.names, self.frequencies, strict=True)
        ]
        rows = [
            " ".join(
                f"{hand_name(row, column):>3} {_commonest(signs, self.cells[row, column])}"
                for column in range(13)
            ).rstrip()
            for row in range(13)
        ]
        return [*key, "", *rows]


def meeting_weights(reach: Floats) -> Floats:
    """The weight of the hands of the other seat that share no card with each hand."""
    by_card = np.bincount(HOLES.ravel(), weights=np.repeat(reach, 2), minlength=52)
    return np.asarray(reach.sum() - by_card[HOLES[:, 0]] - by_card[HOLES[:, 1]] + reach)


def _signs(names: tuple[str, ...]) -> list[str]:
    """A letter for each action, a number for each raise: f c 1 2 a."""
    raises = iter("123456789bdeghijklmnopqrstuvwxyz")
    return [next(raises) if name.startswith("raise") else name[0] for name in names]


def _commonest(signs: list[str], shares: Floats) -> str:
    total = float(shares.sum())
    if total <= 0:
        return ".  "
    place = int(shares.argmax())
    percent = round(100 * float(shares[place]) / total)
    return f"{signs[place]}{'' if percent == 100 else percent:<2}"


def _plain(number: Any) -> float | None:
    """A number for JSON; null for NaN."""
    value = float(number)
    return None if np.isnan(value) else round(value, 6)
