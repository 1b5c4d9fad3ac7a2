"""Table 3: the three re-use policies of one case base against each other, and against its expert."""

from __future__ import annotations

from itertools import combinations

from doyle.agents.case_bases import Architecture
from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.sartre.setting import EXPERT, OPPONENT, Setting
from doyle.experiments.papers.table import Result, Section, printed

POLICIES = {
    "Max-frequency": "max-frequency",
    "Probabilistic": "probabilistic",
    "Best-outcome": "best-outcome",
}


def table_3(options: Options) -> Result:
    """Every pair of policies, in small bets per hand; the row's player."""
    setting = Setting(options, 10_000, 72_000, 20_000, 9_000)
    table = printed("sartre/table3")
    base = setting.base(Architecture(domain="limit"))
    players = {
        name: setting.imitator(name, base.with_points(reuse=policy))
        for name, policy in POLICIES.items()
    }
    cells: list[Cell] = []
    for number, (row, column) in enumerate(combinations(players, 2)):
        won = setting.won(players[row], players[column], seed=number)
        cells.append(
            measured(
                row, column, won, table.text(row, column), other="other expert",
                more={"published_ci95": table.text(row, f"{column} ±")},
            )
        )  # fmt: skip
    others = {name: setting.expert(name) for name in (EXPERT, OPPONENT)}
    for place, (other, opponent) in enumerate(others.items()):
        for name, player in players.items():
            cells.append(
                measured(name, f"against {other}", setting.won(player, opponent, seed=50 + place))
            )
    return Result(
        cells,
        sections=(Section("The printed averages and their intervals", _HEADS, tuple(_averages())),),
        notes=(
            f"{base.decisions:,} decisions of {EXPERT}, {setting.deals:,} duplicate deals a pair.",
            "The printed averages are the means of their rows. Their intervals are neither those of "
            "a mean of two independent results nor the means of the two.",
            setting.note(EXPERT, OPPONENT),
        ),
    )


_HEADS = ("policy", "printed", "mean of row", "printed ±", "± of a mean of two")


def _averages() -> list[tuple[object, ...]]:
    """The printed averages beside what their rows give."""
    found = printed("sartre/table3")
    rows: list[tuple[object, ...]] = []
    for row in POLICIES:
        values = [found.text(row, column) for column in POLICIES if column != row]
        widths = [found.text(row, f"{column} ±") for column in POLICIES if column != row]
        mean = sum(float(value or 0) for value in values) / 2
        width = sum(float(value or 0) ** 2 for value in widths) ** 0.5 / 2
        rows.append((row, found.text(row, "Average"), mean, found.text(row, "Average ±"), width))
    return rows
