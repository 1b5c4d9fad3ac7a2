"""Agreement of a base with held-out decisions: hands that it was not built from.

For every decision of the expert in other logs the base is asked with the same features. Agreement is
the probability that it gives to the letter the expert chose. An expert that mixes agrees with nobody
in full, and features that merge its situations lower the most that can be reached.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.agents.case_bases.case_base import CaseBase, RoundCases
from doyle.agents.case_bases.domains import ROUND_NAMES
from doyle.agents.case_bases.learning.construction import build_case_base, log_digest
from doyle.agents.case_bases.retrieval import Query, Retriever
from doyle.agents.case_bases.reuse import decide
from doyle.base.errors import DoyleError
from doyle.base.statistics import Estimate
from doyle.base.workers import Progress, Workers


@dataclass(frozen=True)
class Agreement:
    """Agreement on the decisions of one round.

    `share` is the mean probability of the expert's own choice;
    `best` is the share of the most frequent choice of each held-out situation, the most that a pure
    imitator could reach, if the held-out hands were all there is. `expert` and `imitator` are action
    frequencies by letter.
    """

    round: str
    decisions: int
    share: Estimate
    best: float
    unknown: float
    expert: dict[str, float]
    imitator: dict[str, float]

    def document(self) -> dict[str, Any]:
        return {
            "round": ROUND_NAMES.index(self.round),
            "round_name": self.round,
            "decisions": self.decisions,
            "share": self.share.mean,
            "ci95": self.share.ci95,
            "best_share": self.best,
            "unknown_share": self.unknown,
            "expert": self.expert,
            "imitator": self.imitator,
        }


def held_out_agreement(
    base: CaseBase,
    logs: Sequence[Path],
    *,
    players: Collection[str],
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> list[Agreement]:
    """How well a base agrees with what players did in logs; one that it was built from is refused."""
    known = set(base.training.get("log_digests", ()))
    for path in logs:
        if path.is_file() and log_digest(path) in known:
            raise DoyleError(
                f"{path}: the case base was built from this log; agreement is measured on hands that it "
                "has not seen"
            )
    other = build_case_base(
        logs, base.architecture, game=base.game, players=players, workers=workers, progress=progress
    )
    retriever = Retriever(base)
    return [_round_agreement(retriever, round_, cases) for round_, cases in enumerate(other.rounds)]


def _round_agreement(retriever: Retriever, round_: int, cases: RoundCases) -> Agreement:
    letters = retriever.architecture.letters
    given = np.zeros((len(cases), len(letters)))
    known = np.zeros(len(cases), bool)
    for case in range(len(cases)):
        query = Query(
            round_,
            cases.sequences[int(cases.sequence[case])],
            int(cases.hand[case]),
            int(cases.texture[case]),
            int(cases.commitment[case]),
        )
        found = retriever.retrieve(query)
        known[case] = bool(found.neighbours)
        given[case] = decide(found.counts, found.outcomes, retriever.architecture.reuse)
    counts = np.asarray(cases.counts, np.float64)
    decisions = float(counts.sum())
    if not decisions:
        return Agreement(
            ROUND_NAMES[round_], 0, Estimate(math.nan, math.nan), math.nan, math.nan, {}, {}
        )
    share = float((counts * given).sum() / decisions)
    square = float((counts * given**2).sum() / decisions)
    error = math.sqrt(max(0.0, square - share * share) / decisions)
    support = counts.sum(axis=1)
    return Agreement(
        ROUND_NAMES[round_],
        int(decisions),
        Estimate.of_error(share, error, int(decisions)),
        float(counts.max(axis=1).sum() / decisions),
        float(support[~known].sum() / decisions),
        _frequencies(counts.sum(axis=0) / decisions, letters),
        _frequencies((support[:, None] * given).sum(axis=0) / decisions, letters),
    )


def _frequencies(shares: NDArray[np.float64], letters: str) -> dict[str, float]:
    return {letters[place]: float(share) for place, share in enumerate(shares) if share}
