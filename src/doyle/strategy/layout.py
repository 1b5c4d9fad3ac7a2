"""`Layout`: where the actions of each decision stand in a strategy's tables.

A round's table is [bucket, all actions of all decisions of the round], both seats side by side;
decision n's actions are the columns `offset[n] : offset[n] + child_count[n]`. A visit with one
bucket therefore touches one short contiguous run of memory.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from doyle.betting import BettingTree


@dataclass(frozen=True)
class Layout:
    """Columns of the tables of one tree.

    >>> from doyle.betting import BettingModel
    >>> from doyle.games import Game
    >>> tree = BettingTree.build(BettingModel.parse("limit"), Game.named("kuhn"))
    >>> Layout.of(tree).widths
    (8,)
    """

    offset: npt.NDArray[np.int32]
    widths: tuple[int, ...]

    @classmethod
    def of(cls, tree: BettingTree) -> Layout:
        """The layout of `tree`: decisions in depth-first order within each round."""
        offset = np.full(tree.node_count, -1, dtype=np.int32)
        widths = []
        for number in range(tree.game.rounds):
            here = tree.decisions[tree.round[tree.decisions] == number]
            counts = tree.child_count[here]
            offset[here] = np.cumsum(counts) - counts
            widths.append(int(counts.sum()))
        return cls(offset, tuple(widths))
