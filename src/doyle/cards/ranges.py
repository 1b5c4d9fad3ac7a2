"""A range is a weight from 0 to 1 for each of the 1,326 hole pairs, and the text that says so.

The text is a list of items separated by commas or spaces; a later item overrides an earlier one
where they overlap.

=================  ===============================================================================
`AA`               the six pairs of aces
`AKs` `AKo` `AK`   suited, offsuit, both
`QQ+`              that pair and all higher ones
`ATs+`             the same high card with that kicker and all higher ones (`T9s+` is just `T9s`)
`66-22`            all pairs between the two, in either order
`A5s-A2s`          the same high card, all kickers between the two
`T9s-65s`          the same gap between the two cards, all high cards between the two
`KcQd`             exactly these two cards
`random` `any` `*` every hand
`AKs:0.5`          any of these with a weight
=================  ===============================================================================

The 13x13 grid of starting hands has pairs on the diagonal, suited hands above it, offsuit ones below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.base.display import Cell, Share, grid_html
from doyle.base.errors import DoyleError, ParseError
from doyle.cards.cards import HOLE_COUNT, HOLES, RANKS, SUITS, hole_index, parse_cards


def hand_name(row: int, column: int) -> str:
    """The usual name of a cell: AKs above the diagonal, AKo below, AA on it.

    >>> hand_name(0, 1), hand_name(1, 0), hand_name(12, 12)
    ('AKs', 'AKo', '22')
    """
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


def grid_places(
    cards: NDArray[np.integer],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and column of each hand of `cards`, an array [hands, 2].

    >>> [int(place[0]) for place in grid_places(np.array([[46, 50]]))]  # KhAh
    [0, 1]
    """
    ranks, suits = cards // 4, cards % 4
    high, low = 12 - ranks.max(axis=1), 12 - ranks.min(axis=1)
    suited = suits[:, 0] == suits[:, 1]
    return np.where(suited, high, low), np.where(suited, low, high)


