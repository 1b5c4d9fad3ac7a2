"""The plan of a betting round: the possible play of two strategy agents until its end, for the
values of AIVAT.

The abstract histories that a real one may mean do not depend on the cards, so the continuations of
a real history within its round, and the maps of the agents' weights, are compiled once and run on
any cards. One seat is followed with its whole range (a row of weights for each of its branches),
the other one with a single hand (a number for each). When the round is over everybody checks and
calls.

Only linear translations have a plan: removal of pseudo-dominated actions depends on all weights of a
hand together, and a defence against unread bets on all hands together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.agents.strategy_agent import StrategyAgent
from doyle.games import CALL, Action, State
from doyle.measuring.variance_reduction import _round_kernels as kernels
from doyle.strategy.translation.walk import WAITING, Branch, CachedHistory

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Branches = tuple[Branch, ...]

MOST_NODES = 20_000
"""Rounds with more are not planned."""
MOST_NUMBERS = 1 << 26
"""Numbers of strategies that are kept at once, half a GB."""


class NoPlan(Exception):
    """The round has no plan."""


class Columns:
    """The columns of a strategy that plans use, one after the other, each with a number per bucket."""

    def __init__(self, agent: StrategyAgent) -> None:
        self.agent = agent
        self.table: Floats = np.empty(1 << 12)
        self.size = 0
        self._starts: dict[int, int] = {}

    def start(self, node: int, column: int) -> int:
        """Where the numbers of a column begin."""
        found = self._starts.get(node)
        if found is None:
            columns = self.agent.columns(node)
            found = self._starts[node] = self.size
            self.size += columns.size
            if self.size > len(self.table):
                larger = np.empty(2 * self.size)
                larger[:found] = self.table[:found]
                self.table = larger
            self.table[found : self.size] = columns.ravel()
        strategy = self.agent.strategy
        return found + column * strategy.bucket_count(int(strategy.tree.round[node]))


class Place(NamedTuple):
    """A real history: how each agent reads it, and the branches where each may be."""

    state: State
    histories: tuple[CachedHistory, CachedHistory]
    branches: tuple[Branches, Branches]

    def after(self, action: Action, branches: tuple[Branches, Branches]) -> Place:
        """The place after one more action."""
        first, second = (history.after(action) for history in self.histories)
        return Place(self.state.apply(action), (first, second), branches)


@dataclass(frozen=True, eq=False)
class RoundPlan:
    """The nodes from one place to the end of the round, as `_round_kernels` reads them."""

    places: list[Place]
    children: list[dict[Action, int]]
    nodes: Ints
    listed: Ints
    calls: npt.NDArray[np.bool_]
    """By node, whether the action before it was a call."""
    steps: Ints
    shares: Floats
    rows: int
    slots: int

    def listed_rows(self, node: int) -> list[int]:
        """The rows of the range at a node, by branch."""
        return self._listed(node, kernels.FIRST_ROW, kernels.LAST_ROW)

    def listed_slots(self, node: int) -> list[int]:
        """The slots of the hand at a node, by branch."""
        return self._listed(node, kernels.FIRST_SLOT, kernels.LAST_SLOT)

    def _listed(self, node: int, first: int, last: int) -> list[int]:
        found: list[int] = self.listed[self.nodes[node, first] : self.nodes[node, last]].tolist()
        return found


class Writer:
    """Writes the plan below one place. `seat` is that of the range; columns are by seat."""

    def __init__(self, seat: int, columns: tuple[Columns, Columns]) -> None:
        self.seat = seat
        self.columns = columns
        self.places: list[Place] = []
        self.children: list[dict[Action, int]] = []
        self.nodes: list[list[int]] = []
        self.listed: list[int] = []
        self.calls: list[bool] = []
        self.steps: list[tuple[int, int, bool, int]] = []
        self.shares: list[float] = []
        self.counts = [0, 0]
        """Rows or slots, by seat."""

    def plan(self, place: Place) -> RoundPlan:
        """The plan from a decision to the end of its round; raises `NoPlan` if impossible."""
        first = (self._new(0, len(place.branches[0])), self._new(1, len(place.branches[1])))
        self._node(place, -1, first, [0, 0, 0, 0], called=False)
        return RoundPlan(
            places=self.places,
            children=self.children,
            nodes=np.array(self.nodes, np.int64),
            listed=np.array(self.listed, np.int64),
            calls=np.array(self.calls),
            steps=np.array(self.steps, np.int64).reshape(-1, 4),
            shares=np.array(self.shares),
            rows=self.counts[self.seat],
            slots=self.counts[1 - self.seat],
        )

    def _new(self, seat: int, count: int) -> list[int]:
        start = self.counts[seat]
        self.counts[seat] += count
        return list(range(start, self.counts[seat]))

    def _node(
        self,
        place: Place,
        parent: int,
        held: tuple[list[int], list[int]],
        steps: list[int],
        *,
        called: bool,
    ) -> None:
        """Write a place and everything below it; `held` are the rows or slots of each seat."""
        number, state = len(self.nodes), place.state
        if number >= MOST_NODES:
            raise NoPlan
        first = len(self.listed)
        self.listed += held[self.seat]
        middle = len(self.listed)
        self.listed += held[1 - self.seat]
        last = len(self.listed)
        kind, amount = self._kind(state, parent)
        self.nodes.append([kind, amount, parent, 0, first, middle, middle, last, *steps])
        self.calls.append(called)
        self.places.append(place)
        self.children.append({})
        if kind in (kernels.RANGE_ACTS, kernels.HAND_ACTS):
            for action in self._actions(place):
                self.children[number][action] = len(self.nodes)
                self._child(place, number, held, action)
        self.nodes[number][kernels.END] = len(self.nodes)

    def _kind(self, state: State, parent: int) -> tuple[int, int]:
        """The kind of a node, and seat 0's winnings at a leaf: for a showdown, the chips of a
        player."""
        if state.actor < 0 and not state.is_showdown:
            return kernels.FOLDED, state.spent[1] if state.folded[1] else -state.spent[0]
        if state.actor < 0 or (parent >= 0 and state.round > self.places[0].state.round):
            return kernels.COMPARED, min(state.spent)
        return (kernels.RANGE_ACTS if state.actor == self.seat else kernels.HAND_ACTS), 0

    def _actions(self, place: Place) -> list[Action]:
        state, seat = place.state, place.state.actor
        history, branches = place.histories[seat], place.branches[seat]
        defends = state.can_fold and self.columns[seat].agent.translation.defends(state)
        if defends and any(map(history.unread, branches)):
            raise NoPlan
        actions = {action for branch in branches for action, _ in history.choices(branch)}
        return sorted(actions if seat == self.seat else actions | {CALL})

    def _child(
        self, place: Place, number: int, held: tuple[list[int], list[int]], action: Action
    ) -> None:
        after, actor = place.state.apply(action), place.state.actor
        found: list[list[int]] = [[], []]
        reached: list[Branches] = [(), ()]
        ends: list[tuple[int, int]] = [(0, 0), (0, 0)]
        for seat in (0, 1):
            begin = len(self.steps)
            if seat == actor or after.actor >= 0:
                step = self._own(seat) if seat == actor else _seen
                reached[seat], found[seat] = self._carry(place, seat, held[seat], action, step)
            else:  # the hand is over: how the other seat reads it changes no weight
                reached[seat], found[seat] = place.branches[seat], held[seat]
            ends[seat] = begin, len(self.steps)
        self._node(
            place.after(action, (reached[0], reached[1])),
            number,
            (found[0], found[1]),
            [*ends[self.seat], *ends[1 - self.seat]],
            called=action == CALL,
        )

    def _own(self, seat: int) -> Step:
        columns = self.columns[seat]

        def step(
            history: CachedHistory, branch: Branch, action: Action
        ) -> list[tuple[int, Branch, float]]:
            return [
                (-1 if column == WAITING else columns.start(branch.node, column), after, share)
                for column, after, share in history.own_step(branch, action)
            ]

        return step

    def _carry(
        self, place: Place, seat: int, held: list[int], action: Action, step: Step
    ) -> tuple[Branches, list[int]]:
        """The branches of a seat after an action, and their rows or slots: the previous ones, if
        unchanged."""
        history = place.histories[seat]
        parts = [
            (source, *part)
            for branch, source in zip(place.branches[seat], held, strict=True)
            for part in step(history, branch, action)
        ]
        reached: dict[Branch, int] = {}
        if all(start < 0 and share == 1.0 for _, start, _, share in parts):
            reached = {after: source for source, _, after, _ in parts}
            if len(reached) == len(parts):
                return tuple(reached), list(reached.values())
            reached = {}
        for source, start, after, share in parts:
            adds = after in reached
            if not adds:
                reached[after] = self._new(seat, 1)[0]
            self.steps.append((source, reached[after], adds, start))
            self.shares.append(share)
        return tuple(reached), list(reached.values())


Step = Callable[[CachedHistory, Branch, Action], Sequence[tuple[int, Branch, float]]]
"""Where an action leads from a branch: the start of the strategy's column or -1, the branch, its share."""


def _seen(
    history: CachedHistory, branch: Branch, action: Action
) -> list[tuple[int, Branch, float]]:
    return [(-1, after, share) for after, share in history.readings(branch, action)]
