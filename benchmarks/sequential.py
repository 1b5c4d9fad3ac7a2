"""Sequential matches by simulation: how often equal agents are decided, how soon a difference is found.

The hands are those of a small build of `default` against itself with independent dice, dealt once or in
both seatings; a simulated match draws its observations (a hand in each seat) from them, each as likely
as its negative, so that the mean is exactly zero. For a difference the plus is made likelier.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import beta

from doyle.base.workers import Workers
from doyle.games import Game
from doyle.matches import Chance, play_match
from doyle.matches.sequential import STAKES, largest_result, observations

GAME = "holdem-nl-200bb"
AGENT = "default-small"
POOL_HANDS = 20_000
HORIZON = 100_000
MATCHES = 2000
LOOK_HANDS = 64
DIFFERENCE_MBB = 100.0
LONG_HORIZON = 6_400_000
LONG_MATCHES = 41

Floats = npt.NDArray[np.float64]


def pool(*, duplicate: bool) -> Floats:
    """The sizes of observations, in shares of the largest result."""
    game = Game.named(GAME)
    match = play_match(
        game,
        [AGENT, AGENT],
        hands=POOL_HANDS // 2 if duplicate else POOL_HANDS,
        chance=Chance.sealed(bytes(32)),  # the seatings of a deal have dice of their own
        duplicate=duplicate,
        workers=Workers(1),
    )
    found = observations(game, match.units[:, 0], duplicate=duplicate)
    return np.abs(found) / float(largest_result(game))


def decided_after(values: Floats, *, horizon: int, positive: float, rng: Any) -> int:
    """Hands until one simulated match is decided; 0 if it is not. `positive`: the chance of a plus."""
    each = LOOK_HANDS // 2
    tables = [np.log1p(sign * values[:, None] * STAKES) for sign in (1.0, -1.0)]
    logs = np.zeros((2, len(STAKES)))
    limit = np.log(2.0 / 0.05)
    block = 256
    for first in range(0, horizon // LOOK_HANDS, block):
        looks = min(block, horizon // LOOK_HANDS - first)
        drawn = rng.integers(len(values), size=looks * each)
        up = rng.random(looks * each) < positive
        for side in (0, 1):
            other = tables[1 - side]
            steps = np.where(up[:, None], tables[side][drawn], other[drawn])
            sums = logs[side] + np.cumsum(steps.reshape(looks, each, -1).sum(axis=1), axis=0)
            top = sums.max(axis=1)
            mixed = top + np.log(np.exp(sums - top[:, None]).mean(axis=1))
            found = np.flatnonzero(mixed >= limit)
            if len(found):
                return (first + int(found[0]) + 1) * LOOK_HANDS
            logs[side] = sums[-1]
    return 0


def false_decisions(values: Floats, rng: Any) -> dict[str, Any]:
    false = sum(
        decided_after(values, horizon=HORIZON, positive=0.5, rng=rng) > 0 for _ in range(MATCHES)
    )
    highest = float(beta.ppf(0.95, false + 1, MATCHES - false)) if false < MATCHES else 1.0
    return {
        "name": f"equal agents decided in {HORIZON:,} hands",
        "ours": false / MATCHES,
        "other": 0.05,
        "unit": "share",
        "ratio": None,
        "target": "upper <= 0.06",
        "note": f"{false} of {MATCHES:,}; 95% upper limit {highest:.4f}",
    }


def found_after(name: str, values: Floats, rng: Any) -> dict[str, Any]:
    """How many hands a difference takes, beside one look at a match of a length known beforehand."""
    game = Game.named(GAME)
    wanted = DIFFERENCE_MBB / 1000 * game.big_blind / float(largest_result(game))
    tilt = 0.5 + wanted / float(values.mean()) / 2
    hands = [
        decided_after(values, horizon=LONG_HORIZON, positive=tilt, rng=rng)
        for _ in range(LONG_MATCHES)
    ]
    median = float(np.median([count or LONG_HORIZON for count in hands]))
    plain = 2 * (1.96 * float(np.sqrt((values**2).mean())) / wanted) ** 2
    return {
        "name": f"{DIFFERENCE_MBB:g} mbb/h found, median, {name}",
        "ours": median,
        "other": plain,
        "unit": "hands",
        "ratio": median / plain,
        "target": "",
        "note": f"one look with power 1/2; {hands.count(0)} of {LONG_MATCHES} undecided after "
        f"{LONG_HORIZON:,}",
    }


def measurements() -> list[dict[str, Any]]:
    """The figures of this benchmark, each beside what it is compared with."""
    rng = np.random.default_rng(7)
    plain, duplicate = pool(duplicate=False), pool(duplicate=True)
    return [
        false_decisions(plain, rng),
        found_after("dealt once", plain, rng),
        found_after("duplicate", duplicate, rng),
    ]
