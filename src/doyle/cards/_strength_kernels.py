"""Kernels that compare all 1,081 hands of a river board with each other, cards removed.

Hands are sorted by rank. A hand {a, b} beats every weaker hand except those that hold a or b, so
it wins (weaker hands) - (weaker with a) - (weaker with b); counting "weaker or equal" in the same
way counts the hand itself once in the first term and twice in the others, hence + 1.
Showdowns are counted of fixed hands over all boards, and of two ranges on one board.
Twins: tests/reference/cards_ranking.py and cards_equity.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from doyle.base._numba import kernel
from doyle.cards._ranking_kernels import card_bit, rank_of
from doyle.cards.ranking import RankTables

LIVE_HANDS = 1081
OPPONENTS = 990

_ONE = np.uint64(1)
_SIX = np.uint64(6)
_RANK_SHIFT = np.uint64(12)
_HIGH_SHIFT = np.uint64(19)
_CARD_MASK = np.uint64(63)
_DIGIT_MASK = np.uint64(127)
_LIVE = np.uint64(LIVE_HANDS)


class BoardScratch(NamedTuple):
    """Buffers of one thread; after `sort_board`, `entries` has the live hands from weakest up.

    An entry is rank << 12 | high card << 6 | low card. `held[card]` counts (or weighs) the hands
    passed so far that hold the card.
    """

    entries: NDArray[np.uint32]
    spare: NDArray[np.uint32]
    histogram: NDArray[np.uint32]
    held: NDArray[np.int32]


def board_scratch() -> BoardScratch:
    """Buffers for `sort_board` and `count_board`."""
    return BoardScratch(
        np.zeros(LIVE_HANDS, np.uint32),
        np.zeros(LIVE_HANDS, np.uint32),
        np.zeros(256, np.uint32),
        np.zeros(52, np.int32),
    )


@kernel
def sort_board(tables: RankTables, board: NDArray[np.uint8], scratch: BoardScratch) -> None:
    """Rank the 1,081 live hands of `board` (uint8[5]) and sort them into `scratch.entries`."""
    keys = tables.keys
    entries = scratch.entries
    histogram = scratch.histogram
    base = keys[52]
    base_mask = np.uint64(0)
    dead = np.uint64(0)
    for i in range(5):
        card = np.uint64(board[np.uint64(i)])
        base += keys[card]
        base_mask |= card_bit(card)
        dead |= _ONE << card
    for i in range(256):
        histogram[np.uint64(i)] = 0
    count = np.uint64(0)
    for i in range(np.uint64(52)):
        high = np.uint64(i)
        if (dead >> high) & _ONE:
            continue
        key_high = base + keys[high]
        mask_high = base_mask | card_bit(high)
        for j in range(high):
            low = np.uint64(j)
            if (dead >> low) & _ONE:
                continue
            rank = np.uint64(rank_of(tables, key_high + keys[low], mask_high | card_bit(low)))
            entries[count] = (rank << _RANK_SHIFT) | (high << _SIX) | low
            histogram[rank & _DIGIT_MASK] += np.uint32(1)
            histogram[np.uint64(128) + (rank >> np.uint64(7))] += np.uint32(1)
            count += _ONE
    sort_by_rank(_LIVE, entries, scratch.spare, histogram)


@kernel
def sort_by_rank(
    count: np.uint64,
    entries: NDArray[np.uint32],
    spare: NDArray[np.uint32],
    histogram: NDArray[np.uint32],
) -> None:
    """Radix sort the first `count` entries in place: two stable passes of seven bits of the rank.

    An entry is rank << 12 | high card << 6 | low card; histogram[256] counts the low and the high
    seven bits of the ranks, and is used up.
    """
    low_total = np.uint32(0)
    high_total = np.uint32(0)
    for i in range(128):
        low = np.uint64(i)
        high = np.uint64(i + 128)
        low_count = histogram[low]
        high_count = histogram[high]
        histogram[low] = low_total
        histogram[high] = high_total
        low_total += low_count
        high_total += high_count
    for i in range(count):
        entry = entries[np.uint64(i)]
        digit = (np.uint64(entry) >> _RANK_SHIFT) & _DIGIT_MASK
        place = histogram[digit]
        spare[np.uint64(place)] = entry
        histogram[digit] = place + np.uint32(1)
    for i in range(count):
        entry = spare[np.uint64(i)]
        digit = np.uint64(128) + (np.uint64(entry) >> _HIGH_SHIFT)
        place = histogram[digit]
        entries[np.uint64(place)] = entry
        histogram[digit] = place + np.uint32(1)


@kernel
def count_board(
    scratch: BoardScratch,
    win: NDArray[np.int32],
    tie: NDArray[np.int32],
    loss: NDArray[np.int32],
) -> None:
    """Write exact counts of the sorted board into int32[1326] each; hands not live are untouched."""
    entries = scratch.entries
    held = scratch.held
    for i in range(52):
        held[np.uint64(i)] = 0
    start = np.uint64(0)
    while start < _LIVE:
        rank = entries[start] >> np.uint32(12)
        below = np.int32(start)
        stop = start
        while stop < _LIVE and entries[stop] >> np.uint32(12) == rank:
            high, low = entry_cards(entries[stop])
            win[hole_of(high, low)] = below - held[high] - held[low]
            stop += _ONE
        for i in range(start, stop):
            high, low = entry_cards(entries[np.uint64(i)])
            held[high] += np.int32(1)
            held[low] += np.int32(1)
        upto = np.int32(stop) + np.int32(1)
        for i in range(start, stop):
            high, low = entry_cards(entries[np.uint64(i)])
            hole = hole_of(high, low)
            not_losing = upto - held[high] - held[low]
            tie[hole] = not_losing - win[hole]
            loss[hole] = np.int32(OPPONENTS) - not_losing
        start = stop


@kernel
def entry_cards(entry: np.uint32) -> tuple[np.uint64, np.uint64]:
    """The high and the low card of an entry."""
    wide = np.uint64(entry)
    return (wide >> _SIX) & _CARD_MASK, wide & _CARD_MASK


@kernel
def hole_of(high: np.uint64, low: np.uint64) -> np.uint64:
    """The index of two hole cards, high > low."""
    return ((high * (high - _ONE)) >> _ONE) + low


@kernel
def strength_of_boards(
    tables: RankTables,
    boards: NDArray[np.uint8],
    scratch: BoardScratch,
    win: NDArray[np.int32],
    tie: NDArray[np.int32],
    loss: NDArray[np.int32],
) -> None:
    """`sort_board` and `count_board` for each row of `boards` (uint8[n, 5]) into int32[n, 1326]."""
    for i in range(len(boards)):
        row = np.uint64(i)
        sort_board(tables, boards[row], scratch)
        count_board(scratch, win[row], tie[row], loss[row])


class ShowdownScratch(NamedTuple):
    """Buffers of one thread: live cards, players' hands, and the stack of cards drawn so far."""

    live_keys: NDArray[np.uint64]
    live_bits: NDArray[np.uint64]
    hand_keys: NDArray[np.uint64]
    hand_bits: NDArray[np.uint64]
    ranks: NDArray[np.uint16]
    drawn: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    bits: NDArray[np.uint64]


