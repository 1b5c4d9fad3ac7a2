"""Tables 6 to 8, 12, 13 and 16: consistency of the competition tables.

They print two orders (instant run-off, total bankroll) and the winnings of each agent in the
second. The matches behind them are not printed, so the first order cannot be recomputed. Of the
second:

- its order follows from the averages;
- chips are won from each other, so the averages of all competitors sum to 0, up to rounding, if all
  met equally often;
- both orders should have the same competitors (some entered another program in each);
- two averages with overlapping intervals have no certain order.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, Section, printed

_VARIANTS = ("-iro", "-tbr", ".iro", ".tbr", ".adaptive")
"""Suffixes of some entries' names: the division that they were made for."""


@dataclass(frozen=True)
class Standing:
    """A line of the bankroll division as it is printed."""

    place: str
    name: str
    average: str
    interval: str

    @property
    def won(self) -> float:
        return float(self.average)

    @property
    def digits(self) -> int:
        return len(self.average.partition(".")[2])


@dataclass(frozen=True)
class Competition:
    """A printed competition: the run-off's names, best first, and the standings by bankroll."""

    runoff: tuple[str, ...]
    standings: tuple[Standing, ...]

    @classmethod
    def read(cls, table: str) -> Competition:
        rows = printed(f"sartre/{table}").rows
        return cls(
            runoff=tuple(values[0] for _, values in rows if values[0]),
            standings=tuple(Standing(*values[1:]) for _, values in rows if values[2]),
        )

    def places(self) -> dict[str, int]:
        """The place of each agent by its average; equal averages share the better place."""
        return {
            one.name: 1 + sum(other.won > one.won for other in self.standings)
            for one in self.standings
        }

    @property
    def total(self) -> float:
        """The sum of all averages."""
        return sum(one.won for one in self.standings)

    @property
    def rounding(self) -> float:
        """How far from 0 rounding alone can take the sum of averages that cancel."""
        return sum(0.5 * 10.0**-one.digits for one in self.standings)

    def missing(self) -> tuple[list[str], list[str]]:
        """Agents in the run-off only, and agents by bankroll only, up to the variants of one
        entry."""
        first = {_entry(name): name for name in self.runoff}
        second = {_entry(one.name): one.name for one in self.standings}
        return (
            [name for entry, name in first.items() if entry not in second],
            [name for entry, name in second.items() if entry not in first],
        )

    def overlaps(self) -> list[tuple[str, str]]:
        """Neighbours by average whose intervals overlap."""
        ordered = sorted(self.standings, key=lambda one: -one.won)
        return [
            (upper.name, lower.name)
            for upper, lower in pairwise(ordered)
            if upper.won - float(upper.interval) <= lower.won + float(lower.interval)
        ]


def _entry(name: str) -> str:
    """The name without the variant that an entrant had for each division."""
    short = name.lower()
    for ending in _VARIANTS:
        short = short.removesuffix(ending)
    return short


def contradictions(found: Competition) -> list[str]:
    """Contradictions in a printed competition, a sentence each."""
    places = found.places()
    notes = [
        f"{one.name} is printed at place {one.place}; its average of {one.average} is at place "
        f"{places[one.name]}."
        for one in found.standings
        if not _tied(one, found, places)
    ]
    only_runoff, only_bankroll = found.missing()
    for names, where, other in (
        (only_runoff, "run-off", "bankroll"),
        (only_bankroll, "bankroll", "run-off"),
    ):
        if names:
            notes.append(
                f"Only in the {where} order, of {_count(found, where)} names, and not in the "
                f"{other} order, of {_count(found, other)}: {', '.join(names)}."
            )
    if abs(found.total) > found.rounding + 1e-9:
        notes.append(
            f"The averages sum to {found.total:+.3f}, of which rounding explains at most "
            f"{found.rounding:.4f}: losses of that size are not printed."
        )
    return notes


def _tied(one: Standing, found: Competition, places: dict[str, int]) -> bool:
    """Whether a printed place is among the places shared by agents of one average."""
    alike = sum(other.won == one.won for other in found.standings)
    first = places[one.name]
    return first <= int(one.place) < first + alike


def _count(found: Competition, order: str) -> int:
    return len(found.runoff if order == "run-off" else found.standings)


NOTES = {
    "sartre/table8": (
        "The text calls the figures behind ± standard deviations; the caption says 95% confidence intervals.",
        "Section 5.4.4 says just under 30,000 hands against people; its profit of 9,221 small bets at its 0.30734 "
        f"a hand are {9221 / 0.30734:,.0f} hands.",
    )
}


def competition(options: Options) -> Result:
    """One of the six tables."""
    table = options.name.removeprefix("sartre/")
    found = Competition.read(table)
    places = found.places()
    cells = [
        Cell(
            one.name,
            "place by bankroll",
            one.place,
            one.place if _tied(one, found, places) else str(places[one.name]),
            uncounted="recomputed",
            more={"average": one.won, "average_ci95": float(one.interval)},
        )
        for one in found.standings
    ]
    return Result(
        cells,
        sections=(
            Section(
                "Chips are won from each other: the averages of all sum to 0",
                ("sum", "rounding explains"),
                ((found.total, found.rounding),),
            ),
            Section(
                "Neighbours whose 95% intervals overlap, so that their order is not certain",
                ("better", "worse"),
                tuple(found.overlaps()),
            ),
        ),
        notes=(*contradictions(found), *NOTES.get(options.name, ())),
    )
