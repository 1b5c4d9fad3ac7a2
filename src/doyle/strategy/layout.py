"""`Layout`: where the actions of each decision stand in a strategy's tables.

A round's table is [bucket, all actions of all decisions of the round], both seats side by side;
decision n's actions are the columns `offset[n] : offset[n] + child_count[n]`. A visit with one
bucket therefore touches one short contiguous run of memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree, action_columns
from doyle.base.errors import DoyleError
from doyle.base.workers.memory import usable_memory


@dataclass(frozen=True)
class Layout:
    """Columns of the tables of one tree.

    >>> from doyle.abstractions.betting import BettingModel
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
        return cls(*action_columns(tree))


SAMPLED_BYTES, WALKED_BYTES = 8, 80
"""What a solver keeps of one action in one bucket: a regret and an average of 32 bits if it samples,
about ten vectors of doubles if it walks the whole tree."""


def check_room(tree: BettingTree, buckets: Sequence[int], *, bytes_each: int) -> None:
    """Refuse a solve whose tables the machine cannot hold, before anything of it is made."""
    widths = np.bincount(
        tree.round[tree.decisions],
        weights=tree.child_count[tree.decisions],
        minlength=tree.game.rounds,
    )
    entries = sum(int(width) * int(count) for width, count in zip(widths, buckets, strict=True))
    needed, there = entries * bytes_each, usable_memory()
    if needed > there:
        raise DoyleError(
            f"betting model {tree.model} in {tree.game.name}: {entries:,} actions over all buckets "
            f"need {needed / 2**30:,.1f} GiB, and there are {there / 2**30:,.1f}; take fewer "
            "bet sizes or buckets"
        )
