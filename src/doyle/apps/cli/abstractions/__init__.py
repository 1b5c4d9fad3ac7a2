"""Commands about abstractions that make a game smaller: fewer bets, fewer hands, and bets read as
other bets.

In reading order:

`tree`       `doyle tree`: the tree that a betting model spans in a game, or that a BML file holds
`cards`      `doyle cards`: card abstractions built, listed, shown and compared; the bucket of a hand
`shrink`     `doyle shrink`: GameShrink, how far a game's signals can be merged
`translate`  `doyle translate`: one real bet through one mapping

They call `doyle.abstractions.betting`, `doyle.abstractions.cards`, `doyle.abstractions.gameshrink` and `doyle.strategy.translation`.
"""