def grid_means(
    cards: NDArray[np.integer], values: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The weighted mean of values[hands, n] over the hands of each cell: [13, 13, n]; 0 without any."""
    row, column = grid_places(cards)
    sums = np.zeros((13, 13, values.shape[1]))
    total = np.zeros((13, 13, 1))
    np.add.at(sums, (row, column), weights[:, None] * values)
    np.add.at(total, (row, column), weights[:, None])
    means: NDArray[np.float64] = sums / np.where(total > 0, total, 1.0)
    return means


Class = tuple[int, int, str]
"""A starting-hand class: high rank, low rank and 's', 'o' or (for pairs) ''."""

_WHAT = "range"
_EVERYTHING = ("random", "any", "*")
_ITEM = re.compile(r"[^,\s]+")


@dataclass(frozen=True, eq=False)
class Range:
    """A range that shows itself; wherever weights are taken it may be given in their place.

    >>> aces_and_kings = Range.parse("KK+, AKs:0.5")
    >>> str(aces_and_kings), aces_and_kings.hands
    ('KK+,AKs:0.5', 14.0)
    >>> aces_and_kings.share("AKs"), aces_and_kings.share("QQ")
    (0.5, 0.0)
    """

    weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        weights = np.array(self.weights, dtype=np.float64)
        format_range(weights)  # refuses what is no range
        weights.setflags(write=False)
        object.__setattr__(self, "weights", weights)

    @classmethod
    def parse(cls, text: str) -> Range:
        """The range that a text such as `QQ+, AKs, A5s-A2s:0.5` describes."""
        return cls(parse_range(text))

    @property
    def hands(self) -> float:
        """How many of the 1,326 hole pairs it holds, by weight."""
        return float(self.weights.sum())

    def share(self, name: str) -> float:
        """The mean weight of a class such as `AKs`, or of any other range text."""
        return float(self.weights[parse_range(name) > 0].mean())

    def __str__(self) -> str:
        return format_range(self.weights)

    def __repr__(self) -> str:
        return f"Range({str(self)!r})"

    def __len__(self) -> int:
        return HOLE_COUNT

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return bool((self.weights == other.weights).all())

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.weights, dtype=dtype)

    def _repr_html_(self) -> str:
        means = grid_means(HOLES, self.weights[:, None], np.ones(HOLE_COUNT))
        rows = [
            [
                Cell(hand_name(row, column), [Share("held", float(means[row, column, 0]))])
                for column in range(13)
            ]
            for row in range(13)
        ]
        title = f"{self.hands:g} of {HOLE_COUNT:,} hands"
        return grid_html(title, rows, [Share("held", self.hands / HOLE_COUNT)])


def parse_range(text: str) -> NDArray[np.float64]:
    """Read a range into weights over the 1,326 hole pairs.

    >>> weights = parse_range("QQ+, AKs, A5s-A2s:0.5")
    >>> float(weights.sum())
    30.0
    """
    weights = np.zeros(HOLE_COUNT)
    items = list(_ITEM.finditer(text))
    if not items:
        raise _refusal("expected a hand or a class of hands", text, 0)
    for item in items:
        word, start = item.group(), item.start()
        name, colon, weight_text = word.partition(":")
        weight = 1.0
        if colon:
            weight = _parse_weight(weight_text, text, start + len(name) + 1)
        for index in _parse_hands(name, text, start):
            weights[index] = weight
    return weights


def _refusal(problem: str, text: str, position: int) -> ParseError:
    return ParseError(problem, text=text, position=position, what=_WHAT)


def _parse_weight(word: str, text: str, position: int) -> float:
    try:
        weight = float(word)
    except ValueError:
        weight = -1.0
    if not 0.0 <= weight <= 1.0:
        raise _refusal("expected a weight from 0 to 1", text, position)
    return weight


def _parse_hands(name: str, text: str, start: int) -> Iterator[int]:
    if name in _EVERYTHING:
        yield from range(HOLE_COUNT)
        return
    if len(name) > 1 and name[1] in SUITS:
        yield _parse_hand(name, text, start)
        return
    for high, low, kind in _parse_classes(name, text, start):
        yield from class_hands(high, low, kind)


def _parse_hand(name: str, text: str, start: int) -> int:
    try:
        cards = parse_cards(name)
    except ParseError as error:
        position = start + error.position
        raise _refusal(error.problem, text, position) from None
    if len(cards) != 2:
        place = start + min(4, len(name))
        raise _refusal("expected two cards", text, place)
    return hole_index(*cards)


def _parse_classes(name: str, text: str, start: int) -> Iterator[Class]:
    """The classes of `AKs`, `AK+` or `A5s-A2s`; '' for a non-pair means suited and offsuit."""
    first = _parse_class(name, 0, text, start)
    end = _class_length(name, 0)
    rest = name[end:]
    if rest == "":
        yield first
    elif rest == "+":
        high, low, kind = first
        if high == low:
            yield from ((rank, rank, "") for rank in range(high, len(RANKS)))
        else:
            yield from ((high, kicker, kind) for kicker in range(low, high))
    elif rest.startswith("-"):
        last = _parse_class(name, end + 1, text, start)
        if end + 1 + _class_length(name, end + 1) != len(name):
            raise ParseError(
                "expected the end of this item",
                text=text,
                position=start + end + 1 + _class_length(name, end + 1),
                what=_WHAT,
            )
        yield from _between(first, last, text, start + end)
    else:
        raise _refusal("expected '+', '-', ':' or the end of this item", text, start + end)


def _parse_class(name: str, offset: int, text: str, start: int) -> Class:
    for place in (offset, offset + 1):
        if place >= len(name) or name[place] not in RANKS:
            raise _refusal(f"expected a rank (one of {RANKS})", text, start + place)
    ranks = sorted((RANKS.index(name[offset]), RANKS.index(name[offset + 1])))
    kind = name[offset + 2 : offset + 3]
    kind = kind if kind in ("s", "o") else ""
    if ranks[0] == ranks[1] and kind == "s":
        raise _refusal("a pair cannot be suited", text, start + offset + 2)
    return ranks[1], ranks[0], kind


def _class_length(name: str, offset: int) -> int:
    return 3 if name[offset + 2 : offset + 3] in ("s", "o") else 2


def _between(first: Class, last: Class, text: str, position: int) -> Iterator[Class]:
    (high, low, kind), (last_high, last_low, last_kind) = first, last
    same_gap = high - low == last_high - last_low
    if (
        kind != last_kind
        or not (high == last_high or same_gap)
        or (high == low) != (last_high == last_low)
    ):
        raise _refusal("both ends must be alike and share the high card or the gap", text, position)
    if high == last_high:
        for kicker in range(min(low, last_low), max(low, last_low) + 1):
            yield high, kicker, kind
    else:
        for top in range(min(high, last_high), max(high, last_high) + 1):
            yield top, top - (high - low), kind


def class_hands(high: int, low: int, kind: str) -> list[int]:
    """Hole indices of a class: kind 's', 'o', or '' for a pair or for suited and offsuit.

    >>> len(class_hands(12, 12, "")), len(class_hands(12, 11, "s")), len(class_hands(12, 11, "o"))
    (6, 4, 12)
    """
    hands = []
    for first in range(4):
        for second in range(4):
            if high == low and first >= second:
                continue
            if high != low and kind == ("o" if first == second else "s"):
                continue
            hands.append(hole_index(4 * high + first, 4 * low + second))
    return hands


def format_range(weights: NDArray[np.float64]) -> str:
    """Print weights as range text that `parse_range` reads back exactly.

    >>> format_range(parse_range("AKs,AQs,22,33,KcQd:0.25"))
    '33-22,AQs+,KcQd:0.25'
    """
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (HOLE_COUNT,):
        raise DoyleError(f"range: expected {HOLE_COUNT} weights, not an array of {weights.shape}")
    if not ((weights >= 0.0) & (weights <= 1.0)).all():
        raise DoyleError("range: weights must be from 0 to 1")
    if (weights == weights[0]).all():
        return "random" + _format_weight(float(weights[0]))
    items: list[str] = []
    exceptions: list[str] = []
    for row in _class_rows():
        row_weights = [_class_weight(weights, member, exceptions) for member in row]
        items.extend(_format_row(row, row_weights))
    return ",".join(items + exceptions)


def _class_rows() -> Iterator[list[Class]]:
    """Classes in rows that one item can span, each from its highest class down."""
    yield [(rank, rank, "") for rank in range(12, -1, -1)]
    for kind in ("s", "o"):
        for high in range(12, 0, -1):
            yield [(high, low, kind) for low in range(high - 1, -1, -1)]


def _class_weight(weights: NDArray[np.float64], member: Class, exceptions: list[str]) -> float:
    """The common weight of a class, or 0 after listing its hands one by one."""
    hands = class_hands(*member)
    values = weights[hands]
    if (values == values[0]).all():
        return float(values[0])
    for index, value in zip(hands, values, strict=True):
        if value > 0.0:
            low, high = HOLES[index]
            name = RANKS[high // 4] + SUITS[high % 4] + RANKS[low // 4] + SUITS[low % 4]
            exceptions.append(name + _format_weight(float(value)))
    return 0.0


def _format_row(row: list[Class], values: list[float]) -> Iterator[str]:
    start = 0
    while start < len(row):
        stop = start + 1
        while stop < len(row) and values[stop] == values[start]:
            stop += 1
        if values[start] > 0.0:
            first, last = _class_name(row[start]), _class_name(row[stop - 1])
            if stop - start == 1:
                name = first
            elif start == 0:
                name = f"{last}+"
            else:
                name = f"{first}-{last}"
            yield name + _format_weight(values[start])
        start = stop


def _class_name(member: Class) -> str:
    high, low, kind = member
    return RANKS[high] + RANKS[low] + kind


def _format_weight(weight: float) -> str:
    return "" if weight == 1.0 else f":{weight!r}"
