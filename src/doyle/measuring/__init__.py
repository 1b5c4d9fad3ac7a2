"""Measurement of policies and strategies: exact where that is possible, with an interval elsewhere.

Games with a small deck are measured whole, Hold'em in the strategy's buckets or over all cards inside its
betting tree, against one known opponent, or from below by a local best response. Policies are measured as
they play, with purification and translation.

In reading order:

`strategies`           how exploitable a named strategy is, in one of three games
`policies`             a policy asked at every public history of a small game, as a profile
`full_cards`           the best response over all cards, flop by flop
`full_run`             a resumable run of it over all flops
`sampled_flops`        an upper estimate and a lower bound of it from a sample of flops
`local_best_response`  an opponent who looks one action ahead, and its action sets
`lbr_run`              its runs, with an interval
`exact_hands`          two policies against each other over all pairs of hands on a board
`joint_plan`           the real histories that two strategy agents can reach, as instructions
`exact_hands_run`      its runs, with an interval
`hand_equity`          the win probability of one hand against every other if nobody bets
`confidence_sequence`  an interval that may be looked at at any time
`variance_reduction`   played hands with less noise than the chips won: AIVAT, DIVAT
`runs`                 what the runs share

Modules with `_kernels` in their name are compiled loops.
"""
