"""Case-based agents: one base, several, growing ones, and those that switch between games.

In reading order:

`agent`        plays a case base, as agent and policy
`combination`  several imitators by vote, or the one that wins most in this match
`retention`    an agent that retains the cases of the hands it plays
`switching`    three players, and a two-player base once one has folded
`named`        from the text of an agent to it: presets, snapshots, folders, options
`explanation`  the cases behind one decision
"""

from doyle.agents.cases.agent import CaseBasedAgent, LetterAgent
from doyle.agents.cases.combination import ChoosingAgent, VotingAgent
from doyle.agents.cases.retention import RetainingAgent
from doyle.agents.cases.switching import SwitchingAgent

__all__ = [
    "CaseBasedAgent",
    "ChoosingAgent",
    "LetterAgent",
    "RetainingAgent",
    "SwitchingAgent",
    "VotingAgent",
]
