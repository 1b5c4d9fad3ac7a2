"""Compiled features of cards: textures of boards and categories of hands."""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.base._numba import Array, kernel

BOARD_CARDS = (0, 3, 4, 5)
_TEXTURE = np.array([[0, 2, 4], [1, 3, 5], [6, 7, 8]], np.int64)
"""The texture by how possible a flush and a straight are."""


@kernel
def _most_within_five(ranks: Any) -> Any:
    """The most ranks of the set `ranks` (bit 0 is the deuce) within a span of five."""
    low = (np.int64(ranks) << 1) | ((np.int64(ranks) >> 12) & 1)
    most: Any = 0
    for start in range(10):
        window = (low >> start) & 31
        count: Any = 0
        for place in range(5):
            count += (window >> place) & 1
        most = max(most, count)
    return most


@kernel
def texture(board: Array, count: int) -> Any:
    """The texture of board[:count]."""
    suits = np.zeros(4, np.int64)
    ranks = np.int64(0)
    for place in range(count):
        card = np.int64(board[place])
        suits[card & 3] += 1
        ranks |= np.int64(1) << (card >> 2)
    flush = min(2, max(0, suits.max() - 2))
    straight = min(2, max(0, _most_within_five(ranks) - 2))
    return _TEXTURE[flush, straight]


@kernel
def textures(boards: Array, out: Array) -> None:
    """Write the textures of boards[n, 5] on the flop, turn and river into out[n, 1:4]."""
    for row in range(len(boards)):
        for round_ in range(1, 4):
            out[row, round_] = texture(boards[row], BOARD_CARDS[round_])


_NO_PAIR, _BOARD_PAIR, _UNDERPAIR, _BOTTOM, _MIDDLE, _TOP, _OVERPAIR = 0, 3, 4, 5, 6, 7, 9
_LOW_AND_BOARD, _TWO_PAIR, _TWO_ON_BOARD, _TRIPS, _STRAIGHT, _FLUSH = 10, 12, 14, 15, 18, 21
_FULL_HOUSE, _QUADS, _STRAIGHT_FLUSH = 26, 29, 31
_JACK = 9
_BACKDOOR, _ONE_CARD, _TWO_CARDS, _NUT = 1, 2, 3, 4
_GUTSHOT, _OPEN = 1, 2


@kernel
def _straight(ranks: Any) -> Any:
    """The lowest place of the highest straight in a set of ranks with the ace at bit 0 too; or -1."""
    low = (np.int64(ranks) << 1) | ((np.int64(ranks) >> 12) & 1)
    for start in range(9, -1, -1):
        if (low >> start) & 31 == 31:
            return start
    return -1


@kernel
def _ranks_of(counts: Array) -> Any:
    ranks = np.int64(0)
    for rank in range(13):
        if counts[rank] > 0:
            ranks |= np.int64(1) << rank
    return ranks


@kernel
def _in_straight(ranks: Any, start: int) -> Any:
    """How many of the five ranks of a straight are in a set of ranks."""
    low = (np.int64(ranks) << 1) | ((np.int64(ranks) >> 12) & 1)
    count: Any = 0
    for place in range(5):
        count += (low >> (start + place)) & 1
    return count


@kernel
def _pairs(first: int, second: int, board: Array, whole: Array) -> Any:
    """The made hand of a hand without three of a kind, straight or flush."""
    top, bottom = -1, 13
    on_board, own, best_own = 0, 0, -1
    for rank in range(13):
        if board[rank] > 0:
            top, bottom = rank, min(bottom, rank)
        if whole[rank] == 2:
            if board[rank] == 2:
                on_board += 1
            else:
                own += 1
                best_own = rank
    if own == 2:
        return _TWO_PAIR + (1 if best_own == top else 0)
    if own == 1:
        if on_board > 0:
            return _LOW_AND_BOARD + (1 if best_own >= top else 0)
        if first == second:
            if first > top:
                return _OVERPAIR
            return _UNDERPAIR if first < bottom else _MIDDLE
        kicker = second if first == best_own else first
        if best_own == top:
            return _TOP + (1 if kicker >= _JACK else 0)
        return _BOTTOM if best_own == bottom else _MIDDLE
    if on_board > 0:
        return _TWO_ON_BOARD if on_board == 2 else _BOARD_PAIR
    return _NO_PAIR + (1 if first > top else 0) + (1 if second > top else 0)


@kernel
def _flush(suit: int, hole: Array, board: Array, count: int) -> Any:
    """The made hand of a flush in `suit`."""
    on_board, lowest, best, taken = 0, 13, -1, np.int64(0)
    for place in range(count):
        if board[place] & 3 == suit:
            on_board += 1
            lowest = min(lowest, board[place] >> 2)
            taken |= np.int64(1) << (board[place] >> 2)
    for place in range(2):
        if hole[place] & 3 == suit:
            best = max(best, hole[place] >> 2)
    if on_board == 5 and best < lowest:
        return _FLUSH
    return _FLUSH + (1 if on_board >= 4 else 3) + (1 if best == _highest_out(taken) else 0)


