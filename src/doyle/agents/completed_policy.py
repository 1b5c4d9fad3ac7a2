"""A strategy agent's play completed to histories that the agent itself never reaches.

A reviewed history holds actions of other players: bets outside the agent's tree, and actions that
the agent never takes with the hand held. There `StrategyAgent` has zero reach and calls. A
`CompletedPolicy` reports the strategy stored for that place instead:

- an own action that the tree lacks is read like an opponent's, and each reading is weighted by the
  strategy's probability of it;
- a hand that the strategy never plays so is at every abstract history that the real one may mean, with
  the weight of the readings alone.

If the agent has positive reach, the probabilities and the reach are the agent's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.agents.strategy_agent import StrategyAgent
from doyle.games import Action, Game, Policy, State
from doyle.games.policies import check_decision, policy_rows
from doyle.strategy.translation.walk import Branch, Position, Walker, normalised

Floats = npt.NDArray[np.float64]
Beliefs = Mapping[Branch, Floats]


class Place(NamedTuple):
    """Where a seat may be in the abstract game: as it plays, and by the readings alone."""

    walker: Walker
    played: Position
    read: Position

    def after(self, action: Action, *, own: bool) -> Place:
        """The place after a real action of the seat itself or of another."""
        played = self._acted(action) if own else self.walker.after(self.played, action, own=False)
        return Place(self.walker, played, self.walker.after(self.read, action, own=False))

    def beliefs(self, rows: int) -> dict[Branch, Floats]:
        """Weights [hands] by branch: as played where the hand is played so, else as read."""
        here = self.played.reach() + np.zeros(rows) > 0
        found: dict[Branch, Floats] = {}
        for branch, weight in self.played.beliefs.items():
            found[branch] = np.where(here, weight, 0.0)
        for branch, weight in self.read.beliefs.items():
            part = np.where(here, 0.0, weight)
            if part.any() or branch not in found:
                found[branch] = found[branch] + part if branch in found else part
        return {branch: weight for branch, weight in found.items() if weight.any()}

    def probabilities(self, rows: int) -> tuple[tuple[Action, ...], Floats]:
        """Real actions with their probabilities [hands, actions]."""
        here = self.played.reach() + np.zeros(rows) > 0
        ours = normalised(self.walker.joint(self.played), rows) if here.any() else None
        if here.all() and ours is not None:
            return ours
        actions, shares = normalised(self.walker.joint(self.read), rows)
        if ours is None:
            return actions, shares
        every = tuple(sorted({*ours[0], *actions}))
        return every, np.where(
            here[:, None], _columns(ours, every), _columns((actions, shares), every)
        )

    def _acted(self, action: Action) -> Position:
        position = self.walker.after(self.played, action, own=True)
        history = self.played.history
        if position.beliefs or any(
            history.own_step(branch, action) for branch in self.played.beliefs
        ):
            return position
        tree, beliefs = self.walker.cache.tree, dict[Branch, Floats]()
        for branch, weight in self.played.beliefs.items():
            row = self.walker.row(self.played, branch)
            for reached, share in history.readings(branch, action):
                column = _column_towards(tree, branch.node, reached.node)
                part = weight * share * (1.0 if column is None else row[column])
                beliefs[reached] = beliefs[reached] + part if reached in beliefs else part
        return Position(history.after(action), beliefs)


class CompletedPolicy:
    """The policy of a strategy agent in any seat and after any history."""

    def __init__(self, agent: StrategyAgent) -> None:
        self.agent = agent
        self.name = agent.name
        self._rows = policy_rows(agent.game)

    @property
    def game(self) -> Game:
        return self.agent.game

    def place(self, state: State, seat: int) -> Place:
        """Where `seat` may be at a state, which needs its board."""
        walker = self.agent.walker(state.board)
        start = walker.start(np.ones(self._rows))
        place, now = Place(walker, start, start), State.start(state.game)
        for action in chain.from_iterable(state.betting):
            place = place.after(action, own=now.actor == seat)
            now = now.apply(action)
        return place

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """As in `Policy`."""
        check_decision(state)
        return self.place(state, state.actor).probabilities(self._rows)

    def reach(self, state: State, seat: int) -> Floats:
        """As in `Policy`; bets that the tree lacks are read."""
        return np.asarray(self.place(state, seat).played.reach() + np.zeros(self._rows))


def completed(policy: Policy) -> Policy:
    """The policy with play for every history, where it is a strategy's; others as they are."""
    return CompletedPolicy(policy) if isinstance(policy, StrategyAgent) else policy


def _columns(answer: tuple[tuple[Action, ...], Floats], every: tuple[Action, ...]) -> Floats:
    actions, shares = answer
    found = np.zeros((len(shares), len(every)))
    for column, action in enumerate(actions):
        found[:, every.index(action)] = shares[:, column]
    return found


def _column_towards(tree: BettingTree, node: int, below: int) -> int | None:
    """The action of `node` that leads to `below`; None if it is not below."""
    while below > node:
        parent = int(tree.parent[below])
        if parent == node:
            return int(np.flatnonzero(tree.children_of(node) == below)[0])
        below = parent
    return None
