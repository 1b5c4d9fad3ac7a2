"""Steps of translation, remembered by public history.

What a bet is read as, and what an abstract action becomes at the real table, depends on the public
history alone. The `TranslatedStrategy` of `doyle.translation` is linear in the weights of its beliefs and in its
strategy (without the removal of pseudo-dominated actions and without the defence against small bets,
which `StrategyAgent` adds), so one question with one private state
for each action tells its step from a branch for every strategy, hand and weight. A `CachedHistory`
keeps the answers; they are a pure function of the betting, so forgetting them changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from doyle.betting import BettingTree
from doyle.games import Action, State
from doyle.translation.beliefs import Branch, TranslatedStrategy
from doyle.translation.defence import unread
from doyle.translation.steps import Translation, waiting

WAITING = -1
"""The column of a call that waits for the real game: it is made whatever the strategy says."""

Choices: TypeAlias = tuple[tuple[Action, int], ...]
"""(real action, column of the strategy's row)."""
OwnStep: TypeAlias = tuple[tuple[int, Branch, float], ...]
"""(column of the strategy's row, branch after it, share of it)."""
Readings: TypeAlias = tuple[tuple[Branch, float], ...]
"""(branch after the action, its share)."""


class TranslationCache:
    """The public histories of one translation in one tree; forgotten when there are too many."""

    def __init__(self, translation: Translation, tree: BettingTree, *, most_histories: int) -> None:
        linear = replace(translation, defend="never")
        self.player = TranslatedStrategy(linear, tree, self._one_state_per_action)
        self._tree = tree
        self._most = most_histories
        self._count = 0
        self._start = CachedHistory(self, State.start(tree.game))

    def start(self) -> CachedHistory:
        """The history before any action."""
        if self._count > self._most:
            self._count = 0
            self._start = CachedHistory(self, State.start(self._tree.game))
        return self._start

    def count_one(self) -> None:
        """One more history is remembered."""
        self._count += 1

    def _one_state_per_action(self, node: int) -> npt.NDArray[np.float64]:
        return np.eye(int(self._tree.child_count[node]))


class CachedHistory:
    """One public history: the steps from it, and the histories after it."""

    __slots__ = ("_choices", "_following", "_own", "_seen", "_steps", "_unread", "state")

    def __init__(self, steps: TranslationCache, state: State) -> None:
        self.state = state
        self._steps = steps
        self._following: dict[Action, CachedHistory] = {}
        self._choices: dict[Branch, Choices] = {}
        self._own: dict[tuple[Branch, Action], OwnStep] = {}
        self._seen: dict[tuple[Branch, Action], Readings] = {}
        self._unread: dict[int, bool] = {}

    def after(self, action: Action) -> CachedHistory:
        """The history one action later."""
        following = self._following.get(action)
        if following is None:
            following = CachedHistory(self._steps, self.state.apply(action))
            self._following[action] = following
            self._steps.count_one()
        return following

    def choices(self, branch: Branch) -> Choices:
        """What each action of the strategy at `branch` becomes here."""
        found = self._choices.get(branch)
        if found is None:
            player = self._steps.player
            _, _, moves = player.choices(self._every_action(branch), self.state)
            found = self._choices[branch] = tuple(
                (real, WAITING if abstract < 0 else column)
                for column, (real, _, abstract, _) in enumerate(moves)
            )
        return found

    def unread(self, branch: Branch) -> bool:
        """Whether the abstract game at `branch` lacks the bet that the actor faces."""
        found = self._unread.get(branch.node)
        if found is None:
            tree = self._steps.player.tree
            found = self._unread[branch.node] = unread(tree, branch.node, self.state)
        return found

    def own_step(self, branch: Branch, action: Action) -> OwnStep:
        """Where the actor's own real `action` leads from `branch`, by action of its strategy."""
        key = branch, action
        found = self._own.get(key)
        if found is None:
            after = self._steps.player.act(self._every_action(branch), self.state, action)
            waits = self.choices(branch)[0][1] == WAITING
            found = self._own[key] = tuple(
                (WAITING if waits else column, reached, float(share))
                for reached, shares in after.items()
                for column, share in enumerate(shares)
                if share > 0
            )
        return found

    def readings(self, branch: Branch, action: Action) -> Readings:
        """How the opponent's real `action` is read at `branch`."""
        key = branch, action
        found = self._seen.get(key)
        if found is None:
            after = self._steps.player.see({branch: np.ones(1)}, self.state, action)
            found = self._seen[key] = tuple(
                (reached, float(share[0])) for reached, share in after.items() if share[0] > 0
            )
        return found

    def _every_action(self, branch: Branch) -> dict[Branch, npt.NDArray[np.float64]]:
        """The branch with one private state for each action, or one where nothing is asked."""
        tree = self._steps.player.tree
        asked = not waiting(tree, branch.node, self.state)
        return {branch: np.ones(int(tree.child_count[branch.node]) if asked else 1)}
