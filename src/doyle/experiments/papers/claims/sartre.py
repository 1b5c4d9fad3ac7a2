"""Claims of Rubin and Watson (2012) about their played tables."""

from __future__ import annotations

from collections.abc import Mapping

from doyle.base.statistics import Estimate
from doyle.experiments.papers.claims.deciding import Claim, View

_WIN = "local best response wins"
_POOL = ("limit-2p-small", "gs2-limit-small")


def _rising(*names: str) -> Claim:
    steps = [f"{names[place]} less {names[place - 1]}" for place in range(1, len(names))]
    return Claim(
        "the bankroll improves from competition to competition",
        lambda view: [view(step, "bankroll") for step in steps],
    )


def _degrades(view: View) -> list[Estimate]:
    """How much more CATEGORIES loses than the others with a tenth of its base."""
    lost = {
        name: view(name, "100% of the base") - view(name, "10% of the base")
        for name in ("CATEGORIES", "E[HS]", "E[HS^2]")
    }
    return [lost["CATEGORIES"] - lost[name] for name in ("E[HS]", "E[HS^2]")]


CLAIMS: Mapping[str, tuple[Claim, ...]] = {
    "sartre/table2": (
        Claim(
            "single values need over ten times the cases",
            lambda view: [
                view(row, "single per merged") - 10.0
                for row in view.rows("single per merged")
                if row.endswith(": Total")
            ],
        ),
    ),
    "sartre/figure2": (
        Claim(
            "with the full base E[HS^2] is strongest",
            lambda view: [
                view("E[HS^2]", "100% of the base") - view(name, "100% of the base")
                for name in ("CATEGORIES", "E[HS]")
            ],
        ),
        Claim(
            "with the full base CATEGORIES is stronger than E[HS]",
            lambda view: [
                view("CATEGORIES", "100% of the base") - view("E[HS]", "100% of the base")
            ],
        ),
        Claim("with less of its base CATEGORIES degrades more than the others", _degrades),
    ),
    "sartre/table3": (
        Claim(
            "max-frequency outperforms both others",
            lambda view: [
                view("Max-frequency", other) for other in ("Probabilistic", "Best-outcome")
            ],
        ),
        Claim(
            "best-outcome loses all its matches",
            lambda view: [view(one, "Best-outcome") for one in ("Max-frequency", "Probabilistic")],
        ),
        Claim(
            "the order is the same against other agents",
            lambda view: [
                view(better, f"against {other}") - view(worse, f"against {other}")
                for other in _POOL
                for better, worse in (
                    ("Max-frequency", "Probabilistic"),
                    ("Probabilistic", "Best-outcome"),
                )
            ],
        ),
    ),
    "sartre/imitation": (
        Claim(
            "imitators do as well as their expert: they do not lose to it",
            lambda view: [
                view(one, "wins from its expert") for one in ("max-frequency", "probabilistic")
            ],
        ),
    ),
    "sartre/exploitation": (
        Claim(
            "an exploitive opponent punishes the bias of max-frequency",
            lambda view: [view("max-frequency less probabilistic", _WIN)],
        ),
    ),
    "sartre/table15": (
        Claim(
            "the case-based agent wins, switching or not",
            lambda view: [view("CaseBased3P", column) for column in ("Non-Switching", "Switching")],
        ),
        Claim(
            "switching wins more than not switching",
            lambda view: [view("CaseBased3P", "difference")],
        ),
    ),
    "sartre/evolution-limit": (_rising("sartre-2009", "sartre-2010", "sartre-2011"),),
    "sartre/evolution-no-limit": (_rising("sartre-nl-2010", "sartre-nl-2011"),),
}
