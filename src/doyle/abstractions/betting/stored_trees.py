"""Large betting trees kept in the artifact store, so that processes share one copy of their arrays.

The tree of three-player limit Hold'em has 24 million nodes: seconds to span and 0.9 GiB to hold. Agents
that play in several processes map the arrays of one artifact instead.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from doyle.abstractions.betting.model import BettingModel
from doyle.abstractions.betting.public_tree import PublicTree
from doyle.abstractions.betting.tree import BettingTree
from doyle.base.artifacts import Builder, Description, Store
from doyle.games import Game

KIND, VERSION = "betting-tree", 1


def stored_tree(model: BettingModel, game: Game, *, store: Store | None = None) -> BettingTree:
    """The tree that `model` spans in `game`, mapped from the store; spanned if it is not there."""
    names = [field.name for field in fields(PublicTree)]

    def build(builder: Builder) -> None:
        tree = BettingTree.build(model, game)
        for name in names:
            builder.put(name, getattr(tree, name))

    parameters = {"game": game.to_text(), "betting": str(model)}
    artifact = (store or Store()).get(Description(KIND, VERSION, parameters), build)
    # Plain views: every index into a memory-mapped array costs more.
    arrays: dict[str, Any] = {name: np.asarray(artifact.array(name)) for name in names}
    return BettingTree(model=model, game=game, **arrays)
