"""Measurement of policies and strategies: exact where that is possible, with an interval elsewhere.

Games with a small deck are measured whole, Hold'em in the strategy's buckets or over all cards inside its
betting tree, against one known opponent, or from below by a local best response. Policies are measured as
they play, with purification and translation.

In reading order:

`strategies`           how exploitable a named strategy is, in one of three games; policies as profiles
`full_cards`           the best response over all cards inside a betting tree: all flops, or a sample
`local_best_response`  a lower bound in the real game: an opponent who looks one action ahead
`late_response`        an exact best response from the river or turn on, after self-play
`exact_hands`          two policies against each other over all pairs of hands on a board
`responses`            responses to a known opponent with bounded losses
`variance_reduction`   played hands with less noise than the chips won: AIVAT, DIVAT, importance sampling
`hand_equity`          the win probability of one hand against every other without further bets
`runs`                 what the runs share
`reviewing`            played hands reviewed: the loss of each decision
`reports`              report cards, the benchmark, advice, pages of reviews and spots

Each instrument that has runs of its own is a package: its computation, then its `run`, which
accepts agents and limits and returns a result with its interval. Modules with `_kernels` in their
name are compiled loops.
"""
