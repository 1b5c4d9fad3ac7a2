"""GameShrink: merge signals that a game of ordered signals cannot tell apart.

Gilpin and Sandholm (Lossless abstraction of imperfect information games, JACM 2007). Two last
signals are *ordered game isomorphic* when they beat, tie and lose to equally many opposing hands; two
earlier ones when their children can be matched in isomorphic pairs. Isomorphic siblings merge, from
the first round on, so a class knows its parent class. Because the relation is an equivalence, a
perfect matching exists exactly when the children's classes are equal as multisets.

Three relations. `matching` is the paper's, and gives its numbers; but it looks at how many opposing
hands are beaten, not which, and loses value in games where hands had been told apart earlier (Leduc).
`lossless`, the default, also asks that the opposing hands be of the same classes: the coarsest
partition for which every class meets every class of opponent equally often with each result. `suits`
relabels suits and nothing else. See `docs/methods/gameshrink.md`.

With a threshold the matching may be imperfect: the distance of two last signals is the share of
opposing hands against which the results differ (|wins| + |losses|), that of earlier ones the mean
distance under the best matching, and a signal joins the first sibling class whose representative is
within the threshold.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
import numpy.typing as npt

from doyle.abstractions.gameshrink.signals import Cards, SignalTree
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress
from doyle.games import Game

Relation = Literal["lossless", "matching", "suits"]
Indices = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SignalClasses:
    """The signals of a game merged into classes, with perfect recall."""

    tree: SignalTree
    relation: Relation
    threshold: float
    class_of: tuple[Indices, ...]

    @property
    def game(self) -> Game:
        return self.tree.game

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of classes in each round."""
        return tuple(int(classes.max()) + 1 for classes in self.class_of)

    def parents(self, round: int) -> Indices | None:
        """The class a round earlier of each class; None in the first round."""
        if round == 0:
            return None
        found = np.empty(self.counts[round], np.int32)
        found[self.class_of[round]] = self.class_of[round - 1][self.tree.rounds[round].parent]
        return found

    def weights(self, round: int) -> Counts:
        """How many deals of hole and board (in its order of rounds) each class stands for."""
        found = np.zeros(self.counts[round], np.int64)
        np.add.at(found, self.class_of[round], self.tree.rounds[round].weight)
        return found

    def find(self, hole: Sequence[int], board: Sequence[int] = ()) -> int:
        """The class of a hole on a board, in the (last) round that shows this board."""
        number, signal = self.tree.find(hole, board)
        return int(self.class_of[number][signal])

    @property
    def holes(self) -> tuple[Cards, ...]:
        """All holes: by card, or by pair in the order of `doyle.cards.HOLES`."""
        return self.tree.holes


def shrink(
    game: Game,
    threshold: float = 0.0,
    *,
    relation: Relation | None = None,
    progress: Progress | None = None,
) -> SignalClasses:
    """Merge the signals of a game: losslessly, or by the paper's matching up to a threshold.

    >>> shrink(Game.named("leduc")).counts
    (3, 9)
    >>> shrink(Game.named("rhode-island"), relation="matching").counts
    (13, 205, 1774)
    """
    relation = chosen_relation(threshold, relation)
    tree = SignalTree.build(game, progress=progress)
    if relation == "suits":
        identity = tuple(np.arange(len(level), dtype=np.int32) for level in tree.rounds)
        return SignalClasses(tree, relation, 0.0, identity)
    classes = _merge(tree, _Isomorphism(tree), threshold)
    if relation == "lossless":
        classes = _refine(tree, classes)
    return SignalClasses(tree, relation, threshold, classes)


def chosen_relation(threshold: float, relation: str | None) -> Relation:
    """The relation to merge by, refused if it is none or does not go with the threshold."""
    if not 0.0 <= threshold <= 2.0:
        raise DoyleError(f"shrink: the threshold must be from 0 to 2, not {threshold}")
    relation = relation or ("matching" if threshold > 0 else "lossless")
    if relation not in ("lossless", "matching", "suits"):
        raise DoyleError(f"shrink: relation must be lossless, matching or suits, not {relation!r}")
    if relation != "matching" and threshold > 0:
        raise DoyleError(f"shrink: a threshold needs the relation matching, not {relation}")
    return cast(Relation, relation)


