"""A profile: the play of both seats in a matrix game, as one plan per seat, and its exploitability.

expl(sigma_i) = v_i - min over opponents of u_i(sigma_i, .): the value of the game less the
strategy's winnings against its nemesis. The total is the mean of both players' (Ganzfried and
Sandholm 2012), in which the value cancels. Per player the value must be known; by default the value
of the profile itself is used, which differs by at most twice the total. All three numbers are
non-negative; rounding below zero by less than 1e-12 is shown as zero. `strategy_of` and
`profile_of` convert between profiles and strategy tables, the form that files hold and agents play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.base.errors import DoyleError
from doyle.solving.games.matrix_game import Floats
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.run import gain
from doyle.strategy import ExploitabilityRecord, Layout, Strategy, TableStrategy


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

    @cached_property
    def value(self) -> float:
        """Expected chips for seat 0."""
        return self.form.value(self.plans)

    @cached_property
    def best_response_values(self) -> tuple[float, float]:
        """The maximum winnings of each seat against the other's plan."""
        return (
            self.form.best_response(0, self.plans[1])[0],
            self.form.best_response(1, self.plans[0])[0],
        )

    @property
    def exploitability(self) -> float:
        """The mean over the seats of a best response's gain over the game's value."""
        return gain(sum(self.best_response_values) / 2)


@dataclass(frozen=True)
class Exploitability:
    """Chips per hand each player's strategy gives away, and the mean of the two."""

    players: tuple[float, float]
    total: float
    best_responses: tuple[float, float]
    """Winnings of a best response in seat 0 and in seat 1."""

    @classmethod
    def of(cls, best_responses: tuple[float, float], level: float) -> Exploitability:
        """From the winnings of best responses, and the value for seat 0 as their reference."""
        first, second = best_responses
        # Seat 1's best response measures seat 0's strategy, and vice versa.
        players = (gain(second + level), gain(first - level))
        return cls(players, gain((first + second) / 2), best_responses)

    @property
    def record(self) -> ExploitabilityRecord:
        """As strategy files keep it."""
        return ExploitabilityRecord(self.players, self.total)

    def document(self) -> dict[str, Any]:
        return {"players": list(self.players), "total": self.total}


def exploitability(profile: Profile, *, value: float | None = None) -> Exploitability:
    """Measure a profile; `value` is the game's value for seat 0 if it is known."""
    level = profile.value if value is None else value
    return Exploitability.of(profile.best_response_values, level)


def value_of_first_actor(profile: Profile) -> float:
    """The profile's value for the seat that acts first, chips per hand."""
    return profile.value if int(profile.form.game.tree.actor[0]) == 0 else -profile.value


def strategy_of(profile: Profile, betting: BettingTree) -> TableStrategy:
    """The profile as tables by bucket; both seats must have the same private states."""
    game = profile.form.game
    if any(states.count(0) != states.count(1) for states in game.private_states):
        raise DoyleError(f"{game.name}: its seats have different states; no strategy file fits")
    layout = Layout.of(betting)
    tables: list[npt.NDArray[np.float32]] = [
        np.zeros((states.count(0), width), np.float32)
        for states, width in zip(game.private_states, layout.widths, strict=True)
    ]
    for node in betting.decisions.tolist():
        start, count = int(layout.offset[node]), int(betting.child_count[node])
        tables[int(betting.round[node])][:, start : start + count] = profile.probabilities(node)
    return TableStrategy(betting, tables)


def profile_of(
    form: SequenceForm,
    strategy: Strategy,
    *,
    rows: Sequence[npt.NDArray[np.integer[Any]]] | None = None,
) -> Profile:
    """The plans of both seats under a strategy (or a view of one) in its abstract game.

    `rows` has, by round, the row of the strategy for each private state; by default its number.
    """
    if len(strategy.tree.kind) != len(form.game.tree):
        raise DoyleError(f"{form.game.name}: the strategy is for another betting tree")
    behaviours = (form.uniform_behaviour(0), form.uniform_behaviour(1))
    tree = form.game.tree
    for node in tree.decisions.tolist():
        seat, round = int(tree.actor[node]), int(tree.round[node])
        states = np.arange(form.game.states(round, seat)) if rows is None else rows[round]
        form.put_table(node, strategy.probabilities(node, states), behaviours[seat])
    return Profile.of_behaviours(form, behaviours)
