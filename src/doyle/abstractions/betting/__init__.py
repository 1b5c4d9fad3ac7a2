"""Betting models, the trees they span, and Tartanian's betting-model language.

A model says which bets may be made; in a game, from any moment of a hand, it spans a tree. Everything
that works on betting reads that one tree: solvers, strategies, translation, agents and measurement.

In reading order:

`model`        `BettingModel`: which bets are allowed, by seat if they differ, with bets added at one place
`notation`     models as text: `fcpa`, `fchpta/h`, `fc75pa`, `MODEL|MODEL`, `MODEL+HISTORY:rTOTAL`
`public_tree`  `PublicTree`: every public history as flat depth-first arrays, a subtree a range of numbers;
               `TreeBuilder` draws one by hand
`tree`         `BettingTree`: the public tree that a model spans in a game, from its start or any `State`;
               one real bet added at one place; large trees kept in the cache, which processes share
`enumeration`  how it is spanned: the rules as numbers, nodes counted before, then the arrays filled
`packed_tree`  `PackedTree`: the same tree as compiled loops read it, one row per node
`bml`          trees as XML files, and such files as models

Modules with `_kernels` in their name are compiled loops.
"""

from doyle.abstractions.betting.bml.document import BmlDocument, document_of, write_bml
from doyle.abstractions.betting.bml.models import document_text, parse_model
from doyle.abstractions.betting.bml.reader import parse_bml, read_bml
from doyle.abstractions.betting.model import BetSize, BettingModel
from doyle.abstractions.betting.packed_tree import PackedTree, action_columns, pack_tree
from doyle.abstractions.betting.public_tree import (
    DECISION,
    FOLD_LEAF,
    SHOWDOWN_LEAF,
    LabelledTree,
    PublicTree,
    TreeBuilder,
    TreeCounts,
)
from doyle.abstractions.betting.tree import BettingTree

__all__ = [
    "DECISION",
    "FOLD_LEAF",
    "SHOWDOWN_LEAF",
    "BetSize",
    "BettingModel",
    "BettingTree",
    "BmlDocument",
    "LabelledTree",
    "PackedTree",
    "PublicTree",
    "TreeBuilder",
    "TreeCounts",
    "action_columns",
    "document_of",
    "document_text",
    "pack_tree",
    "parse_bml",
    "parse_model",
    "read_bml",
    "write_bml",
]
