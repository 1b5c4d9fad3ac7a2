"""Figure 2 in kind: three strength features against a fixed opponent, with less and less of the base."""

from __future__ import annotations

from doyle.cases import Architecture
from doyle.cases.imitation import held_out_agreement
from doyle.papers.registry import Options
from doyle.papers.result import Cell, Curve, Figure, Result, Section
from doyle.papers.sartre.competitions import SOURCE
from doyle.papers.sartre.imitation import held_out_lesson
from doyle.papers.sartre.merging import ROUNDS
from doyle.papers.sartre.setting import CATEGORIES, EXPERT, OPPONENT, Setting

FEATURES = {
    "E[HS^2]": Architecture(domain="limit", strength="hs2", buckets=20),
    "CATEGORIES": CATEGORIES,
    "E[HS]": Architecture(domain="limit", strength="hs", buckets=20),
    "E[HS^2], starting hands by equity": Architecture(
        domain="limit", strength="hs2", buckets=20, hole_metric="equity"
    ),
}
"""The paper's three, and one that finds a similar starting hand where the same one is missing."""

PRINTED = ("E[HS^2]", "CATEGORIES", "E[HS]")
SHARES = {
    "small": (0.02, 0.1, 0.5, 1.0),
    "published": (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0),
}


def figure_2(options: Options) -> Result:
    """What each feature wins by the share of its case base that is used, small bets per hand."""
    setting = Setting(options, 10_000, 72_000, 20_000, 9_000)
    opponent = setting.expert(OPPONENT)
    shares = SHARES[options.scale]
    curves, rows, cells = [], [], []
    full: dict[str, float] = {}
    held_out = held_out_lesson(setting)
    (watched,) = held_out.logs(workers=options.workers, progress=options.progress)
    unanswered = []
    for name, architecture in FEATURES.items():
        base = setting.base(architecture)
        means = []
        for share in shares:
            part = base if share == 1.0 else base.part(share, seed=options.seed)
            won = setting.match(setting.imitator(name, part), opponent, seed=7)
            means.append(float(won.mean))
            rows.append((name, share, f"{won:.4f}", part.cases))
        full[name] = means[-1]
        if name in PRINTED:
            same = base.with_points(retrieve=0)
            found = held_out_agreement(same, watched.log.paths, players=watched.experts)
            unanswered.append((name, *(one.unknown for one in found)))
        curves.append(Curve(name, tuple(100 * share for share in shares), tuple(means)))
    for place, name in enumerate(PRINTED, start=1):
        ours = 1 + sum(full[other] > full[name] for other in PRINTED)
        cells.append(
            Cell(name, "rank, full base", str(place), str(ours), other="other expert and opponent")
        )
    return Result(
        "sartre/figure2",
        "Strength features by the share of the case base that is used",
        f"{SOURCE}, figure 2 (the paper prints curves, no numbers)",
        tuple(cells),
        sections=(
            Section(
                f"Against {OPPONENT}, small bets per hand, {setting.deals:,} duplicate deals",
                ("strength", "share of the base", "won", "cases"),
                tuple(rows),
            ),
            Section(
                "Share of held-out decisions without an identical case",
                ("strength", *ROUNDS),
                tuple(unanswered),
            ),
        ),
        figures=(
            Figure(
                "sartre-figure2",
                f"Imitators of {EXPERT} against {OPPONENT}",
                "share of the case base (%)",
                "small bets per hand",
                tuple(curves),
            ),
        ),
        notes=(
            f"The same deals for every point; learnt from {setting.training_deals:,} deals of "
            f"{EXPERT} against itself.",
            "CATEGORIES compares all-or-nothing and calls where nothing is retrieved: what it lacks "
            "beside the other two is its share of decisions without an identical case, which falls "
            "with more training.",
            "With part of a base the paper's three lose most by starting hands, which are compared "
            "all-or-nothing (assumed): by equity the loss is smaller.",
        ),
    )
