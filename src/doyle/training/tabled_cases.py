"""A two-player limit case base as tables: what it plays at every decision with every hand feature.

In two-player limit Hold'em a case-based agent looks at the betting (6,378 decisions), at a hand feature and
at the texture of the board (nine). So all it may ever retrieve fits into the tables of a strategy, and
matches between case bases, experts and each other play compiled: the same decisions, thousands of
times faster than one retrieval after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.betting import BettingModel, BettingTree
from doyle.cases import CaseBase, Query, Retriever
from doyle.cases import _retrieval_kernels as kernels
from doyle.cases.architecture import Reuse
from doyle.cases.domains import ROUND_MARK
from doyle.cases.features.bets import spoken
from doyle.cases.features.hands import HandFeatures
from doyle.cases.features.textures import TEXTURES
from doyle.cases.reuse import decide_all
from doyle.errors import DoyleError
from doyle.games import State
from doyle.strategy import Layout
from doyle.training.self_play import Player
from doyle.workers import Progress

Floats = npt.NDArray[np.float64]


def tabled_player(
    name: str,
    bases: CaseBase | Sequence[CaseBase],
    *,
    tree: BettingTree | None = None,
    progress: Progress | None = None,
) -> Player:
    """The player of a two-player limit case base, from tables of all its answers.

    Several bases vote, as `doyle.agents.cases.VotingAgent` does.
    """
    members = [bases] if isinstance(bases, CaseBase) else list(bases)
    base = members[0]
    if base.architecture.domain != "limit":
        raise DoyleError(
            f"case base {name}: only two-player limit bases fit into tables, "
            f"not {base.architecture.domain}"
        )
    tree = tree or BettingTree.build(BettingModel.parse("limit"), base.game)
    features = HandFeatures(base.architecture)
    answers = [AllAnswers(Retriever(member, features=features)) for member in members]
    layout = Layout.of(tree)
    tables = [
        np.zeros((_buckets(features, number), width), np.float32)
        for number, width in enumerate(layout.widths)
    ]
    for done, (node, state, text) in enumerate(_decisions(tree)):
        rows = voted([one.solutions(state.round, text) for one in answers], base.architecture.reuse)
        start = int(layout.offset[node])
        actions = tree.actions_of(node).tolist()
        for place, letter in enumerate(base.architecture.letters):
            (action,) = spoken(state, letter)
            tables[state.round][:, start + actions.index(action)] += rows[:, place]
        if progress is not None and done % 256 == 0:
            progress("asking the case base", done, tree.decision_count)

    def buckets(holes: npt.NDArray[Any], boards: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        found = np.empty((*holes.shape[:2], 4), np.int32)
        for seat in range(holes.shape[1]):
            hand, texture = features.of_deals(holes[:, seat], boards)
            found[:, seat] = hand.astype(np.int32) * len(TEXTURES) + texture
            found[:, seat, 0] = hand[:, 0]
        return found

    return Player(name, tree, tables, buckets)


class AllAnswers:
    """What a two-player limit base answers after one betting sequence, for every hand and texture.

    Bases that retrieve one case, or the identical ones (`retrieve` = 0); with more neighbours than one
    every query is asked by itself.
    """

    def __init__(self, retriever: Retriever) -> None:
        self.retriever = retriever
        self.architecture = retriever.architecture
        self._without: dict[int, npt.NDArray[np.int64]] = {}
        self._known: dict[tuple[int, bytes, bytes], npt.NDArray[np.int64]] = {}

    def letters(self, round_: int, text: str) -> Floats:
        """The probability of every letter [hands * textures, letters]."""
        return decide_all(*self.solutions(round_, text), self.architecture.reuse)

    def solutions(self, round_: int, text: str) -> tuple[Floats, Floats]:
        """The retrieved counts and outcomes of every letter [hands * textures, letters]."""
        index, most = self.retriever.index(round_), self.architecture.retrieve
        hands, textures = self.retriever.features.size(round_), len(TEXTURES) if round_ else 1
        cases, size = index.cases, hands * textures
        counts = np.zeros((size, len(self.architecture.letters)))
        outcomes = np.zeros_like(counts)
        if most == 0:
            number = cases.number.get(text)
            if number is not None:
                chosen = slice(*cases.starts[number : number + 2].tolist())
                rows = cases.hand[chosen].astype(np.int64) * textures + cases.texture[chosen]
                np.add.at(counts, rows, cases.counts[chosen])
                np.add.at(outcomes, rows, cases.outcomes[chosen])
        elif most == 1 and len(cases) and cases.members is None:
            nearest = self._nearest(round_, index.groups(text), hands, textures)
            return cases.counts[nearest].astype(np.float64), cases.outcomes[nearest]
        else:
            for row in range(size):
                query = Query(round_, text, row // textures, row % textures)
                found = self.retriever.retrieve(query)
                counts[row], outcomes[row] = found.counts, found.outcomes
        return counts, outcomes

    def _nearest(
        self, round_: int, groups: tuple[npt.NDArray[Any], ...], hands: int, textures: int
    ) -> npt.NDArray[np.int64]:
        """The nearest case of every (hand, texture); bettings with the same groups share them."""
        first, last, betting = groups
        key = (round_, first.tobytes(), betting.tobytes())
        if key not in self._known:
            searched = self.retriever.index(round_).searched
            without = self._without_betting(round_, hands, textures)
            nearest = np.empty((textures, hands), np.int64)
            for texture in range(textures):
                kernels.nearest_of_hands(
                    searched, first, last, betting, without[texture], np.arange(hands), texture, 0,
                    nearest[texture],
                )  # fmt: skip
            self._known[key] = nearest.T.ravel()
        return self._known[key]

    def _without_betting(self, round_: int, hands: int, textures: int) -> npt.NDArray[np.int64]:
        """The nearest case of every [texture, hand] if no betting counts."""
        if round_ not in self._without:
            searched = self.retriever.index(round_).searched
            every = np.arange(len(searched.hand))
            nearest = np.empty((textures, hands), np.int64)
            for texture in range(textures):
                kernels.nearest_without_betting(searched, every, texture, 0, nearest[texture])
            self._without[round_] = nearest
        return self._without[round_]


def voted(solutions: Sequence[tuple[Floats, Floats]], policy: Reuse) -> Floats:
    """What imitators with these counts and outcomes [n, letters] play together; one plays by itself.

    Most votes win; of letters with equally many the one that the counts favour, then the first.
    """
    rows = [decide_all(counts, outcomes, policy) for counts, outcomes in solutions]
    if len(rows) == 1:
        return rows[0]
    if policy == "probabilistic":
        return np.asarray(np.mean(rows, axis=0))
    votes = np.sum(rows, axis=0)
    favour = np.sum(
        [decide_all(counts, outcomes, "probabilistic") for counts, outcomes in solutions], axis=0
    )
    favour[votes < votes.max(axis=1, keepdims=True)] = -1.0
    chosen: Floats = np.zeros(votes.shape)
    chosen[np.arange(len(votes)), np.argmax(favour, axis=1)] = 1.0
    return chosen


def _decisions(tree: BettingTree) -> Iterator[tuple[int, State, str]]:
    """Every decision with its state and its betting as a sequence of letters, depth first."""
    states: dict[int, tuple[State, str]] = {0: (State.start(tree.game), "")}
    for node in tree.decisions.tolist():
        state, text = states.pop(node)
        yield node, state, text
        for child in tree.children_of(node).tolist():
            action = int(tree.action[child])
            after = state.apply(action)
            if after.actor >= 0:
                letter = "fcr"[min(action, 2)] + ROUND_MARK * (after.round - state.round)
                states[child] = (after, text + letter)


def _buckets(features: HandFeatures, round_: int) -> int:
    return features.size(round_) * (len(TEXTURES) if round_ else 1)