@kernel
def _highest_out(taken: Any) -> Any:
    """The highest rank that is not in a set of ranks."""
    rank = 12
    while (taken >> rank) & 1:
        rank -= 1
    return rank


@kernel
def _made(hole: Array, board: Array, count: int, on_board: Array, whole: Array) -> Any:
    """The made hand; on_board[13] and whole[13] count the ranks of the board and of all cards."""
    first, second = hole[0] >> 2, hole[1] >> 2
    flush = -1
    for suit in range(4):
        ranks, size = np.int64(0), 0
        for place in range(count):
            if board[place] & 3 == suit:
                ranks |= np.int64(1) << (board[place] >> 2)
                size += 1
        for place in range(2):
            if hole[place] & 3 == suit:
                ranks |= np.int64(1) << (hole[place] >> 2)
                size += 1
        if size >= 5:
            flush = suit
            if _straight(ranks) >= 0:
                return _STRAIGHT_FLUSH
    three, pair = -1, -1
    for rank in range(13):
        if whole[rank] == 4:
            return _QUADS + (0 if on_board[rank] == 4 else 1)
        if whole[rank] == 3:
            if three >= 0:
                pair = max(pair, three)
            three = rank
        elif whole[rank] == 2:
            pair = max(pair, rank)
    if three >= 0 and pair >= 0:
        used = 0
        for place in range(2):
            rank = hole[place] >> 2
            used += 1 if rank in (three, pair) else 0
        return _FULL_HOUSE + used
    if flush >= 0:
        return _flush(flush, hole, board, count)
    start = _straight(_ranks_of(whole))
    if start >= 0:
        return _STRAIGHT + 5 - _in_straight(_ranks_of(on_board), start)
    if three >= 0:
        return _TRIPS + 3 - on_board[three]
    return _pairs(first, second, on_board, whole)


@kernel
def _flush_draw(hole: Array, board: Array, count: int) -> Any:
    """The best flush draw before the river."""
    best = 0
    for suit in range(4):
        own, highest, size, taken = 0, -1, 0, np.int64(0)
        for place in range(2):
            if hole[place] & 3 == suit:
                own += 1
                highest = max(highest, hole[place] >> 2)
        for place in range(count):
            if board[place] & 3 == suit:
                size += 1
                taken |= np.int64(1) << (board[place] >> 2)
        if own > 0 and own + size == 4:
            kind = _ONE_CARD if own == 1 else _TWO_CARDS
            best = max(best, _NUT if highest == _highest_out(taken) else kind)
        elif own == 2 and size == 1 and count == 3:
            best = max(best, _BACKDOOR)
    return best


@kernel
def _straight_draw(on_board: Array, whole: Array) -> Any:
    """Ranks that complete a straight which needs a hole card: none, one, or more."""
    all_ranks, board_ranks = _ranks_of(whole), _ranks_of(on_board)
    outs = 0
    for rank in range(13):
        bit = np.int64(1) << rank
        if all_ranks & bit == 0:
            start = _straight(all_ranks | bit)
            if start >= 0 and _in_straight(board_ranks | bit, start) < 5:
                outs += 1
    if outs == 0:
        return 0
    return _GUTSHOT if outs == 1 else _OPEN


@kernel
def category(hole: Array, board: Array, count: int, numbers: Array) -> Any:
    """The category of a hole on board[:count]."""
    on_board, whole = np.zeros(13, np.int64), np.zeros(13, np.int64)
    for place in range(count):
        on_board[board[place] >> 2] += 1
        whole[board[place] >> 2] += 1
    for place in range(2):
        whole[hole[place] >> 2] += 1
    made = _made(hole, board, count, on_board, whole)
    flush, straight = 0, 0
    if count < 5:
        if made < _FLUSH:
            flush = _flush_draw(hole, board, count)
        if made < _STRAIGHT:
            straight = _straight_draw(on_board, whole)
    return numbers[made, flush, straight]


@kernel
def deal_categories(holes: Array, boards: Array, numbers: Array, out: Array) -> None:
    """Write the categories of holes[n, 2] on boards[n, 5] by round into out[n, 1:4]."""
    for row in range(len(holes)):
        for round_ in range(1, 4):
            out[row, round_] = category(holes[row], boards[row], 2 + round_, numbers)


@kernel
def board_categories(holes: Array, board: Array, count: int, numbers: Array, out: Array) -> None:
    """Write the category of every hole on board[:count] into out[1326]; 0 where they share a card."""
    for row in range(len(holes)):
        shares = False
        for place in range(count):
            shares |= holes[row, 0] == board[place] or holes[row, 1] == board[place]
        out[row] = 0 if shares else category(holes[row], board, count, numbers)
