"""AIVAT's terms of a Hold'em hand that one known strategy agent played, by plans of its rounds.

The numbers are those of `Aivat` with `RoundValues`, whose steps this follows: there every decision
queries policies at every later history, here a `RoundPlan` is run once for each round. Where plans
end, at a decision without a plan or a refused action, the slower method continues.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.errors import DoyleError
from doyle.games import Action, Game, Policy, State
from doyle.games.policies import policy_row, policy_rows, possible_hands
from doyle.measuring.hand_equity import Cards
from doyle.measuring.variance_reduction import _round_kernels as kernels
from doyle.measuring.variance_reduction.pairs import Ranges, balance_row
from doyle.measuring.variance_reduction.round_plan import (
    MOST_NUMBERS,
    Branches,
    Columns,
    NoPlan,
    Place,
    RoundPlan,
    Writer,
)
from doyle.strategy.translation.walk import Branch

Floats = npt.NDArray[np.float64]

_EDGE = [kernels.PARENT, kernels.FIRST_RANGE_STEP, kernels.LAST_RANGE_STEP]

MOST_KEPT = 1 << 20
"""Nodes of plans that are kept."""


class Progress(NamedTuple):
    """How far plans lead into a hand: `done` actions, with the sums of the terms on the way."""

    state: State
    seen: Cards
    ranges: Ranges
    done: int
    start: float
    """The mean value of the hand held before play."""
    board: float
    choices: float


class Reached(NamedTuple):
    """The position of a hand: the place, the hands of the range with their rows, and the weights of
    the hand held.

    `points` are their showdown winnings for seat 0, as a share.
    """

    place: Place
    hands: npt.NDArray[np.int64]
    rows: Floats
    slots: Floats
    points: Floats

    @property
    def compared(self) -> float:
        """Seat 0's mean winnings if both seats check and call from here on."""
        won = float((self.rows @ self.points).sum()) / float(self.rows.sum())
        return min(self.place.state.spent) * won


class Run(NamedTuple):
    """The numbers of a plan by node, and the weights of the hand held by slot."""

    plan: RoundPlan
    values: Floats
    masses: Floats
    chances: Floats
    slots: Floats

    def mean(self, node: int) -> float:
        return float(self.values[node] / self.masses[node])


