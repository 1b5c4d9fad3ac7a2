"""DBBR, deviation-based best response, in limit Hold'em: `dbbr:AGENT` with AGENT as its equilibrium.

Ganzfried and Sandholm (2011, summarised in Tartanian5 2012): play the equilibrium while the opponent's
actions are counted at every public history; then, at each, (1) its frequencies are the counts over
a prior, the equilibrium's own frequencies worth `PRIOR` hands; (2) its strategy is the one closest
to the equilibrium that has these frequencies, given its bucket distribution there; (3) a best
response to it is played. The possible loss is unbounded.

Closest is by relative entropy, so every bucket's probabilities are multiplied by the same weights of the
actions (the paper offers L1, weighted L1 and L2 distances). At histories that were hardly seen the paper's
model is the equilibrium, which folds there: a best response then raises into just these histories, where
`always-raise` never folds. Here the equilibrium is first tilted, at all decisions with the same
available actions, by the ratio of observed to expected frequency of each action. Buckets are
carried from round to round by the frequencies of their transitions. The best response is found by
sampling in the abstract game; rows it never reaches stay the equilibrium's. `WAIT` is the paper's
1,000 hands, `PRIOR` its 5; the interval between recomputed responses, and their number of deals,
are assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import DECISION, BettingTree
from doyle.abstractions.cards import CardAbstraction
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.errors import DoyleError
from doyle.games import CALL, Action, Game, View
from doyle.solving.sampling.deals import HoldemDeals
from doyle.solving.sampling.response import ResponseSolver, Table, strategy_tables
from doyle.solving.sampling.solver import SamplingOptions
from doyle.strategy import Layout, TableStrategy

PRIOR = 5.0
WAIT = 1000
"""Hands that are played by the equilibrium first."""
EVERY = 250
"""Hands between two responses."""
DEALS = 1 << 17
"""Deals of a response."""
_SAMPLED_DEALS = 1 << 17
_LEAST = 0.01
"""Share of uniform play in the equilibrium used as the prior, so that every action has positive
probability."""
_SWEEPS = 60
_RAISE = CALL + 1
"""Represents every raise."""

Floats = npt.NDArray[np.float64]


class DeviationModel:
    """Counts of an opponent's actions, and the strategy closest to an equilibrium that fits them."""

    def __init__(
        self, equilibrium: Sequence[Table], tree: BettingTree, source: HoldemDeals
    ) -> None:
        self.tree, self.source = tree, source
        self.equilibrium = [np.asarray(table, np.float64) for table in equilibrium]
        self.layout = Layout.of(tree)
        self.counts: dict[int, Floats] = {}

    def clear(self) -> None:
        """Discard all observations."""
        self.counts = {}

    def see(self, actions: Sequence[Action], opponent: int) -> None:
        """Count the opponent's actions in a hand."""
        tree, node = self.tree, 0
        for action in actions:
            below = tree.children_of(node)
            column = int(np.flatnonzero(tree.action[below] == action)[0])
            if int(tree.actor[node]) == opponent:
                if node not in self.counts:
                    self.counts[node] = np.zeros(len(below))
                self.counts[node][column] += 1
            node = int(below[column])

    @cached_property
    def _chances(self) -> tuple[Floats, list[Floats]]:
        """How often each bucket is dealt first, and the transitions [bucket, next bucket] by round."""
        state = np.array([2011], np.uint64)
        buckets = self.source.deals(_SAMPLED_DEALS, state).buckets.reshape(
            -1, self.tree.game.rounds
        )
        counts = self.source.bucket_counts
        first = np.bincount(buckets[:, 0], minlength=counts[0]).astype(np.float64)
        moves = []
        for number in range(self.tree.game.rounds - 1):
            table = np.zeros((counts[number], counts[number + 1]))
            np.add.at(table, (buckets[:, number], buckets[:, number + 1]), 1.0)
            moves.append(table / np.maximum(table.sum(axis=1, keepdims=True), 1.0))
        return first / first.sum(), moves

    def tables(self) -> list[Table]:
        """The model: at unobserved decisions, the equilibrium with the opponent's tilt
        elsewhere."""
        seen: dict[tuple[int, ...], tuple[Floats, Floats]] = {}
        tables = self._fitted({}, seen)
        if seen:
            tables = self._fitted({kind: _tilt(*sums) for kind, sums in seen.items()}, {})
        return [table.astype(np.float32) for table in tables]

    def _fitted(
        self,
        tilts: dict[tuple[int, ...], Floats],
        seen: dict[tuple[int, ...], tuple[Floats, Floats]],
    ) -> list[Floats]:
        """The model with given tilts; `seen` receives counted and expected actions, by the
        available actions."""
        tree, (first, moves) = self.tree, self._chances
        tables = [table.copy() for table in self.equilibrium]
        # By decision: for each seat, how likely it comes there with each bucket.
        reach: dict[int, tuple[Floats, Floats]] = {0: (first, first)}
        for node in tree.decisions.tolist():
            here = reach.pop(node)
            round_, seat = int(tree.round[node]), int(tree.actor[node])
            start, count = int(self.layout.offset[node]), int(tree.child_count[node])
            rows = tables[round_][:, start : start + count]
            kind = tuple(np.minimum(tree.actions_of(node), _RAISE).tolist())
            if kind in tilts:
                rows[:] = tilted(rows, tilts[kind])
            if node in self.counts:
                counts = self.counts[node]
                expected = counts.sum() * _frequencies(rows, here[seat])
                before = seen.get(kind, (np.zeros(count), np.zeros(count)))
                seen[kind] = (before[0] + counts, before[1] + expected)
                rows[:] = closest(rows, here[seat], counts)
            for column, child in enumerate(tree.children_of(node).tolist()):
                if tree.kind[child] != DECISION:
                    continue
                after = list(here)
                after[seat] = here[seat] * rows[:, column]
                if int(tree.round[child]) > round_:
                    after = [one @ moves[round_] for one in after]
                reach[child] = (after[0], after[1])
        return tables


