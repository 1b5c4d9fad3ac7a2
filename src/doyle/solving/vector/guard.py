"""`Guard`: keeps a seat from gaining by play before the root of a game that is solved again.

The guarded seat decides first, hand by hand, between a given value and entering the game. With
`resolve` each hand takes its value or enters (Burch, Johanson and Bowling 2014, "Solving imperfect
information games using decomposition"): a solution never leaves a hand more than its value, if any
strategy does. With `maxmargin` the seat chooses the hand it enters with and earns what that hand
wins beyond its value, so the least margin is made as large as it can be (Moravcik and others 2016,
"Refining subgames in large imperfect information games"). `reach-maxmargin` does the same with values
increased by what the seat gave up on the way (Brown and Sandholm 2017, "Safe and nested subgame
solving"). `unsafe` is no guard: the seat enters with its range.

Values are chips from the start of the hand, for a hand of the guarded seat against the hands of the
other seat's range that it meets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.solving.games.public_game import PublicGame
from doyle.solving.vector import _guard_kernels as kernels

Floats = npt.NDArray[np.float64]
GuardName = Literal["unsafe", "resolve", "maxmargin", "reach-maxmargin"]
GUARDS: tuple[GuardName, ...] = get_args(GuardName)

_KINDS = {
    "resolve": kernels.RESOLVE,
    "maxmargin": kernels.MARGIN,
    "reach-maxmargin": kernels.MARGIN,
}


@dataclass(frozen=True, eq=False)
class Guard:
    """Which seat is guarded, how, and the value of each of its hands in the game."""

    name: GuardName
    seat: int
    values: Floats

    @classmethod
    def of(
        cls, name: GuardName, seat: int, values: Floats, gifts: Floats | float = 0.0
    ) -> Guard | None:
        """The guard of a name, None for `unsafe`; `gifts` count for `reach-maxmargin` alone."""
        if name not in GUARDS:
            raise DoyleError(f"guard {name!r}: expected {', '.join(GUARDS)}")
        if name == "unsafe":
            return None
        return cls(name, seat, values + gifts if name == "reach-maxmargin" else values)


def guard_arrays(
    game: PublicGame, guard: Guard | None, slots: int, unit: float
) -> kernels.GuardArrays:
    """A guard for kernels; `slots` of the seat at the root, `unit` the chips that they call 1."""
    if guard is None:
        none = np.zeros(1)
        return kernels.GuardArrays(kernels.FREE, -1, 0, none, none, none, none, none, none)
    hands = game.hands[guard.seat]
    if guard.values.shape != (len(hands),) or not np.isfinite(guard.values).all():
        raise DoyleError(
            f"guard: values of shape {guard.values.shape}, expected {len(hands)} finite numbers"
        )
    if not game.live(guard.seat, game.root).all():
        raise DoyleError("guard: a hand of the guarded seat shares a card with the board")
    meets = game.meeting(guard.seat, game.hands[1 - guard.seat].weights)
    possible = (hands.weights > 0) & (meets > 1e-12 * meets.max())
    scale = np.where(possible, hands.weights, 0.0)
    if _KINDS[guard.name] == kernels.MARGIN:
        # Chosen hands are met as often as they are chosen, whatever they meet.
        share = hands.weights.sum() * meets.max()
        scale = np.where(possible, share / np.where(possible, meets, 1.0), 0.0)
    return kernels.GuardArrays(
        kind=_KINDS[guard.name],
        seat=guard.seat,
        slots=slots,
        scale=scale,
        meets=np.where(possible, meets, 1.0),
        offered=np.where(possible, guard.values * meets, 0.0) / unit,
        regrets=np.zeros(2 * len(hands)),
        entered=np.zeros(len(hands)),
        total=np.zeros(1),
    )


def first_reach(arrays: kernels.GuardArrays) -> Floats:
    """The reach that enters before the first iteration."""
    if arrays.kind == kernels.RESOLVE:
        return arrays.scale / 2
    return arrays.scale / max(1, int((arrays.scale > 0).sum()))


def average_reach(arrays: kernels.GuardArrays) -> Floats:
    """The reach that enters on the average."""
    if not arrays.total[0]:
        return first_reach(arrays)
    return np.asarray(arrays.entered / arrays.total[0])


def guarded_gaps(
    arrays: kernels.GuardArrays, responses: Floats, other: float, unit: float, mass: float
) -> tuple[float, float]:
    """What the best responses of the guarded and of the other seat win in the guarded game, in chips.

    `responses` are those of the guarded seat's hands at the root in chips times the weight they meet,
    `other` the sum of the other seat's, both against averages.
    """
    entered, offered = average_reach(arrays), arrays.offered * unit
    possible = arrays.scale > 0
    if arrays.kind == kernels.RESOLVE:
        own = float(arrays.scale @ np.maximum(responses, offered))
        taken = float((arrays.scale - entered) @ offered)
        return own / mass, (other - taken) / mass
    margins = (responses - offered)[possible] / arrays.meets[possible]
    share = float((arrays.scale * arrays.meets)[possible].max())
    kept = float(entered[possible] @ offered[possible])
    return float(margins.max()), (other + kept) / share
