"""The plan of a seating: the real histories that its players have reached so far, as rows for a kernel.

The abstract histories that a real one may mean do not depend on the cards, so a player's actions at
a real history, and the map of its weights to the next one, are computed once. The plan grows where
hands go: an action that it does not have stops the kernel, the history is added here, and the hand
is played again. Histories are only ever added, under a lock, and a kernel reads the rows that were
there when it started; so threads share one plan, and results never depend on how it grew.

`measuring.exact_hands.joint_plan` writes the whole joint tree instead, with rows for all hands at once.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.agents.compiled import CasePlayer, CompiledPlayer, ScriptedPlayer, StrategyPlayer
from doyle.agents.compiled.cases import Answers
from doyle.agents.compiled.rows import Rows
from doyle.games import CALL, Action, Game, State
from doyle.matches.fast import _play_kernels as kernels
from doyle.strategy.translation.steps import waiting
from doyle.strategy.translation.walk import WAITING, ActionKind, Branch, CachedHistory, action_kinds

MOST_NODES = 1 << 18
"""Hands that go beyond are played one by one."""

_NONE = -1
_NO_STEPS = (_NONE,) * kernels.MOST_SEATS
_NO_ANSWERS = Answers.none()


class Node(NamedTuple):
    """One real history: the betting, and by seat the branches where a strategy may be."""

    state: State
    histories: tuple[CachedHistory | None, ...]
    branches: tuple[tuple[Branch, ...], ...]


class Plan:
    """The plan of the players in the seats of one game."""

    def __init__(
        self, game: Game, players: tuple[CompiledPlayer, ...], *, most_nodes: int = MOST_NODES
    ) -> None:
        self.game = game
        self.players = players
        self.nodes: list[Node] = []
        self._most = most_nodes
        self._lock = threading.Lock()
        self._edges_of: list[dict[Action, int]] = []
        self._nodes = Rows(kernels.NODE_WIDTH)
        self._edges = Rows(kernels.EDGE_WIDTH, np.int64)
        self._branches = Rows(kernels.BRANCH_WIDTH)
        self._choices = Rows(2)
        self._offsets = Rows(1)
        self._steps = Rows(2)
        self._shares = Rows(1, np.float64)
        self._facts = Rows(kernels.FACT_WIDTH, np.int64)
        self._most_branches = self._most_actions = 1
        histories = tuple(
            player.cache.start() if isinstance(player, StrategyPlayer) else None
            for player in players
        )
        self._add_node(Node(State.start(game), histories, ((Branch(0),),) * len(players)))

    def arrays(self) -> kernels.PlanArrays:
        """The plan as it is now."""
        found = [
            player.arrays() if isinstance(player, CasePlayer) else _NO_ANSWERS
            for player in self.players
        ]
        with self._lock:
            return kernels.PlanArrays(
                nodes=self._nodes.values,
                edges=self._edges.values,
                branches=self._branches.values,
                choices=self._choices.values,
                offsets=self._offsets.values[:, 0],
                steps=self._steps.values,
                shares=self._shares.values[:, 0],
                facts=self._facts.values,
                answers=tuple(one.answers for one in found),
                letters=tuple(one.letters for one in found),
                letter_rows=np.array([one.letter_rows for one in found], np.int64),
                node_count=self._nodes.count,
                edge_count=self._edges.count,
                most_branches=self._most_branches,
                most_actions=self._most_actions,
            )

    def grow(self, stops: npt.NDArray[np.int64]) -> bool:
        """Add the history after (node, action) of each row, or the answer to a bucket there.

        An action of -1 - bucket requests the answer. False if the plan is full.
        """
        wanted = {(int(node), int(action)) for node, action in stops.tolist()}
        with self._lock:
            for node, action in sorted(wanted):
                if action < 0:
                    self._add_answer(node, -1 - action)
                    continue
                if len(self.nodes) >= self._most:
                    return False
                self._add_history(node, action)
        return True

    # Growing ----------------------------------------------------------------------------------

    def _add_answer(self, number: int, bucket: int) -> None:
        state = self.nodes[number].state
        player = self.players[state.actor]
        assert isinstance(player, CasePlayer)
        player.answer(state, bucket)

    def _add_history(self, number: int, action: Action) -> None:
        edge = self._edge(number, action)
        if self._edges.values[edge, kernels.CHILD] >= 0:
            return  # another thread was first
        node = self.nodes[number]
        state = node.state.apply(action)
        histories = tuple(
            None if history is None else history.after(action) for history in node.histories
        )
        branches: list[tuple[Branch, ...]] = [()] * len(self.players)
        if state.actor >= 0:
            for seat, history in enumerate(node.histories):
                if history is not None:
                    own = seat == node.state.actor
                    offset, branches[seat] = self._carry(history, node.branches[seat], action, own)
                    self._edges.values[edge, kernels.STEPS + seat] = offset
        child = self._add_node(Node(state, histories, tuple(branches)))
        self._edges.values[edge, kernels.CHILD] = child

    def _edge(self, number: int, action: Action) -> int:
        """The edge of an action; one that only a value chooses is added in front of the others."""
        edges = self._edges_of[number]
        if action not in edges:
            first = self._nodes.values[number, kernels.FIRST_EDGE]
            edges[action] = self._edges.add([[action, _NONE, first, *_NO_STEPS]])
            self._nodes.values[number, kernels.FIRST_EDGE] = edges[action]
        return edges[action]

    def _carry(
        self, history: CachedHistory, branches: Sequence[Branch], action: Action, own: bool
    ) -> tuple[int, tuple[Branch, ...]]:
        """Where the steps of a player over one action begin, and the branches after it."""
        slots: dict[Branch, int] = {}
        offsets: list[list[int]] = []
        steps: list[list[int]] = []
        shares: list[list[float]] = []
        start = self._steps.count
        for branch in branches:
            offsets.append([start + len(steps)])
            if own:
                found = history.own_step(branch, action)
            else:
                found = tuple((WAITING, *reading) for reading in history.readings(branch, action))
            for column, after, share in found:
                steps.append([column, slots.setdefault(after, len(slots))])
                shares.append([share])
        offsets.append([start + len(steps)])
        self._steps.add(steps)
        self._shares.add(shares)
        self._most_branches = max(self._most_branches, len(slots))
        return self._offsets.add(offsets), tuple(slots)

    def _add_node(self, node: Node) -> int:
        state, seat = node.state, node.state.actor
        row = [kernels.OVER, seat, 1 + state.action_count, state.round, _NONE, 0, _NONE, _NONE]
        edges: dict[Action, int] = {}
        if seat >= 0:
            player = self.players[seat]
            if isinstance(player, StrategyPlayer):
                if self._asks(node, player):
                    row[kernels.KIND] = kernels.ASK
                else:
                    edges = self._add_choices(node, player, row)
            elif isinstance(player, ScriptedPlayer):
                row[kernels.KIND] = kernels.BY_SCRIPT
                edges = self._add_edges([player.choose(state)], row)
            elif isinstance(player, CasePlayer):
                edges = self._add_letters(state, player, row)
            else:
                row[kernels.KIND] = kernels.BY_VALUE
                row[kernels.FACTS] = self._facts.add([_facts(state)])
        self.nodes.append(node)
        self._edges_of.append(edges)
        slots = [*map(len, node.branches), *[0] * (kernels.MOST_SEATS - len(node.branches))]
        return self._nodes.add([[*row, *slots]])

    def _asks(self, node: Node, player: StrategyPlayer) -> bool:
        """Whether the play of a hand depends on other hands: a defence against an unread bet."""
        state, history = node.state, node.histories[node.state.actor]
        assert history is not None
        if not (state.can_fold and player.agent.translation.defends(state)):
            return False
        return any(map(history.unread, node.branches[state.actor]))

    def _add_choices(self, node: Node, player: StrategyPlayer, row: list[int]) -> dict[Action, int]:
        history, branches = node.histories[node.state.actor], node.branches[node.state.actor]
        assert history is not None
        tree, offset = player.source.tree, player.source.layout.offset
        choices = [history.choices(branch) for branch in branches]
        # A hand with zero reach calls, also where no branch does.
        actions = sorted({CALL, *(action for found in choices for action, _ in found)})
        place = {action: number for number, action in enumerate(actions)}
        rows = []
        numbers: dict[ActionKind, int] = {CALL: kernels.CALL_KIND}
        for branch, found in zip(branches, choices, strict=True):
            waits = waiting(tree, branch.node, node.state)
            kinds = [CALL] if waits else action_kinds(tree, branch.node)
            kinds *= len(found) // len(kinds)  # an action in two sizes is one kind
            first = self._choices.add(
                [
                    [place[action], numbers.setdefault(kind, len(numbers))]
                    for (action, _), kind in zip(found, kinds, strict=True)
                ]
            )
            if waits:
                rows.append([_NONE, 0, 0, first, 0])
            else:
                round_, column = int(tree.round[branch.node]), int(offset[branch.node])
                count = int(tree.child_count[branch.node])
                rows.append([round_, column, count, first, int(len(found) > count)])
        row[kernels.KIND] = kernels.BY_TABLE
        row[kernels.FIRST_BRANCH] = self._branches.add(rows)
        self._most_actions = max(self._most_actions, len(actions), len(numbers), *map(len, choices))
        return self._add_edges(actions, row)

    def _add_letters(self, state: State, player: CasePlayer, row: list[int]) -> dict[Action, int]:
        spoken = player.spoken(state)
        actions = sorted(set(spoken))
        row[kernels.KIND] = kernels.BY_CASES
        row[kernels.FIRST_ANSWER] = player.first_answer(state)
        row[kernels.FIRST_LETTER] = self._choices.add(
            [[actions.index(one), _NONE] for one in spoken]
        )
        return self._add_edges(actions, row)

    def _add_edges(self, actions: Sequence[Action], row: list[int]) -> dict[Action, int]:
        first = self._edges.add([[action, _NONE, _NONE, *_NO_STEPS] for action in actions])
        row[kernels.FIRST_EDGE], row[kernels.EDGES] = first, len(actions)
        return {action: first + number for number, action in enumerate(actions)}


def _facts(state: State) -> list[int]:
    """The inputs of `ev`, in the order of the kernel's columns."""
    return [
        state.pot,
        state.to_call,
        state.largest,
        state.min_raise_to,
        state.max_raise_to,
        int(state.can_fold),
        state.folded.count(False) - 1,
    ]
