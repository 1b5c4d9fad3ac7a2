"""Kernels that number hands up to a renaming of suits, and back.

`index_hand` may be called from other packages' kernels: pass `IndexTables` and a `uint64[16]`
scratch made by the caller. Scratch holds, for each of the four suits, the number of its cards in
each group as one code [0:4], its index among suits with that code [4:8], and a product [8:12].
Twins: tests/reference/cards_isomorphism.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from doyle.base._numba import kernel

SCRATCH_SIZE = 16
"""Length of the uint64 scratch array that the kernels below work in."""

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE = np.uint64(3)
_FOUR = np.uint64(4)
_MASK13 = np.uint64(0x1FFF)
_EACH_SUIT = np.uint64(0x0001000100010001)


class IndexTables(NamedTuple):
    """Everything that numbers the hands of one tuple of groups; made by `Indexer`.

    A suit's code says how many of its cards each group has; a configuration is the four codes in
    descending order. `arrangements[codes of suits 0, 1, 2]` = configuration << 5 | permutation
    (the fourth code follows from the other three).
    """

    groups: NDArray[np.uint64]
    code_strides: NDArray[np.uint64]
    code_count: NDArray[np.uint64]
    arrangements: NDArray[np.uint32]
    permutations: NDArray[np.uint64]
    offsets: NDArray[np.uint64]
    codes: NDArray[np.uint64]
    counts: NDArray[np.uint64]
    runs: NDArray[np.uint64]
    radixes: NDArray[np.uint64]
    binomials: NDArray[np.uint64]
    bit_counts: NDArray[np.uint8]
    colex: NDArray[np.uint16]
    sets: NDArray[np.uint16]
    set_starts: NDArray[np.uint64]


@kernel
def index_hand(
    tables: IndexTables, cards: NDArray[np.uint8], start: np.uint64, scratch: NDArray[np.uint64]
) -> np.int64:
    """The number of the hand cards[start:start + k] (uint8, group by group); -1 if a card repeats."""
    for i in range(4):
        suit = np.uint64(i)
        scratch[suit] = _ZERO
        scratch[suit + np.uint64(4)] = _ZERO
        scratch[suit + np.uint64(8)] = _ONE
    used = _ZERO
    first = np.uint64(start)
    for g in range(np.uint64(len(tables.groups))):
        group = np.uint64(g)
        last = first + tables.groups[group]
        held = _ZERO
        for i in range(first, last):
            card = np.uint64(cards[np.uint64(i)])
            bit = _ONE << (((card & _THREE) << _FOUR) + (card >> _TWO))
            if (held | used) & bit:
                return np.int64(-1)
            held |= bit
        for i in range(first, last):
            card = np.uint64(cards[np.uint64(i)])
            _add_card(tables, card, held, used, scratch)
        _close_group(tables, tables.code_strides[group], held, used, scratch)
        used |= held
        first = last
    return combine_suits(tables, arrangement_of(tables, scratch), scratch)


@kernel
def _add_card(
    tables: IndexTables,
    card: np.uint64,
    held: np.uint64,
    used: np.uint64,
    scratch: NDArray[np.uint64],
) -> None:
    """Add a card's share to its suit's index: its place among the ranks that earlier groups left."""
    suit = card & _THREE
    rank = card >> _TWO
    below = (_ONE << rank) - _ONE
    shift = suit << _FOUR
    place = np.uint64(tables.bit_counts[(held >> shift) & below])
    left = rank - np.uint64(tables.bit_counts[(used >> shift) & below])
    share = tables.binomials[left, place + _ONE]
    scratch[suit + np.uint64(4)] += share * scratch[suit + np.uint64(8)]


@kernel
def _close_group(
    tables: IndexTables,
    stride: np.uint64,
    held: np.uint64,
    used: np.uint64,
    scratch: NDArray[np.uint64],
) -> None:
    """After a group: each suit's code, and by how much the next group's index counts."""
    for i in range(4):
        suit = np.uint64(i)
        shift = suit << _FOUR
        count = np.uint64(tables.bit_counts[(held >> shift) & _MASK13])
        taken = np.uint64(tables.bit_counts[(used >> shift) & _MASK13])
        scratch[suit] += count * stride
        scratch[suit + np.uint64(8)] *= tables.binomials[np.uint64(13) - taken, count]


@kernel
def arrangement_of(tables: IndexTables, scratch: NDArray[np.uint64]) -> np.uint64:
    """The configuration and permutation of the codes in scratch[0:3]."""
    count = tables.code_count[_ZERO]
    place = (scratch[_ZERO] * count + scratch[_ONE]) * count + scratch[_TWO]
    return np.uint64(tables.arrangements[place])


@kernel
def combine_suits(
    tables: IndexTables, arrangement: np.uint64, scratch: NDArray[np.uint64]
) -> np.int64:
    """The number of a hand from its arrangement and the suits' indices in scratch[4:8].

    Suits with equal codes are interchangeable, so only the multiset of their indices counts: in
    ascending order i0 <= i1 <= ..., its number is C(i0, 1) + C(i1 + 1, 2) + C(i2 + 2, 3) + ...
    """
    configuration = arrangement >> np.uint64(5)
    permutation = arrangement & np.uint64(31)
    four = np.uint64(4)
    a = scratch[four + tables.permutations[permutation, _ZERO]]
    b = scratch[four + tables.permutations[permutation, _ONE]]
    c = scratch[four + tables.permutations[permutation, _TWO]]
    d = scratch[four + tables.permutations[permutation, _THREE]]
    runs = tables.runs[configuration]
    index = tables.offsets[configuration]
    if runs == _ZERO:  # all different
        index += a + b * tables.radixes[configuration, _ONE]
        index += c * tables.radixes[configuration, _TWO]
        return np.int64(index + d * tables.radixes[configuration, _THREE])
    # Bit k of `runs` says that positions k and k + 1 have the same code.
    if runs & _ONE and a > b:
        a, b = b, a
    if runs & _TWO and b > c:
        b, c = c, b
        if runs & _ONE and a > b:
            a, b = b, a
    if runs & np.uint64(4) and c > d:
        c, d = d, c
        if runs & _TWO and b > c:
            b, c = c, b
            if runs & _ONE and a > b:
                a, b = b, a
    place = _ZERO
    index += a
    place = place + _ONE if runs & _ONE else _ZERO
    index += _multiset_share(b, place) * tables.radixes[configuration, _ONE]
    place = place + _ONE if runs & _TWO else _ZERO
    index += _multiset_share(c, place) * tables.radixes[configuration, _TWO]
    place = place + _ONE if runs & np.uint64(4) else _ZERO
    index += _multiset_share(d, place) * tables.radixes[configuration, _THREE]
    return np.int64(index)


@kernel
def _multiset_share(value: np.uint64, place: np.uint64) -> np.uint64:
    """C(value + place, place + 1) for place 0 to 3."""
    if place == _ZERO:
        return value
    share = (value * (value + _ONE)) >> _ONE
    if place == _ONE:
        return share
    share = share * (value + _TWO) // _THREE
    if place == _TWO:
        return share
    return share * (value + _THREE) // _FOUR


@kernel
def index_hands(
    tables: IndexTables,
    hands: NDArray[np.uint8],
    scratch: NDArray[np.uint64],
    indices: NDArray[np.int64],
) -> None:
    """Write the number of each row of `hands` (uint8[n * k], flat) into `indices` (int64[n])."""
    size = _ZERO
    for i in range(len(tables.groups)):
        size += tables.groups[np.uint64(i)]
    for i in range(np.uint64(len(indices))):
        row = np.uint64(i)
        indices[row] = index_hand(tables, hands, row * size, scratch)


@kernel
def split_index(tables: IndexTables, index: np.uint64, scratch: NDArray[np.uint64]) -> np.uint64:
    """Undo `combine_suits`: positions' suit indices into scratch[4:8]; returns the configuration."""
    low = _ZERO
    high = np.uint64(len(tables.offsets)) - _ONE
    while high - low > _ONE:
        middle = (low + high) >> _ONE
        if tables.offsets[middle] <= index:
            low = middle
        else:
            high = middle
    rest = index - tables.offsets[low]
    runs = tables.runs[low]
    position = np.uint64(4)
    while position > _ZERO:
        start = position - _ONE
        while start > _ZERO and (runs >> (start - _ONE)) & _ONE:
            start -= _ONE
        radix = tables.radixes[low, start]
        value = rest // radix
        rest -= value * radix
        while position > start + _ONE:
            position -= _ONE
            place = position - start
            found = _largest(value, place)
            value -= _multiset_share(found, place)
            scratch[np.uint64(4) + position] = found
        scratch[np.uint64(4) + start] = value
        position = start
    return low


