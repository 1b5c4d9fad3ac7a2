"""Responses to a known opponent whose losses are bounded: what they win, and what they risk.

In reading order:

`curve`     points of a response curve: the share or the bound asked for, gain and loss
`exact`     games with a small deck, by linear programs: exact gain, exact loss
`sampled`   Hold'em in the opponent's abstract game, by sampling
"""
