"""Players that switch between strategies within a hand (Schnizlein 2009, chapter 5). All are policies.

In reading order:

`coach`        `defensive-coach` and `full-coach`: two strategies, and when to leave the first for the second
`cover_games`  the abstract games of the cover set of 12-chip Leduc
`cover_player` the player that picks one of them at every decision
`cover_agent`  `full-cover` and `sub-cover`: that player in play
"""
