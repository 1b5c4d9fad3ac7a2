"""Compiled smoothed best responses on a treeplex with the dilated entropy.

Exponentials and logarithms take most of the time, and library calls one number at a time cannot be
vectorised. So both are written out here as loops over the states of a decision: reduction of the
range through the bits of the number, then a polynomial (relative error below 1e-15).
"""

from __future__ import annotations

import numpy as np

from doyle.base._numba import kernel
from doyle.solving.methods._treeplex_kernels import IDENTITY, ONE, ZERO, Array, Index, Treeplex

LOWEST = -150.0
"""exp of less is taken as exp of this, so that powers of two stay normal numbers."""
LOG2_E = 1.4426950408889634
LN_2_HIGH = 0.693147180369123816490
LN_2_LOW = 1.90821492927058770002e-10
ROUNDER = 6755399441055744.0
"""1.5 * 2**52: adding it leaves the nearest whole number in the low bits."""
SHIFT = np.uint64(52)
BIAS = np.uint64(1023)
ROUNDER_BITS = np.uint64(0x4338000000000000)
LIFTED = np.uint64(2048 << 52)
BELOW_ROOT = np.uint64(0x3FE6A09E667F3BCD)
"""The bits of the square root of 1/2."""


@kernel
def smoothed_response(
    treeplex: Treeplex,
    gradient: Array,
    centre: Array,
    weight: Array,
    weight_start: Array,
    height: Array,
    smoothing: float,
    span: Array,
    behaviour: Array,
    work: Array,
) -> float:
    """Maximise <gradient, z> - smoothing * divergence(z, centre); behaviour[n] is the maximiser.

    Decision k is looked at in its states from span[k, 0] to span[k, 1] - 1, with weights
    height[k] * weight[weight_start[k] + s]; gradient changes in place, except at the empty sequence, for which
    the sum over these states is returned. work[6, S] is a buffer.
    """
    largest, total, value = work[0], work[1], work[2]
    argument, whole, power = work[3], work[4], work[5]
    root = 0.0
    count = np.uint64(treeplex.states.size)
    for done in range(count):
        k = count - ONE - done
        width = np.uint64(treeplex.states[k])
        actions = np.uint64(treeplex.actions[k])
        low = span[k, ZERO]
        states = span[k, ONE] - low
        base = treeplex.base[k] + low
        start = weight_start[k] + low
        scale = smoothing * height[k]
        for s in range(states):
            largest[s] = gradient[base + s]
            total[s] = 0.0
        for a in range(ONE, actions):
            at = base + a * width
            for s in range(states):
                largest[s] = max(largest[s], gradient[at + s])
        for a in range(actions):
            at = base + a * width
            for s in range(states):
                gap = gradient[at + s] - largest[s]
                argument[s] = max(gap / (scale * weight[start + s]), LOWEST)
            exponentials(states, argument, whole, power)
            for s in range(states):
                likely = centre[at + s] * argument[s]
                behaviour[at + s] = likely
                total[s] += likely
        for a in range(actions):
            at = base + a * width
            for s in range(states):
                behaviour[at + s] /= total[s]
        logarithms(states, total, argument, whole)
        for s in range(states):
            value[s] = largest[s] + scale * weight[start + s] * total[s]
        root += _lift(treeplex, k, low, states, value, gradient)
    return root


@kernel
def _lift(
    treeplex: Treeplex, k: Index, low: Index, states: Index, value: Array, gradient: Array
) -> float:
    """Add value[s], the value of decision k in state low + s, to the sequence that leads to it.

    The part of the empty sequence is returned.
    """
    parent, up = treeplex.parent[k], treeplex.up[k]
    root = 0.0
    if parent == ZERO:
        for s in range(states):
            root += value[s]
    elif up == IDENTITY:
        for s in range(states):
            gradient[parent + low + s] += value[s]
    else:
        for s in range(states):
            gradient[parent + np.uint64(treeplex.ancestors[up + low + s])] += value[s]
    return root


@kernel
def exponentials(count: Index, numbers: Array, whole: Array, power: Array) -> None:
    """Replace the first numbers (from LOWEST to 700) by their exponentials; whole, power: buffers."""
    bits, powers = whole.view(np.uint64), power.view(np.uint64)
    for i in range(count):
        whole[i] = numbers[i] * LOG2_E + ROUNDER
    for i in range(count):
        powers[i] = (bits[i] + BIAS) << SHIFT
    for i in range(count):
        n = whole[i] - ROUNDER
        r = (numbers[i] - n * LN_2_HIGH) - n * LN_2_LOW
        p = 1.6059043836821613e-10
        p = p * r + 2.08767569878681e-09
        p = p * r + 2.505210838544172e-08
        p = p * r + 2.755731922398589e-07
        p = p * r + 2.7557319223985893e-06
        p = p * r + 2.48015873015873e-05
        p = p * r + 0.0001984126984126984
        p = p * r + 0.001388888888888889
        p = p * r + 0.008333333333333333
        p = p * r + 0.041666666666666664
        p = p * r + 0.16666666666666666
        p = p * r + 0.5
        p = p * r + 1.0
        p = p * r + 1.0
        numbers[i] = p * power[i]


@kernel
def logarithms(count: Index, numbers: Array, part: Array, whole: Array) -> None:
    """Replace the first numbers (positive, normal) by their logarithms; the rest are buffers."""
    bits, parts, wholes = numbers.view(np.uint64), part.view(np.uint64), whole.view(np.uint64)
    for i in range(count):
        # The exponent that leaves a rest from the root of 1/2 to the root of 2, plus 2048.
        exponent = (bits[i] - BELOW_ROOT + LIFTED) >> SHIFT
        wholes[i] = exponent + ROUNDER_BITS
        parts[i] = bits[i] - (exponent << SHIFT) + LIFTED
    for i in range(count):
        n = (whole[i] - ROUNDER) - 2048.0
        f = (part[i] - 1.0) / (part[i] + 1.0)
        z = f * f
        p = 0.09523809523809523
        p = p * z + 0.10526315789473684
        p = p * z + 0.11764705882352941
        p = p * z + 0.13333333333333333
        p = p * z + 0.15384615384615385
        p = p * z + 0.18181818181818182
        p = p * z + 0.2222222222222222
        p = p * z + 0.2857142857142857
        p = p * z + 0.4
        p = p * z + 0.6666666666666666
        p = p * z
        numbers[i] = n * LN_2_HIGH + (2.0 * f + (p * f + n * LN_2_LOW))
