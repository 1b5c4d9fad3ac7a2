"""The advice of IJCAI 2013 (section 11) on bet sizes, and known results of subgame solving, tested
in our games."""

from __future__ import annotations

from collections.abc import Mapping

from doyle.base.statistics import Estimate
from doyle.experiments.papers.claims.deciding import Claim, View

LARGEST = "the largest size"
BET_LESS_KNOWN = "bet less known, mbb/h given away"

_ADVICE = Claim(
    "the largest size is worth more to know than to bet",
    lambda view: [view(LARGEST, BET_LESS_KNOWN)],
)


def _below(one: str, other: str, view: View) -> list[Estimate]:
    """By how much the one column is below the other, in every row of both."""
    return [view(row, other) - view(row, one) for row in view.rows(one)]


def _safe(guard: str) -> Claim:
    return Claim(
        f"{guard}: less is given away than without search",
        lambda view: _below(guard, "blueprint", view),
    )


def _unsafe_is_not(view: View) -> list[Estimate]:
    """By how much `unsafe` is above its blueprint where it is most above it."""
    apart = [-one for one in _below("unsafe", "blueprint", view)]
    return sorted(apart, key=lambda one: one.mean)[-1:]


def _by_iterations(view: View) -> list[tuple[Estimate, list[Estimate]]]:
    """For every game and guard the blueprint and the agents, by rising iterations."""
    columns = [cell.column for cell in view.tables.get(view.name, ())]
    guards = dict.fromkeys(column.partition(", ")[0] for column in columns if ", " in column)
    found = []
    for row in view.rows("blueprint"):
        for guard in guards:
            own = [one for one in dict.fromkeys(columns) if one.startswith(f"{guard}, ")]
            agents = [view(row, column) for column in own if row in view.rows(column)]
            if agents:
                found.append((view(row, "blueprint"), agents))
    return found


def _falling(view: View) -> list[Estimate]:
    return [agents[0] - agents[-1] for _, agents in _by_iterations(view)]


def _not_above(view: View) -> list[Estimate]:
    return [blueprint * 1.01 - agents[-1] for blueprint, agents in _by_iterations(view)]


_BLUEPRINTS = ("equilibrium", "32 iterations")
_TRANSLATED = "Rand-psHar"


def _nested(view: View, ending: str) -> list[Estimate]:
    """How much less nested agents of these rounds give away than pseudo-harmonic translation."""
    return [
        view(_TRANSLATED, column) - view(row, column)
        for column in _BLUEPRINTS
        for row in view.rows(column)
        if row.startswith("nested") and row.endswith(ending)
    ]


CLAIMS: Mapping[str, tuple[Claim, ...]] = {
    "beyond/bet-sizes-holdem": (_ADVICE,),
    "beyond/bet-sizes-exploiters": (_ADVICE,),
    "beyond/search-guards": (
        *map(_safe, ("resolve", "maxmargin", "reach-maxmargin")),
        Claim("unsafe search gives away more than its blueprint somewhere", _unsafe_is_not),
        Claim(
            "reach-maxmargin gives away less than maxmargin",
            lambda view: _below("reach-maxmargin", "maxmargin", view),
        ),
    ),
    "beyond/search-iterations": (
        Claim(
            "more iterations of a solve bring safe solving closer to its blueprint, or below",
            _falling,
        ),
        Claim("with the most iterations it is not above by more than 1%", _not_above),
    ),
    "beyond/nested-solving": (
        Claim(
            "nested solving of both rounds gives away less than pseudo-harmonic translation",
            lambda view: _nested(view, "both rounds"),
        ),
        Claim(
            "so does nested solving of the second round alone",
            lambda view: _nested(view, "second round"),
        ),
    ),
}
