"""Ganzfried and Sandholm (IJCAI 2013): tables 1 to 5, figures 1 and 2, appendix A, footnotes 5, 6.

Conventions that give the printed digits: antes of half a pot, bets x = i * 0.1 in IEEE doubles from
0 to the stack, comparisons as the mappings write them, exploitability as best response minus game
value, a bet read as a check called by every hand. The column `exact` repeats the computation in
rational arithmetic; it differs where a double decides a tie.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np

from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.ijcai2013.one_street import (
    BestSize,
    best_kuhn_size_exactly,
    best_kuhn_sizes,
    clairvoyance_exploitability,
    king_always,
    king_as_published,
    king_least,
    kuhn_exploitability,
)
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Curve, Figure, Result, Section, printed
from doyle.strategy.translation import MAPPINGS, Mapping
from doyle.strategy.translation.mappings import DET_ARITH_STRICT

STACKS = (1, 3, 5, 10, 20, 50, 100)
POT_TENTHS = 10
FULL_EQUILIBRIUM_TENTHS = 4
RANDOMISED = tuple(entry for entry in MAPPINGS if entry.randomised)

KINGS = (
    ("as published", king_as_published),
    ("always", king_always),
    ("as seldom as possible", king_least),
)

_KING_TUNED = (
    "how often the King calls an all-in, which is not printed, was chosen so that the printed values come out: always "
    "for n < 5, 2/(1+n) from n = 5 on. Both other choices are printed with the table."
)


def table1(options: Options) -> Result:
    """f at x = 0.25, B = 1, for A from 0 to 0.1."""
    table = printed(options.name)
    cells = [
        Cell(
            entry.title,
            column,
            table.text(entry.title, column),
            float(entry.probability(float(column), 1.0, 0.25)),
            digits=3,
            unsigned=True,
        )
        for entry in RANDOMISED
        for column in table.columns
    ]
    return Result(cells)


Measure = Callable[[Mapping, int], Any]


def _by_stack(
    ours: Measure,
    more: Callable[[Mapping, int], dict[str, Any]],
    text: Callable[[Mapping, int], str | None] = lambda entry, stack: None,
    **facts: Any,
) -> list[Cell]:
    """A cell for every mapping and stack."""
    return [
        Cell(
            entry.title, str(stack), text(entry, stack), float(ours(entry, stack)),
            more=more(entry, stack), **facts,
        )
        for entry, stack in product(MAPPINGS, STACKS)
    ]  # fmt: skip


def _exactly_too(options: Options, measure: Callable[..., Any]) -> list[Cell]:
    """A printed table in doubles, with the same in exact arithmetic."""
    table = printed(options.name)

    def exactly(entry: Mapping, stack: int) -> dict[str, Any]:
        exact = measure(entry, stack, exact=True)
        return {"exact_value": float(exact), "exact_fraction": str(exact)}

    def text(entry: Mapping, stack: int) -> str | None:
        return table.text(entry.title, str(stack))

    return _by_stack(measure, exactly, text, unsigned=True)


def _rows(
    measure: Measure, mappings: tuple[Mapping, ...] = MAPPINGS
) -> tuple[tuple[Any, ...], ...]:
    return tuple(
        (entry.title, *(float(measure(entry, stack)) for stack in STACKS)) for entry in mappings
    )


_STACK_COLUMNS = ("mapping", *(f"n={stack}" for stack in STACKS))


def table2(options: Options) -> Result:
    """The clairvoyance game, for a player with check, pot and all-in."""
    strict = Section(
        "Det-Arith with the text's strict inequality, x < (A+B)/2",
        _STACK_COLUMNS,
        _rows(clairvoyance_exploitability, (DET_ARITH_STRICT,)),
    )
    return Result(
        _exactly_too(options, clairvoyance_exploitability),
        sections=(strict,),
        notes=("The printed Det-Arith values at n=1 and n=20 look like misprints.",),
    )


KNOWN_BETS = {"ijcai2013/table3": POT_TENTHS, "ijcai2013/table4": FULL_EQUILIBRIUM_TENTHS}
"""Beside check and all-in."""


def kuhn_table(options: Options) -> Result:
    """No-limit Kuhn, knowing check, a bet and all-in."""
    bet_tenths = KNOWN_BETS[options.name]
    kuhn = partial(kuhn_exploitability, bet_tenths=bet_tenths)
    moved = tuple(
        Section(
            f"If the King calls an all-in {label}",
            _STACK_COLUMNS,
            _rows(partial(kuhn, king_calls=king)),
        )
        for label, king in KINGS[1:]
    )
    return Result(
        _exactly_too(options, kuhn),
        sections=moved,
        notes=(
            "How often the King calls an all-in is off the equilibrium path: anything from 2/(1+n) "
            "to 1 is optimal.",
        ),
        tuned=_KING_TUNED,
    )


def table5(options: Options) -> Result:
    """No-limit Kuhn: the single bet size that is least exploitable."""
    table = printed(options.name)
    cells: list[Cell] = []
    moved: dict[str, list[tuple[Any, ...]]] = {label: [] for label, _ in KINGS[1:]}
    for entry in options.each(MAPPINGS, "table 5"):
        found = [best_kuhn_sizes(entry, n, tuple(king for _, king in KINGS)) for n in STACKS]
        for number, label in enumerate(moved, start=1):
            moved[label].append((entry.title, *(best[number].tenths / 10 for best in found)))
        cells.extend(
            _table5_cell(entry, stack, best[0], table.text(entry.title, str(stack)))
            for stack, best in zip(STACKS, found, strict=True)
        )
    sections = tuple(
        Section(f"If the King calls an all-in {label}", _STACK_COLUMNS, tuple(rows))
        for label, rows in moved.items()
    )
    return Result(
        cells,
        sections=sections,
        tuned=_KING_TUNED,
        notes=(
            "Where ours differs, `at_published` is what the printed size gives away in our abstract "
            "equilibrium; the printed size needs another equilibrium off the path.",
        ),
    )


def _table5_cell(entry: Mapping, stack: int, ours: BestSize, published: str | None) -> Cell:
    exact = best_kuhn_size_exactly(entry, stack)
    more: dict[str, Any] = {
        "exact_value": exact.tenths / 10,
        "exploitability_of_ours": float(ours.exploitability),
    }
    if published is not None:
        at_published = kuhn_exploitability(entry, stack, bet_tenths=round(10 * float(published)))
        more["at_published"] = float(at_published)
    return Cell(entry.title, str(stack), published, ours.tenths / 10, unsigned=True, more=more)


def appendix_a(options: Options) -> Result:
    """Table 2 again, the known bets called as often as an equilibrium can."""
    extreme = partial(clairvoyance_exploitability, extreme=True)
    return Result(
        _by_stack(
            extreme, lambda entry, stack: {"exact_value": float(extreme(entry, stack, exact=True))}
        ),
        notes=("A bet b is called with min(n/(b(1+n)), 1); the paper prints no numbers for it.",),
    )


def footnote5(options: Options) -> Result:
    """Whether the mappings rank alike at both extreme equilibria of the clairvoyance game."""
    cells = []
    for stack in STACKS:
        by_extreme = [
            {
                entry.title: float(
                    clairvoyance_exploitability(entry, stack, exact=True, extreme=extreme)
                )
                for entry in MAPPINGS
            }
            for extreme in (False, True)
        ]
        agreement = _pairs_alike(*by_extreme)
        cells.append(
            Cell(
                f"n={stack}",
                "pairs ranked alike",
                None,
                agreement,
                more={"usual": by_extreme[0], "extreme": by_extreme[1]},
            )
        )
    return Result(
        cells,
        notes=("Published claim, without numbers: the relative performances were very similar.",),
    )


def _pairs_alike(first: dict[str, float], second: dict[str, float]) -> float:
    """The share of pairs that are not ordered one way in `first` and the other way in `second`."""
    names = list(first)
    alike = [
        (first[a] - first[b]) * (second[a] - second[b]) >= 0
        for i, a in enumerate(names)
        for b in names[:i]
    ]
    return sum(alike) / len(alike)


def footnote6(options: Options) -> Result:
    """Table 3 if the Jack folds to a bet read as a check: Rand-psHar has exploitability 0."""
    usual = partial(kuhn_exploitability, bet_tenths=POT_TENTHS, exact=True)
    folding = cache(partial(usual, jack_folds_to_check=True))

    def more(entry: Mapping, stack: int) -> dict[str, Any]:
        exact = folding(entry, stack)
        return {"exact_fraction": str(exact), "same_as_table3": exact == usual(entry, stack)}

    def text(entry: Mapping, stack: int) -> str | None:
        return "0" if entry.name == "rand-pshar" else None

    return Result(
        _by_stack(folding, more, text, digits=3, unsigned=True),
        notes=("Published claims: 0 for Rand-psHar at all stacks; the geometric rows unchanged.",),
    )


_EXACT = ("rand-geo-1", "rand-geo-2")

FIGURES = {
    "ijcai2013/figure1": (0.01, 1.0, (*_EXACT, "rand-pshar")),
    "ijcai2013/figure2": (1.0, 4.0, _EXACT),
    "tartanian5/figure2": (0.01, 1.0, _EXACT),
    "tartanian5/figure3": (1.0, 4.0, _EXACT),
}
"""Both known sizes, and the mappings whose medians the text names without "around"."""


def mapping_figure(options: Options) -> Result:
    """The four randomised mappings between two sizes, with the medians the text names."""
    name = options.name
    lower, upper, exact_words = FIGURES[name]
    table = printed(name) if lower < 1 else None
    sizes = np.linspace(lower, upper, 397)
    curves = tuple(
        Curve(
            entry.title,
            tuple(map(float, sizes)),
            tuple(map(float, _curve(entry, lower, upper, sizes))),
        )
        for entry in RANDOMISED
    )
    cells = tuple(
        Cell(
            entry.title,
            "median",
            table.text(entry.title, "median") if table else None,
            float(entry.median(lower, upper)),
            digits=2 if entry.name in exact_words else 1,
            unsigned=True,
        )
        for entry in RANDOMISED
    )
    figure = Figure(
        name.replace("/", "-"),
        f"Randomised mappings, A = {lower:g}, B = {upper:g}",
        "bet x (pots)",
        "probability of A",
        curves,
    )
    return Result(cells, figures=(figure,))


def _curve(entry: Mapping, lower: float, upper: float, sizes: Any) -> Any:
    return entry.probability(lower, upper, np.clip(sizes, lower, upper))
