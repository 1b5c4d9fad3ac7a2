"""Translation: reading real bets as bets of the tree, and speaking tree bets as real bets."""

from __future__ import annotations

from doyle.translation.intervals import read_chips, read_many
from doyle.translation.mappings import MAPPINGS, Mapping, mapping, mapping_names, piecewise

__all__ = [
    "MAPPINGS",
    "Mapping",
    "mapping",
    "mapping_names",
    "piecewise",
    "read_chips",
    "read_many",
]
