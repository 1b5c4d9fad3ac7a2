"""Compiled smoothed best responses on a treeplex with the dilated entropy."""

from __future__ import annotations

import numpy as np

from doyle._numba import kernel
from doyle.solving._kernels import ONE, Array, Treeplex, lift


@kernel
def smoothed_response(
    treeplex: Treeplex,
    gradient: Array,
    centre: Array,
    weight: Array,
    weight_start: Array,
    smoothing: float,
    behaviour: Array,
    value: Array,
) -> None:
    """Maximise <gradient, z> - smoothing * divergence(z, centre); behaviour[n] is the maximiser.

    gradient changes in place and ends with the maximum at entry 0; weight[weight_start[k] + s] is
    the weight of decision k in state s; value[S] is a buffer.
    """
    count = np.uint64(treeplex.states.size)
    for done in range(count):
        k = count - ONE - done
        states = np.uint64(treeplex.states[k])
        actions = np.uint64(treeplex.actions[k])
        base = treeplex.base[k]
        for s in range(states):
            scale = smoothing * weight[weight_start[k] + s]
            largest = gradient[base + s]
            for a in range(actions):
                largest = max(largest, gradient[base + a * states + s])
            total = 0.0
            for a in range(actions):
                at = base + a * states + s
                likely = centre[at] * np.exp((gradient[at] - largest) / scale)
                behaviour[at] = likely
                total += likely
            for a in range(actions):
                behaviour[base + a * states + s] /= total
            value[s] = largest + scale * np.log(total)
        lift(treeplex, k, value, gradient)
