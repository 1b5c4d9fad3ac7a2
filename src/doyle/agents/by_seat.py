"""`BySeat`: a policy of its own for each seat, such as the two halves of trees that differ by seat.

In a tree `A|D` the seat that bets by model A expects bets by model D. An agent that attacks with A
and defends against D plays the first seat of `A|D` and the second of `D|A`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from doyle.games import Action, State, View
from doyle.games.view import Policy


@dataclass(frozen=True)
class BySeat:
    """Plays each seat as the policy at its place does; the policies are agents too."""

    name: str
    policies: tuple[Policy, ...]

    def act(self, view: View) -> Action:
        return self.policies[view.seat].act(view)  # type: ignore[attr-defined, no-any-return]

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], npt.NDArray[np.float64]]:
        """As in `Policy`: the probabilities of the seat that acts."""
        return self.policies[state.actor].probabilities(state)

    def reach(self, state: State, seat: int) -> npt.NDArray[np.float64]:
        """As in `Policy`."""
        return self.policies[seat].reach(state, seat)
