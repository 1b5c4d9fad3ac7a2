"""Where a responder's winnings come from: by its first raise of the hand.

A raise is classed by its round and, in no-limit, by its size in pots, counted as `response.raises`
counts them; limit has one size. All later winnings are attributed to the first raise, so a misread
raise shows here even if the chips are won two rounds later.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any, NamedTuple

from doyle.games import CALL, State

POTS = (0.0, 0.7, 1.3, 2.5, 5.0, 10.0, 30.0)
"""Where classes of sizes begin; the last has no end."""
ALL_IN = len(POTS)
LIMIT = ALL_IN + 1
"""The class of a raise whose size the game fixes."""

ROUND_NAMES = ("preflop", "flop", "turn", "river")


class FirstRaise(NamedTuple):
    """A class of first raises: the round, and the place in `POTS`, `ALL_IN` or `LIMIT`."""

    round: int
    size: int

    @property
    def pots(self) -> tuple[float, float | None] | None:
        """The range of sizes (from, below), in pots; None for an all-in and in limit."""
        if self.size in (ALL_IN, LIMIT):
            return None
        return POTS[self.size], POTS[self.size + 1] if self.size + 1 < ALL_IN else None

    def __str__(self) -> str:
        """
        >>> str(FirstRaise(0, 5)), str(FirstRaise(3, 6)), str(FirstRaise(1, ALL_IN))
        ('preflop, 10 to 30 pots', 'river, 30 pots or more', 'flop, all-in')
        >>> str(FirstRaise(2, LIMIT))
        'turn'
        """
        name = ROUND_NAMES[self.round] if self.round < len(ROUND_NAMES) else f"round {self.round}"
        if self.pots is None:
            return f"{name}, all-in" if self.size == ALL_IN else name
        low, high = self.pots
        return (
            f"{name}, {low:g} pots or more" if high is None else f"{name}, {low:g} to {high:g} pots"
        )


def first_raise(state: State, seat: int) -> FirstRaise | None:
    """The class of the first raise that `seat` made on the way to `state`; None without a raise.

    >>> from doyle.games import Game
    >>> state = State.start(Game.named("holdem-nl-200bb"))
    >>> str(first_raise(state.apply(1500).apply(CALL), 1)), first_raise(state.apply(1500), 0)
    ('preflop, 5 to 10 pots', None)
    """
    now = State.start(state.game)
    for actions in state.betting:
        for action in actions:
            if action > CALL and now.actor == seat:
                if state.game.is_limit:
                    return FirstRaise(now.round, LIMIT)
                if action == now.max_raise_to:
                    return FirstRaise(now.round, ALL_IN)
                pots = (action - now.largest) / (now.pot + now.to_call)
                return FirstRaise(now.round, bisect_right(POTS, pots) - 1)
            now = now.apply(action)
    return None


def origins_document(origins: Mapping[FirstRaise | None, float]) -> list[dict[str, Any]]:
    """Winnings in mbb/h by first raise, the largest first."""
    rows = []
    for kind, value in sorted(origins.items(), key=lambda entry: -entry[1]):
        pots = None if kind is None else kind.pots
        rows.append(
            {
                "round": None if kind is None else kind.round,
                "all_in": kind is not None and kind.size == ALL_IN,
                "from_pots": None if pots is None else pots[0],
                "below_pots": None if pots is None else pots[1],
                "mbb_per_hand": value,
            }
        )
    return rows
