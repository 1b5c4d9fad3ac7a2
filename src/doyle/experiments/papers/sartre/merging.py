"""Table 2 with our own logs: the number of cases after merging equal ones, by round and strength
feature."""

from __future__ import annotations

from doyle.agents.case_bases import Architecture, CaseBase
from doyle.base.errors import DoyleError
from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.sartre.setting import CATEGORIES, EXPERT, Setting
from doyle.experiments.papers.table import Result, Section, printed

ROUNDS = ("Preflop", "Flop", "Turn", "River")
FEATURES = {
    "categories": CATEGORIES,
    "E[HS], 20 buckets": Architecture(domain="limit", strength="hs", buckets=20),
    "E[HS^2], 20 buckets": Architecture(domain="limit", strength="hs2", buckets=20),
    "E[HS^2], 50 buckets": Architecture(domain="limit", strength="hs2", buckets=50),
}


def table_2(options: Options) -> Result:
    """Single cases (decisions) and merged ones of the same logs."""
    # About as many decisions as the paper's 1,000,038 at the published scale.
    setting = Setting(options, 5_000, 72_000, 0, 0)
    table = printed("sartre/table2")
    cells: list[Cell] = []
    rows: list[tuple[object, ...]] = []
    for name, architecture in FEATURES.items():
        base = setting.base(architecture)
        single, vector = _counts(base)
        _check_nothing_lost(base)
        for place, round_ in enumerate((*ROUNDS, "Total")):
            published = int(table.text(round_, "single") or 0) / int(
                table.text(round_, "vector") or 1
            )
            rows.append((name, round_, single[place], vector[place], single[place] / vector[place]))
            cells.append(
                Cell(
                    f"{name}: {round_}",
                    "single per merged",
                    f"{published:.1f}",
                    single[place] / vector[place],
                    unsigned=True,
                    other=f"other logs: {single[place]:,} decisions in {vector[place]:,} cases",
                )
            )
    return Result(
        cells,
        sections=(
            Section(
                f"Decisions of {EXPERT} against itself",
                ("feature", "round", "single", "vector", "ratio"),
                tuple(rows),
            ),
        ),
        notes=(
            "Merging loses no count: the counts of the merged cases sum to the decisions read.",
            "The printed columns sum to their totals: 1,000,038 and 95,152, a ratio of 10.5.",
            f"Ratios grow with the number of decisions, here {single[-1]:,}.",
            setting.note(EXPERT),
        ),
    )


def _counts(base: CaseBase) -> tuple[list[int], list[int]]:
    """Decisions and merged cases by round, with their totals."""
    single = [cases.decisions for cases in base.rounds]
    vector = [len(cases) for cases in base.rounds]
    return [*single, sum(single)], [*vector, sum(vector)]


def _check_nothing_lost(base: CaseBase) -> None:
    if base.decisions != sum(int(cases.counts.sum()) for cases in base.rounds):
        raise DoyleError("merging lost decisions")