def showdown_scratch(players: int) -> ShowdownScratch:
    """Buffers for `count_showdowns`."""
    cards, hands, depths = (np.zeros(n, np.uint64) for n in (52, players, 8))
    return ShowdownScratch(
        cards,
        cards.copy(),
        hands,
        hands.copy(),
        np.zeros(players, np.uint16),
        depths,
        depths.copy(),
        depths.copy(),
    )


@kernel
def count_showdowns(
    tables: RankTables,
    holes: NDArray[np.uint8],
    board: NDArray[np.uint8],
    scratch: ShowdownScratch,
    counts: NDArray[np.int64],
) -> None:
    """Add every way to complete `board` to five cards to `counts` (int64[players, players + 1]).

    `holes` is uint8[players, 2]; `counts[i, k]` counts boards where player i is one of k winners,
    `counts[i, 0]` those where it loses.
    """
    live = _deal(tables, holes, board, scratch)
    draws = 5 - len(board)
    if draws == 0:
        _showdowns(tables, np.uint64(0), scratch.keys[0], scratch.bits[0], scratch, counts)
        return
    # Depth d draws the d-th card; positions among the live cards descend from depth to depth.
    depth = 0
    scratch.drawn[0] = live
    while depth >= 0:
        level = np.uint64(depth)
        if depth == draws - 1:
            _showdowns(
                tables,
                scratch.drawn[level],
                scratch.keys[level],
                scratch.bits[level],
                scratch,
                counts,
            )
            depth -= 1
        elif scratch.drawn[level] < np.uint64(draws - depth):
            depth -= 1
        else:
            scratch.drawn[level] -= _ONE
            position = scratch.drawn[level]
            scratch.keys[level + _ONE] = scratch.keys[level] + scratch.live_keys[position]
            scratch.bits[level + _ONE] = scratch.bits[level] | scratch.live_bits[position]
            scratch.drawn[level + _ONE] = position
            depth += 1


@kernel
def _deal(
    tables: RankTables,
    holes: NDArray[np.uint8],
    board: NDArray[np.uint8],
    scratch: ShowdownScratch,
) -> np.uint64:
    """Fill the scratch with hands, board (at depth 0) and live cards; how many cards are live."""
    dead = np.uint64(0)
    scratch.keys[0] = tables.keys[52]
    scratch.bits[0] = 0
    for i in range(len(board)):
        card = np.uint64(board[np.uint64(i)])
        dead |= _ONE << card
        scratch.keys[0] += tables.keys[card]
        scratch.bits[0] |= card_bit(card)
    for i in range(len(holes)):
        player = np.uint64(i)
        high, low = np.uint64(holes[player, 0]), np.uint64(holes[player, 1])
        dead |= (_ONE << high) | (_ONE << low)
        scratch.hand_keys[player] = tables.keys[high] + tables.keys[low]
        scratch.hand_bits[player] = card_bit(high) | card_bit(low)
    live = np.uint64(0)
    for i in range(np.uint64(52)):
        card = np.uint64(i)
        if not (dead >> card) & _ONE:
            scratch.live_keys[live] = tables.keys[card]
            scratch.live_bits[live] = card_bit(card)
            live += _ONE
    return live


