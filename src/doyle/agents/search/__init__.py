"""Searching agents: the rest of a hand is solved again while it is played.

`search:AGENT` plays AGENT, its *blueprint*, up to the first street that is searched. There the rest of
the hand is solved with every hand of both ranges, and the agent plays the solution. The ranges at the
start of a street are those of the agent's own play so far: the blueprint's before the first searched
street, afterwards those of its own solutions. A real bet that the solved tree lacks is added where it
was made and the street is solved again from its start, so no bet is translated on a searched street.
A flop is solved to a depth limit at its end.

Sources: Ganzfried and Sandholm 2015 (endgame solving), Burch, Johanson and Bowling 2014 (`resolve`),
Moravcik and others 2016 (`maxmargin`), Brown and Sandholm 2017 (`reach-maxmargin`, nested solving),
Brown, Sandholm and Amos 2018 (the depth limit).

In reading order:

`settings`  the options of a searching agent and their text
`continuations` with `_leaf_kernels`  what the blueprint's play after a street is worth, and its leanings
`street_solver`  one street solved to a depth limit at its end
`subgame`   one solve: the rest of a hand from the start of a street, with the bets added so far
`agent`     the agent and policy
`explanation`  why it acts as it does with one hand
"""

from doyle.agents.search.agent import SearchAgent
from doyle.agents.search.settings import SearchSettings

__all__ = ["SearchAgent", "SearchSettings"]
