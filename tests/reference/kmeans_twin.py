"""Plain twins of the k-means kernels: every distance, no bounds."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt


def lloyd(
    points: npt.NDArray[Any],
    weights: npt.NDArray[Any],
    centroids: npt.NDArray[Any],
    iterations: int,
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Assignment and centroids after `iterations`, where no cluster ever becomes empty."""
    centroids = centroids.astype(float)
    for _ in range(iterations):
        assignment = nearest(points, centroids)
        centroids = np.array(
            [
                np.average(points[assignment == c], axis=0, weights=weights[assignment == c])
                for c in range(len(centroids))
            ]
        )
    return nearest(points, centroids), centroids


def nearest(points: npt.NDArray[Any], centroids: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return ((points[:, None, :] - centroids[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)


def least_line_error(values: npt.NDArray[Any], weights: npt.NDArray[Any], clusters: int) -> float:
    """The least error over every way to cut the ascending values into `clusters` runs."""
    best = np.inf
    for cuts in combinations(range(1, len(values)), clusters - 1):
        error = 0.0
        for start, stop in zip((0, *cuts), (*cuts, len(values)), strict=True):
            part, mass = values[start:stop], weights[start:stop]
            if mass.sum() > 0:
                error += float(mass @ (part - np.average(part, weights=mass)) ** 2)
        best = min(best, error)
    return best
