"""Plain twins of `doyle.measuring.hand_equity`: cards drawn one by one, hands ranked one by one."""

from __future__ import annotations

from itertools import combinations

from doyle.cards import rank_hand

Cards = tuple[int, ...]


def win_probability(hole: Cards, other: Cards, board: Cards) -> float:
    """The probability that `hole` wins against `other` over all run-outs, a tie counting a half."""
    seen = {*hole, *other, *board}
    rest = [card for card in range(52) if card not in seen]
    points = count = 0
    for added in combinations(rest, 5 - len(board)):
        mine = rank_hand((*hole, *board, *added))
        theirs = rank_hand((*other, *board, *added))
        points += 2 * (mine > theirs) + (mine == theirs)
        count += 2
    return points / count
