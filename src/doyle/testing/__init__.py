"""Contract tests that anybody can run on their own parts: no test framework is needed.

Each function takes one part, tries it on many situations and returns when it keeps its contract.
Otherwise it raises `ContractError`, an AssertionError whose one line states the query, the result
and how to reproduce it. Chance comes from `seed`, so a failure repeats. Our own parts pass all of
them in `tests/contracts`.

    from doyle.testing import check_agent
    check_agent(MyAgent(), "holdem-nl-200bb", hands=100)

In reading order:

`contract`      `ContractError`, random hands of any game
`games`         `check_game`: definitions, legal actions, chips, views
`agents`        `check_agent`: legal actions, the same ones for the same view
`policies`      `check_policy`, `check_play`, `check_suits`: probabilities and reach of all hands
`solvers`       `check_solver`: plans, exploitability, repeated and resumed runs
`translations`  `check_mapping` and `check_translation`: the reading of real bets and the
    translation of tree bets
`abstractions`  `check_abstraction`: buckets of hands, boards and deals
`playthroughs`  `playthrough` and `replayed`: hands written out state by state, as data
"""

from doyle.testing.abstractions import check_abstraction
from doyle.testing.agents import check_agent
from doyle.testing.contract import ContractError
from doyle.testing.games import check_game
from doyle.testing.playthroughs import playthrough, replayed
from doyle.testing.policies import check_play, check_policy, check_suits
from doyle.testing.solvers import check_solver
from doyle.testing.translations import check_mapping, check_translation

__all__ = [
    "ContractError",
    "check_abstraction",
    "check_agent",
    "check_game",
    "check_mapping",
    "check_play",
    "check_policy",
    "check_solver",
    "check_suits",
    "check_translation",
    "playthrough",
    "replayed",
]
