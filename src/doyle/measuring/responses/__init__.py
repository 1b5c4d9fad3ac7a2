"""Responses to a known opponent whose losses are bounded: their winnings and their risk.

In reading order:

`curve`     points of a response curve: the requested share or bound, gain and loss
`exact`     games with a small deck, by linear programs: exact gain, exact loss
`sampled`   Hold'em in the opponent's abstract game, by sampling
"""
