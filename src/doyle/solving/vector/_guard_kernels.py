"""The first decision of a guarded seat, a step for each of its visits; see `guard`.

The hand on row r of the root is hand r. Values are as the kernels count them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.base._numba import plain_kernel

Floats = npt.NDArray[Any]

FREE, RESOLVE, MARGIN = 0, 1, 2
"""No guard; each hand enters or takes its value; the seat chooses the hand that it enters with."""


class GuardArrays(NamedTuple):
    """A guard as kernels see it; arrays are [hands] of the guarded seat.

    `offered` is the given value of each hand times `meets`, the weight of the hands that it meets.
    `scale` is the reach of a hand that enters for sure, 0 where a hand is impossible. `regrets` are
    those of entering, and with `RESOLVE` behind them those of taking the value. `entered` is the sum
    of reach over iterations, discounted, and `total`[0] the sum of their weights.
    """

    kind: int
    seat: int
    slots: int
    scale: Floats
    meets: Floats
    offered: Floats
    regrets: Floats
    entered: Floats
    total: Floats


@plain_kernel
def count_entering(guard: GuardArrays, reach: Floats, decay: float) -> None:
    """Add the reach that enters now to the average."""
    for hand in range(guard.scale.size):
        guard.entered[hand] = guard.entered[hand] * decay + reach[hand]
    guard.total[0] = guard.total[0] * decay + 1.0


@plain_kernel
def value_of(guard: GuardArrays, values: Floats, hand: int) -> Any:
    """What the root's entry is worth to a hand."""
    return values[(hand >> 4) * guard.slots * 16 + (hand & 15)]


@plain_kernel
def resolve(guard: GuardArrays, values: Floats, reach: Floats, upper: float, lower: float) -> None:
    """Let every hand enter or take its value, by regret matching; sets the `reach` that enters."""
    hands = guard.scale.size
    for hand in range(hands):
        enter, take = guard.regrets[hand], guard.regrets[hands + hand]
        positive = max(enter, 0.0) + max(take, 0.0)
        share = max(enter, 0.0) / positive if positive > 0.0 else 0.5
        gained = value_of(guard, values, hand) - guard.offered[hand]
        enter += (1.0 - share) * gained
        take -= share * gained
        enter *= upper if enter > 0.0 else lower
        take *= upper if take > 0.0 else lower
        guard.regrets[hand] = enter
        guard.regrets[hands + hand] = take
        positive = max(enter, 0.0) + max(take, 0.0)
        share = max(enter, 0.0) / positive if positive > 0.0 else 0.5
        reach[hand] = guard.scale[hand] * share


@plain_kernel
def choose_hand(
    guard: GuardArrays, values: Floats, reach: Floats, upper: float, lower: float
) -> None:
    """Let the seat choose its hand for the largest margin, by regret matching; sets `reach`."""
    hands = guard.scale.size
    mean = 0.0
    for hand in range(hands):
        if guard.scale[hand] > 0.0:
            margin = (value_of(guard, values, hand) - guard.offered[hand]) / guard.meets[hand]
            mean += reach[hand] / guard.scale[hand] * margin
    possible, positive = 0, 0.0
    for hand in range(hands):
        if guard.scale[hand] > 0.0:
            margin = (value_of(guard, values, hand) - guard.offered[hand]) / guard.meets[hand]
            regret = guard.regrets[hand] + (margin - mean)
            regret *= upper if regret > 0.0 else lower
            guard.regrets[hand] = regret
            positive += max(regret, 0.0)
            possible += 1
    for hand in range(hands):
        share = 1.0 / possible
        if positive > 0.0:
            share = max(guard.regrets[hand], 0.0) / positive
        reach[hand] = guard.scale[hand] * share


@plain_kernel
def step(guard: GuardArrays, values: Floats, reach: Floats, upper: float, lower: float) -> None:
    """Decide again, once the values of the guarded seat at the root are known."""
    if guard.kind == np.int64(RESOLVE):
        resolve(guard, values, reach, upper, lower)
    else:
        choose_hand(guard, values, reach, upper, lower)
