"""K-means: weighted clustering of points by least squares.

`kmeans` is Lloyd's algorithm started by k-means++ (Arthur and Vassilvitskii 2007), with Hamerly's
bounds (2010) to pass over points that cannot have moved. `cluster_line` is exact on a line (dynamic
programming, Wang and Song 2011). Sums are taken over fixed ranges of points and combined in their
order, so the same seed gives the same bytes on any number of threads, and on a cluster, where each
range of points stays with one actor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.abstractions.cards.clustering import _kmeans_kernels as kernels
from doyle.base.errors import DoyleError
from doyle.base.workers import Actors, Shared, Workers, map_items, map_threads

Floats = npt.NDArray[np.float64]
Points = npt.NDArray[Any]

_MOST_RANGES = 32
_LEAST_IN_RANGE = 2048


@dataclass(frozen=True, eq=False)
class Clusters:
    """A clustering: each point's cluster, the weighted means, and the weighted squared error.

    There are fewer clusters than asked for only when there are fewer distinct points.
    """

    assignment: npt.NDArray[np.int32]
    centroids: Floats
    inertia: float

    @property
    def count(self) -> int:
        return len(self.centroids)


def kmeans(
    points: Points,
    *,
    weights: Floats | None = None,
    clusters: int,
    seed: int | tuple[int, ...] = 0,
    iterations: int = 100,
    restarts: int = 1,
    initial: Floats | None = None,
    workers: Workers | None = None,
) -> Clusters:
    """Cluster the rows of points[n, d] into at most `clusters`, keeping the best of the restarts.

    With `initial` centroids there is one run, from them. A cluster that loses all its points takes
    the point that lies farthest from its own centroid.

    >>> found = kmeans(np.array([[0.0], [0.1], [5.0]]), clusters=2)
    >>> sorted(found.centroids[:, 0].tolist())
    [0.05, 5.0]
    """
    points, weights = _checked(points, weights, clusters)
    run = _Run(points, weights, workers or Workers())
    with run.ranges:
        if initial is not None:
            return run.lloyd(np.array(initial, np.float64, order="C"), iterations)
        generator = np.random.default_rng(seed)
        best: Clusters | None = None
        for _ in range(max(1, restarts)):
            found = run.lloyd(run.plus_plus(clusters, generator), iterations)
            if best is None or found.inertia < best.inertia:
                best = found
        assert best is not None
        return best


class Scorer(NamedTuple):
    """Centroids made ready for `nearest`: single precision, from their middle, transposed."""

    origin: npt.NDArray[np.float32]
    transposed: npt.NDArray[np.float32]
    half_norms: npt.NDArray[np.float32]


def scorer(centroids: Floats) -> Scorer:
    """Centroids [k, d] made ready for kernels that look for the nearest."""
    origin = centroids.mean(axis=0).astype(np.float32)
    offsets = np.asarray(centroids, np.float64) - origin
    count, width = offsets.shape
    transposed = np.zeros((-(-width // 4) * 4, count), np.float32)
    transposed[:width] = offsets.T
    return Scorer(origin, transposed, (0.5 * (offsets**2).sum(axis=1)).astype(np.float32))


def nearest(
    points: Points, centroids: Floats, *, workers: Workers | None = None
) -> npt.NDArray[np.int32]:
    """The nearest centroid of each point, in single precision (of equally near ones, the first).

    >>> nearest(np.array([[0.2], [0.9]]), np.array([[0.0], [1.0]])).tolist()
    [0, 1]
    """
    points = np.ascontiguousarray(points)
    assignment = np.empty(len(points), np.int32)
    ready = scorer(centroids)
    spans = _ranges(len(points))
    if workers is not None and workers.cluster is not None and len(spans) > 1:
        shared = Shared(ready)
        items = [(points[start:stop], shared) for start, stop in spans]
        parts = list(map_items(nearest_in_block, items, workers=workers))
        return np.concatenate(parts)

    def part(span: tuple[int, int]) -> None:
        kernels.nearest_range(points, *ready, assignment, *span)

    for _ in map_threads(part, spans, workers=workers):
        pass
    return assignment


def nearest_in_block(item: tuple[Points, Shared[Scorer]]) -> npt.NDArray[np.int32]:
    """The nearest centroid of each point of a block, on any machine."""
    points, ready = item
    assignment = np.empty(len(points), np.int32)
    kernels.nearest_range(points, *ready.value, assignment, 0, len(points))
    return assignment


def _checked(points: Points, weights: Floats | None, clusters: int) -> tuple[Points, Floats]:
    if points.ndim != 2 or len(points) == 0 or points.shape[1] == 0:
        raise DoyleError(f"kmeans: points must be [n, d] and not empty, not {points.shape}")
    if clusters < 1:
        raise DoyleError(f"kmeans: clusters must be at least 1, not {clusters}")
    if points.dtype.kind == "f" and not np.isfinite(points).all():
        raise DoyleError("kmeans: points must be finite")
    if weights is None:
        weights = np.ones(len(points))
    weights = np.ascontiguousarray(weights, np.float64)
    if weights.shape != (len(points),) or not (weights >= 0).all() or not weights.any():
        raise DoyleError("kmeans: weights must be one per point, none negative, not all zero")
    return np.ascontiguousarray(points), weights


def _ranges(count: int) -> list[tuple[int, int]]:
    """Fixed ranges of points: a function of their number alone."""
    size = max(_LEAST_IN_RANGE, -(-count // _MOST_RANGES))
    return [(start, min(start + size, count)) for start in range(0, count, size)]


def _scoring(centroids: Floats) -> tuple[Floats, Floats]:
    """The centroids transposed [d, k], and half their squared lengths [k]."""
    return np.ascontiguousarray(centroids.T), 0.5 * np.einsum("kd,kd->k", centroids, centroids)


class _Range:
    """The points of one range, with what the passes over them have found."""

    def __init__(self, item: tuple[Points, Floats]) -> None:
        self.points, self.weights = item
        count = len(self.points)
        self.squared = np.ones(count)
        self.assignment = np.full(count, -1, np.int32)
        self.upper, self.lower = np.empty(count), np.empty(count)

    def pick(self, target: float) -> Floats:
        """The point at which the weighted squared distances add up to `target`."""
        place = kernels.pick_range(self.weights, self.squared, 0, len(self.points), target)
        return np.asarray(self.points[place], np.float64)

    def begin(self, first: bool) -> float:
        """Forget all centres; the weight of the points."""
        self.squared[:] = 1.0 if first else np.inf
        return float(self.weights.sum())

    def seed(self, centre: Floats) -> float:
        """One more centre: the sum of weight x squared distance from the nearest."""
        span = (0, len(self.points))
        return float(kernels.seed_range(self.points, self.weights, centre, self.squared, *span))

    def assign(self, step: _Step) -> tuple[int, Floats, Floats]:
        """Move points to the nearest centroids: how many moved, sums and masses by centroid."""
        span = (0, len(self.points))
        if step.moved is None:
            self.assignment[:] = -1
        else:
            kernels.shift_bounds_range(self.assignment, self.upper, self.lower, step.moved, *span)
        sums, masses = np.empty(step.centroids.shape), np.empty(len(step.centroids))
        moves = kernels.assign_range(
            self.points, self.weights, step.centroids, step.transposed, step.half_norms, step.gaps,
            self.assignment, self.upper, self.lower, *span, sums, masses,
        )  # fmt: skip
        return int(moves), sums, masses

    def errors(self, centroids: Floats) -> Floats:
        """The weighted squared error of each point."""
        offsets = self.points - centroids[self.assignment]
        return np.asarray(self.weights * (offsets**2).sum(axis=1))

    def outcome(self, centroids: Floats) -> tuple[npt.NDArray[np.int32], float]:
        """The centroid of each point, and the sum of their errors."""
        span = (0, len(self.points))
        error = kernels.inertia_range(self.points, self.weights, centroids, self.assignment, *span)
        return self.assignment, float(error)


class _Step(NamedTuple):
    """Centroids as passes want them; `moved` is how far each went, None at the first pass."""

    centroids: Floats
    transposed: Floats
    half_norms: Floats
    gaps: Floats
    moved: Floats | None

    @classmethod
    def to(cls, centroids: Floats, moved: Floats | None = None) -> _Step:
        return cls(centroids, *_scoring(centroids), _half_gaps(centroids), moved)


class _Run:
    """The points of one clustering and the passes over their ranges, here or on a cluster."""

    def __init__(self, points: Points, weights: Floats, workers: Workers) -> None:
        ranges = _ranges(len(points))
        parts = [(points[start:stop], weights[start:stop]) for start, stop in ranges]
        if len(ranges) == 1:
            workers = Workers()
        self.points = points
        self.ranges = Actors(_Range, parts, workers=workers, label="clustering")

    def _all(self, argument: Any) -> list[Any]:
        return [argument] * len(self.ranges)

    def plus_plus(self, clusters: int, generator: np.random.Generator) -> Floats:
        """Centres drawn one by one in proportion to weight x squared distance from the others."""
        totals = self.ranges.call(_Range.begin, self._all(True), afresh=True)
        centres: list[Floats] = []
        while len(centres) < clusters and sum(totals) > 0:
            target = float(generator.random()) * sum(totals)
            chosen = len(totals) - 1
            for index, total in enumerate(totals):
                if target < total:
                    chosen = index
                    break
                target -= total
            while totals[chosen] <= 0:
                chosen -= 1
            centre = self.ranges.ask(chosen, _Range.pick, target)
            if not centres:
                self.ranges.call(_Range.begin, self._all(False), afresh=True)
            centres.append(centre)
            totals = self.ranges.call(_Range.seed, self._all(centre))
        return np.array(centres)

    def lloyd(self, centroids: Floats, iterations: int) -> Clusters:
        """Assign and average until nothing moves, or for `iterations`; then assign once more."""
        step = self._all(_Step.to(centroids))
        moves, sums, masses = _joined(self.ranges.call(_Range.assign, step, afresh=True))
        for _ in range(iterations):
            if moves == 0:
                break
            total, mass = _added(sums), _added(masses)
            means = centroids.copy()
            filled = mass > 0
            means[filled] = total[filled] / mass[filled, None]
            empty = np.flatnonzero(~filled)
            if len(empty):
                self._refill(means, empty, centroids)
            moved = np.sqrt(((means - centroids) ** 2).sum(axis=1))
            centroids = means
            step = self._all(_Step.to(centroids, moved))
            moves, sums, masses = _joined(self.ranges.call(_Range.assign, step))
        return self._result(centroids)

    def _refill(self, means: Floats, empty: npt.NDArray[Any], centroids: Floats) -> None:
        """Give each empty cluster the heaviest misfit: the point of most weighted squared error."""
        error = np.concatenate(self.ranges.call(_Range.errors, self._all(centroids), changes=False))
        order = np.argsort(-error, kind="stable")
        for cluster, point in zip(empty, order, strict=False):
            if error[point] > 0:
                means[cluster] = self.points[point]

    def _result(self, centroids: Floats) -> Clusters:
        found = self.ranges.call(_Range.outcome, self._all(centroids), changes=False)
        assignment = np.concatenate([part for part, _ in found])
        used = np.bincount(assignment, minlength=len(centroids)) > 0
        if not used.all():
            assignment = (np.cumsum(used) - 1)[assignment].astype(np.int32)
            centroids = centroids[used]
        return Clusters(assignment, centroids, sum(error for _, error in found))


def _joined(parts: list[tuple[int, Floats, Floats]]) -> tuple[int, list[Floats], list[Floats]]:
    moves, sums, masses = zip(*parts, strict=True)
    return sum(moves), list(sums), list(masses)


def _added(parts: list[Floats]) -> Floats:
    """The sum of the parts, one after the other."""
    total = np.zeros(parts[0].shape)
    for part in parts:
        total += part
    return total


def _half_gaps(centroids: Floats) -> Floats:
    """Half the distance from each centroid to its nearest neighbour."""
    if len(centroids) == 1:
        return np.array([np.inf])
    gaps = np.empty(len(centroids))
    for index, centroid in enumerate(centroids):
        squared = ((centroids - centroid) ** 2).sum(axis=1)
        squared[index] = np.inf
        gaps[index] = 0.5 * np.sqrt(squared.min())
    return gaps * (1 - 1e-12)


@dataclass(frozen=True, eq=False)
class LineClusters:
    """Optimal clusters of distinct ascending values for every number of clusters up to a largest.

    errors[k - 1] is the least weighted squared error with k clusters.
    """

    values: Floats
    errors: Floats
    splits: npt.NDArray[np.int32]

    def starts(self, clusters: int) -> npt.NDArray[np.int64]:
        """The index of the first value of each of `clusters` clusters."""
        found = np.zeros(clusters, np.int64)
        end = len(self.values)
        for cluster in range(clusters - 1, -1, -1):
            end = int(self.splits[cluster, end])
            found[cluster] = end
        return found

    def assignment(self, clusters: int) -> npt.NDArray[np.int32]:
        """The cluster of each value, ascending."""
        marks = np.zeros(len(self.values), np.int32)
        marks[self.starts(clusters)[1:]] = 1
        return np.cumsum(marks, dtype=np.int32)


def cluster_line(values: Floats, *, weights: Floats, clusters: int) -> LineClusters:
    """Optimal k-means of ascending distinct `values` on a line, for k = 1 .. `clusters`.

    >>> line = cluster_line(np.array([0.0, 1.0, 9.0]), weights=np.ones(3), clusters=3)
    >>> line.assignment(2).tolist(), line.errors.tolist()[1:]
    ([0, 0, 1], [0.5, 0.0])
    """
    values = np.ascontiguousarray(values, np.float64)
    weights = np.ascontiguousarray(weights, np.float64)
    if len(values) == 0 or (np.diff(values) <= 0).any():
        raise DoyleError("cluster_line: values must be ascending, distinct and at least one")
    clusters = min(clusters, len(values))
    # Measured from the mean, so that the prefix sums of squares lose no digits.
    total = weights.sum()
    centred = values - (weights @ values / total if total > 0 else 0.0)
    mass, moment, square = (
        np.concatenate([[0.0], np.cumsum(weights * centred**power)]) for power in (0, 1, 2)
    )
    count = len(values)
    previous = np.full(count + 1, np.inf)
    previous[0] = 0.0
    errors = np.empty(clusters)
    splits = np.zeros((clusters, count + 1), np.int32)
    for layer in range(clusters):
        current = np.full(count + 1, np.inf)
        kernels.line_layer(mass, moment, square, previous, current, splits[layer], layer + 1)
        errors[layer] = current[count]
        previous = current
    return LineClusters(values, errors, splits)
