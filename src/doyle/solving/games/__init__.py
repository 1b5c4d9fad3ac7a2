"""The games that algorithms solve, and all their makers.

Games come in two forms. A `PublicGame` has hands with ranges on boards: vector methods, reach and the
walks over boards read it. A `MatrixGame` has private states with given matrices: the sequence form
reads it. Sampling solvers read a betting tree and deals.

In reading order:

`public_game`  public tree, boards, hands with ranges, showdowns
`chance`       boards still to come, one for all that differ by suits only; listed, or dealt one at a time
`evaluators`   values of a leaf for all hands at once (`_evaluator_kernels`); the only place that decides showdowns
`poker`        poker from any `State`: a river, turn or flop, Kuhn, Leduc; all of a game inside a betting tree
`matrix_game`  private states by round, the matrices of their pairs
`small_games`  games from their start whose cards can be enumerated, and the rows of their strategy tables
`holdem`       buckets of Hold'em, their pairs counted (`_pair_kernels`)
`one_bet`      clairvoyance and no-limit Kuhn, which have no definition file
"""

from doyle.solving.games.chance import Board, Boards
from doyle.solving.games.matrix_game import BlockMatrix, MatrixGame, PrivateStates
from doyle.solving.games.poker import (
    Outline,
    hands_of,
    outline,
    poker_game,
    range_hands,
    whole_game,
)
from doyle.solving.games.public_game import Hands, PublicGame

__all__ = [
    "BlockMatrix",
    "Board",
    "Boards",
    "Hands",
    "MatrixGame",
    "Outline",
    "PrivateStates",
    "PublicGame",
    "hands_of",
    "outline",
    "poker_game",
    "range_hands",
    "whole_game",
]
