"""Local similarities of features, from 0 to 1 (sections 5.3.2, 6.3.4 and 7.2.2).

The global similarity of two cases is the plain mean of the local ones (equation 1).
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from doyle.agents.case_bases.architecture import Architecture
from doyle.agents.case_bases.domains import BET_LETTERS, Domain
from doyle.agents.case_bases.features.bets import BettingSequence
from doyle.agents.case_bases.features.hands import (
    HOLE_CLASS,
    HOLE_CLASSES,
    HandFeatures,
    texture_similarity,
)

Table = NDArray[np.float64]

STEPS = (1.0, 0.9, 0.8, 0.0)
"""The similarity of betting sequences that satisfy level 0, 1, 2, or none of them."""

BET_PLACE = {letter: place for place, letter in enumerate(BET_LETTERS)}
_SHAPE = str.maketrans(dict.fromkeys(BET_LETTERS, "b"))


def commitment_similarity(first: int, second: int) -> float:
    """Equation 8: exponential in the difference of two commitment classes."""
    return math.exp(-abs(first - second))


def stepped_similarity(domain: Domain, first: str, second: str) -> float:
    """Limit betting by levels: equal, equal raises by round and seat, equal raises by seat.

    Levels 1 and 2 need the active round to be the same.

    >>> from doyle.agents.case_bases.domains import LIMIT
    >>> stepped_similarity(LIMIT, "crrc-crrrrc-cr", "rrc-rrrrc-cr")
    0.9
    >>> stepped_similarity(LIMIT, "rrc-cc-cc-rrr", "cc-rc-crc-rrr")
    0.8
    """
    ours, theirs = (BettingSequence.parse(domain, text) for text in (first, second))
    if first == second:
        return STEPS[0]
    if len(ours.rounds) != len(theirs.rounds) or ours.current != theirs.current:
        return STEPS[3]
    if ours.raises_before == theirs.raises_before:
        return STEPS[1]
    return STEPS[2] if ours.raises_in_all == theirs.raises_in_all else STEPS[3]


def bet_shape(text: str) -> str:
    """A no-limit sequence with every bet size as one letter; equal shapes can be compared."""
    return text.translate(_SHAPE)


def sizes_similarity(first: str, second: str, *, decay: float = 0.05) -> float:
    """Equation 7: 1 less `decay` for every place by which bets differ in the bet string.

    Checks, calls, folds, all-ins and round marks must stand at the same places. Made symmetric (the
    printed condition runs from the first sequence only) and not below 0.

    >>> round(sizes_similarity("ihpc", "dqpc"), 12)
    0.85
    """
    if bet_shape(first) != bet_shape(second):
        return 0.0
    pairs = zip(first, second, strict=True)
    distance = sum(abs(BET_PLACE[a] - BET_PLACE[b]) for a, b in pairs if a in BET_PLACE)
    return max(1.0 - decay * distance, 0.0)


def betting_similarity(architecture: Architecture, first: str, second: str) -> float:
    """The similarity of two betting sequences by the metric of an architecture."""
    if architecture.betting_metric == "stepped":
        return stepped_similarity(architecture.game_domain, first, second)
    for text in (first, second):
        BettingSequence.parse(architecture.game_domain, text)
    if architecture.betting_metric == "sizes":
        return sizes_similarity(first, second, decay=architecture.decay)
    return float(first == second)


def hand_table(architecture: Architecture, round_: int, size: int) -> Table:
    """The similarity of any two values of the hand feature of a round."""
    if round_ == 0:
        if architecture.hole_metric == "equity":
            return _class_similarity(architecture.slope)
        return np.eye(HOLE_CLASSES)
    if architecture.strength_metric == "all-or-nothing":
        return np.eye(size)
    values = np.arange(size)
    distance = np.abs(values[:, None] - values[None, :])
    table: Table = np.maximum(1.0 - architecture.slope * distance / size, 0.0)
    return table


@cache
def _class_similarity(slope: float) -> Table:
    """1 - slope * |difference of E[HS]| of any two classes of starting hands, not below 0."""
    from doyle.abstractions.cards.strength.atlas import Atlas, largest_sum

    sums = np.asarray(Atlas().sums(0, 1)[0], np.float64) / largest_sum(0, 1)
    value = np.zeros(HOLE_CLASSES)
    value[HOLE_CLASS] = sums
    return np.maximum(1.0 - slope * np.abs(value[:, None] - value[None, :]), 0.0)


def texture_table(architecture: Architecture) -> Table:
    """The similarity of any two textures."""
    if architecture.texture_metric == "matrix":
        return texture_similarity()
    return np.eye(len(texture_similarity()))


def commitment_table(architecture: Architecture) -> Table:
    """The similarity of any two commitment classes."""
    count = architecture.commitment_classes
    if architecture.commitment_metric == "all-or-nothing":
        return np.eye(count)
    return np.array([[commitment_similarity(a, b) for b in range(count)] for a in range(count)])


def feature_tables(features: HandFeatures, round_: int) -> tuple[Table, Table, Table]:
    """The tables of hand, texture and commitment for the cases of a round."""
    architecture = features.architecture
    return (
        hand_table(architecture, round_, features.size(round_)),
        texture_table(architecture),
        commitment_table(architecture),
    )
