"""Printed cross-tables recomputed from their own cells: totals, and both winner rules.

The no-limit competitions of 2007 (Tartanian's table 1; to two decimals the thesis's table 1.1), 2008 and
2009 (tables 6.1 and 6.2 of the thesis). No match is played: a total is the mean of its row, chips
are won from each other, and the winner rules follow from the cells, so a print can contradict
itself. Entries are rounded, so a recomputed total has a range: each entry may be off by half its
last digit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, Section, printed
from doyle.matches.winners import (
    CrossTable,
    Ranking,
    from_matrix,
    instant_runoff,
    total_bankroll,
)

Further = Mapping[tuple[str, str], str]
"""Winnings of the first player against the second in matches that the table does not count."""

FINAL_OF_2007: Further = {
    ("Bluffbot", "Tartanian"): "0.267",
    ("Tartanian", "Hyperborean"): "0.133",
    ("Bluffbot", "Hyperborean"): "0.380",
}
"""After 300 matches among the last three: Tartanian's section 7, and the thesis's footnote to 6.1.1."""


@dataclass(frozen=True)
class PrintedCrossTable:
    """A cross-table as printed: the texts of its entries and of the total of each row."""

    names: tuple[str, ...]
    entries: tuple[tuple[str, ...], ...]
    """Winnings of the row's player against the column's; empty on the diagonal."""
    totals: tuple[str, ...]

    @classmethod
    def read(cls, name: str) -> PrintedCrossTable:
        found = printed(name)
        return cls(
            found.row_names,
            tuple(values[:-1] for _, values in found.rows),
            tuple(values[-1] for _, values in found.rows),
        )

    def results(self, further: Further | None = None) -> CrossTable:
        """The input of the winner rules; `further` results replace printed ones."""
        matrix: list[list[Fraction | None]] = [
            [Fraction(text) if text else None for text in row] for row in self.entries
        ]
        for (winner, loser), won in (further or {}).items():
            matrix[self.names.index(winner)][self.names.index(loser)] = Fraction(won)
            matrix[self.names.index(loser)][self.names.index(winner)] = -Fraction(won)
        return from_matrix(self.names, matrix)

    def mirrored(self) -> list[tuple[str, str]]:
        """The pairs whose two entries do not cancel."""
        size = range(len(self.names))
        return [
            (self.names[row], self.names[column])
            for row in size
            for column in range(row)
            if Fraction(self.entries[row][column]) + Fraction(self.entries[column][row])
        ]

    def mean(self, row: int) -> tuple[Fraction, Fraction]:
        """The mean of a row, and how far rounding of its entries can take it."""
        texts = [text for text in self.entries[row] if text]
        slack = sum((half_digit(text) for text in texts), Fraction(0))
        return sum(map(Fraction, texts), Fraction(0)) / len(texts), slack / len(texts)


def half_digit(text: str) -> Fraction:
    """Half a unit of the last printed digit.

    >>> half_digit("-0.05")
    Fraction(1, 200)
    """
    return Fraction(1, 2 * 10 ** len(text.partition(".")[2]))


@dataclass(frozen=True)
class Competition:
    """A paper's statements about a table: the order of its rows, and sentences found wrong or
    right."""

    rule: str
    """The rule whose places the order of the rows is: `run-off` or `bankroll`."""
    notes: tuple[str, ...] = ()
    further: Further = field(default_factory=dict)


_NAMES = {"Bluffbot": "BluffBot20", "Tartanian": "GS3", "Hyperborean": "Hyperborean07"}
"""Tartanian's names of three players, and the thesis's."""

COMPETITIONS = {
    "tartanian/table1": Competition(
        "run-off",
        (
            "After the 280 further matches among the last three (Tartanian beat Hyperborean by "
            "0.133, where the 20 of the table have it lose 0.079) the run-off has the printed order.",
            "The caption says chips; the text and the thesis give the same numbers in small bets.",
        ),
        FINAL_OF_2007,
    ),
    "thesis/table1.1": Competition(
        "run-off",
        (
            "The text says that PokeMinn beat only one other agent; its row shows {pokeminn}.",
            "Section 6.1.1 gives BluffBot's win over Hyperborean07 as 2371 mb/h: 237 with the mark "
            "of footnote 1, as the table's 0.24 shows.",
        ),
        {(_NAMES[one], _NAMES[other]): won for (one, other), won in FINAL_OF_2007.items()},
    ),
    "thesis/table6.1": Competition("run-off"),
    "thesis/table6.2": Competition("bankroll"),
}


def recomputed(options: Options) -> Result:
    """A competition from its own cells: totals and places by both rules."""
    name, claim = options.name, COMPETITIONS[options.name]
    table = PrintedCrossTable.read(name)
    results = table.results()
    bankroll, runoff = total_bankroll(results), instant_runoff(results)
    final = instant_runoff(table.results(claim.further)) if claim.further else None
    cells: list[Cell] = []
    for row, player in enumerate(table.names):
        mean, slack = table.mean(row)
        total = table.totals[row]
        width = float(slack + half_digit(total))
        is_wrong = abs(float(Fraction(total) - mean)) > width
        cells.append(
            Cell(
                player, "total", total, float(mean), uncounted="recomputed",
                reason="The print contradicts its own row." if is_wrong else None,
                more={"least": float(mean) - width, "most": float(mean) + width},
            )
        )  # fmt: skip
        for rule, ranking in (("bankroll", bankroll), ("run-off", runoff)):
            stated, ours = str(row + 1) if rule == claim.rule else None, place(ranking, player)
            decided = (
                stated not in (None, str(ours))
                and final is not None
                and place(final, player) == row + 1
            )
            cells.append(
                Cell(
                    player, f"place by {rule}", stated, str(ours), uncounted="recomputed",
                    reason="The further matches among the last three decided." if decided else None,
                )
            )  # fmt: skip
    sections = [_rankings(bankroll, runoff), _eliminations(runoff)]
    if final is not None:
        sections.append(
            Section(
                "Run-off with the further matches among the last three",
                ("place", "printed", "recomputed"),
                tuple(
                    (n + 1, *both)
                    for n, both in enumerate(zip(table.names, final.names, strict=True))
                ),
            )
        )
    beaten = {"pokeminn": _beaten(table, "PokeMinn")}
    return Result(
        cells,
        sections=tuple(sections),
        notes=(
            *contradictions(table, cells),
            _winners(bankroll, runoff),
            *(note.format(**beaten) for note in claim.notes),
        ),
    )


def _beaten(table: PrintedCrossTable, player: str) -> str:
    """The players that a player beat, with their number."""
    if player not in table.names:
        return ""
    row = zip(table.names, table.entries[table.names.index(player)], strict=True)
    beaten = [name for name, text in row if text and Fraction(text) > 0]
    return f"{len(beaten)}: {' and '.join(beaten)}"


def contradictions(table: PrintedCrossTable, cells: Sequence[Cell]) -> list[str]:
    """Contradictions in the print, a sentence each."""
    notes = [
        f"{cell.row}: the print has a total of {cell.published}, its row has a mean of "
        f"{float(cell.ours):.3f}."
        for cell in cells
        if cell.column == "total" and cell.reason is not None
    ]
    notes += [
        f"{one} and {other}: the two entries do not cancel." for one, other in table.mirrored()
    ]
    printed_sum = sum(map(Fraction, table.totals), Fraction(0))
    rounding = sum(map(half_digit, table.totals), Fraction(0))
    if abs(printed_sum) > rounding:
        notes.append(
            f"The printed totals sum to {float(printed_sum):+.3f}, of which rounding explains at most "
            f"{float(rounding):.4f}; chips are won from each other."
        )
    moved = [
        f"{cell.row} (printed {cell.published}, {cell.ours} by the cells)"
        for cell in cells
        if cell.column != "total" and cell.is_reproduced is False
    ]
    if moved:
        notes.append(f"The printed order is not the one of the cells for {', '.join(moved)}.")
    return notes


def place(ranking: Ranking, player: str) -> int:
    """The place of a player; players of equal bankrolls share the better one."""
    first = 1
    for names in ranking.places:
        if player in names:
            return first
        first += len(names)
    raise ValueError(f"{player} is not in the ranking")


def _winners(bankroll: Ranking, runoff: Ranking) -> str:
    first, second = bankroll.names[0], runoff.names[0]
    if first == second:
        return f"{first} wins by both rules."
    return f"The rules disagree on the winner: {first} by total bankroll, {second} by run-off."


def _rankings(bankroll: Ranking, runoff: Ranking) -> Section:
    rows = zip(bankroll.names, runoff.names, strict=True)
    return Section(
        "Places recomputed from the cells",
        ("place", "total bankroll", "instant run-off"),
        tuple((n + 1, *names) for n, names in enumerate(rows)),
    )


def _eliminations(runoff: Ranking) -> Section:
    return Section(
        "The run-off step by step: who leaves, and with what",
        ("step", "leaves", "won per hand among those left"),
        tuple(
            (n + 1, ", ".join(step.leaving), f"{float(dict(step.bankrolls)[step.leaving[0]]):.3f}")
            for n, step in enumerate(runoff.eliminations)
        ),
    )


def table_of_2007(options: Options) -> Result:
    """2007, with the deviations that are printed for the totals."""
    found = recomputed(options)
    sections = (*found.sections, _deviations(f"{options.name}-deviations"))
    return replace(found, sections=sections)


def _deviations(name: str) -> Section:
    """The ± of each total beside that of a mean of independent results."""
    table = PrintedCrossTable.read(name)
    rows = []
    for player, entries, total in zip(table.names, table.entries, table.totals, strict=True):
        widths = [float(text) for text in entries if text]
        independent = math.sqrt(sum(width**2 for width in widths)) / len(widths)
        rows.append((player, total, round(independent, 3), round(float(total) / independent, 2)))
    return Section(
        "± of the totals beside that of a mean of nine independent results",
        ("player", "printed", "independent", "ratio"),
        tuple(rows),
    )
