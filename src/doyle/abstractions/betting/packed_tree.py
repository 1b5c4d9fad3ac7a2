"""`PackedTree`: a betting tree as compiled loops read it, one int32 row per node, for any number of
seats.

A visit touches one row of 32 bytes instead of one entry of each array of `BettingTree`. The actions
of a round stand side by side in the columns of one table (`action_columns`); with bucket counts, `base`
says where the table of each round begins in one flat array of tables, so that action a of a decision
in bucket b is entry `base[round] + b * width[round] + row[OFFSET] + a`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting.tree import BettingTree

# Columns of a row.
KIND, ACTOR, ROUND, FIRST_CHILD, CHILDREN, OFFSET, AMOUNT, FOLDED = range(8)
ROW_WIDTH = 8


class PackedTree(NamedTuple):
    """The rows of a tree and its edges.

    nodes int32[n, 8]: kind, actor, round, first entry in `children`, number of children, offset of
    the node's actions in its round, amount, mask of seats that have folded. At leaves of two seats
    the amount is what seat 0 wins (fold) or the chips at stake for each seat (showdown); with more
    seats it is 0, and the chips are in `spent`. children int32[edges]; base, width int64[rounds];
    spent int32[n, seats].
    """

    nodes: npt.NDArray[np.int32]
    children: npt.NDArray[np.int32]
    base: npt.NDArray[np.int64]
    width: npt.NDArray[np.int64]
    spent: npt.NDArray[np.int32]


def pack_tree(tree: BettingTree, bucket_counts: Sequence[int] | None = None) -> PackedTree:
    """The tree as packed rows; with bucket counts also where each round's table begins."""
    offset, widths = action_columns(tree)
    nodes = np.zeros((tree.node_count, ROW_WIDTH), dtype=np.int32)
    nodes[:, KIND] = tree.kind
    nodes[:, ACTOR] = tree.actor
    nodes[:, ROUND] = tree.round
    nodes[:, FIRST_CHILD] = tree.child_start
    nodes[:, CHILDREN] = tree.child_count
    nodes[:, OFFSET] = offset
    nodes[:, FOLDED] = tree.folded
    if tree.game.players == 2:
        nodes[:, AMOUNT] = tree.leaf_chips(0)
    width = np.array(widths, dtype=np.int64)
    sizes = width * np.array(bucket_counts or (0,) * tree.game.rounds, dtype=np.int64)
    return PackedTree(
        nodes=nodes,
        children=tree.children.astype(np.int32, copy=False),
        base=np.cumsum(sizes) - sizes,
        width=width,
        spent=tree.spent.astype(np.int32, copy=False),
    )


def action_columns(tree: BettingTree) -> tuple[npt.NDArray[np.int32], tuple[int, ...]]:
    """Each decision's first column in the table of its round (-1 at leaves); columns by round.

    Decisions of all seats stand in depth-first order, their actions side by side.
    """
    offset = np.full(tree.node_count, -1, dtype=np.int32)
    widths = []
    for number in range(tree.game.rounds):
        here = tree.decisions[tree.round[tree.decisions] == number]
        counts = tree.child_count[here]
        offset[here] = np.cumsum(counts) - counts
        widths.append(int(counts.sum()))
    return offset, tuple(widths)