@kernel
def _showdowns(
    tables: RankTables,
    limit: np.uint64,
    key: np.uint64,
    bits: np.uint64,
    scratch: ShowdownScratch,
    counts: NDArray[np.int64],
) -> None:
    """Count the boards that one more live card below `limit` completes (`limit` 0: none needed)."""
    players = np.uint64(len(counts))
    for i in range(max(limit, _ONE)):
        card = np.uint64(i)
        board_key, board_bits = key, bits
        if limit > np.uint64(0):
            board_key += scratch.live_keys[card]
            board_bits |= scratch.live_bits[card]
        best = np.uint16(0)
        winners = np.uint64(0)
        for p in range(players):
            player = np.uint64(p)
            rank = rank_of(
                tables,
                board_key + scratch.hand_keys[player],
                board_bits | scratch.hand_bits[player],
            )
            scratch.ranks[player] = rank
            if rank > best:
                best = rank
                winners = _ONE
            elif rank == best:
                winners += _ONE
        for p in range(players):
            player = np.uint64(p)
            counts[player, winners if scratch.ranks[player] == best else np.uint64(0)] += 1


@kernel
def compare_ranges(
    scratch: BoardScratch,
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    held: NDArray[np.float64],
    totals: NDArray[np.float64],
    multiplicity: np.float64,
) -> None:
    """Add `multiplicity` times what `first` wins, ties and loses against `second` to `totals`.

    The board is sorted in `scratch`; ranges are float64[1326], `held` is float64[104] scratch: the
    weight of `second`'s hands with each card that are weaker, and the same in the current tie.
    """
    entries = scratch.entries
    for i in range(104):
        held[np.uint64(i)] = 0.0
    total = 0.0
    for i in range(_LIVE):
        high, low = entry_cards(entries[np.uint64(i)])
        weight = second[hole_of(high, low)]
        total += weight
        held[np.uint64(52) + high] += weight
        held[np.uint64(52) + low] += weight
    everything = 0.0
    for i in range(_LIVE):
        high, low = entry_cards(entries[np.uint64(i)])
        hole = hole_of(high, low)
        compatible = total - held[np.uint64(52) + high] - held[np.uint64(52) + low] + second[hole]
        everything += first[hole] * compatible
    win, not_losing = _compare(entries, first, second, held)
    totals[0] += multiplicity * win
    totals[1] += multiplicity * (not_losing - win)
    totals[2] += multiplicity * (everything - not_losing)


@kernel
def _compare(
    entries: NDArray[np.uint32],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    held: NDArray[np.float64],
) -> tuple[float, float]:
    """The weight of pairs where `first` is stronger, and where it is at least as strong."""
    win = 0.0
    not_losing = 0.0
    below = 0.0
    start = np.uint64(0)
    while start < _LIVE:
        rank = entries[start] >> np.uint32(12)
        stop = start
        upto = below
        while stop < _LIVE and entries[stop] >> np.uint32(12) == rank:
            high, low = entry_cards(entries[stop])
            hole = hole_of(high, low)
            win += first[hole] * (below - held[high] - held[low])
            upto += second[hole]
            stop += _ONE
        for i in range(start, stop):
            high, low = entry_cards(entries[np.uint64(i)])
            weight = second[hole_of(high, low)]
            held[high] += weight
            held[low] += weight
        for i in range(start, stop):
            high, low = entry_cards(entries[np.uint64(i)])
            hole = hole_of(high, low)
            not_losing += first[hole] * (upto - held[high] - held[low] + second[hole])
        below = upto
        start = stop
    return win, not_losing


@kernel
def compare_ranges_on_boards(
    tables: RankTables,
    boards: NDArray[np.uint8],
    multiplicities: NDArray[np.float64],
    pairs: NDArray[np.float64],
    scratch: BoardScratch,
    held: NDArray[np.float64],
    totals: NDArray[np.float64],
) -> None:
    """`compare_ranges` of each pair (float64[n, 2, 1326]) on each of `boards` (uint8[m, 5])."""
    for i in range(len(boards)):
        row = np.uint64(i)
        sort_board(tables, boards[row], scratch)
        for j in range(len(pairs)):
            pair = np.uint64(j)
            compare_ranges(
                scratch, pairs[pair, 0], pairs[pair, 1], held, totals, multiplicities[row]
            )
