"""Compiled reading of the parts of a STATE line: numbers, names, cards and whether the chips are right."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from doyle.base._numba import Array, kernel
from doyle.cards._ranking_kernels import card_bit, rank_of
from doyle.cards.ranking import RankTables

_BAR, _SLASH, _MINUS = 124, 47, 45
_UNSEEN = -1


class Names(NamedTuple):
    """Player names as places in the text: start[m], length[m]."""

    start: Array
    length: Array


@kernel
def _card(text: Array, position: int) -> Any:
    """The card written at `position`, or -1."""
    rank: Any = -1
    first = text[position]
    if 50 <= first <= 57:
        rank = np.int64(first) - 50
    elif first == 84:
        rank = 8
    elif first == 74:
        rank = 9
    elif first == 81:
        rank = 10
    elif first == 75:
        rank = 11
    elif first == 65:
        rank = 12
    second = text[position + 1]
    suit = -1
    if second == 99:
        suit = 0
    elif second == 100:
        suit = 1
    elif second == 104:
        suit = 2
    elif second == 115:
        suit = 3
    if rank < 0 or suit < 0:
        return -1
    return 4 * rank + suit


@kernel
def read_number(text: Array, position: int, end: int, out: Array) -> Any:
    """Read -?[0-9]{1,15} into out[0]; the place after it, or -1."""
    negative = position < end and text[position] == _MINUS
    if negative:
        position += 1
    first = position
    value = np.int64(0)
    while position < end and 48 <= text[position] <= 57:
        value = 10 * value + np.int64(text[position]) - 48
        position += 1
    if position == first or position - first > 15:
        return -1
    out[0] = -value if negative else value
    return position


@kernel
def _rank_seven(tables: RankTables, hole: Array, board: Array) -> Any:
    key = tables.keys[52]
    mask = np.uint64(0)
    for place in range(2):
        card = np.uint64(hole[place])
        key += tables.keys[card]
        mask |= card_bit(card)
    for place in range(5):
        card = np.uint64(board[place])
        key += tables.keys[card]
        mask |= card_bit(card)
    return np.int64(rank_of(tables, key, mask))


@kernel
def name_number(text: Array, start: int, length: int, names: Names, count: Array) -> Any:
    """The number of a name, new ones are added; -1 if there is no room."""
    for number in range(count[0]):
        if names.length[number] == length:
            other = names.start[number]
            same = True
            for place in range(length):
                if text[start + place] != text[other + place]:
                    same = False
                    break
            if same:
                return number
    if count[0] == len(names.start):
        return -1
    names.start[count[0]] = start
    names.length[count[0]] = length
    count[0] += 1
    return count[0] - 1


@kernel
def read_cards(
    text: Array, position: int, end: int, rounds: int, players: int, hole: Array, board: Array
) -> Any:
    """Read the cards of a line up to round `rounds`; cards on the board, or -1."""
    seen = np.uint64(0)
    for seat in range(players):
        if seat > 0:
            if position >= end or text[position] != _BAR:
                return -1
            position += 1
        if position < end and text[position] != _BAR and text[position] != _SLASH:
            for place in range(2):
                if position + 1 >= end:
                    return -1
                card = _card(text, position)
                if card < 0 or (seen >> np.uint64(card)) & np.uint64(1):
                    return -1
                seen |= np.uint64(1) << np.uint64(card)
                hole[seat, place] = card
                position += 2
        else:
            hole[seat, 0] = hole[seat, 1] = _UNSEEN
    count = 0
    for round_ in range(1, rounds + 1):
        if position >= end or text[position] != _SLASH:
            return -1
        position += 1
        for _ in range(3 if round_ == 1 else 1):
            if position + 1 >= end:
                return -1
            card = _card(text, position)
            if card < 0 or (seen >> np.uint64(card)) & np.uint64(1):
                return -1
            seen |= np.uint64(1) << np.uint64(card)
            board[count] = card
            count += 1
            position += 2
    if position != end:
        return -1
    fill = np.uint64(0)
    for place in range(count, 5):  # any cards that are not out: only lookups read them
        while (seen >> fill) & np.uint64(1):
            fill += np.uint64(1)
        seen |= np.uint64(1) << fill
        board[place] = fill
    return count


@kernel
def payoffs_agree(
    hole: Array, board: Array, payoff: Array, spent: Array, folded: Array, players: int,
    is_showdown: int, tables: RankTables,
) -> bool:  # fmt: skip
    """Whether the chips of a line are what the rules give; False where that takes more than this."""
    pot = np.int64(0)
    for seat in range(players):
        pot += spent[seat]
    best, winners, level = np.int64(-1), 0, np.int64(-1)
    won = np.zeros(3, np.int64)
    for seat in range(players):
        if folded[seat] == 1:
            continue
        if is_showdown == 0:
            rank = np.int64(0)
        else:
            if hole[seat, 0] < 0 or (level >= 0 and spent[seat] != level):
                return False
            level = spent[seat]
            rank = _rank_seven(tables, hole[seat], board)
        if rank > best:
            best, winners = rank, 0
            won[:] = 0
        if rank == best:
            winners += 1
            won[seat] = 1
    for seat in range(players):
        if is_showdown == 1 and spent[seat] > level:
            return False
    if pot % winners != 0:
        return False
    for seat in range(players):
        if payoff[seat] != won[seat] * (pot // winners) - spent[seat]:
            return False
    return True
