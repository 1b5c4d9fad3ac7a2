"""`starter`: the agent that comes with the package and plays at once.

It needs no build, download or compilation: its strategies are files of this package with
one byte per probability, and the buckets of hands are counted in plain NumPy.

`strength`  E[HS^2] of all hands on the turn and the river, counted on the board
`buckets`   the bucket of every hand: tables before the turn, counted from then on
`files`     the strategies as files: written by tools/make_starter.py, read here
`agent`     the agent of a game
"""

from __future__ import annotations

from doyle.agents.starter.agent import STARTER, STARTER_GAMES, starter_agent

__all__ = ["STARTER", "STARTER_GAMES", "starter_agent"]
