"""No-limit Kuhn poker: one card each of Jack, Queen and King, one bet of any allowed size.

Both seats put in 0.50; seat 0 checks or bets up to its stack n; seat 1 calls or folds. After a
check seat 1 cannot bet; in the variant it may fold there (which never helps it).
Source: Ganzfried and Sandholm, IJCAI 2013, section 3.2 and footnotes 1 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from doyle.solving.games.clairvoyance import bet_sizes, one_bet_tree
from doyle.solving.games.tree_game import BlockMatrix, Chance, TreeGame


def nolimit_kuhn(
    stack: float, sizes: Sequence[float] | None = None, *, fold_after_check: bool = False
) -> TreeGame:
    """The game with this stack; bets in steps of 0.1 unless `sizes` lists the allowed ones.

    >>> nolimit_kuhn(1.0).information_sets()
    (3, 30)
    """
    # States are the cards: 0 Jack, 1 Queen, 2 King.
    weight = (1 - np.eye(3)) / 6
    sign = weight * np.sign(np.arange(3)[:, None] - np.arange(3)[None, :])
    chance = Chance(
        parents=(np.zeros(3, np.int64), np.zeros(3, np.int64)),
        weight=BlockMatrix.of([weight]),
        sign=BlockMatrix.of([sign]),
    )
    tree = one_bet_tree(
        bet_sizes(stack) if sizes is None else sizes, answers_check=fold_after_check
    )
    variant = ",fold" if fold_after_check else ""
    return TreeGame(f"nolimit-kuhn:n={stack:g}{variant}", tree, (chance,))
