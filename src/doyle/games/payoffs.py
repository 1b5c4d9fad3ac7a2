"""What each seat wins: side pots, showdown and split pots, exactly.

A pot is cut into layers, one per distinct amount put in; each layer goes in equal shares to the
best hands among the seats that paid into it and have not folded. Shares are whole chips where they
divide and `Fraction`s where they do not: the ACPC server counts the same shares in floating point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from doyle.base.errors import DoyleError
from doyle.games.deal import Deal
from doyle.games.game import Game

_rank_hand: Callable[[Sequence[int]], int] | None = None


def payoffs(
    game: Game, deal: Deal | None, spent: tuple[int, ...], folded: tuple[bool, ...]
) -> tuple[Fraction | int, ...]:
    """Chips won by each seat when the hand is over."""
    if folded.count(False) == 1:
        winner = folded.index(False)
        pot = sum(spent)
        return tuple(pot - chips if seat == winner else -chips for seat, chips in enumerate(spent))
    ranks = showdown_ranks(game, deal, folded)
    if game.players == 2 and spent[0] == spent[1]:
        chips = spent[0] * ((ranks[0] > ranks[1]) - (ranks[0] < ranks[1]))
        return (chips, -chips)
    return share_layers(spent, ranks)


def showdown_ranks(game: Game, deal: Deal | None, folded: tuple[bool, ...]) -> tuple[int, ...]:
    """The rank of each seat's hand (larger is stronger), -1 for those that folded."""
    if deal is None or len(deal.board) < game.board_ends[-1]:
        raise DoyleError("showdown: the board is not known")
    board = deal.board
    ranks = []
    for seat, cards in enumerate(deal.hole):
        if folded[seat]:
            ranks.append(-1)
        elif not cards:
            raise DoyleError(f"showdown: the cards of seat {seat} are not known")
        else:
            ranks.append(best_rank(cards + board))
    return tuple(ranks)


def best_rank(cards: tuple[int, ...]) -> int:
    """The rank of the best hand in any number of cards."""
    global _rank_hand
    if _rank_hand is None:
        # Imported at the first showdown: ranking brings in compiled code.
        from doyle.cards.ranking import rank_best

        _rank_hand = rank_best
    return _rank_hand(cards)


def share_layers(spent: tuple[int, ...], ranks: tuple[int, ...]) -> tuple[Fraction | int, ...]:
    """Chips won by each seat, by what each has put in and its rank (-1: cannot win)."""
    won: list[Fraction | int] = [-chips for chips in spent]
    below = 0
    for level in sorted(set(spent) - {0}):
        inside = [seat for seat, chips in enumerate(spent) if chips >= level]
        best = max(ranks[seat] for seat in inside)
        winners = [seat for seat in inside if ranks[seat] == best]
        layer = (level - below) * len(inside)
        whole, rest = divmod(layer, len(winners))
        share = whole if not rest else Fraction(layer, len(winners))
        for seat in winners:
            won[seat] += share
        below = level
    return tuple(int(chips) if chips == int(chips) else chips for chips in won)
