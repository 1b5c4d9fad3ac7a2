"""Compiled earth mover's distance over clusters with a ground distance between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.base._numba import kernel

Array = Any
Number = Any


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
