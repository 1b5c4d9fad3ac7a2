"""Steps of translation, cached by public history.

A `Branch` is a place in the abstract game where a player may be. What a real bet is read as there,
and what an action of the strategy becomes at the real table, depends on the public history alone: not
on the player's hand, on how likely the branch is, or on the strategy. So the steps from a branch are
computed once and kept in the `CachedHistory` of the betting so far. They are a pure function of the
betting; dropping them changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain
from typing import NamedTuple, TypeAlias

from doyle.abstractions.betting import BettingTree
from doyle.games import CALL, Action, State
from doyle.strategy.translation.defence import unread
from doyle.strategy.translation.steps import Translation, caught_up, waiting

WAITING = -1
"""The column of a call that waits for the real game: it is made whatever the strategy says."""


class Branch(NamedTuple):
    """An abstract node, and what ExtendCall makes of the last raise if nobody raises again."""

    node: int
    if_last: tuple[int, Fraction] | None = None


Choices: TypeAlias = tuple[tuple[Action, int], ...]
"""(real action, column of the strategy's row)."""
OwnStep: TypeAlias = tuple[tuple[int, Branch, float], ...]
"""(column of the strategy's row, branch after it, share of it)."""
Readings: TypeAlias = tuple[tuple[Branch, float], ...]
"""(branch after the action, its share)."""


class TranslationCache:
    """The public histories of one translation in one tree; dropped when there are too many."""

    def __init__(
        self, translation: Translation, tree: BettingTree, *, most_histories: int = 1 << 14
    ) -> None:
        self.translation = translation
        self.tree = tree
        self._most = most_histories
        self._count = 0
        self._start = CachedHistory(self, State.start(tree.game))

    def start(self) -> CachedHistory:
        """The history before any action. Another object than before if the cache was emptied."""
        if self._count > self._most:
            self._count = 0
            self._start = CachedHistory(self, State.start(self.tree.game))
        return self._start

    def spoken(self, node: int, state: State) -> Choices:
        """What each action of the strategy at a node becomes in a real state.

        A cache may offer an action in several sizes, all of the first, then all of the second, ...; rows of
        the strategy then have as many columns.
        """
        return tuple(
            (self.translation.out_step(self.tree, node, abstract, state=state), column)
            for column, abstract in enumerate(self.tree.actions_of(node).tolist())
        )

    def likeliest(self, state: State, *, read: int | None = None) -> int:
        """The node of the likeliest reading of a history; it was walked here from the start.

        Actions that the strategy would speak so are taken for what they say; all others, and all of the
        seat `read`, are read.
        """
        history, branch = self.start(), Branch(0)
        for action in chain.from_iterable(state.betting):
            spoken = () if history.state.actor == read else history.own_step(branch, action)
            if spoken:
                branch = spoken[0][1]
            else:
                branch = max(history.readings(branch, action), key=lambda reading: reading[1])[0]
            history = history.after(action)
        return branch.node

    def count_one(self) -> None:
        """One more history is kept."""
        self._count += 1


class CachedHistory:
    """One public history: the steps from it, and the histories after it."""

    __slots__ = ("_cache", "_choices", "_following", "_own", "_seen", "_unread", "state")

    def __init__(self, cache: TranslationCache, state: State) -> None:
        self.state = state
        self._cache = cache
        self._following: dict[Action, CachedHistory] = {}
        self._choices: dict[Branch, Choices] = {}
        self._own: dict[tuple[Branch, Action], OwnStep] = {}
        self._seen: dict[tuple[Branch, Action], Readings] = {}
        self._unread: dict[int, bool] = {}

    def after(self, action: Action) -> CachedHistory:
        """The history with one more action."""
        following = self._following.get(action)
        if following is None:
            following = CachedHistory(self._cache, self.state.apply(action))
            self._following[action] = following
            self._cache.count_one()
        return following

    def choices(self, branch: Branch) -> Choices:
        """What each action of the strategy at `branch` becomes here; one call while it waits."""
        found = self._choices.get(branch)
        if found is None:
            if waiting(self._cache.tree, branch.node, self.state):
                found = ((CALL, WAITING),)
            else:
                found = self._cache.spoken(branch.node, self.state)
            self._choices[branch] = found
        return found

    def unread(self, branch: Branch) -> bool:
        """Whether the abstract game at `branch` lacks the bet that the actor faces."""
        found = self._unread.get(branch.node)
        if found is None:
            found = self._unread[branch.node] = unread(self._cache.tree, branch.node, self.state)
        return found

    def own_step(self, branch: Branch, action: Action) -> OwnStep:
        """Where the actor's own real `action` leads from `branch`, by action of its strategy."""
        key = branch, action
        found = self._own.get(key)
        if found is None:
            found = self._own[key] = tuple(
                (column, reached, share)
                for real, column in self.choices(branch)
                if real == action
                for reached, share in self._spoken(branch, column, action)
            )
        return found

    def readings(self, branch: Branch, action: Action) -> Readings:
        """How the opponent's real `action` is read at `branch`; the shares sum to 1."""
        key = branch, action
        found = self._seen.get(key)
        if found is None:
            found = self._seen[key] = tuple(self._read(branch, action))
        return found

    def _spoken(
        self, branch: Branch, column: int, action: Action
    ) -> Iterator[tuple[Branch, float]]:
        """Where an action of the strategy leads that was spoken as the real `action`."""
        tree = self._cache.tree
        if column == WAITING:
            yield from self._settled(branch, 1.0, action)
        elif self._cache.translation.remember:
            children = tree.children_of(branch.node)
            child = int(children[column % len(children)])
            # A call keeps what may become of the last raise; a raise of one's own is known.
            kept = branch.if_last if tree.action[child] == CALL else None
            yield from self._settled(Branch(child, kept), 1.0, action)
        else:
            yield from self._read(branch, action)

    def _read(self, branch: Branch, action: Action) -> Iterator[tuple[Branch, float]]:
        translation, tree = self._cache.translation, self._cache.tree
        for reading in translation.in_step(tree, branch.node, state=self.state, action=action):
            kept = reading.if_last if action > CALL else branch.if_last
            yield from self._settled(Branch(reading.node, kept), float(reading.weight), action)

    def _settled(
        self, branch: Branch, share: float, action: Action
    ) -> Iterator[tuple[Branch, float]]:
        """A branch brought into the real round; the end of a round settles its last raise."""
        tree, after = self._cache.tree, self.after(action).state
        if branch.if_last is None or after.betting[-1]:
            parts = [(branch, share)]
        else:
            called, down = branch.if_last
            parts = [
                (Branch(called), share * float(down)),
                (Branch(branch.node), share * float(1 - down)),
            ]
        for part, weight in parts:
            if weight > 0:
                yield Branch(caught_up(tree, part.node, after), part.if_last), weight
