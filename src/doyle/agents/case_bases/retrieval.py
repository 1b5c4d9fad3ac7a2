"""Retrieval: the nearest cases of a situation (section 5.2.4), exactly, through an index.

Cases are grouped by betting sequence, and sequences by what makes them similar at all: raises by
seat for the stepped levels, the shape of the betting for bet sizes. A search visits the groups from
the most similar on and stops where the best that another group could reach is not enough. Of equally
similar cases the one with more decisions behind it comes first, then the one with the lower number;
a linear scan of the base gives the same answer.

With `retrieve` = 0 the identical cases are collected, whatever the metrics (the variable k of 2009).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.agents.case_bases import _retrieval_kernels as kernels
from doyle.agents.case_bases.architecture import Architecture
from doyle.agents.case_bases.case_base import MOST_VALUES, CaseBase, RoundCases
from doyle.agents.case_bases.features.bets import BettingSequence
from doyle.agents.case_bases.features.hands import HandFeatures
from doyle.agents.case_bases.similarity import BET_PLACE, STEPS, bet_shape, feature_tables

_GROUPS_KEPT = 1 << 14


@dataclass(frozen=True)
class Query:
    """A situation: the round, and one value for each feature."""

    round: int
    sequence: str
    hand: int
    texture: int = 0
    commitment: int = 0


@dataclass(frozen=True)
class Neighbour:
    """A retrieved case: its number among those of its round, and how similar it is."""

    case: int
    similarity: float


@dataclass(frozen=True)
class Retrieved:
    """What was retrieved, nearest first, and the sums of its action and outcome vectors.

    `counts` and `outcomes` are sums over the retrieved cases, by letter; both are 0 without any.
    """

    neighbours: tuple[Neighbour, ...]
    counts: NDArray[np.float64]
    outcomes: NDArray[np.float64]


class SequenceIndex:
    """Which sequences of a round are similar to one, and how much; all others have similarity 0."""

    def __init__(self, architecture: Architecture, sequences: tuple[str, ...]) -> None:
        self.architecture = architecture
        self.sequences = sequences
        self._number = {text: place for place, text in enumerate(sequences)}
        self._levels: tuple[dict[Any, list[int]], dict[Any, list[int]]] = ({}, {})
        self._shapes: dict[str, list[int]] = {}
        if architecture.betting_metric == "stepped":
            for place, text in enumerate(sequences):
                for level, key in zip(self._levels, self._keys(text), strict=True):
                    level.setdefault(key, []).append(place)
        elif architecture.betting_metric == "sizes":
            for place, text in enumerate(sequences):
                self._shapes.setdefault(bet_shape(text), []).append(place)

    def similar(self, text: str) -> tuple[list[int], list[float]]:
        """The numbers of the sequences with similarity above 0, most similar first."""
        metric = self.architecture.betting_metric
        found: dict[int, float] = {}
        if metric == "stepped":
            for level, key, value in zip(self._levels, self._keys(text), STEPS[1:3], strict=True):
                for place in level.get(key, ()):
                    found.setdefault(place, value)
        elif metric == "sizes":
            return self._by_sizes(text)
        exact = self._number.get(text)
        if exact is not None:
            found[exact] = STEPS[0]
        ordered = sorted(found, key=lambda place: (-found[place], place))
        return ordered, [found[place] for place in ordered]

    def _keys(self, text: str) -> tuple[Any, Any]:
        sequence = BettingSequence.parse(self.architecture.game_domain, text)
        rounds = len(sequence.rounds)
        return (
            (rounds, sequence.current, sequence.raises_before),
            (rounds, sequence.current, sequence.raises_in_all),
        )

    def _by_sizes(self, text: str) -> tuple[list[int], list[float]]:
        bets = [place for place, letter in enumerate(text) if letter in BET_PLACE]
        found: list[tuple[float, int]] = []
        for place in self._shapes.get(bet_shape(text), ()):
            other = self.sequences[place]
            distance = sum(abs(BET_PLACE[text[at]] - BET_PLACE[other[at]]) for at in bets)
            value = max(1.0 - self.architecture.decay * distance, 0.0)
            if value > 0:
                found.append((-value, place))
        found.sort()
        return [place for _, place in found], [-value for value, _ in found]


class RoundIndex:
    """The cases of one round, ready to be searched."""

    def __init__(self, cases: RoundCases, features: HandFeatures, round_: int) -> None:
        self.cases = cases
        architecture = features.architecture
        self.sequences = SequenceIndex(architecture, cases.sequences)
        hand, texture, commitment = feature_tables(features, round_)
        self.searched = kernels.Cases(
            hand=cases.hand,
            texture=cases.texture,
            commitment=cases.commitment,
            support=cases.support,
            hand_table=hand,
            texture_table=texture,
            commitment_table=commitment,
            parts=len(architecture.features(round_)),
        )
        self.groups = lru_cache(_GROUPS_KEPT)(self._groups)
        self._without: dict[tuple[int, int], NDArray[np.int64]] = {}

    def _groups(
        self, text: str
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Where the cases of similar sequences begin and end, and how similar these are."""
        places, values = self.sequences.similar(text)
        numbers = np.array(places, np.int64)
        starts = self.cases.starts
        return starts[numbers], starts[numbers + 1], np.array(values)

    def nearest(self, query: Query, most: int) -> tuple[Neighbour, ...]:
        """The nearest cases, at most `most`, nearest first."""
        most = min(most, len(self.cases))
        if not most:
            return ()
        first, last, betting = self.groups(query.sequence)
        found, similarity = np.empty(most, np.int64), np.empty(most)
        values = np.array([query.hand, query.texture, query.commitment], np.int64)
        count = kernels.search_groups(
            self.searched, first, last, betting, values, most, found, similarity
        )
        parts = self.searched.parts
        if count < most or similarity[most - 1] <= (parts - 1.0) / parts:
            others, skip = self._others(first, last, most)
            count = kernels.search_others(
                self.searched, others, skip, values, most, count, found, similarity
            )
        pairs = zip(found[:count].tolist(), similarity[:count].tolist(), strict=True)
        return tuple(Neighbour(case, value) for case, value in pairs)

    def nearest_of_hands(
        self, text: str, hands: NDArray[np.int64], texture: int, commitment: int
    ) -> NDArray[np.int64]:
        """The nearest case of each of some hands after one betting, as `nearest` finds it."""
        first, last, betting = self.groups(text)
        found = np.empty(len(hands), np.int64)
        without = self._without_betting(texture, commitment)
        kernels.nearest_of_hands(
            self.searched, first, last, betting, without, hands, texture, commitment, found
        )
        return found

    def _without_betting(self, texture: int, commitment: int) -> NDArray[np.int64]:
        """The nearest case of every hand if no betting counts; the same for all bettings."""
        known = self._without.get((texture, commitment))
        if known is None:
            known = np.empty(len(self.searched.hand_table), np.int64)
            kernels.nearest_without_betting(self.searched, self._firsts, texture, commitment, known)
            self._without[texture, commitment] = known
        return known

    def _others(
        self, first: NDArray[np.int64], last: NDArray[np.int64], most: int
    ) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Cases to look at without similar betting, and a mark for those of similar betting.

        For one neighbour the first case of each hand, texture and commitment is enough: if that one has
        similar betting, it has been found already and is nearer than any of the others.
        """
        skip = np.zeros(len(self.cases), np.uint8)
        if most == 1:
            return self._firsts, skip
        for start, end in zip(first.tolist(), last.tolist(), strict=True):
            skip[start:end] = 1
        return np.arange(len(self.cases)), skip

    @cached_property
    def _firsts(self) -> NDArray[np.int64]:
        """Of each hand, texture and commitment the case with most decisions, then lowest number."""
        cases = self.cases
        cell = (cases.hand.astype(np.int64) * MOST_VALUES + cases.texture) * MOST_VALUES
        cell += cases.commitment
        order = np.lexsort((np.arange(len(cases)), -cases.support, cell))
        starts = np.flatnonzero(np.diff(cell[order], prepend=-1))
        return np.asarray(order[starts], np.int64)

    def refresh(self) -> None:
        """Take note that decisions were added to cases."""
        self.__dict__.pop("_firsts", None)
        self._without.clear()

    def identical(self, query: Query) -> tuple[Neighbour, ...]:
        """The case with exactly these features, if there is one."""
        same = self.identical_cases(query.sequence, query.texture, query.commitment)
        same = same[self.cases.hand[same] == query.hand]
        return tuple(Neighbour(case, 1.0) for case in same.tolist())

    def identical_cases(self, text: str, texture: int, commitment: int) -> NDArray[np.int64]:
        """The cases of any hand that have exactly these other features."""
        number = self.cases.number.get(text)
        if number is None:
            return np.empty(0, np.int64)
        start, end = self.cases.starts[number : number + 2].tolist()
        same = (self.cases.texture[start:end] == texture) & (
            self.cases.commitment[start:end] == commitment
        )
        return np.asarray(start + np.flatnonzero(same), np.int64)


class Retriever:
    """Answers queries from a case base by its architecture."""

    def __init__(self, base: CaseBase, *, features: HandFeatures | None = None) -> None:
        self.base = base
        self.architecture = base.architecture
        self.features = features or HandFeatures(base.architecture)
        self._rounds: dict[int, RoundIndex] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Retriever, (self.base,)

    def take(self, base: CaseBase) -> None:
        """Answer from another base of the same architecture; rounds that are the same stay indexed."""
        for round_, index in list(self._rounds.items()):
            if base.rounds[round_] is not index.cases:
                del self._rounds[round_]
        self.base = base

    @cached_property
    def letters(self) -> str:
        return self.architecture.letters

    def index(self, round_: int) -> RoundIndex:
        """The index of a round, made when it is first needed."""
        if round_ not in self._rounds:
            self._rounds[round_] = RoundIndex(self.base.rounds[round_], self.features, round_)
        return self._rounds[round_]

    def retrieve(self, query: Query) -> Retrieved:
        """The nearest cases of a query, as many as the architecture asks for."""
        index, most = self.index(query.round), self.architecture.retrieve
        if most == 0:
            neighbours = index.identical(query)
        else:
            neighbours = index.nearest(query, most)
        return self._summed(index.cases, neighbours, most)

    def solutions_of_hands(
        self, round_: int, text: str, hands: NDArray[np.int64], texture: int, commitment: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The summed counts and outcomes [hands, letters] that `retrieve` gives for each hand."""
        index, most = self.index(round_), self.architecture.retrieve
        cases = index.cases
        if most == 0:
            same = index.identical_cases(text, texture, commitment)
            if not len(same):
                nothing = np.zeros((len(hands), len(self.letters)))
                return nothing, nothing
            counts = np.zeros((self.features.size(round_), len(self.letters)))
            outcomes = np.zeros_like(counts)
            np.add.at(counts, cases.hand[same], cases.counts[same])
            np.add.at(outcomes, cases.hand[same], cases.outcomes[same])
            return counts[hands], outcomes[hands]
        if most == 1 and len(cases) and cases.members is None:
            nearest = index.nearest_of_hands(text, hands, texture, commitment)
            return cases.counts[nearest].astype(np.float64), np.asarray(cases.outcomes[nearest])
        found = [
            self.retrieve(Query(round_, text, hand, texture, commitment)) for hand in hands.tolist()
        ]
        return np.stack([one.counts for one in found]), np.stack([one.outcomes for one in found])

    def _summed(self, cases: RoundCases, neighbours: tuple[Neighbour, ...], most: int) -> Retrieved:
        """The summed solutions; of the single representation only as many decisions as asked for."""
        counts, outcomes = np.zeros(len(self.letters)), np.zeros(len(self.letters))
        left = most
        taken = []
        for neighbour in neighbours:
            case = neighbour.case
            if cases.members is None or most == 0:
                counts += cases.counts[case]
                outcomes += cases.outcomes[case]
            elif left > 0:
                start = int(cases.member_starts[case])
                end = min(start + left, int(cases.member_starts[case + 1]))
                np.add.at(counts, cases.members[0][start:end], 1)
                np.add.at(outcomes, cases.members[0][start:end], cases.members[1][start:end])
                left -= end - start
            else:
                break
            taken.append(neighbour)
        return Retrieved(tuple(taken), counts, outcomes)