class PlannedHands:
    """Hands in which the agent is known in `seat` and serves as the other player's model."""

    def __init__(self, agent: StrategyAgent, seat: int) -> None:
        self.agent = agent
        self.game = agent.game
        self.seat = seat
        self._clear()

    @classmethod
    def of(cls, game: Game, policy: Policy, seat: int) -> PlannedHands | None:
        """The hands that a policy plays in `seat`, if it is a strategy agent that has plans."""
        if not (isinstance(policy, StrategyAgent) and game.is_holdem):
            return None
        if policy.translation.least_probability is not None:
            return None
        made = cls(policy, seat)
        return None if made._plan(made._first().place) is None else made

    def _clear(self) -> None:
        self._columns = Columns(self.agent)
        self._plans: dict[tuple[object, tuple[Branches, Branches]], RoundPlan | None] = {}
        self._nodes = 0
        self._openings: dict[Cards, Run] = {}
        self._start = self.agent.make_cache(1 << 60).start()

    def followed(self, state: State) -> Progress:
        """A finished hand up to the first decision that has no plan, or to its end."""
        assert state.deal is not None
        if self._nodes > MOST_KEPT or self._columns.size > MOST_NUMBERS:
            self._clear()
        held = state.deal.hole[1 - self.seat]
        now, seen = self._dealt(self._first(), held, ()), Cards()
        run, node = self._run(now, held, seen), 0
        assert run is not None  # `of` has seen this plan
        start, done, board, choices = run.mean(0), 0, 0.0, 0.0
        for action in chain.from_iterable(state.betting):
            if run is None:
                break
            child = run.plan.children[node].get(action, -1)
            visited = child >= 0 and bool(run.chances[child] > 0.0)
            if now.place.state.actor == self.seat:
                if not visited:
                    break  # the known player never does this
                choices += run.mean(node) - run.mean(child)
            now = self._after(now, run, child, seen) if visited else stepped(now, self.seat, action)
            node, done = child, done + 1
            if now.place.state.actor < 0:
                break
            end = self.game.board_ends[now.place.state.round]
            if len(seen) < end:
                seen = state.deal.board[:end]
                if len(seen) < end:
                    raise DoyleError("AIVAT: the record of the hand lacks board cards")
                before, now = now, self._dealt(now, held, seen)
                board += before.compared - now.compared
                visited = False
            if not visited:
                run, node = self._run(now, held, seen), 0
        return Progress(now.place.state, seen, self._ranges(now, held), done, start, board, choices)

    def _ranges(self, now: Reached, held: Cards) -> Ranges:
        """The reach of every hand of the range, and the hand held."""
        reach = np.zeros(policy_rows(self.game))
        reach[now.hands] = now.rows.sum(axis=0)
        certain = np.zeros(len(reach))
        certain[policy_row(self.game, held)] = 1.0
        return (reach, certain) if self.seat == 0 else (certain, reach)

    def _first(self) -> Reached:
        """Before the deal: every hand, at the root with certainty."""
        place = Place(self._start.state, (self._start, self._start), ((Branch(0),), (Branch(0),)))
        everything = np.arange(policy_rows(self.game))
        nothing = np.zeros(len(everything))
        return Reached(place, everything, np.ones((1, len(everything))), np.ones(1), nothing)

    def _dealt(self, now: Reached, held: Cards, seen: Cards) -> Reached:
        """With these cards on the board: the hands of the range that are left, and their points."""
        possible = possible_hands(self.game, (*held, *seen))
        kept = possible[now.hands] & (now.rows > 0.0).any(axis=0)
        hands = now.hands[kept]
        points = balance_row(self.game, policy_row(self.game, held), seen)[hands]
        return now._replace(
            hands=hands,
            rows=np.ascontiguousarray(now.rows[:, kept]),
            points=-points if self.seat == 0 else points,
        )

    def _run(self, now: Reached, held: Cards, seen: Cards) -> Run | None:
        """The plan from here on run with these hands."""
        place = now.place
        if not place.state.action_count and held in self._openings:
            return self._openings[held]
        plan = self._plan(place)
        if plan is None:
            return None
        distinct, places = self.agent.distinct_buckets(seen)
        count = len(distinct)
        rows = np.empty((plan.rows, 2 * count))
        for number, row in enumerate(now.rows):
            here = places[now.hands]
            rows[number, :count] = np.bincount(here, row, count)
            rows[number, count:] = np.bincount(here, row * now.points, count)
        slots = np.zeros(max(plan.slots, 1))
        slots[: len(now.slots)] = now.slots
        values, masses, chances = np.empty((3, len(plan.nodes)))
        kernels.run_round(
            plan.nodes,
            plan.listed,
            plan.calls,
            plan.steps,
            plan.shares,
            (self._columns.table, self._columns.table),
            np.tile(distinct, 2).astype(np.int32),
            int(distinct[places[policy_row(self.game, held)]]),
            rows,
            slots,
            values,
            masses,
            chances,
        )
        run = Run(plan, values, masses, chances, slots)
        if not place.state.action_count:
            self._openings[held] = run
        return run

    def _after(self, now: Reached, run: Run, node: int, seen: Cards) -> Reached:
        """One action on, at a node that was visited."""
        plan = run.plan
        parent, begin, end = plan.nodes[node, _EDGE].tolist()
        before, after = plan.listed_rows(parent), plan.listed_rows(node)
        rows = now.rows
        if end > begin:
            made = dict(zip(before, rows, strict=True))
            distinct, places = self.agent.distinct_buckets(seen)
            buckets = distinct[places[now.hands]]
            for (source, target, adds, start), share in zip(
                plan.steps[begin:end].tolist(), plan.shares[begin:end].tolist(), strict=True
            ):
                part = made[source] * share
                if start >= 0:
                    part = part * self._columns.table[start + buckets]
                made[target] = made[target] + part if adds else part
            rows = np.stack([made[row] for row in after])
        return now._replace(
            place=plan.places[node], rows=rows, slots=run.slots[plan.listed_slots(node)]
        )

    def _plan(self, place: Place) -> RoundPlan | None:
        """The plan below a decision; None if impossible."""
        key = place.state.betting, place.branches
        if key not in self._plans:
            try:
                plan = Writer(self.seat, (self._columns, self._columns)).plan(place)
            except NoPlan:
                plan = None
            self._plans[key] = plan
            self._nodes += 1 if plan is None else len(plan.nodes)
        return self._plans[key]


def stepped(now: Reached, seat: int, action: Action) -> Reached:
    """The position after an unknown player's action that its model never takes; `seat` is the
    other's."""
    found: dict[Branch, Floats] = {}
    for branch, row in zip(now.place.branches[seat], now.rows, strict=True):
        for after, share in now.place.histories[seat].readings(branch, action):
            found[after] = found[after] + share * row if after in found else share * row
    other = 1 - seat
    history = now.place.histories[other]
    steps = [history.own_step(branch, action) for branch in now.place.branches[other]]
    own = tuple(dict.fromkeys(after for step in steps for _, after, _ in step))
    branches = (tuple(found), own) if seat == 0 else (own, tuple(found))
    return now._replace(
        place=now.place.after(action, branches),
        rows=np.stack(list(found.values())),
        slots=np.zeros(len(own)),
    )
