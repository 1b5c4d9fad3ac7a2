"""Public games: what vector methods see, from any moment of a hand.

In reading order: `public_game` (the noun: betting tree, boards, hands with ranges, evaluator),
`chance` (the boards still to come, one for all that differ by suits only), `evaluators` with its
kernels (what a leaf is worth to all hands at once; the only place that knows how a showdown is
decided), `poker` (poker from any `State`: Kuhn, Leduc, a Hold'em river, turn or flop).
"""

from doyle.public_games.chance import Boards
from doyle.public_games.poker import Outline, hands_of, outline, poker_game, range_hands
from doyle.public_games.public_game import Hands, PublicGame

__all__ = [
    "Boards",
    "Hands",
    "Outline",
    "PublicGame",
    "hands_of",
    "outline",
    "poker_game",
    "range_hands",
]