def _frequencies(rows: Floats, reach: Floats) -> Floats:
    """Of the actions of rows [buckets, actions], weighted by reach."""
    total = reach.sum()
    weights = reach / total if total > 0 else np.full(len(reach), 1 / len(reach))
    return np.asarray(weights @ _possible(rows))


def _possible(rows: Floats) -> Floats:
    """Rows in which no action is ruled out."""
    return np.asarray((1 - _LEAST) * rows + _LEAST / rows.shape[1])


def _tilt(counts: Floats, expected: Floats) -> Floats:
    """How many times as often as expected each action was seen, over the same prior."""
    prior = PRIOR * expected / expected.sum()
    return np.asarray((prior + counts) / (prior + expected))


def tilted(rows: Floats, tilt: Floats) -> Floats:
    """Rows whose probabilities are all multiplied by the same weights of the actions.

    >>> tilted(np.array([[0.5, 0.5], [0.9, 0.1]]), np.array([0.0, 2.0])).tolist()
    [[0.0, 1.0], [0.0, 1.0]]
    """
    weighted = _possible(rows) * tilt
    return np.asarray(weighted / weighted.sum(axis=1, keepdims=True))


def closest(rows: Floats, reach: Floats, counts: Floats, *, prior: float = PRIOR) -> Floats:
    """Rows [buckets, actions] closest to `rows` whose mean, weighted by reach, has the counts' frequencies.

    >>> even = np.full((2, 2), 0.5)
    >>> closest(even, np.ones(2), np.array([0.0, 95.0])).round(3).tolist()
    [[0.025, 0.975], [0.025, 0.975]]
    """
    total = reach.sum()
    weights = reach / total if total > 0 else np.full(len(reach), 1 / len(reach))
    fitted = _possible(rows)
    wanted = prior * (weights @ fitted) + counts
    wanted = wanted / wanted.sum()
    for _ in range(_SWEEPS):
        fitted = fitted * (wanted / (weights @ fitted))
        fitted /= fitted.sum(axis=1, keepdims=True)
    return np.asarray(fitted)


class DeviationResponder:
    """An agent that remembers: the equilibrium, then best responses to a model."""

    def __init__(
        self,
        name: str,
        equilibrium: StrategyAgent,
        *,
        wait: int = WAIT,
        every: int = EVERY,
        deals: int = DEALS,
    ) -> None:
        game, bucketing = equilibrium.game, equilibrium.bucketing
        if (
            game.betting != "limit"
            or game.players != 2
            or not isinstance(bucketing, CardAbstraction)
        ):
            raise DoyleError(f"agent {name!r}: plays limit Hold'em of two, not {game.name}")
        self.name, self.equilibrium = name, equilibrium
        self.wait, self.every, self.deals = wait, every, deals
        self.model = DeviationModel(
            strategy_tables(equilibrium.strategy), equilibrium.strategy.tree, HoldemDeals(bucketing)
        )
        self.hands, self.player = 0, equilibrium

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.name, self.equilibrium, self.wait, self.every, self.deals)

    @property
    def game(self) -> Game:
        return self.equilibrium.game

    def start(self, game: Game, rng: np.random.Generator) -> None:
        """A match begins with the equilibrium."""
        self.model.clear()
        self.hands, self.player = 0, self.equilibrium

    def act(self, view: View) -> Action:
        return self.player.act(view)

    def hand_over(self, view: View) -> None:
        """Count a hand, and recompute the response when due."""
        self.model.see(tuple(chain.from_iterable(view.state.betting)), 1 - view.seat)
        self.hands += 1
        if self.hands >= self.wait and (self.hands - self.wait) % self.every == 0:
            self.player = self.response()

    def response(self) -> StrategyAgent:
        """An approximate best response to the model of this moment."""
        tree = self.model.tree
        solver = ResponseSolver(
            tree,
            self.model.source,
            SamplingOptions(seed=self.hands, batch=4096, interval=1 << 16),
            opponent=self.model.tables(),
            share=1.0,
        )
        solver.advance(self.deals)
        tables = solver.best_tables(self.model.equilibrium)
        return StrategyAgent(
            f"{self.name} response",
            TableStrategy(tree, tables),
            bucketing=self.equilibrium.bucketing,
            translation=self.equilibrium.translation,
        )


def _made(
    name: str, equilibrium: StrategyAgent, wait: int, every: int, deals: int
) -> DeviationResponder:
    return DeviationResponder(name, equilibrium, wait=wait, every=every, deals=deals)
