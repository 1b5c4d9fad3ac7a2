"""The paper's relation on Hold'em: siblings of one kind merge (`_kinds_kernels`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from doyle.abstractions.gameshrink.holdem_classes import HoldemSignals, ListedClasses
from doyle.abstractions.gameshrink.isomorphism_classes import IsomorphismClasses


def list_matching(signals: HoldemSignals, tree: IsomorphismClasses) -> ListedClasses:
    """Classes of preflop and flop hands: (class of the parent, kind)."""
    hands = signals.deck.hands(3)
    flop = tree.rounds[1]
    kinds = np.asarray(flop.table[hands.row, hands.hole])
    later = len(signals.ends) - 2
    below = np.asarray(flop.classes[kinds])[:, :later] if later else np.empty((len(hands), 0))
    return ListedClasses.number(signals.deck, np.array(tree.rounds[0].table[0]), kinds, below)


@dataclass(frozen=True, eq=False)
class BelowMatching:
    """Turn and river classes under one flop are the different kinds of its children, ascending."""

    tree: IsomorphismClasses

    def place(self, hole: Sequence[int], board: Sequence[int]) -> int:
        rounds = self.tree.rounds
        turns = np.unique(rounds[1].children[self.tree.find(hole, board[:3])])
        turn = self.tree.find(hole, board[:4])
        before = int(np.searchsorted(turns, turn))
        if len(board) == 4:
            return before
        skipped = int(rounds[2].classes[turns[:before], 0].sum())
        rivers = np.unique(rounds[2].children[turn])
        return skipped + int(np.searchsorted(rivers, self.tree.find(hole, board)))
