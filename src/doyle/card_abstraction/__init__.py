"""Card abstractions: (round, hole cards, board) -> bucket, by the thesis's notation or by name."""

from __future__ import annotations

from doyle.card_abstraction.abstraction import BOARD_CARDS, CardAbstraction
from doyle.card_abstraction.atlas import Atlas
from doyle.card_abstraction.notation import Notation
from doyle.card_abstraction.registry import build

__all__ = ["BOARD_CARDS", "Atlas", "CardAbstraction", "Notation", "build"]
