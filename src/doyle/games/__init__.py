"""Games: the rules as data (`Game`), one moment of a hand (`State`), and who plays (`Agent`).

Kuhn, Leduc and Hold'em are values of one type with the fields of an ACPC game definition. Bets are
totals ("raise to") over all rounds, chips are ints, seats and rounds count from 0. States are immutable
and follow the ACPC reference server; a `View` is what one seat may see of them.

In reading order:

`game`        `Game`, its fields and what they must satisfy; its definition file, and the games that come with doyle
`state`       `State`: legal actions, the next state, the end of a hand
`payoffs`     side pots, showdown and split pots, exactly
`deal`        `Deal`: hole cards by seat and the board, known or not
`view`        `View`, and the protocols `Agent`, `RememberingAgent`, `Policy` and `SpreadPolicy`
`policies`    the rows of a policy, and reach for policies that have probabilities only
`sequences`   betting sequences counted by round without walking them; how many states and information sets a game has
`histories`   betting strings, MATCHSTATE, ACPC logs and PHH, read, written and converted

Whoever implements `Agent` or `Policy` finds their contracts in `doyle.testing`.
"""

from __future__ import annotations

from doyle.games.deal import Deal, check_deal
from doyle.games.game import UNLIMITED_STACK, Game, bundled_names
from doyle.games.payoffs import showdown_ranks
from doyle.games.state import CALL, FOLD, Action, State, action_name
from doyle.games.view import Agent, Policy, RememberingAgent, SpreadPolicy, View, remembers

__all__ = [
    "CALL",
    "FOLD",
    "UNLIMITED_STACK",
    "Action",
    "Agent",
    "Deal",
    "Game",
    "Policy",
    "RememberingAgent",
    "SpreadPolicy",
    "State",
    "View",
    "action_name",
    "bundled_names",
    "check_deal",
    "remembers",
    "showdown_ranks",
]
