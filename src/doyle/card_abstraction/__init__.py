"""Card abstractions: (round, hole cards, board) -> bucket, by the thesis's notation or by name."""

from __future__ import annotations

from doyle.card_abstraction.abstraction import BOARD_CARDS, CardAbstraction
from doyle.card_abstraction.notation import Notation
from doyle.card_abstraction.registry import build
from doyle.card_abstraction.strength.atlas import Atlas

__all__ = ["BOARD_CARDS", "Atlas", "CardAbstraction", "Notation", "build"]