@kernel
def _largest(value: np.uint64, place: np.uint64) -> np.uint64:
    """The largest n whose `_multiset_share(n, place)` is at most `value`."""
    low = _ZERO
    high = _ONE
    while _multiset_share(high, place) <= value:
        low = high
        high = high << _ONE
    while high - low > _ONE:
        middle = (low + high) >> _ONE
        if _multiset_share(middle, place) <= value:
            low = middle
        else:
            high = middle
    return low


@kernel
def unindex_hands(
    tables: IndexTables,
    indices: NDArray[np.int64],
    scratch: NDArray[np.uint64],
    hands: NDArray[np.uint8],
) -> None:
    """Write the canonical hand of each index into the rows of `hands` (uint8[n * k], flat).

    Positions take the suits s, h, d, c in turn; within a group cards ascend.
    """
    size = _ZERO
    for i in range(len(tables.groups)):
        size += tables.groups[np.uint64(i)]
    for i in range(np.uint64(len(indices))):
        row = np.uint64(i)
        configuration = split_index(tables, np.uint64(indices[row]), scratch)
        used = _ZERO
        out = row * size
        for g in range(np.uint64(len(tables.groups))):
            held = _group_cards(tables, configuration, np.uint64(g), used, scratch)
            for j in range(np.uint64(13)):
                rank = np.uint64(j)
                if not (held >> rank) & _EACH_SUIT:
                    continue
                for k in range(np.uint64(4)):
                    suit = np.uint64(k)
                    if (held >> ((suit << _FOUR) + rank)) & _ONE:
                        hands[out] = (rank << _TWO) | suit
                        out += _ONE
            used |= held


