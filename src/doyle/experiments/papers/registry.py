"""The papers' tables and figures by name, each with the function that computes it.

They are data (`tables.csv`); names are those of the contracts: `ijcai2013/table1`, `thesis/table4.4`,
`tartanian5/figure2`. The functions are named, not imported, so that listing costs nothing. Experiments are played and
have a scale; their approximate time at published scale is that of their kept results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib import import_module
from typing import NamedTuple, TypeVar

from doyle.base.errors import DoyleError, FieldError
from doyle.base.workers import Progress, Workers
from doyle.experiments.papers.table import Result, read_csv

SCALES = ("small", "published")

T = TypeVar("T")


@dataclass(frozen=True)
class Options:
    """The parameters of every computation; results depend on `seed`, and those of experiments on
    the rest.

    `scale` is `small`, a few minutes for all, or `published`, the paper's numbers of hands; `hands`
    replaces the deals of a match.
    """

    seed: int = 0
    scale: str = "small"
    hands: int | None = None
    workers: Workers = field(default_factory=Workers)
    progress: Progress | None = None
    name: str = ""
    """The table that is computed."""

    def each(self, items: Iterable[T], label: str = "") -> Iterator[T]:
        """The items; after each the progress is reported."""
        every = list(items)
        for number, item in enumerate(every, start=1):
            yield item
            if self.progress is not None:
                self.progress(label or self.name, number, len(every))


@dataclass(frozen=True)
class Entry:
    """One table or figure."""

    name: str
    title: str
    place: str
    heading: str = ""
    """The title of the result."""
    source: str = ""
    seconds: float = 0.0
    """About how long it takes, experiments at small scale."""
    published_seconds: float | None = None
    """About how long an experiment takes at published scale; None of tables that are computed."""

    @property
    def is_experiment(self) -> bool:
        """Whether it takes a scale and a number of hands."""
        return self.published_seconds is not None

    def run(self, options: Options) -> Result:
        """Compute it now."""
        if options.scale not in SCALES:
            raise FieldError("scale", f"expected {' or '.join(SCALES)}", value=options.scale)
        for name in ("scale", "hands"):
            if not self.is_experiment and getattr(options, name) != getattr(Options, name):
                raise FieldError(name, f"{self.name} is computed, not played: leave it out")
        module, _, function = self.place.partition(":")
        compute: Callable[[Options], Result] = getattr(
            import_module(f"doyle.experiments.papers.{module}"), function
        )
        found = compute(replace(options, name=self.name))
        return replace(
            found,
            name=self.name,
            title=self.heading,
            source=self.source,
            published_seconds=self.published_seconds,
        )


class Unavailable(NamedTuple):
    """A part of a paper that cannot be recomputed, the reason, and its substitute."""

    name: str
    where: str
    reason: str
    instead: str


ENTRIES = tuple(
    Entry(name, title, place, heading, source, float(seconds or 0), float(most) if most else None)
    for name, title, heading, source, place, seconds, most in read_csv("tables.csv")[1:]
)
UNAVAILABLE = tuple(Unavailable(*line) for line in read_csv("unavailable.csv")[1:])


def find(name: str) -> Entry:
    """The entry of that name; the error names one that looks like it."""
    names = [entry.name for entry in ENTRIES]
    if name in names:
        return ENTRIES[names.index(name)]
    paper, _, number = name.partition("/")
    asked = [f"{paper}/{kind}{number}" for kind in ("table", "figure")]
    alike = [one for one in asked if one in names]
    if not alike and not any(one.startswith(f"{name}/") for one in names):
        alike = get_close_matches(name, names, n=1)
    hint = f"did you mean {alike[0]}?" if alike else "see `doyle papers list`"
    raise DoyleError(f"papers: no table or figure named {name!r}; {hint}")
