"""Cards, hand ranking, ranges, suit isomorphism and equity. Knows nothing of betting.

Names that need compiled kernels are loaded at first use, so that parsing cards and ranking single
hands never waits for Numba.
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
    from doyle.cards.suits.isomorphism import (
        Indexer,
        canonical_boards,
        index_board_hands,
    )

_COMPILED = {
    "Equity": "equities",
    "equity": "equities",
    "board_ranks": "evaluation",
    "board_strength": "evaluation",
    "boards_strength": "evaluation",
    "category_counts": "evaluation",
    "evaluate": "evaluation",
    "Indexer": "suits.isomorphism",
    "canonical_boards": "suits.isomorphism",
    "index_board_hands": "suits.isomorphism",
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
    "Indexer",
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
    "index_board_hands",
    "parse_card",
    "parse_cards",
    "parse_range",
    "rank_hand",
    "rank_tables",
]
