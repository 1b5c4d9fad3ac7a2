"""Looking inside: what a base holds, and the cases behind an answer with their similarities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from doyle.agents.case_bases.case_base import CaseBase
from doyle.agents.case_bases.domains import ROUND_NAMES
from doyle.agents.case_bases.retrieval import Neighbour, Query, Retrieved, Retriever
from doyle.agents.case_bases.reuse import decide, mean_outcomes
from doyle.agents.case_bases.similarity import betting_similarity, feature_tables


@dataclass(frozen=True)
class RetrievedCase:
    """A case that was retrieved: its features in words, similarities by feature, and its vectors."""

    features: dict[str, str]
    similarity: float
    by_feature: dict[str, float]
    counts: dict[str, int]
    outcomes: dict[str, float]

    def document(self) -> dict[str, Any]:
        return {
            "features": self.features,
            "similarity": self.similarity,
            "by_feature": self.by_feature,
            "counts": self.counts,
            "mean_outcomes": self.outcomes,
        }


def feature_texts(retriever: Retriever, query: Query) -> dict[str, str]:
    """The features of a situation in words."""
    features = retriever.features
    texts = {"betting": query.sequence or "(none)"}
    names = retriever.architecture.features(query.round)
    hand = features.hand_text(query.round, query.hand)
    texts["hole" if query.round == 0 else "strength"] = hand
    if "texture" in names:
        texts["texture"] = features.texture_text(query.texture)
    if "commitment" in names:
        texts["commitment"] = str(query.commitment + 1)
    return texts


def retrieved_case(retriever: Retriever, query: Query, neighbour: Neighbour) -> RetrievedCase:
    """A neighbour of a situation, feature by feature."""
    cases, case = retriever.base.rounds[query.round], neighbour.case
    architecture = retriever.architecture
    found = Query(
        query.round,
        cases.sequences[int(cases.sequence[case])],
        int(cases.hand[case]),
        int(cases.texture[case]),
        int(cases.commitment[case]),
    )
    hand, texture, commitment = feature_tables(retriever.features, query.round)
    values = {
        "betting": betting_similarity(architecture, query.sequence, found.sequence),
        "hole": float(hand[query.hand, found.hand]),
        "strength": float(hand[query.hand, found.hand]),
        "texture": float(texture[query.texture, found.texture]),
        "commitment": float(commitment[query.commitment, found.commitment]),
    }
    letters = architecture.letters
    counts = np.asarray(cases.counts[case], np.float64)
    means = mean_outcomes(counts, np.asarray(cases.outcomes[case]))
    return RetrievedCase(
        feature_texts(retriever, found),
        neighbour.similarity,
        {name: values[name] for name in architecture.features(query.round)},
        {letter: int(counts[place]) for place, letter in enumerate(letters) if counts[place]},
        {letter: float(means[place]) for place, letter in enumerate(letters) if counts[place]},
    )


def answer_document(retriever: Retriever, query: Query, found: Retrieved) -> dict[str, Any]:
    """A situation, its cases, the summed action vector and what re-use makes of it."""
    letters = retriever.architecture.letters
    counts = found.counts.astype(np.int64)
    row = decide(found.counts, found.outcomes, retriever.architecture.reuse)
    return {
        "round": query.round,
        "round_name": ROUND_NAMES[query.round],
        "features": feature_texts(retriever, query),
        "retrieved_cases": [
            retrieved_case(retriever, query, neighbour).document() for neighbour in found.neighbours
        ],
        "action_vector": {letters[place]: int(n) for place, n in enumerate(counts) if n},
        "probabilities": {letters[place]: float(p) for place, p in enumerate(row) if p},
    }


def summary(base: CaseBase) -> dict[str, Any]:
    """What a base holds: the architecture, where it comes from, and its sizes by round."""
    letters = base.architecture.letters
    rounds = []
    for number, cases in enumerate(base.rounds):
        totals = cases.counts.sum(axis=0)
        rounds.append(
            {
                "round": number,
                "round_name": ROUND_NAMES[number],
                "decisions": cases.decisions,
                "cases": len(cases),
                "decisions_per_case": cases.decisions / len(cases) if len(cases) else 0.0,
                "sequence_count": len(cases.sequences),
                "action_counts": {letters[place]: int(n) for place, n in enumerate(totals) if n},
            }
        )
    return {
        "name": base.name,
        "game": base.game.name,
        "architecture": base.architecture.document(),
        "training": base.training,
        "cases": base.cases,
        "decisions": base.decisions,
        "rounds": rounds,
    }
