"""Estimates from played hands with less noise than the chips won, and the same mean.

In reading order:

`pairs`            sums over all pairs of hands: their weight, and who wins if nobody bets any more
`value_functions`  what a history is worth, fixed before the hands are seen
`aivat`            the corrected value of a hand: chance and known players' choices taken out
`log_run`          AIVAT over the hands of a log, with an interval
`divat`            the chips won less what the cards gave to a baseline strategy
`importance_sampling`  one player's value from hands that it, or another policy, played
"""
