"""Table 7 with our own agents: `tartanian5` with the seven mappings against our museum, and against
exploiters.

Only the mapping varies. All matches are dealt from one seed, so mappings are compared deal by deal. The
exploiters know the agent, mapping included: the paper expects that against such opponents the
mappings which are exploitable in small games do worse, which no competition entrant tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from doyle.base.statistics import Estimate
from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.claims.ijcai2013 import (
    DET_ARITH_EXPLOITED,
    DET_ARITH_LESS,
    GEOMETRIC_LESS,
    PAIRED,
)
from doyle.experiments.papers.ijcai2013.competition import GEOMETRIC, MAPPINGS, Column
from doyle.experiments.papers.opponents import match, museum_agent, museum_opponents, solved_note
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, Section
from doyle.matches import MatchResult

AGENT = "tartanian5"
EXPLOITERS = ("size-tell", "AllDown", "naivePA-fold")
_HANDS = {"small": 40_000, "published": 500_000}
_EXPLOITED_HANDS = {"small": 10_000, "published": 500_000}
"""Winnings of exploiters differ by thousands."""
_OTHER = "our opponents"

Units = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Group:
    """The matches of every mapping against some opponents, each dealt alike."""

    matches: dict[str, dict[str, MatchResult]]
    """By mapping and opponent."""

    def units(self, mapping: str) -> Units:
        """The agent's winnings over all opponents, by deal."""
        found = [match.units[:, 0] for match in self.matches[mapping].values()]
        return np.asarray(np.sum(found, axis=0), np.int64)

    @property
    def opponents(self) -> tuple[str, ...]:
        return tuple(next(iter(self.matches.values())))

    def estimate(self, units: Units) -> Estimate:
        some = next(iter(self.matches.values()))[self.opponents[0]]
        found = Estimate.of(units, unit=some.unit * len(self.opponents))
        return found.in_mbb(some.game.big_blind)

    def average(self, mapping: str) -> Estimate:
        return self.estimate(self.units(mapping))

    def difference(self, better: Sequence[str], worse: Sequence[str]) -> Estimate:
        """How much more the one mappings win than the others on average, deal by deal."""
        first = np.sum([self.units(name) for name in better], axis=0) * len(worse)
        second = np.sum([self.units(name) for name in worse], axis=0) * len(better)
        return self.estimate(first - second).scaled(Fraction(1, len(better) * len(worse)))

    def alone(self, opponent: str) -> Group:
        """The matches against one of the opponents."""
        return Group({mapping: {opponent: one[opponent]} for mapping, one in self.matches.items()})

    def by_opponent(self, better: Sequence[str], worse: Sequence[str]) -> str:
        """The difference against each opponent, in one line."""
        apart = {name: self.alone(name).difference(better, worse) for name in self.opponents}
        return f"By opponent: {', '.join(f'{name} {one:.0f}' for name, one in apart.items())}."

    def rows(self) -> list[tuple[str, ...]]:
        """Each opponent with the winnings of every mapping against it."""
        return [
            (name, *(f"{one[name].mbb_per_hand(0):.0f}" for one in self.matches.values()))
            for name in self.opponents
        ]

    def notes(self) -> list[str]:
        """The rows, each in one line."""
        pairs = [(name, zip(self.matches, won, strict=True)) for name, *won in self.rows()]
        return [f"{name}: {', '.join(map(' '.join, found))}." for name, found in pairs]

    def section(self, title: str) -> Section:
        return Section(title, ("opponent", *self.matches), tuple(self.rows()))


def table_7(options: Options) -> Result:
    """Averages over the museum and over the exploiters, and the paper's claims about them."""
    base = museum_agent(AGENT, options)
    hands = options.hands or _HANDS[options.scale]
    exploited_hands = options.hands or _EXPLOITED_HANDS[options.scale]
    museum = museum_opponents(options, without=AGENT)
    pairs = [(mapping, name) for name in (*museum, *EXPLOITERS) for mapping in MAPPINGS]
    played: dict[tuple[str, str], MatchResult] = {}
    for mapping, name in options.each(pairs, "mappings"):
        agent = f"{base}:translation={MAPPINGS[mapping]}"
        opponent = museum.get(name) or f"{name}:{agent}"
        own_hands = hands if name in museum else exploited_hands
        played[mapping, name] = match(agent, opponent, options, hands=own_hands)
    against, exploited = (
        Group(
            {mapping: {name: played[mapping, name] for name in opponents} for mapping in MAPPINGS}
        )
        for opponents in (museum, EXPLOITERS)
    )
    cells = [
        measured(
            mapping, "average", against.average(mapping), Column.read(mapping).printed_average,
            other=_OTHER,
        )
        for mapping in MAPPINGS
    ]  # fmt: skip
    cells += [
        measured(mapping, "against exploiters", exploited.average(mapping))
        for mapping in MAPPINGS
    ]  # fmt: skip
    return Result(
        (*cells, *differences(against, exploited)),
        sections=(against.section("Against the museum, mbb/h"),
                  exploited.section("Against exploiters of the agent, mbb/h")),
        notes=(
            f"{AGENT}, {hands:,} duplicate deals a match and {exploited_hands:,} against exploiters; the opponents of 2012 cannot be had.",
            solved_note(options),
            *against.notes(), *exploited.notes(),
        )
    )  # fmt: skip


def differences(against: Group, exploited: Group) -> list[Cell]:
    """The differences that decide the claims of section 10, by deal; the reason has them by
    opponent."""
    others = [name for name in MAPPINGS if name not in GEOMETRIC]
    rest = [name for name in MAPPINGS if name != "Det-Arith"]
    rivals = [name for name in MAPPINGS if name.endswith("psHar")]
    compared: dict[str, tuple[Group, Sequence[str], Sequence[str]]] = {
        GEOMETRIC_LESS: (against, GEOMETRIC, others),
        DET_ARITH_LESS: (against, ["Det-Arith"], rest),
        DET_ARITH_EXPLOITED: (exploited, rivals, ["Det-Arith"]),
    }
    return [
        measured(row, PAIRED, group.difference(one, other), reason=group.by_opponent(one, other))
        for row, (group, one, other) in compared.items()
    ]
