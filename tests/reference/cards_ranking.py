"""Plain twins of the ranking and strength kernels: best five of a hand by definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

Value = tuple[int, ...]


def five_card_value(cards: Sequence[int]) -> Value:
    """Category 0 to 8 and the ranks that decide between hands of the same category."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    order = tuple(rank for rank, _ in groups)
    counts = [count for _, count in groups]
    flush = len({card % 4 for card in cards}) == 1
    straight = len(counts) == 5 and ranks[0] - ranks[4] == 4
    if ranks == [12, 3, 2, 1, 0]:
        straight, order = True, (3,)
    if straight and flush:
        return (8, order[0])
    if counts[0] == 4:
        return (7, *order)
    if counts == [3, 2]:
        return (6, *order)
    if flush:
        return (5, *order)
    if straight:
        return (4, order[0])
    return ({3: 3, 2: (len(counts) == 3 and 2) or 1, 1: 0}[counts[0]], *order)


def best_value(cards: Sequence[int]) -> Value:
    """The best five-card value in 5, 6 or 7 cards."""
    return max(five_card_value(five) for five in combinations(cards, 5))


def live_hands(board: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The hole pairs (low, high) by index that share no card with the board."""
    return {
        high * (high - 1) // 2 + low: (low, high)
        for low, high in combinations(range(52), 2)
        if low not in board and high not in board
    }


def board_strength(board: Sequence[int]) -> dict[int, tuple[int, int, int]]:
    """Wins, ties and losses of each live hand against each hand that shares no card with it."""
    hands = live_hands(board)
    values = {index: best_value((*hand, *board)) for index, hand in hands.items()}
    result = {}
    for index, hand in hands.items():
        mine = values[index]
        others = [values[i] for i, other in hands.items() if not set(hand) & set(other)]
        win = sum(value < mine for value in others)
        tie = sum(value == mine for value in others)
        result[index] = (win, tie, len(others) - win - tie)
    return result
