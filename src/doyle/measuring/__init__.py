"""Measurement of policies and strategies: exact where that is possible, with an interval elsewhere.

`policies` measures any policy in a small game, `full_cards` with `full_run` a strategy over all cards
inside its betting tree, `strategies` a named strategy as it is played. `local_best_response` with
`lbr_run` bounds from below what an opponent can win, `exact_hands` with `exact_hands_run` evaluates two
policies against each other over all pairs of hands, by a `joint_plan` if they are strategies.
`hand_equity` is what a hand wins if nobody bets, `confidence_sequence` an interval that may be looked at
at any time, `runs` what the runs share.
"""