def _refine(tree: SignalTree, classes: tuple[Indices, ...]) -> tuple[Indices, ...]:
    """Split classes until all members of each meet the classes of opponents equally often.

    Only siblings were merged and splitting keeps that, so a last class stands for a whole history of
    classes, and equal meetings in the last round mean equal meetings in every earlier one.
    """
    showdowns = tree.showdowns
    while True:
        count = int(classes[-1].max()) + 1
        results = showdowns.results.astype(np.int64) + 1
        met = classes[-1][showdowns.others] + count * results
        met.sort(axis=1)
        kinds = [_numbered([row.tobytes() for row in met])]
        for number in range(len(tree.rounds) - 1, 0, -1):
            level = tree.rounds[number]
            below: list[list[int]] = [[] for _ in range(len(tree.rounds[number - 1]))]
            split = _numbered(list(zip(classes[number].tolist(), kinds[0].tolist(), strict=True)))
            for child, parent in enumerate(level.parent.tolist()):
                copies = level.weight[child] // tree.rounds[number - 1].weight[parent]
                below[parent].extend([int(split[child])] * int(copies))
            kinds.insert(0, _numbered([tuple(sorted(children)) for children in below]))
        finer: list[Indices] = []
        for number, level in enumerate(tree.rounds):
            above = finer[-1][level.parent] if number else np.zeros(len(level), np.int32)
            keys = zip(
                above.tolist(), classes[number].tolist(), kinds[number].tolist(), strict=True
            )
            finer.append(_numbered(list(keys)))
        if all(int(new.max()) == int(old.max()) for new, old in zip(finer, classes, strict=True)):
            return tuple(finer)
        classes = tuple(finer)


def _numbered(keys: Sequence[Hashable]) -> Indices:
    """Equal keys get equal numbers, from 0 in the order of first appearance."""
    index: dict[Hashable, int] = {}
    return np.array([index.setdefault(key, len(index)) for key in keys], np.int32)


def _merge(tree: SignalTree, isomorphism: _Isomorphism, threshold: float) -> tuple[Indices, ...]:
    """Classes round by round: siblings join the first class that is near enough."""
    classes: list[Indices] = []
    for number, level in enumerate(tree.rounds):
        found = np.empty(len(level), np.int32)
        members: dict[int, list[tuple[int, int]]] = {}
        exact: dict[tuple[int, int], int] = {}
        total = 0
        for signal in range(len(level)):
            parent = int(classes[-1][level.parent[signal]]) if number else 0
            kind = int(isomorphism.kinds[number][signal])
            chosen = exact.get((parent, kind))
            if chosen is None:
                siblings = members.setdefault(parent, [])
                if threshold > 0:
                    for representative, candidate in siblings:
                        if isomorphism.distance(number, representative, kind) <= threshold:
                            chosen = candidate
                            break
                if chosen is None:
                    chosen = total
                    total += 1
                    siblings.append((kind, chosen))
                exact[parent, kind] = chosen
            found[signal] = chosen
        classes.append(found)
    return tuple(classes)


class _Isomorphism:
    """The kinds of signals in each round (equal kinds are isomorphic), and distances of kinds."""

    def __init__(self, tree: SignalTree) -> None:
        self.kinds: list[Indices] = []
        self.children: list[list[npt.NDArray[np.int32]]] = []
        results = tree.showdowns.results
        wins, losses = (results > 0).sum(axis=1), (results < 0).sum(axis=1)
        self.results = np.unique(np.stack([wins, losses], axis=1), axis=0)
        index = {tuple(row): kind for kind, row in enumerate(self.results.tolist())}
        last = [index[result] for result in zip(wins.tolist(), losses.tolist(), strict=True)]
        self.kinds.insert(0, np.array(last, np.int32))
        for number in range(len(tree.rounds) - 1, 0, -1):
            self._ascend(tree, number)
        gaps = np.abs(self.results[:, None, :] - self.results[None, :, :]).sum(axis=2)
        self._last = gaps / results.shape[1]
        self._known: dict[tuple[int, int, int], float] = {}

    def _ascend(self, tree: SignalTree, number: int) -> None:
        """The kinds of round `number` - 1: the multisets of the kinds of their children."""
        level, above = tree.rounds[number], tree.rounds[number - 1]
        below: list[list[int]] = [[] for _ in range(len(above))]
        for child, parent in enumerate(level.parent):
            copies = int(level.weight[child] // above.weight[parent])
            below[parent].extend([int(self.kinds[0][child])] * copies)
        index: dict[tuple[int, ...], int] = {}
        kinds = [index.setdefault(tuple(sorted(children)), len(index)) for children in below]
        self.kinds.insert(0, np.array(kinds, np.int32))
        self.children.insert(0, [np.array(children, np.int32) for children in index])

    def distance(self, number: int, first: int, second: int) -> float:
        """How far two kinds of round `number` are from isomorphic."""
        if first == second:
            return 0.0
        if number == len(self.kinds) - 1:
            return float(self._last[first, second])
        key = (number, min(first, second), max(first, second))
        if key not in self._known:
            self._known[key] = self._matching(*key)
        return self._known[key]

    def _matching(self, number: int, first: int, second: int) -> float:
        from scipy.optimize import linear_sum_assignment

        rows, columns = self.children[number][first], self.children[number][second]
        if number == len(self.kinds) - 2:
            cost = self._last[np.ix_(rows, columns)]
        else:
            cost = np.array(
                [[self.distance(number + 1, a, b) for b in columns.tolist()] for a in rows.tolist()]
            )
        chosen = linear_sum_assignment(cost)
        return float(cost[chosen].mean())
