"""Review of played hands: the loss of each decision of a player against an agent's strategy.

In reading order:

`action_values`     the value of each action to one hand against the agent's range
`spot_check`        decisions of the turn and river by the spot solver
`hands`             hands from files and folders, in the agent's game
`records`           results for decisions, groups of them, hands and the total
`review`            the review itself
"""

from doyle.measuring.reviewing.action_values import ActionValues, Valuer
from doyle.measuring.reviewing.hands import HandFile, read_hand_file
from doyle.measuring.reviewing.records import Review, ReviewedDecision, ReviewedHand
from doyle.measuring.reviewing.review import ReviewOptions, review_hands
from doyle.measuring.reviewing.spot_check import SpotLimits

__all__ = [
    "ActionValues",
    "HandFile",
    "Review",
    "ReviewOptions",
    "ReviewedDecision",
    "ReviewedHand",
    "SpotLimits",
    "Valuer",
    "read_hand_file",
    "review_hands",
]
