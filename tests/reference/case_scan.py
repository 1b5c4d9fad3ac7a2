"""The linear scan: every case compared with a situation, one after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from doyle.agents.case_bases import CaseBase, Query
from doyle.agents.case_bases.features.hands import HandFeatures
from doyle.agents.case_bases.retrieval import Neighbour
from doyle.agents.case_bases.similarity import betting_similarity, feature_tables


class LinearScan:
    """Nearest cases by sorting all of them; betting similarities are kept by pair of texts."""

    def __init__(self, base: CaseBase) -> None:
        self.base = base
        self._betting: dict[tuple[int, str], NDArray[np.float64]] = {}
        features = HandFeatures(base.architecture)
        self._tables = [feature_tables(features, round_) for round_ in range(4)]

    def betting(self, round_: int, text: str) -> NDArray[np.float64]:
        """The similarity of the betting of every case of a round to one sequence."""
        key = (round_, text)
        if key not in self._betting:
            cases = self.base.rounds[round_]
            values = [
                betting_similarity(self.base.architecture, text, other) for other in cases.sequences
            ]
            self._betting[key] = np.array(values)[cases.sequence]
        return self._betting[key]

    def nearest(self, query: Query, most: int) -> list[Neighbour]:
        """The most similar cases; then those with more decisions, then those with lower numbers."""
        cases = self.base.rounds[query.round]
        hand, texture, commitment = self._tables[query.round]
        names = self.base.architecture.features(query.round)
        found = self.betting(query.round, query.sequence) + hand[query.hand][cases.hand]
        if "texture" in names:
            found = found + texture[query.texture][cases.texture]
        if "commitment" in names:
            found = found + commitment[query.commitment][cases.commitment]
        similarity = found / len(names)
        order = np.lexsort((np.arange(len(cases)), -cases.counts.sum(axis=1), -similarity))
        return [Neighbour(int(case), float(similarity[case])) for case in order[:most]]
