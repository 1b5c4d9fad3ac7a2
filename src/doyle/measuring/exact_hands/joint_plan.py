"""The joint plan of two strategy agents: every real history that both can reach, as instructions.

Which abstract histories a real one may mean does not depend on the cards, so they are found once for a
pair of agents. An agent's weights at a real history are rows, one for each of its branches, which
sum to its own reach. The plan lists, in depth-first order, the operations on rows for any board:

    OWN    source, target, seat, adds, start, round   times the strategy's column (factor 1 if start
    < 0) SEE    source, target, -, adds                     a reading of the opponent's action
    CHECK  begin, end, jump                            skips a subtree without reach
    leaf   begin, middle, end, amount                  rows of seat 0, then of seat 1; chips of seat 0

`share` multiplies. Rows are used again as soon as a subtree is done, so few are needed.

Only linear translations have a plan: removal of pseudo-dominated actions depends on all weights of a
hand together, and a defence against unread bets on all hands together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import numpy.typing as npt

from doyle.agents.strategy_agent import StrategyAgent
from doyle.games import Action, State
from doyle.measuring.exact_hands._plan_kernels import CHECK, FOLD_LEAF, OWN, SEE, SHOWDOWN_LEAF
from doyle.strategy.translation.walk import WAITING, Branch, CachedHistory

Floats = npt.NDArray[np.float64]
Rows = dict[Branch, int]

MOST_STEPS = 3_000_000


class NoPlan(Exception):
    """The pair has no plan; the text is the reason."""


@dataclass(frozen=True, eq=False)
class JointPlan:
    """Instructions int64[n, 7] with shares float64[n], lists of rows, and the strategies' columns."""

    code: npt.NDArray[np.int64]
    shares: Floats
    listed: npt.NDArray[np.int64]
    tables: tuple[Floats, Floats]
    """One column after the other, each with one number per bucket of its round."""
    rows: int
    histories: int
    """Real decisions that both can reach."""
    leaves: int

    @classmethod
    def of(cls, agents: tuple[StrategyAgent, StrategyAgent]) -> JointPlan:
        """The plan of the agents in seats 0 and 1; raises `NoPlan` if impossible."""
        return cls.below(agents, State.start(agents[0].game), ((Branch(0),), (Branch(0),)))

    @classmethod
    def below(
        cls,
        agents: tuple[StrategyAgent, StrategyAgent],
        state: State,
        branches: tuple[Sequence[Branch], Sequence[Branch]],
    ) -> JointPlan:
        """The plan from a decision on, with a first row for each branch of seat 0, then of seat 1."""
        for agent in agents:
            if agent.translation.least_probability is not None:
                raise NoPlan(f"{agent.name} removes pseudo-dominated actions")
        writer = _Writer(agents)
        writer.write(state, branches)
        return cls(
            code=np.array(writer.code, np.int64),
            shares=np.array(writer.shares),
            listed=np.array(writer.listed, np.int64),
            tables=(writer.columns[0].table(), writer.columns[1].table()),
            rows=writer.row_count,
            histories=writer.histories,
            leaves=writer.leaves,
        )


@dataclass
class _Columns:
    """The strategy's columns that a plan uses, by node."""

    agent: StrategyAgent
    starts: dict[int, int] = field(default_factory=dict)
    parts: list[Floats] = field(default_factory=list)
    size: int = 0

    def start(self, node: int, column: int) -> int:
        """Where the numbers of a column begin."""
        strategy = self.agent.strategy
        buckets = strategy.bucket_count(int(strategy.tree.round[node]))
        if node not in self.starts:
            self.starts[node] = self.size
            columns = self.agent.columns(node)
            self.parts.append(columns.ravel())
            self.size += columns.size
        return self.starts[node] + column * buckets

    def table(self) -> Floats:
        return np.concatenate(self.parts) if self.parts else np.zeros(1)


