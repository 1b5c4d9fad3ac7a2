"""Batches of sampled iterations into given tables: the work of a sampling solver's workers.

A batch is a pure function of the tables it starts from, the seed and its number, so it may run in any
thread, process or machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import DECISION, PackedTree
from doyle.abstractions.betting.packed_tree import CHILDREN, FIRST_CHILD, KIND
from doyle.base.errors import DoyleError
from doyle.solving.sampling import _public_kernels as public
from doyle.solving.sampling import _sampling_kernels as kernels
from doyle.solving.sampling.deals import DealSource

if TYPE_CHECKING:
    from doyle.solving.sampling.solver import SamplingOptions

DEEPEST_TREE = 256

Table = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Sampler:
    """The inputs of batches besides tables: the packed tree, the source of deals, and sampling
    parameters."""

    packed: PackedTree
    source: DealSource
    options: SamplingOptions
    game: str
    players: int

    def run_batch(self, number: int, regret: Table, average: Table) -> int:
        """Batch `number` into the given tables, which are changed; returns the nodes visited."""
        seeds = np.random.SeedSequence((self.options.seed, number))
        state = apart(seeds.generate_state(1, dtype=np.uint64).astype(np.uint64))
        if self.options.method == "pcs":
            return self._run_boards(regret, average, state)
        deals = self.source.deals(self.options.batch, state)
        seats = deals.buckets.shape[1]
        if seats != self.players:
            raise DoyleError(f"deals of {seats} hands, and {self.game} has {self.players} players")
        pure = self.options.method == "pure"
        visited: int = kernels.run_deals(
            self.packed,
            regret,
            average,
            deals.buckets,
            deals.results,
            pure,
            self.options.prune_below,
            self.options.prune_probability if self.options.prune_below > -np.inf else 0.0,
            self.options.tremble,
            deal_frames(self.packed),
            state,
        )
        if self.players > 2:
            visited += kernels.average_deals(
                self.packed, regret, average, deals.buckets, pure, state
            )
        return visited

    def _run_boards(self, regret: Table, average: Table, state: npt.NDArray[np.uint64]) -> int:
        frames = None
        visited = 0
        for _ in range(self.options.batch):
            hands = self.source.board(state)
            if frames is None:
                frames = public_frames(self.packed, hands)
            weight = 1.0 / hands.cards.shape[0]
            for traverser in range(2):
                visited += public.run_board(
                    self.packed, regret, average, hands, traverser, weight, frames
                )
        return visited


def apart(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy that shares no cache line with anything else, so that threads do not wait on it."""
    margin = 128 // values.itemsize
    room = np.zeros(values.size + 2 * margin, dtype=values.dtype)
    inside = room[margin : margin + values.size].reshape(values.shape)
    inside[...] = values
    return inside


def deal_frames(tree: PackedTree) -> kernels.Frames:
    """Scratch of one thread for deals."""
    widest = int(tree.nodes[:, CHILDREN].max())
    opened = DEEPEST_TREE * kernels.LANES
    return kernels.Frames(
        lanes=apart(np.zeros((kernels.LANES, kernels.LANE_WIDTH), dtype=np.int64)),
        opened=apart(np.zeros((opened, kernels.LANE_WIDTH), dtype=np.int64)),
        values=apart(np.zeros((opened, widest))),
    )


def public_frames(tree: PackedTree, hands: public.BoardHands) -> public.PublicFrames:
    """Scratch of one thread for boards with as many hands as this one."""
    widest = int(tree.nodes[:, CHILDREN].max())
    size = hands.cards.shape[0]
    depth = _depth(tree) + 1
    # Games with one hole card number a second card per hand (`SmallDeals.board`).
    cards = 52 if hands.cards.max() < 52 else 104
    return public.PublicFrames(
        node=apart(np.zeros(depth, dtype=np.int32)),
        child=apart(np.zeros(depth, dtype=np.int32)),
        source=apart(np.zeros(depth, dtype=np.int32)),
        reach=np.zeros((depth, size), dtype=np.float32),
        value=np.zeros((depth, size), dtype=np.float32),
        sigma=np.zeros((depth, size, widest), dtype=np.float32),
        gain=np.zeros((depth, size, widest), dtype=np.float32),
        card_sum=np.zeros((depth, cards), dtype=np.float32),
        total=apart(np.zeros(depth, dtype=np.float32)),
        summed=apart(np.zeros(depth, dtype=np.bool_)),
        running=apart(np.zeros(cards, dtype=np.float32)),
        result=np.zeros(size, dtype=np.float32),
    )


def _depth(tree: PackedTree) -> int:
    """The number of actions on the longest path."""
    depth = np.zeros(tree.nodes.shape[0], dtype=np.int32)
    for node in np.flatnonzero(tree.nodes[:, KIND] == DECISION):
        start = tree.nodes[node, FIRST_CHILD]
        below = tree.children[start : start + tree.nodes[node, CHILDREN]]
        depth[below] = depth[node] + 1
    return int(depth.max())
