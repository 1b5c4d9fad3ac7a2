"""Judgements: all that follows from the cells of a table, its words counted, its null scores and its claims.

A null score is the number of cells that would pass, reproduced or of the same sign, if all of ours were 0 or had the
other sign, with our intervals kept. Where it is near our own score, passing is no evidence. Cells that are not comparable
pass in none of them. Where an abstract game has many equilibria, the one that
comes closest to all printed values at once is named: each cell by an equilibrium of its own would be no explanation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from doyle.experiments.papers.cell import NULLS, Cell, Word, rounds_to
from doyle.experiments.papers.claims import CLAIMS, decided_claims
from doyle.experiments.papers.claims.deciding import Decided, Finding, View


@dataclass(frozen=True)
class Score:
    """How many numbers of a table pass, and of how many; how many claims hold."""

    cells: int
    claims: int


@dataclass(frozen=True)
class Nearest:
    """The equilibrium whose values are closest to the printed ones, over a table or one of its
    rows."""

    where: str
    equilibrium: str
    distance: float
    """The mean of the differences, without their signs."""
    reproduced: int
    of: int

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "where": self.where,
            "equilibrium": self.equilibrium,
            "mean_difference": self.distance,
            "reproduced": self.reproduced,
            "of": self.of,
        }


@dataclass(frozen=True)
class Judgement:
    """The conclusions about a table."""

    words: Counter[Word]
    uncounted: int
    unsigned: int
    """Of those of the same sign, those that cannot have another."""
    signs: Counter[Word]
    """Of the cells that are not comparable."""
    numbers: int
    """Cells that are scored: printed, counted and comparable."""
    scores: dict[str, Score]
    """Ours, and the null scores."""
    claims: tuple[Decided, ...]
    holding: tuple[int, ...]
    """By claim, in how many of the table's equilibria it holds; empty without equilibria."""
    nearest: tuple[Nearest, ...]
    in_range: tuple[int, int]
    """How many printed values lie in the range over equilibria, and of how many."""
    tuned: int
    """Cells with a setting that was changed after an outcome had been seen."""

    def count(self, finding: Finding) -> int:
        """How many claims came to that."""
        return sum(claim.finding is finding for claim in self.claims)

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "words": {word.value: self.words[word] for word in Word},
            "not_counted": self.uncounted,
            "cannot_be_negative": self.unsigned,
            "signs_of_not_comparable": {word.value: self.signs[word] for word in Word},
            "scored": self.numbers,
            "scores": {
                name: {"passing": one.cells, "holding": one.claims}
                for name, one in self.scores.items()
            },
            "claims": [claim.document() for claim in self.claims],
            "claims_by_equilibrium": list(self.holding),
            "nearest": [one.document() for one in self.nearest],
            "in_range_count": self.in_range[0],
            "ranged": self.in_range[1],
            "tuned_cells": self.tuned,
        }


def judgement(
    name: str,
    tables: Mapping[str, Sequence[Cell]],
    *,
    equilibria: Sequence[str] = (),
    by_row: bool = False,
) -> Judgement:
    """The conclusions from the cells of one of the tables; `by_row` if every row is a game of its
    own."""
    cells = tables[name]
    words = Counter(cell.word for cell in cells if cell.word is not None)
    counted = [cell for cell in cells if cell.counts]
    view, ours = View(name, tables), tuple(decided_claims(name, tables))
    scored = [cell for cell in counted if not isinstance(cell.ours, str) and cell.other is None]
    changes: dict[str, Callable[[float], float]] = {"ours": lambda value: value, **NULLS}
    ranged = [cell.in_range for cell in cells if cell.in_range is not None]
    return Judgement(
        words=words,
        uncounted=sum(cell.published is not None and not cell.counts for cell in cells),
        unsigned=sum(cell.word is Word.SAME_SIGN and cell.unsigned for cell in cells),
        signs=Counter(cell.sign for cell in counted if cell.other is not None and cell.sign),
        numbers=len(scored),
        scores={
            key: Score(sum(_passes(one, change) for one in scored), _holding(name, view.of(change)))
            for key, change in changes.items()
        },
        claims=ours,
        holding=tuple(
            sum(
                claim.decide(view.of_equilibrium(number)).finding is Finding.HOLDS
                for number in range(len(equilibria))
            )
            for claim in CLAIMS.get(name, ())
            if equilibria
        ),
        nearest=tuple(nearest(cells, equilibria, by_row=by_row)),
        in_range=(sum(ranged), len(ranged)),
        tuned=sum(cell.tuned is not None for cell in cells),
    )


def _passes(cell: Cell, change: Callable[[float], float]) -> bool:
    changed = replace(cell, ours=change(float(cell.ours)))
    word = changed.word if cell.other is None else changed.sign
    return word in (Word.REPRODUCED, Word.SAME_SIGN)


def _holding(name: str, view: View) -> int:
    return sum(claim.decide(view).finding is Finding.HOLDS for claim in CLAIMS.get(name, ()))


def nearest(cells: Sequence[Cell], names: Sequence[str], *, by_row: bool = False) -> list[Nearest]:
    """The equilibrium closest to the whole table; if every row is a game of its own, also that of each."""
    ranged = [cell for cell in cells if cell.equilibria and cell.published is not None]
    if not ranged or not names:
        return []
    groups = {"the whole table": ranged}
    if by_row:
        rows = dict.fromkeys(cell.row for cell in ranged)
        groups |= {row: [cell for cell in ranged if cell.row == row] for row in rows}
    return [_nearest(where, group, names) for where, group in groups.items()]


def _nearest(where: str, cells: Sequence[Cell], names: Sequence[str]) -> Nearest:
    def distance(number: int) -> float:
        return sum(
            abs(cell.equilibria[number] - float(cell.published or 0)) for cell in cells
        ) / len(cells)

    best = min(range(len(names)), key=distance)
    reproduced = sum(rounds_to(cell.published or "", cell.equilibria[best]) for cell in cells)
    return Nearest(where, names[best], distance(best), reproduced, len(cells))