@kernel
def _group_cards(
    tables: IndexTables,
    configuration: np.uint64,
    group: np.uint64,
    used: np.uint64,
    scratch: NDArray[np.uint64],
) -> np.uint64:
    """The cards of one group as 16 bits a suit; divides the suit indices in scratch[4:8] down."""
    held = _ZERO
    for p in range(np.uint64(4)):
        position = np.uint64(p)
        count = tables.counts[configuration, group, position]
        if count == _ZERO:
            continue
        shift = (_THREE - position) << _FOUR
        mask = (used >> shift) & _MASK13
        choices = tables.binomials[np.uint64(13) - np.uint64(tables.bit_counts[mask]), count]
        value = scratch[np.uint64(4) + position]
        rest = value // choices
        scratch[np.uint64(4) + position] = rest
        place = tables.set_starts[count] + value - rest * choices
        held |= _spread(np.uint64(tables.sets[place]), mask) << shift
    return held


@kernel
def _spread(chosen: np.uint64, mask: np.uint64) -> np.uint64:
    """Move the bits of `chosen` to the ranks that `mask` leaves free, in order."""
    while mask:
        lowest = mask & (~mask + _ONE)
        below = chosen & (lowest - _ONE)
        chosen = below | ((chosen ^ below) << _ONE)
        mask ^= lowest
    return chosen


