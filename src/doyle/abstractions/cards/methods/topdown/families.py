"""Families: the hands below one parent bucket, clustered for every number of children that is tried.

Each family stands for the mass of its parent, so that the errors of different parents can be added
when an integer program decides how many children each gets (`allocation`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.clustering.kmeans import Floats, kmeans
from doyle.abstractions.cards.methods.topdown.division import Sizes, first_buckets
from doyle.abstractions.cards.strength.atlas import Atlas
from doyle.base.workers import map_threads

ITERATIONS = 40

Order = Callable[[Floats], Floats]
"""Puts centroids [k, d] in order from weak to strong."""


@dataclass(frozen=True, eq=False)
class Family:
    """The training hands of one parent: features, weights, and the mass they stand for."""

    features: npt.NDArray[Any]
    weights: Floats
    mass: float
    seed: tuple[int, ...]


def divide(family: Family, choices: range, ordered: Order) -> tuple[list[Floats], Floats]:
    """The centroids for each number of children in `choices`, and their errors."""
    centres: list[Floats] = []
    errors: list[float] = []
    for children in choices:
        if len(family.features) == 0:
            centres.append(np.zeros((1, family.features.shape[1])))
            errors.append(0.0)
            continue
        found = kmeans(
            family.features,
            weights=family.weights,
            clusters=children,
            seed=(*family.seed, children),
            iterations=ITERATIONS,
        )
        centres.append(ordered(found.centroids))
        errors.append(found.inertia * family.mass / float(family.weights.sum()))
    return centres, np.array(errors)


def divide_all(
    atlas: Atlas, sizes: Sizes, round: int, *, families: Sequence[Family], ordered: Order
) -> tuple[npt.NDArray[Any], ...]:
    """The centroids of all parents' children, how many each parent has, where their numbers start."""
    label = ("", "flop clusters", "turn clusters")[round]
    choices = sizes.children(round)

    def work(family: Family) -> tuple[list[Floats], Floats]:
        return divide(family, choices, ordered)

    found = list(
        map_threads(work, families, workers=atlas.workers, progress=atlas.progress, label=label)
    )
    children = sizes.share(round, [errors for _, errors in found])
    chosen = [
        centres[int(count) - choices[0]]
        for (centres, _), count in zip(found, children, strict=True)
    ]
    counts = np.array([len(centres) for centres in chosen])
    return np.concatenate(chosen), counts, first_buckets(children)


def padded(
    centres: npt.NDArray[Any], counts: npt.NDArray[Any], starts: npt.NDArray[np.int64]
) -> npt.NDArray[np.float32]:
    """Centroids at their buckets' numbers; infinitely far where a parent has fewer clusters."""
    result = np.full((int(starts[-1]), centres.shape[1]), np.inf, np.float32)
    for own, start in zip(np.split(centres, np.cumsum(counts)[:-1]), starts, strict=False):
        result[start : start + len(own)] = own
    return result
