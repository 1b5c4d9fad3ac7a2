"""A profile: what both seats play in a public game, as one plan per seat."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from doyle.solving.games.chance import Board
from doyle.solving.games.private_states import Floats
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.reach import Rows

ROUNDING = 1e-12
"""A best response never loses; sums that are further below zero than this are a defect and shown."""


def gain(chips: float) -> float:
    """What a best response gains, without rounding below zero.

    >>> gain(-1e-17), gain(-1e-9), gain(0.5)
    (0.0, -1e-09, 0.5)
    """
    return 0.0 if -ROUNDING < chips < 0 else chips


@dataclass(frozen=True)
class Profile:
    """A plan for each seat over one sequence form."""

    form: SequenceForm
    plans: tuple[Floats, Floats]

    @classmethod
    def of_behaviours(cls, form: SequenceForm, behaviours: tuple[Floats, Floats]) -> Profile:
        """The profile that plays these action probabilities."""
        return cls(form, (form.realise(0, behaviours[0]), form.realise(1, behaviours[1])))

    @classmethod
    def uniform(cls, form: SequenceForm) -> Profile:
        """Both seats choose evenly among their actions."""
        return cls.of_behaviours(form, (form.uniform_behaviour(0), form.uniform_behaviour(1)))

    @cached_property
    def behaviours(self) -> tuple[Floats, Floats]:
        """Action probabilities per seat, in the order of the plans."""
        return self.form.behaviour(0, self.plans[0]), self.form.behaviour(1, self.plans[1])

    def probabilities(self, node: int) -> Floats:
        """Action probabilities at decision `node`: a matrix [states of its actor, actions]."""
        seat = int(self.form.game.tree.actor[node])
        return self.form.table(node, self.behaviours[seat])

    def on(self, board: Board) -> Rows:
        """What is played on a board of the game; see `doyle.solving.reach`."""
        game = self.form.game

        def rows(node: int) -> Floats:
            seat = int(game.tree.actor[node])
            played = self.probabilities(node)[game.states_on(seat, board.number)]
            padded = np.zeros((len(game.hands[seat]), played.shape[1]))
            padded[: len(played)] = played
            return padded

        return rows

    @cached_property
    def value(self) -> float:
        """Expected chips for seat 0."""
        return self.form.value(self.plans)

    @cached_property
    def best_response_values(self) -> tuple[float, float]:
        """What each seat could win at most against the other's plan."""
        return (
            self.form.best_response(0, self.plans[1])[0],
            self.form.best_response(1, self.plans[0])[0],
        )

    @property
    def exploitability(self) -> float:
        """The mean over the seats of what a best response gains on the game's value."""
        return gain(sum(self.best_response_values) / 2)
