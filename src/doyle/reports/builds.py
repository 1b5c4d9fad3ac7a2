"""What is known of a build: matches against other agents, facts and advice, and its report.

`report_build` measures a finished build and writes its HTML report. It builds nothing: opponents
that are builds themselves must be there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from doyle.building import BuildResult
from doyle.card_abstraction import registry
from doyle.games import Game
from doyle.matches import play_match
from doyle.reports.build_report import write_build_report
from doyle.reports.grid import StrategyGrid, strategy_grid
from doyle.strategy import ExploitabilityRecord, StrategyInfo, TableStrategy, purified
from doyle.workers import Progress, Workers


@dataclass(frozen=True)
class MatchRow:
    """What the built agent won against one opponent, who has all the other seats."""

    opponent: str
    hands: int
    mbb_per_hand: float
    ci95: float

    def document(self) -> dict[str, Any]:
        return {
            "opponent": self.opponent,
            "hands": self.hands,
            "mbb_per_hand": self.mbb_per_hand,
            "ci95": self.ci95,
        }


@dataclass(frozen=True)
class Hints:
    """How a reader of the report gets further, in the words of whoever wrote it."""

    resume: str = "Building again resumes it."
    measure: str = "a best response over all cards tells more"


@dataclass(frozen=True)
class BuildReport:
    """A build with what was measured of it, and where its report is."""

    result: BuildResult
    info: StrategyInfo
    path: Path
    matches: list[MatchRow] = field(default_factory=list)

    def document(self) -> dict[str, Any]:
        """What is known, as one JSON document."""
        known = self.info.document()
        names = ["infosets", "iterations", "exploitability", "exploitability_as_played"]
        names += ["exploitability_note", "deterministic"]
        return {
            "agent": self.info.agent,
            "folder": str(self.result.folder),
            "report": str(self.path),
            **{name: known.get(name) for name in names},
            "stages": self.result.stages,
            "matches": [row.document() for row in self.matches],
        }


def report_build(
    result: BuildResult,
    *,
    opponents: Sequence[str] = (),
    hands: int = 2000,
    path: Path | None = None,
    hints: Hints | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> BuildReport:
    """Play `hands` deals against each opponent and write the report, by default with the build."""
    strategy = result.strategy()
    started = time.monotonic()
    matches = [
        _match(result.folder, strategy.tree.game, opponent, hands, workers, progress)
        for opponent in opponents
    ]
    if matches:
        result.stages["matches"] = time.monotonic() - started
    report = BuildReport(result, result.info, path or result.folder / "report.html", matches)
    chosen = hints or Hints()
    write_build_report(
        report.path,
        info=result.info,
        game=strategy.tree.game.name,
        betting=str(strategy.tree.model),
        stages=result.stages,
        grids=_preflop_grids(strategy, result.info),
        matches=[row.document() for row in matches],
        facts=build_facts(result.info, strategy.tree.game, chosen),
        advice=build_advice(result.info, chosen),
    )
    return report


def _match(
    folder: Path,
    game: Game,
    opponent: str,
    hands: int,
    workers: Workers | None,
    progress: Progress | None,
) -> MatchRow:
    seats = [str(folder), *(opponent for _ in range(game.players - 1))]
    played = play_match(
        game, seats, hands=hands, seed=1, workers=workers, progress=progress
    ).to_json()
    mine = played["players"][0]
    return MatchRow(opponent, hands, mine["mbb_per_hand"], mine["ci95"])


def _preflop_grids(strategy: TableStrategy, info: StrategyInfo) -> list[StrategyGrid]:
    """What is played at the first decisions of a hand."""
    tree = strategy.tree
    if info.cards is None:
        return []
    buckets = registry.build(info.cards).buckets(())
    played = purified(strategy, info.purification, info.threshold)
    first = tree.decisions[tree.round[tree.decisions] == 0][:4]
    return [strategy_grid(played, buckets, int(node)) for node in first]


def build_facts(info: StrategyInfo, game: Game, hints: Hints) -> list[tuple[str, str]]:
    """Sizes, speed and how the strategy is played, by name."""
    iterations, history = info.iterations or 0, info.history
    rate = iterations / history[-1].seconds if history and history[-1].seconds else 0.0
    return [
        ("information sets", f"{sum(info.infosets or ()):,}"),
        ("buckets by round", ", ".join(f"{count:,}" for count in info.bucket_counts or ())),
        ("iterations", f"{iterations:,} ({rate:,.0f} a second)"),
        ("memory for regrets and averages", f"{(info.table_bytes or 0) / 2**20:,.1f} MiB"),
        ("translation of unknown bets", str(info.translation)),
        ("purification", str(info.purification)),
        ("same bytes for the same seed", "yes" if info.deterministic else "no: threads race"),
        *_exploitability(info, game, hints),
    ]


def _exploitability(info: StrategyInfo, game: Game, hints: Hints) -> list[tuple[str, str]]:
    if info.exploitability is None:
        note = info.exploitability_note or "nothing was measured in the abstract game"
        return [("exploitability", f"not known: {note}; {hints.measure}")]

    def amount(record: ExploitabilityRecord) -> str:
        chips = record.total
        return (
            f"{1000 * chips / game.big_blind:,.1f} mbb/h in the abstract game ({chips:.4g} chips)"
        )

    rows = [("exploitability", f"{amount(info.exploitability)}; {hints.measure}")]
    if info.purification != "none" and info.exploitability_as_played is not None:
        played = amount(info.exploitability_as_played)
        rows.append(("exploitability after purification", played))
    return rows


def build_advice(info: StrategyInfo, hints: Hints) -> str:
    """What more time buys."""
    if not info.history or info.history[-1].regret_bound is None:
        return f"Exploitability in the abstract game falls with every iteration. {hints.resume}"
    infosets = info.infosets or ()
    visits = (info.iterations or 0) * len(infosets) / max(1, sum(infosets))
    return (
        "The regret bound falls about as one over the square root of time: four times the minutes "
        f"halve it. So far there are {visits:,.0f} traversals for every information set. "
        f"{hints.resume}"
    )
