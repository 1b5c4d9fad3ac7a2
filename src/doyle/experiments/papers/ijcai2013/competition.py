"""Table 7 recomputed from its own cells: seven mappings of Tartanian5 against the entrants of 2012.

The mappings never met each other, so there is no run-off among them: the averages are the total
bankroll, with the number of opponents against which each mapping is the best. The entrants
cannot be had; `analogous_experiment` plays the experiment against agents of ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

from doyle.base.statistics import Estimate
from doyle.experiments.papers.cell import Cell, rounds_to
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, Section, printed

MAPPINGS = {
    "Det-Arith": "det-arith",
    "Rand-Arith": "rand-arith",
    "Det-Geo": "det-geo",
    "Rand-Geo-1": "rand-geo-1",
    "Rand-Geo-2": "rand-geo-2",
    "Det-psHar": "det-pshar",
    "Rand-psHar": "rand-pshar",
}
"""The paper's names of the mappings, and ours."""

GEOMETRIC = ("Det-Geo", "Rand-Geo-1", "Rand-Geo-2")
_AVERAGE = "Avg."


@dataclass(frozen=True)
class Column:
    """One mapping: its winnings against each opponent in mbb/h, with half widths of 95%
    intervals."""

    won: dict[str, Estimate]
    printed_average: str

    @property
    def average(self) -> Estimate:
        """Opponents are taken to be independent of each other."""
        return Estimate.sum_of(self.won.values()).scaled(1 / len(self.won))

    @classmethod
    def read(cls, mapping: str) -> Column:
        table = printed("ijcai2013/table7")
        opponents = [name for name in table.row_names if name != _AVERAGE]
        won = {
            name: Estimate(
                float(table.text(name, mapping) or 0), float(table.text(name, f"{mapping} ±") or 0)
            )
            for name in opponents
        }
        return cls(won, table.text(_AVERAGE, mapping) or "")


def table_7(options: Options) -> Result:
    """The averages, their order and the statements of section 10."""
    columns = {mapping: Column.read(mapping) for mapping in MAPPINGS}
    stated = sorted(columns, key=lambda name: -int(columns[name].printed_average))
    ours = sorted(columns, key=lambda name: -columns[name].average.mean)
    cells: list[Cell] = []
    for mapping, column in columns.items():
        average = float(column.average.mean)
        is_wrong = not rounds_to(column.printed_average, average)
        cells.append(
            Cell(
                mapping, "average", column.printed_average, average, uncounted="recomputed",
                reason="The print contradicts its own column." if is_wrong else None,
            )
        )  # fmt: skip
        theirs, own = (str(order.index(mapping) + 1) for order in (stated, ours))
        cells.append(Cell(mapping, "place", theirs, own, uncounted="recomputed"))
    wrong = [cell for cell in cells if cell.reason is not None]
    text = ", ".join(f"{cell.row} {cell.published} for {float(cell.ours):.0f}" for cell in wrong)
    order = "the order is the same" if stated == ours else "the order differs"
    return Result(
        cells,
        sections=(_best(columns), _pairs(columns)),
        notes=(
            f"Averages that their own columns contradict: {text}; {order}.",
            "There is no run-off: the mappings did not meet each other.",
            _geometric(columns),
        ),
    )


def _best(columns: dict[str, Column]) -> Section:
    """Against how many opponents each mapping won most, won, and won beyond its interval."""
    opponents = list(next(iter(columns.values())).won)
    best = [max(columns, key=lambda name: columns[name].won[other].mean) for other in opponents]
    rows = []
    for name, column in columns.items():
        beaten = [won for won in column.won.values() if won.mean > 0]
        surely = [won for won in beaten if won.is_significant]
        rows.append((name, best.count(name), len(beaten), len(surely)))
    heads = ("mapping", "best of seven against", "wins against", "beyond its interval")
    return Section(f"Of {len(opponents)} opponents", heads, tuple(rows))


def _pairs(columns: dict[str, Column]) -> Section:
    rows = []
    order = sorted(columns, key=lambda name: -columns[name].average.mean)
    for one, other in combinations(order, 2):
        apart = columns[one].average - columns[other].average
        if apart.is_significant:
            rows.append((one, other, f"{apart:.0f}"))
    return Section(
        "Differences of averages beyond their 95% intervals (cells taken as independent)",
        ("better", "worse", "mbb/h"),
        tuple(rows),
    )


def _geometric(columns: dict[str, Column]) -> str:
    """Section 10: the three geometric mappings do significantly worse than the other four."""
    others = [name for name in columns if name not in GEOMETRIC]
    apart = [
        columns[one].average - columns[other].average for one, other in product(others, GEOMETRIC)
    ]
    sure = sum(one.is_significant and one.mean > 0 for one in apart)
    return (
        f"Section 10 calls the geometric mappings significantly worse than the other four: "
        f"{sure} of {len(others) * len(GEOMETRIC)} differences exceed their intervals."
    )
