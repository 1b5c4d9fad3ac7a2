"""Estimates from played hands with less noise than the chips won, and the same mean.

In reading order:

`pairs`                sums over all pairs of hands: their weight, and the winner without further
    bets
`value_functions`      values of histories, fixed before the hands are seen
`aivat`                the corrected value of a hand: chance and known players' choices taken out
`round_plan`           the possible play of two strategy agents in a betting round, compiled once
    for all cards
`planned_hands`        the terms of a hand of one known strategy agent, by plans of its rounds
`divat`                the chips won minus the cards' value to a baseline strategy
`late_value_bets`      values of histories to a baseline that bets its good hands on the turn and
    the river
`importance_sampling`  one player's value from hands that it, or another policy, played
`records`              hands of a record: their players, shared deals, and means with intervals
`log_run`              AIVAT over the hands of a log
`sampling_run`         DIVAT and importance sampling over hands
"""
