"""No-limit Kuhn poker: one card each of Jack, Queen and King, one bet of any allowed size.

Both seats put in 0.50; seat 0 checks or bets up to its stack n; seat 1 calls or folds. After a
check seat 1 cannot bet; in the variant it may fold there (which never helps it).
Source: Ganzfried and Sandholm, IJCAI 2013, section 3.2 and footnotes 1 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from doyle.solving.games import BlockMatrix, PrivateStates, PublicGame, state_game
from doyle.solving.games.clairvoyance import bet_sizes, one_bet_tree


def nolimit_kuhn(
    stack: float, sizes: Sequence[float] | None = None, *, fold_after_check: bool = False
) -> PublicGame:
    """The game with this stack; bets in steps of 0.1 unless `sizes` lists the allowed ones.

    >>> nolimit_kuhn(1.0).information_sets()
    (3, 30)
    """
    # States are the cards: 0 Jack, 1 Queen, 2 King.
    joint = (1 - np.eye(3)) / 6
    result = joint * np.sign(np.arange(3)[:, None] - np.arange(3)[None, :])
    states = PrivateStates(
        parents=(np.zeros(3, np.int64), np.zeros(3, np.int64)),
        joint=BlockMatrix.of([joint]),
        showdown=BlockMatrix.of([result]),
    )
    tree = one_bet_tree(
        bet_sizes(stack) if sizes is None else sizes, answers_check=fold_after_check
    )
    variant = ",fold" if fold_after_check else ""
    return state_game(f"nolimit-kuhn:n={stack:g}{variant}", tree, [states])
