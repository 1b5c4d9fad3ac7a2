"""The linear scan: every case compared with a situation, one after the other."""

from __future__ import annotations

from doyle.cases import CaseBase, Query
from doyle.cases.features.hands import HandFeatures
from doyle.cases.retrieval import Neighbour
from doyle.cases.similarity import betting_similarity, feature_tables


class LinearScan:
    """Nearest cases by sorting all of them; betting similarities are kept by pair of texts."""

    def __init__(self, base: CaseBase) -> None:
        self.base = base
        self.features = HandFeatures(base.architecture)
        self._betting: dict[tuple[str, str], float] = {}
        self._tables = [feature_tables(self.features, round_) for round_ in range(4)]

    def betting(self, first: str, second: str) -> float:
        if (first, second) not in self._betting:
            value = betting_similarity(self.base.architecture, first, second)
            self._betting[first, second] = value
        return self._betting[first, second]

    def nearest(self, query: Query, most: int) -> list[Neighbour]:
        cases = self.base.rounds[query.round]
        hand, texture, commitment = self._tables[query.round]
        names = self.base.architecture.features(query.round)
        by_sequence = [self.betting(query.sequence, text) for text in cases.sequences]
        total = hand[query.hand][cases.hand]
        found = [by_sequence[number] for number in cases.sequence.tolist()] + total
        if "texture" in names:
            found = found + texture[query.texture][cases.texture]
        if "commitment" in names:
            found = found + commitment[query.commitment][cases.commitment]
        similarity = (found / len(names)).tolist()
        support = cases.counts.sum(axis=1).tolist()
        order = sorted(
            range(len(cases)), key=lambda case: (-similarity[case], -support[case], case)
        )
        return [Neighbour(case, similarity[case]) for case in order[:most]]
