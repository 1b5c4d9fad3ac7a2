"""Betting models, the trees they span, and Tartanian's betting-model language."""

from doyle.betting.bml.document import BmlDocument, document_of, write_bml
from doyle.betting.bml.models import document_text, parse_model
from doyle.betting.bml.reader import parse_bml, read_bml
from doyle.betting.model import BetSize, BettingModel
from doyle.betting.packed_tree import PackedTree, action_columns, pack_tree
from doyle.betting.products import CompiledProducts, LeafGroup, ProductPlan, VectorLayout
from doyle.betting.public_tree import (
    DECISION,
    FOLD_LEAF,
    SHOWDOWN_LEAF,
    LabelledTree,
    PublicTree,
    TreeBuilder,
    TreeCounts,
)
from doyle.betting.tree import BettingTree

__all__ = [
    "DECISION",
    "FOLD_LEAF",
    "SHOWDOWN_LEAF",
    "BetSize",
    "BettingModel",
    "BettingTree",
    "BmlDocument",
    "CompiledProducts",
    "LabelledTree",
    "LeafGroup",
    "PackedTree",
    "ProductPlan",
    "PublicTree",
    "TreeBuilder",
    "TreeCounts",
    "VectorLayout",
    "action_columns",
    "document_of",
    "document_text",
    "pack_tree",
    "parse_bml",
    "parse_model",
    "read_bml",
    "write_bml",
]
