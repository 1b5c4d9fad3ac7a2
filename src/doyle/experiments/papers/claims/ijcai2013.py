"""Claims of Ganzfried and Sandholm (IJCAI 2013) about tables 6 and 7."""

from __future__ import annotations

from collections.abc import Mapping

from doyle.experiments.papers.claims.deciding import Claim

GEOMETRIC_LESS = "geometric mappings less the others"
DET_ARITH_LESS = "Det-Arith less the average of the others"
DET_ARITH_EXPLOITED = "psHar less Det-Arith, against exploiters"
PAIRED = "paired difference"
_MAPPINGS = (
    "Det-Arith", "Rand-Arith", "Det-Geo", "Rand-Geo-1", "Rand-Geo-2", "Det-psHar", "Rand-psHar",
)  # fmt: skip


def _least(name: str, column: str) -> Claim:
    return Claim(
        f"Rand-psHar is the least exploitable: {column}",
        lambda view: [view(one, column) - view(name, column) for one in _MAPPINGS if one != name],
    )


CLAIMS: Mapping[str, tuple[Claim, ...]] = {
    "ijcai2013/table6": (
        _least("Rand-psHar", "average"),
        _least("Rand-psHar", "P2"),
        Claim(
            "Det-Arith is the most exploitable on average",
            lambda view: [
                view("Det-Arith", "average") - view(one, "average") for one in _MAPPINGS[1:]
            ],
        ),
        Claim(
            "Rand-psHar is not the least exploitable: P1",
            lambda view: [
                max(
                    (view("Rand-psHar", "P1") - view(one, "P1") for one in _MAPPINGS[:-1]),
                    key=lambda number: number.mean,
                )
            ],
        ),
        Claim(
            "the second player is more exploitable than the first in general",
            lambda view: [view(one, "P2") - view(one, "P1") for one in _MAPPINGS],
        ),
    ),
    "ijcai2013/table7-in-kind": (
        Claim(
            "the geometric mappings do worse than the other four",
            lambda view: [-view(GEOMETRIC_LESS, PAIRED)],
        ),
        Claim(
            "Det-Arith performs best: better than the average of the others",
            lambda view: [view(DET_ARITH_LESS, PAIRED)],
        ),
        Claim(
            "Det-Arith performs best: better than every other",
            lambda view: [
                view("Det-Arith", "average") - view(one, "average") for one in _MAPPINGS[1:]
            ],
        ),
        Claim(
            "exploiters win more from Det-Arith than from psHar",
            lambda view: [view(DET_ARITH_EXPLOITED, PAIRED)],
        ),
    ),
}