@kernel
def count_members(
    tables: IndexTables, start: np.uint64, scratch: NDArray[np.uint64], weights: NDArray[np.uint8]
) -> None:
    """Write how many hands share each of the numbers from `start` on into `weights` (uint8[n])."""
    for i in range(np.uint64(len(weights))):
        row = np.uint64(i)
        configuration = split_index(tables, np.uint64(start) + row, scratch)
        runs = tables.runs[configuration]
        stabilizer = _ONE
        alike = _ONE
        for p in range(np.uint64(3)):
            position = np.uint64(p)
            here = scratch[np.uint64(4) + position]
            after = scratch[np.uint64(5) + position]
            alike = alike + _ONE if (runs >> position) & _ONE and here == after else _ONE
            stabilizer *= alike
        weights[row] = np.uint64(24) // stabilizer


@kernel
def index_all_holes(
    tables: IndexTables,
    board: NDArray[np.uint8],
    scratch: NDArray[np.uint64],
    indices: NDArray[np.int64],
) -> None:
    """Write the number of every hole pair with `board` (groups (2, len(board))); -1 if they collide.

    The suit indices of 0 or 1 hole card in a suit are worked out once, in `singles`.
    """
    held = _ZERO
    for i in range(len(board)):
        card = np.uint64(board[np.uint64(i)])
        held |= _ONE << (((card & _THREE) << _FOUR) + (card >> _TWO))
    codes = np.empty(4, np.uint64)
    none = np.empty(4, np.uint64)
    singles = np.empty(52, np.uint64)
    for i in range(np.uint64(4)):
        suit = np.uint64(i)
        mask = (held >> (suit << _FOUR)) & _MASK13
        codes[suit] = np.uint64(tables.bit_counts[mask]) * tables.code_strides[_ONE]
        none[suit] = np.uint64(tables.colex[mask])
        for r in range(np.uint64(13)):
            rank = np.uint64(r)
            squeezed = _squeeze(mask, rank)
            index = rank + np.uint64(13) * np.uint64(tables.colex[squeezed])
            singles[(rank << _TWO) | suit] = index
    for i in range(np.uint64(4)):
        for j in range(np.uint64(i) + _ONE):
            _index_suits(
                tables, np.uint64(i), np.uint64(j), held, codes, none, singles, scratch, indices
            )


@kernel
def _squeeze(mask: np.uint64, rank: np.uint64) -> np.uint64:
    """`mask` with the bit at `rank` taken out and the bits above moved down."""
    below = (_ONE << rank) - _ONE
    return (mask & below) | ((mask >> _ONE) & ~below)


@kernel
def _index_suits(
    tables: IndexTables,
    first: np.uint64,
    second: np.uint64,
    held: np.uint64,
    codes: NDArray[np.uint64],
    none: NDArray[np.uint64],
    singles: NDArray[np.uint64],
    scratch: NDArray[np.uint64],
    indices: NDArray[np.int64],
) -> None:
    """The part of `index_all_holes` with one hole card in suit `first` and one in suit `second`."""
    four = np.uint64(4)
    for i in range(np.uint64(4)):
        scratch[np.uint64(i)] = codes[np.uint64(i)]
        scratch[four + np.uint64(i)] = none[np.uint64(i)]
    scratch[first] += _ONE
    scratch[second] += _ONE
    arrangement = arrangement_of(tables, scratch)
    mask = (held >> (first << _FOUR)) & _MASK13
    for i in range(np.uint64(13)):
        rank = np.uint64(i)
        card = (rank << _TWO) | first
        scratch[four + first] = singles[card]
        for j in range(rank if first == second else np.uint64(13)):
            other_rank = np.uint64(j)
            other = (other_rank << _TWO) | second
            high = max(card, other)
            low = min(card, other)
            place = ((high * (high - _ONE)) >> _ONE) + low
            if (held >> ((first << _FOUR) + rank)) & _ONE or (
                held >> ((second << _FOUR) + other_rank)
            ) & _ONE:
                indices[place] = -1
                continue
            if first == second:
                squeezed = _squeeze(_squeeze(mask, rank), other_rank)
                pair = ((rank * (rank - _ONE)) >> _ONE) + other_rank
                index = pair + np.uint64(78) * np.uint64(tables.colex[squeezed])
                scratch[four + first] = index
            else:
                scratch[four + second] = singles[other]
            indices[place] = combine_suits(tables, arrangement, scratch)
