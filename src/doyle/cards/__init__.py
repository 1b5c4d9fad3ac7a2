"""Cards, hand ranking, ranges, suits and equity. Knows nothing of betting.

A card is a small int and a hand a tuple of them, so everything here also works on arrays of millions.
Nothing is sampled: ranks, strengths and equities are exact, by enumeration up to suits. Names that
need compiled kernels are loaded at first use, so that parsing cards and ranking single hands never
waits for Numba.

In reading order:

`cards`       a card as an int, text, hole pairs and their index from 0 to 1,325
`ranking`     the rank of one hand of 1 to 7 cards, its category and its name
`ranges`      a weight for every hole pair; text of ranges; `Range`, which shows itself; the 13x13 grid
`evaluation`  ranks and strengths of whole boards and decks at once
`equities`    the share of the pot that hands or ranges win
`suits`       boards and hands that differ only by a relabelling of suits are one

Compiled loops: `_ranking_kernels` (hands through tables), `_strength_kernels` (all hands of a river
against each other, showdowns counted), `_showdown_kernels` (what a range is worth at a leaf, linear in
the hands; the public game is built on it).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from doyle.cards.cards import (
    DECK_SIZE,
    HOLE_COUNT,
    HOLES,
    RANKS,
    SUITS,
    Card,
    format_card,
    format_cards,
    hole_index,
    live_hands,
    parse_card,
    parse_cards,
)
from doyle.cards.ranges import Range, format_range, parse_range
from doyle.cards.ranking import (
    CATEGORIES,
    CATEGORY_STARTS,
    RANK_COUNT,
    RankedHand,
    RankTables,
    category_of,
    describe_hand,
    rank_hand,
    rank_tables,
)

if TYPE_CHECKING:
    from doyle.cards.equities import Equity, equity
    from doyle.cards.evaluation import (
        board_ranks,
        board_strength,
        boards_strength,
        category_counts,
        evaluate,
    )
    from doyle.cards.suits.boards import canonical_boards

_COMPILED = {
    "Equity": "equities",
    "equity": "equities",
    "board_ranks": "evaluation",
    "board_strength": "evaluation",
    "boards_strength": "evaluation",
    "category_counts": "evaluation",
    "evaluate": "evaluation",
    "canonical_boards": "suits.boards",
}


def __getattr__(name: str) -> Any:
    if name not in _COMPILED:
        raise AttributeError(f"module 'doyle.cards' has no attribute {name!r}")
    value = getattr(import_module(f"doyle.cards.{_COMPILED[name]}"), name)
    globals()[name] = value
    return value


__all__ = [
    "CATEGORIES",
    "CATEGORY_STARTS",
    "DECK_SIZE",
    "HOLES",
    "HOLE_COUNT",
    "RANKS",
    "RANK_COUNT",
    "SUITS",
    "Card",
    "Equity",
    "Range",
    "RankTables",
    "RankedHand",
    "board_ranks",
    "board_strength",
    "boards_strength",
    "canonical_boards",
    "category_counts",
    "category_of",
    "describe_hand",
    "equity",
    "evaluate",
    "format_card",
    "format_cards",
    "format_range",
    "hole_index",
    "live_hands",
    "parse_card",
    "parse_cards",
    "parse_range",
    "rank_hand",
    "rank_tables",
]
