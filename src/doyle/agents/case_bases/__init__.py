"""Case-based strategies (Rubin and Watson 2012): decisions remembered from play, found by similarity.

In reading order:

`domains`       the three games and their letters
`architecture`  an agent in the paper's six points
`snapshot`      the six points as a TOML file, each with its source; presets
`features`      what a case says: sequences, bets, textures, hands, situations
`case_base`     cases by round, their files
`learning`      case bases from logs
`similarity`    local similarities of features
`retrieval`     the nearest cases, through an index
`reuse`         from retrieved vectors to what is played
`inter_domain`  three-player sequences as two-player ones
`inspection`    what a base holds, and why cases were retrieved
`imitation`     how well a base agrees with held-out decisions of its expert

Names that need compiled kernels are loaded at first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from doyle.agents.case_bases.architecture import Architecture
from doyle.agents.case_bases.domains import DOMAINS, Domain, domain_named, domain_of

if TYPE_CHECKING:
    from doyle.agents.case_bases.case_base import CaseBase, is_case_base
    from doyle.agents.case_bases.learning.construction import build_case_base, build_to_folder
    from doyle.agents.case_bases.retrieval import Query, Retrieved, Retriever

_LOADED = {
    "CaseBase": "case_base",
    "is_case_base": "case_base",
    "build_case_base": "learning.construction",
    "build_to_folder": "learning.construction",
    "Query": "retrieval",
    "Retrieved": "retrieval",
    "Retriever": "retrieval",
}


def __getattr__(name: str) -> Any:
    if name not in _LOADED:
        raise AttributeError(f"module 'doyle.agents.case_bases' has no attribute {name!r}")
    value = getattr(import_module(f"doyle.agents.case_bases.{_LOADED[name]}"), name)
    globals()[name] = value
    return value


__all__ = [
    "DOMAINS",
    "Architecture",
    "CaseBase",
    "Domain",
    "Query",
    "Retrieved",
    "Retriever",
    "build_case_base",
    "build_to_folder",
    "domain_named",
    "domain_of",
    "is_case_base",
]
