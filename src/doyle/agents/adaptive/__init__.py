"""Agents that model their opponent during a match and respond to the model.

All remember: a match starts with no memory (`start`), and every hand adds to it (`hand_over`).

In reading order:

`small_game_model`  hands of Kuhn and Leduc as counts over a prior, and their evidence about a hand
`safe`              `safe-exploiter`, `best-equilibrium` and `model-response` in games with a small deck
`reader`            a model of how an opponent reads bets, and bets sized by it
`boundary_exploiter`  `explorer:AGENT` and `hyperborean09-br`: explores a boundary, then exploits it
`deviations`        `dbbr:AGENT`: best responses to how an opponent deviates from an equilibrium
"""
