"""Case-based strategies (Rubin and Watson 2012): decisions remembered from play, found by similarity.

In reading order:

`domains`       the three games and their letters
`architecture`  an agent in the paper's six points
`sequences`     betting sequences, raises by seat
`bets`          no-limit bets as letters, letters as bets
`textures`      nine textures of boards
`features`      what a case says about the cards
`decisions`     what a player did, with the features of the moment
`reading`       blocks of log lines to decisions
`case_base`     cases by round, their files
`construction`  case bases from logs
`similarity`    local similarities of features
`retrieval`     the nearest cases, through an index
`reuse`         from retrieved vectors to what is played
"""

from __future__ import annotations

from doyle.cases.architecture import Architecture
from doyle.cases.case_base import CaseBase, is_case_base
from doyle.cases.construction import build_case_base
from doyle.cases.domains import DOMAINS, Domain, domain_named, domain_of
from doyle.cases.retrieval import Query, Retrieved, Retriever

__all__ = [
    "DOMAINS",
    "Architecture",
    "CaseBase",
    "Domain",
    "Query",
    "Retrieved",
    "Retriever",
    "build_case_base",
    "domain_named",
    "domain_of",
    "is_case_base",
]
