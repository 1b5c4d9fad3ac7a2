"""The exact late response: both seats play the agent, then one best responds over all its hands.

Hands of self-play are drawn. Where a hand reaches the first decision of the river (or the turn), each
seat in turn becomes a responder that knows the agent: it has the agent's range, sees its own cards,
may bet some sizes, and plays an exact best response to all hands of the other seat's range, to the end
of the hand. Its winnings beyond self-play are a lower bound on those of a best response, and unlike
a local best response it looks ahead to the end of the hand. It is the mean of both seats', so hands
that end before count 0 exactly.

On the turn the response is exact over all 48 rivers. A responder raises by any of its sizes first in a
round; once somebody has raised in the round it raises the pot or all-in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.display import Text
from doyle.base.errors import DoyleError, FieldError
from doyle.base.statistics import Estimate
from doyle.base.workers import Progress, Workers, map_items
from doyle.games import CALL, Action, Game, Policy, State
from doyle.games.policies import possible_hands
from doyle.measuring.local_best_response.response import raises
from doyle.measuring.runs import (
    MISSING_POLICY,
    MOST_SAMPLED,
    STREETS,
    Measured,
    check_late_game,
    drawn_deal,
    drawn_hand,
    forget_policies,
    kept_policy,
)
from doyle.solving.policy_response import PolicyResponse

Floats = npt.NDArray[np.float64]

ACTION_SETS = ("fc", "fcpa", "18")
_BATCH_HANDS = 16
_INSTEAD = f"a late response needs a strategy or a baseline: {MISSING_POLICY}"


@dataclass(frozen=True, eq=False)
class LateResponseResult(Measured):
    """Winnings of late responders; `values` are chips by hand, the mean of both seats."""

    game: Game
    name: str
    street: str
    actions: str
    seed: int
    values: Floats
    reached: npt.NDArray[np.bool_]
    """Which hands came to a decision on the street."""

    @property
    def hands(self) -> int:
        return len(self.values)

    @property
    def won(self) -> Estimate:
        return Estimate.of_strata(self.values).in_mbb(self.game.big_blind)

    @property
    def mbb_where_reached(self) -> float | None:
        """The mean over only the hands that reached the street; None if no hand did."""
        if not self.reached.any():
            return None
        return float(self.values[self.reached].mean()) * 1000.0 / self.game.big_blind

    def document(self) -> dict[str, Any]:
        """The result as one JSON document."""
        return {
            "agent": self.name,
            "game": self.game.name,
            "street": self.street,
            "actions": self.actions,
            **self.won.document(),
            "hands": self.hands,
            "hands_reached": int(self.reached.sum()),
            "mbb_where_reached": self.mbb_where_reached,
            "seed": self.seed,
        }

    def text(self) -> Text:
        """The result in some lines."""
        yield f"agent       {self.name} in {self.game.name}"
        yield f"responder   exact from the {self.street} on, actions {self.actions}, seed {self.seed}"
        yield f"wins        {self.won:.1f} mbb/h"
        reached = int(self.reached.sum())
        yield f"reached     {reached:,} of {self.hands:,} hands of self-play reach it"
        if self.mbb_where_reached is not None:
            yield f"there       {self.mbb_where_reached:.1f} mbb a hand"


@dataclass(frozen=True)
class _Batch:
    game: Game
    policy: str | Policy
    street: str
    actions: str
    seed: int
    hands: range


def run_late_response(
    game: Game,
    policy: str | Policy,
    *,
    street: str = "river",
    actions: str = "fcpa",
    hands: int = 1000,
    seed: int = 0,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> LateResponseResult:
    """Measure a policy of no-limit Hold'em for two, given as the text of an agent or as an object."""
    forget_policies()
    check_late_game(game)
    if street not in STREETS:
        raise FieldError("street", f"expected {' or '.join(STREETS)}", value=street)
    if actions not in ACTION_SETS:
        raise FieldError("actions", f"expected {', '.join(ACTION_SETS)}", value=actions)
    if not 2 <= hands <= MOST_SAMPLED:
        raise DoyleError(f"a late response needs 2 to {MOST_SAMPLED:,} hands, not {hands:,}")
    name = str(getattr(kept_policy(policy, game, instead=_INSTEAD), "name", "policy"))
    batches = [
        _Batch(game, policy, street, actions, seed, range(at, min(at + _BATCH_HANDS, hands)))
        for at in range(0, hands, _BATCH_HANDS)
    ]
    found = list(
        map_items(_play, batches, workers=workers, progress=progress, label="late response")
    )
    values = np.concatenate([one for one, _ in found])
    reached = np.concatenate([one for _, one in found])
    return LateResponseResult(game, name, street, actions, seed, values, reached)


def responder_raises(actions: str, state: State) -> list[Action]:
    """The raises of a late responder at its decision."""
    raised = any(action > CALL for action in state.betting[-1])
    return raises("fcpa" if raised and actions != "fc" else actions, state)


def _play(batch: _Batch) -> tuple[Floats, npt.NDArray[np.bool_]]:
    game, policy = batch.game, kept_policy(batch.policy, batch.game, instead=_INSTEAD)
    response = PolicyResponse(policy, game, lambda state: responder_raises(batch.actions, state))
    values = np.zeros(len(batch.hands))
    reached = np.zeros(len(batch.hands), bool)
    for place, number in enumerate(batch.hands):
        rng = np.random.default_rng((batch.seed, number))
        deal = drawn_deal(game, rng)
        state = drawn_hand((policy, policy), State.start(game, deal), STREETS[batch.street], rng)
        if state.actor >= 0:
            values[place], reached[place] = late_value(response, policy, state.public()), True
    return values, reached


def late_value(response: PolicyResponse, policy: Policy, state: State) -> float:
    """The mean over both seats of a best response's winnings from `state` on, in chips."""
    live = possible_hands(response.game, state.board)
    reach = [np.where(live, policy.reach(state, seat), 0.0) for seat in (0, 1)]
    mass = float(reach[0] @ response.met(reach[1]))
    won = [float(reach[seat] @ response.values(state, seat, reach[1 - seat])) for seat in (0, 1)]
    return (won[0] + won[1]) / (2 * mass)
