"""Translation: reading real bets as bets of the tree, and speaking tree bets as real bets.

An opponent may make bets outside the tree. A mapping returns the probability that such a bet is
read as the smaller of its neighbours; a translation applies one under a convention (fractions of
the real pot, chips, the fixes of the thesis) and a walk carries the weights of all readings along a
history.

In reading order:

`mappings`            f(A, B, x): the seven of IJCAI 2013 and others, in exact arithmetic
`steps`               `Translation`: one real action read, one tree action converted to a real one
`named_translations`  translations by name, three families with one convention each
`walk`                a player's possible places in the abstract game, along a real history
`defence`             to a bet read partly as a check, the worst hands fold first
`boundary`            estimating the boundary of an opponent's translation from play
"""

from __future__ import annotations

from doyle.strategy.translation.mappings import (
    MAPPINGS,
    Mapping,
    mapping,
    mapping_names,
    piecewise,
    read_chips,
    read_many,
)

__all__ = [
    "MAPPINGS",
    "Mapping",
    "mapping",
    "mapping_names",
    "piecewise",
    "read_chips",
    "read_many",
]
