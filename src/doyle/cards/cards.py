"""A card is an int: 4 * rank + suit, with rank 0 ('2') to 12 ('A') and suits in the order c d h s.

The two hole cards {a, b} of Hold'em, a < b, have the index b * (b - 1) / 2 + a, from 0 to 1,325;
vectors over hands are always in this order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from doyle.base.errors import DoyleError, ParseError

Card: TypeAlias = int

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK_SIZE = 52
HOLE_COUNT = 1326

CARD_NAMES: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARDS = {name: card for card, name in enumerate(CARD_NAMES)}


def _holes() -> NDArray[np.int64]:
    high, low = np.tril_indices(DECK_SIZE, k=-1)
    holes = np.stack([low, high], axis=1).astype(np.int64)
    holes.flags.writeable = False
    return holes


HOLES: NDArray[np.int64] = _holes()
"""The two cards, low then high, of every hole index: int64[1326, 2]."""


def live_hands(cards: NDArray[np.integer], dead: Collection[Card]) -> NDArray[np.bool_]:
    """Which of the hands [hands, cards of a hand] have none of the dead cards.

    >>> int(live_hands(HOLES, (0, 1, 2)).sum())
    1176
    """
    gone = np.zeros(DECK_SIZE, bool)
    gone[list(dead)] = True
    return np.asarray(~np.logical_or.reduce([gone[column] for column in cards.T]))


def hole_index(first: Card, second: Card) -> int:
    """The index of two hole cards, in either order.

    >>> hole_index(0, 1), hole_index(51, 50)
    (0, 1325)
    """
    low, high = (first, second) if first < second else (second, first)
    if not 0 <= low < high < DECK_SIZE:
        raise DoyleError(f"hole cards {first}, {second}: expected two different cards from 0 to 51")
    return high * (high - 1) // 2 + low


def parse_card(text: str) -> Card:
    """Read one card.

    >>> parse_card("2c"), parse_card("As")
    (0, 51)
    """
    cards = parse_cards(text, what="card")
    if len(cards) != 1:
        raise ParseError("expected one card", text=text, position=min(2, len(text)), what="card")
    return cards[0]


def parse_cards(text: str, *, what: str = "cards") -> tuple[Card, ...]:
    """Read cards written one after the other; spaces and commas between cards are passed over.

    >>> parse_cards("As Kd,2c")
    (51, 45, 0)
    >>> parse_cards("AsKx")
    Traceback (most recent call last):
    doyle.base.errors.ParseError: cards 'AsKx': expected a suit (one of cdhs) at character 4
    """
    cards: list[Card] = []
    position = 0
    while position < len(text):
        if text[position] in " ,\t":
            position += 1
            continue
        if text[position] not in RANKS:
            raise ParseError(
                f"expected a rank (one of {RANKS})", text=text, position=position, what=what
            )
        card = _CARDS.get(text[position : position + 2])
        if card is None:
            raise ParseError(
                f"expected a suit (one of {SUITS})", text=text, position=position + 1, what=what
            )
        if card in cards:
            raise ParseError(
                f"{CARD_NAMES[card]} appears twice", text=text, position=position, what=what
            )
        cards.append(card)
        position += 2
    return tuple(cards)


def format_card(card: Card) -> str:
    """Print one card.

    >>> format_card(51)
    'As'
    """
    if not 0 <= card < DECK_SIZE:
        raise DoyleError(f"card {card}: expected a number from 0 to 51")
    return CARD_NAMES[card]


def format_cards(cards: Iterable[Card]) -> str:
    """Print cards one after the other, in the order given.

    >>> format_cards((51, 45, 0))
    'AsKd2c'
    """
    return "".join(format_card(card) for card in cards)


def check_cards(cards: Iterable[Card], *, what: str = "cards") -> tuple[Card, ...]:
    """The cards as a tuple of plain ints, refused unless all different and from the deck."""
    checked = tuple(int(card) for card in cards)
    for card in checked:
        if not 0 <= card < DECK_SIZE:
            raise DoyleError(f"{what}: card {card} is not a number from 0 to 51")
    if len(set(checked)) != len(checked):
        raise DoyleError(f"{what} {format_cards(checked)}: a card appears twice")
    return checked