class _Writer:
    """Walks the joint tree and writes the plan."""

    def __init__(self, agents: tuple[StrategyAgent, StrategyAgent]) -> None:
        self.agents = agents
        self.code: list[list[int]] = []
        self.shares: list[float] = []
        self.listed: list[int] = []
        self.columns = (_Columns(agents[0]), _Columns(agents[1]))
        self.row_count = 0
        self.histories = self.leaves = 0
        self._free: list[int] = []

    def write(self, state: State, branches: tuple[Sequence[Branch], Sequence[Branch]]) -> None:
        first, second = (self._history(agent, state) for agent in self.agents)
        rows: list[Rows] = []
        for of_seat in branches:
            rows.append({branch: self.row_count + place for place, branch in enumerate(of_seat)})
            self.row_count += len(of_seat)
        self._node(state.with_deal(None), (first, second), (rows[0], rows[1]))

    def _history(self, agent: StrategyAgent, state: State) -> CachedHistory:
        """The public history of `state` as an agent's translation reads it, complete."""
        history = agent.make_cache(1 << 60).start()
        for action in chain.from_iterable(state.betting):
            history = history.after(action)
        return history

    def _node(
        self, state: State, histories: tuple[CachedHistory, CachedHistory], rows: tuple[Rows, Rows]
    ) -> None:
        """Write everything below one decision."""
        self.histories += 1
        if len(self.code) > MOST_STEPS:
            raise NoPlan(f"more than {MOST_STEPS:,} steps")
        seat = state.actor
        history, branches = histories[seat], rows[seat]
        unread = any(history.unread(branch) for branch in branches)
        if unread and state.can_fold and self.agents[seat].translation.defends(state):
            raise NoPlan(f"{self.agents[seat].name} defends against bets that it cannot read")
        actions = {action for branch in branches for action, _ in history.choices(branch)}
        for action in sorted(actions):
            self._child(state, action, histories, rows)

    def _child(
        self,
        state: State,
        action: Action,
        histories: tuple[CachedHistory, CachedHistory],
        rows: tuple[Rows, Rows],
    ) -> None:
        seat = state.actor
        mine = self._own(histories[seat], rows[seat], action, seat)
        check = self._put(CHECK, *self._list(mine), 0)
        after = state.apply(action)
        taken = list(mine.values())
        if after.actor < 0:
            # The last reading of the other seat would not change its reach.
            self._leaf(after, (mine, rows[1]) if seat == 0 else (rows[0], mine))
        else:
            theirs, new = self._seen(histories[1 - seat], rows[1 - seat], action)
            taken += new
            both = (mine, theirs) if seat == 0 else (theirs, mine)
            following = histories[0].after(action), histories[1].after(action)
            self._node(after, following, both)
        self.code[check][3] = len(self.code)
        self._free += taken

    def _own(self, history: CachedHistory, rows: Rows, action: Action, seat: int) -> Rows:
        reached: Rows = {}
        for branch, source in rows.items():
            for column, after, share in history.own_step(branch, action):
                start = -1 if column == WAITING else self.columns[seat].start(branch.node, column)
                round_ = int(self.agents[seat].strategy.tree.round[branch.node])
                adds = after in reached
                target = reached.setdefault(after, -1)
                if target < 0:
                    target = reached[after] = self._new_row()
                self._put(OWN, source, target, seat, int(adds), start, round_, share=share)
        return reached

    def _seen(self, history: CachedHistory, rows: Rows, action: Action) -> tuple[Rows, list[int]]:
        """The rows after the opponent's action, and the new ones among them."""
        steps = [
            (source, after, share)
            for branch, source in rows.items()
            for after, share in history.readings(branch, action)
        ]
        counts: dict[Branch, int] = {}
        for _, after, _ in steps:
            counts[after] = counts.get(after, 0) + 1
        reached: Rows = {}
        new: list[int] = []
        for source, after, share in steps:
            if share == 1.0 and counts[after] == 1:
                reached[after] = source  # read as it is: no copy
                continue
            adds = after in reached
            if not adds:
                reached[after] = self._new_row()
                new.append(reached[after])
            self._put(SEE, source, reached[after], 0, int(adds), share=share)
        return reached, new

    def _leaf(self, state: State, rows: tuple[Rows, Rows]) -> None:
        self.leaves += 1
        begin, middle = self._list(rows[0])
        _, end = self._list(rows[1])
        if state.is_showdown:
            self._put(SHOWDOWN_LEAF, begin, middle, end, min(state.spent))
        else:
            amount = state.spent[1] if state.folded[1] else -state.spent[0]
            self._put(FOLD_LEAF, begin, middle, end, amount)

    def _list(self, rows: Rows) -> tuple[int, int]:
        begin = len(self.listed)
        self.listed += rows.values()
        return begin, len(self.listed)

    def _put(self, *words: int, share: float = 1.0) -> int:
        self.code.append([*words, *(0,) * (7 - len(words))])
        self.shares.append(share)
        return len(self.code) - 1

    def _new_row(self) -> int:
        if self._free:
            return self._free.pop()
        self.row_count += 1
        return self.row_count - 1
