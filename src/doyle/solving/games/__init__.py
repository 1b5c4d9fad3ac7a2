"""The games that algorithms solve, and all their makers.

In reading order: `public_game` (the noun: public tree, boards, private states with ranges, showdowns),
`chance` (the boards still to come, one for all that differ by suits only; listed, or dealt one at a time), `private_states` (states by
round with the matrices of their pairs), `evaluators` with its kernels (what a leaf is worth to all
hands at once; the only place that knows how a showdown is decided), `poker` (poker from any `State`:
Kuhn, Leduc, a Hold'em river, turn or flop; all of a game inside a betting tree), `states` (buckets, merged cards, one-bet games), `equity`;
from their start: `small_games` with `card_states` (games whose cards can be enumerated) or `shrunk` (after
GameShrink), `holdem` (buckets of Hold'em with their pairs counted), `clairvoyance` and `nolimit_kuhn`
(games without a definition file), found by name in `named_games`.
"""

from doyle.solving.games.chance import Board, Boards
from doyle.solving.games.poker import (
    Outline,
    hands_of,
    outline,
    poker_game,
    range_hands,
    whole_game,
)
from doyle.solving.games.private_states import BlockMatrix, PrivateStates
from doyle.solving.games.public_game import Hands, PublicGame
from doyle.solving.games.states import state_game

__all__ = [
    "BlockMatrix",
    "Board",
    "Boards",
    "Hands",
    "Outline",
    "PrivateStates",
    "PublicGame",
    "hands_of",
    "outline",
    "poker_game",
    "range_hands",
    "state_game",
    "whole_game",
]
