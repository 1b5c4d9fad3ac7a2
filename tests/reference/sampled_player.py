"""Sampled translation: one abstract history per hand, drawn with a seed tied to the hand.

Within one hand the same real history is always read in the same way, because every draw is seeded by
the hand, the seat and the number of the action (Schnizlein 2009, section 4.3.1). The player's own
abstract actions are drawn likewise, so replaying the hand recalls them: nothing is stored. Over hands
the actions are distributed as in the exact form of `doyle.strategy.translation.walk`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from doyle.base.errors import DoyleError
from doyle.games import Action, State
from doyle.strategy.translation.steps import CALL, Reading, caught_up, waiting
from doyle.strategy.translation.walk import Branch
from tests.reference.translated_strategy import TranslatedStrategy


@dataclass(frozen=True)
class SampledPlayer:
    """A player who keeps to one abstract history per hand.

    `row` is the private state whose row of the strategy it plays, per round.
    """

    player: TranslatedStrategy
    seat: int
    hand_seed: tuple[int, ...]
    rows: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.player.translation.defend != "never":
            raise DoyleError("translation: +defend depends on all hands, and one hand is sampled")

    def branch(self, state: State) -> Branch:
        """Where in the abstract game the player believes to be in `state`."""
        branch, now, number = Branch(0), State.start(state.game), 0
        for actions in state.betting:
            for action in actions:
                branch = self._after(branch, now, action, number)
                now, number = now.apply(action), number + 1
                branch = self._settled(branch, now, number)
        return branch

    def act(self, state: State) -> Action:
        """The real action in `state`, in which this player is to act."""
        if state.actor != self.seat:
            raise DoyleError(f"translation: seat {self.seat} is not to act")
        number = state.action_count
        branch = self.branch(state)
        return self._choice(branch, state, number)[0]

    def _draw(self, number: int, *purpose: int) -> np.random.Generator:
        """Chance at an action; two things that are drawn at the same action have a purpose each."""
        return np.random.default_rng((*self.hand_seed, self.seat, number, *purpose))

    def _choice(self, branch: Branch, state: State, number: int) -> tuple[Action, Action]:
        """The real and the abstract action at a decision of one's own; -1 while waiting."""
        tree = self.player.tree
        if waiting(tree, branch.node, state):
            return CALL, -1
        row = self.player.table(branch.node)[self.rows[state.round]]
        rng = self._draw(number)
        abstract = int(rng.choice(tree.actions_of(branch.node), p=row / row.sum()))
        real = self.player.translation.out_step(tree, branch.node, abstract, state=state)
        return real, abstract

    def _after(self, branch: Branch, state: State, action: Action, number: int) -> Branch:
        tree, translation = self.player.tree, self.player.translation
        if state.actor == self.seat and translation.remember:
            real, abstract = self._choice(branch, state, number)
            if real == action:
                if abstract < 0:
                    return branch
                kept = branch.if_last if abstract == CALL else None
                return Branch(tree.child(branch.node, abstract), kept)
        readings = translation.in_step(tree, branch.node, state=state, action=action)
        # What was chosen by the first draw is read again by another.
        draw = self._draw(number, *((2,) if state.actor == self.seat else ()))
        picked = _pick(readings, draw.random())
        return Branch(picked.node, picked.if_last if action > CALL else branch.if_last)

    def _settled(self, branch: Branch, after: State, number: int) -> Branch:
        """A finished round settles what ExtendCall makes of its last raise."""
        if branch.if_last is not None and not after.betting[-1]:
            called, share = branch.if_last
            node = called if self._draw(number, 1).random() < float(share) else branch.node
            branch = Branch(node)
        return Branch(caught_up(self.player.tree, branch.node, after), branch.if_last)


def _pick(readings: tuple[Reading, ...], draw: float) -> Reading:
    """One reading by its weight; the least draw picks the smallest bet."""
    for reading in readings[:-1]:
        draw -= float(reading.weight)
        if draw < 0:
            return reading
    return readings[-1]
