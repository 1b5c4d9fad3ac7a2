"""Compiled parts of k-means, and the nearest mean by earth mover's distance.

Each part of k-means works on one fixed range of points, so that sums combined in the order of the ranges
do not depend on how many threads ran them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.base._numba import Array, kernel

Number = Any


@kernel
def assign_range(
    points: Array,
    weights: Array,
    centroids: Array,
    transposed: Array,
    half_norms: Array,
    half_gaps: Array,
    assignment: Array,
    upper: Array,
    lower: Array,
    start: int,
    stop: int,
    sums: Array,
    masses: Array,
) -> int:
    """Move points[start:stop] to their nearest centroid (Hamerly's bounds decide which need work);
    fill sums[k, d] and masses[k]; assignment, upper and lower change in place. Returns the moves."""
    clusters, width = centroids.shape
    scores = np.empty(clusters)
    sums[:] = 0.0
    masses[:] = 0.0
    moves = 0
    for i in range(np.uint64(start), np.uint64(stop)):
        old = assignment[i]
        chosen = old
        if old >= 0:
            bound = max(lower[i], half_gaps[np.uint64(old)])
            if upper[i] > bound:
                upper[i] = distance(points, i, centroids, np.uint64(old))
        if old < 0 or upper[i] > bound:
            chosen, second = nearest_two(points, i, transposed, half_norms, scores)
            upper[i] = distance(points, i, centroids, np.uint64(chosen))
            lower[i] = np.inf
            if second >= 0:
                lower[i] = distance(points, i, centroids, np.uint64(second))
            if chosen != old:
                assignment[i] = chosen
                moves += 1
        cluster = np.uint64(chosen)
        weight = weights[i]
        masses[cluster] += weight
        for j in range(np.uint64(width)):
            sums[cluster, j] += weight * points[i, j]
    return moves


@kernel
def nearest_two(
    points: Array, i: int, transposed: Array, half_norms: Array, scores: Array
) -> tuple[int, int]:
    """The nearest and second nearest of the centroids transposed[d, k] to point i (ties: the first);
    scores[k] is overwritten. Coordinates that are zero, common in histograms, cost nothing."""
    width, clusters = transposed.shape
    scores[:] = half_norms
    for j in range(np.uint64(width)):
        value = np.float64(points[i, j])
        if value != 0.0:
            for c in range(np.uint64(clusters)):
                scores[c] -= value * transposed[j, c]
    best = -1
    second = -1
    best_score = np.inf
    second_score = np.inf
    for c in range(clusters):
        score = scores[np.uint64(c)]
        if score < best_score:
            second, second_score = best, best_score
            best, best_score = c, score
        elif score < second_score:
            second, second_score = c, score
    return best, second


@kernel
def distance(points: Array, i: Number, centroids: Array, c: Number) -> Number:
    """Euclidean distance of point i from centroid c."""
    total = 0.0
    for j in range(np.uint64(centroids.shape[1])):
        difference = points[i, j] - centroids[c, j]
        total += difference * difference
    return np.sqrt(total)


@kernel
def shift_bounds_range(
    assignment: Array, upper: Array, lower: Array, moved: Array, start: int, stop: int
) -> None:
    """Loosen the bounds of points[start:stop] by how far the centroids moved[k]; in place."""
    farthest = 0
    for c in range(1, moved.shape[0]):
        if moved[c] > moved[farthest]:
            farthest = c
    largest = moved[farthest]
    runner_up = 0.0
    for c in range(moved.shape[0]):
        if c != farthest and moved[c] > runner_up:
            runner_up = moved[c]
    # A little slack keeps rounding from ever hiding a nearer centroid.
    slack = 1.0 + 1e-12
    for i in range(np.uint64(start), np.uint64(stop)):
        own = assignment[i]
        upper[i] = (upper[i] + moved[np.uint64(own)]) * slack
        lower[i] -= (runner_up if own == farthest else largest) * slack


@kernel
def inertia_range(
    points: Array, weights: Array, centroids: Array, assignment: Array, start: int, stop: int
) -> float:
    """Weighted sum of squared distances of points[start:stop] from their centroids."""
    total = 0.0
    for i in range(np.uint64(start), np.uint64(stop)):
        length = distance(points, i, centroids, np.uint64(assignment[i]))
        total += weights[i] * length * length
    return total


@kernel
def nearest_range(
    points: Array,
    origin: Array,
    transposed: Array,
    half_norms: Array,
    assignment: Array,
    start: int,
    stop: int,
) -> None:
    """assignment[start:stop] = the nearest centroid of each point, in single precision; in place.

    Coordinates are taken from origin[d] (float32), transposed[d4, k] and half_norms[k] too; d4 is d
    filled up to a multiple of four."""
    values = np.zeros(transposed.shape[0], np.float32)
    scores = np.empty(transposed.shape[1], np.float32)
    keys = scores.view(np.int32)
    for i in range(np.uint64(start), np.uint64(stop)):
        for j in range(np.uint64(origin.shape[0])):
            values[j] = np.float32(points[i, j]) - origin[j]
        assignment[i] = nearest_single(values, transposed, half_norms, scores, keys)


@kernel
def nearest_single(
    values: Array, transposed: Array, half_norms: Array, scores: Array, keys: Array
) -> int:
    """The centroid (a column of transposed) nearest to values; keys is scores seen as int32.

    Half the squared distance is |c|^2/2 - v.c + |v|^2/2. It is not negative, and the bits of such
    floats are ordered as ints are, for which the least is found in vector registers."""
    width, clusters = transposed.shape
    own = np.float32(0.0)
    for j in range(np.uint64(width)):
        own += values[j] * values[j]
    # Slack above the rounding error keeps the scores from falling below zero.
    own *= np.float32(0.50001)
    for c in range(np.uint64(clusters)):
        scores[c] = half_norms[c] + own
    for four in range(np.uint64(width // 4)):
        first_row = np.uint64(4) * four
        first, second = values[first_row], values[first_row + np.uint64(1)]
        third, fourth = values[first_row + np.uint64(2)], values[first_row + np.uint64(3)]
        for c in range(np.uint64(clusters)):
            scores[c] -= (
                first * transposed[first_row, c]
                + second * transposed[first_row + np.uint64(1), c]
                + (
                    third * transposed[first_row + np.uint64(2), c]
                    + fourth * transposed[first_row + np.uint64(3), c]
                )
            )
    least = keys[0]
    for c in range(np.uint64(clusters)):
        least = min(least, keys[c])
    for c in range(clusters):
        if keys[np.uint64(c)] == least:
            return c
    return 0


@kernel
def seed_range(
    points: Array, weights: Array, centre: Array, squared: Array, start: int, stop: int
) -> float:
    """Lower squared[start:stop] to the squared distance from a new centre; return its weighted sum."""
    total = 0.0
    for i in range(np.uint64(start), np.uint64(stop)):
        nearest = squared[i]
        length = 0.0
        for j in range(np.uint64(centre.shape[0])):
            difference = points[i, j] - centre[j]
            length += difference * difference
        if length < nearest:
            nearest = length
            squared[i] = length
        total += weights[i] * nearest
    return total


@kernel
def pick_range(weights: Array, squared: Array, start: int, stop: int, target: float) -> int:
    """The first point of the range at which the running weighted sum of squared exceeds target, or
    the last point with a positive share when rounding leaves the target beyond the sum."""
    total = 0.0
    last = start
    for i in range(start, stop):
        share = weights[np.uint64(i)] * squared[np.uint64(i)]
        if share > 0.0:
            last = i
            total += share
            if total > target:
                return i
    return last


@kernel
def line_layer(
    mass: Array,
    moment: Array,
    square: Array,
    previous: Array,
    current: Array,
    split: Array,
    clusters: int,
) -> None:
    """One layer of the dynamic program of k-means on a line: current[j] = the least error of the
    first j values in `clusters` clusters, split[j] = where the last one starts. The prefix sums have
    one more entry than there are values. The best split grows with j, which divides the search."""
    count = mass.shape[0] - 1
    stack = np.empty((64, 4), np.int64)
    stack[0] = (clusters, count, clusters - 1, count - 1)
    depth = 1
    while depth > 0:
        depth -= 1
        low, high, first, last = stack[depth]
        if low > high:
            continue
        middle = (low + high) // 2
        best = np.inf
        where = first
        for i in range(first, min(last, middle - 1) + 1):
            weight = mass[middle] - mass[i]
            error = 0.0
            if weight > 0.0:
                lean = moment[middle] - moment[i]
                error = max(0.0, square[middle] - square[i] - lean * lean / weight)
            total = previous[i] + error
            if total < best:
                best, where = total, i
        current[middle] = best
        split[middle] = where
        stack[depth] = (low, middle - 1, first, where)
        stack[depth + 1] = (middle + 1, high, where, last)
        depth += 2


@kernel
def greedy_distance(
    places: Array,
    amounts: Array,
    count: int,
    mean: Array,
    order: Array,
    ground: Array,
    left: Array,
    give: Array,
    limit: Number,
) -> Number:
    """Cost of moving amounts[:count] at places[:count] onto mean[m]: every place fills its nearest
    free room first, all of them step by step outwards. order[m, m] and ground[m, m] are the places
    by distance from each, and those distances; left[m] and give[m] are scratch. Stops at limit."""
    size = mean.shape[0]
    for m in range(np.uint64(size)):
        left[m] = mean[m]
    for j in range(np.uint64(count)):
        give[j] = amounts[j]
    total = np.float32(0.0)
    waiting = count
    step = 0
    while step < size and waiting > 0 and total < limit:
        i = np.uint64(step)
        for j in range(np.uint64(count)):
            amount = give[j]
            if amount > 0.0:
                place = np.uint64(places[j])
                target = np.uint64(order[place, i])
                room = left[target]
                if room > 0.0:
                    if room < amount:
                        total += room * ground[place, i]
                        give[j] = amount - room
                        left[target] = np.float32(0.0)
                    else:
                        total += amount * ground[place, i]
                        left[target] = room - amount
                        give[j] = np.float32(0.0)
                        waiting -= 1
        step += 1
    return total


@kernel
def nearest_by_distance(
    points: Array,
    curves: Array,
    means: Array,
    mean_curves: Array,
    order: Array,
    ground: Array,
    assignment: Array,
    costs: Array,
) -> None:
    """Write assignment[n] and costs[n]: the nearest mean (of means[k, m]) of each points[n, m] by
    `greedy_distance`.

    The distance between mixed curves, curves[n, d] and mean_curves[d, k], is never more than the
    cost of moving their parts, so means are tried in its order until it rules the rest out."""
    size = points.shape[1]
    clusters, width = means.shape[0], mean_curves.shape[0]
    places, amounts = np.empty(size, np.int32), np.empty(size, np.float32)
    left, give = np.empty(size, np.float32), np.empty(size, np.float32)
    bounds = np.empty(clusters, np.float32)
    for i in range(np.uint64(len(points))):
        count = 0
        mass = 0
        for m in range(size):
            value = points[i, np.uint64(m)]
            if value > 0:
                places[np.uint64(count)] = m
                amounts[np.uint64(count)] = value
                count += 1
                mass += value
        for j in range(np.uint64(count)):
            amounts[j] /= np.float32(mass)
        bounds[:] = np.float32(0.0)
        for j in range(np.uint64(width)):
            own = curves[i, j]
            for c in range(np.uint64(clusters)):
                bounds[c] += abs(own - mean_curves[j, c])
        best: Number = np.float32(np.inf)
        chosen = 0
        while True:
            candidate = 0
            least = np.float32(np.inf)
            for c in range(clusters):
                if bounds[np.uint64(c)] < least:
                    least = bounds[np.uint64(c)]
                    candidate = c
            # Slack for rounding in single precision.
            if least * np.float32(0.9999) >= best:
                break
            bounds[np.uint64(candidate)] = np.float32(np.inf)
            cost = greedy_distance(
                places, amounts, count, means[candidate], order, ground, left, give, best
            )
            if cost < best:
                best = cost
                chosen = candidate
        assignment[i] = chosen
        costs[i] = best
