"""Smaller games: fewer bets, fewer kinds of cards.

In reading order:

`betting`     betting models, the trees they span, and files in Tartanian's betting-model language
`cards`       card abstractions, by the thesis's notation or by name
`gameshrink`  GameShrink: signals that a game cannot tell apart, merged

Bets and cards are abstracted apart; a strategy joins them, with a row for each bucket at each decision.
"""
