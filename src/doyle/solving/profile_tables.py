"""Profiles as strategy tables and back: the form files hold and agents play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.betting import BettingTree
from doyle.errors import DoyleError
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.strategy import Layout, Strategy, TableStrategy


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
    """What both seats do when they play a strategy (or a view of one) in its abstract game.

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
