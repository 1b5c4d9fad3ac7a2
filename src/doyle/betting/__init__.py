"""Betting models, the trees they span, and Tartanian's betting-model language."""

from doyle.betting.model import BetSize, BettingModel
from doyle.betting.tree import DECISION, FOLD_LEAF, SHOWDOWN_LEAF, BettingTree, TreeCounts

__all__ = [
    "DECISION",
    "FOLD_LEAF",
    "SHOWDOWN_LEAF",
    "BetSize",
    "BettingModel",
    "BettingTree",
    "TreeCounts",
]
