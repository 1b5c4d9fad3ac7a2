"""Case-based agents: one base, several, growing ones, and those that switch between games.

In reading order:

`agent`        plays a case base, as agent and policy; several imitators by vote, or the one that wins
               most in this match; three players, and a two-player base once one has folded
`retention`    an agent that retains the cases of the hands it plays
`named`        from the text of an agent to it: presets, snapshots, folders, options
`explanation`  the cases behind one decision
"""

from doyle.agents.cases.agent import (
    CaseBasedAgent,
    ChoosingAgent,
    LetterAgent,
    SwitchingAgent,
    VotingAgent,
)
from doyle.agents.cases.retention import RetainingAgent

__all__ = [
    "CaseBasedAgent",
    "ChoosingAgent",
    "LetterAgent",
    "RetainingAgent",
    "SwitchingAgent",
    "VotingAgent",
]
