"""`BuildSection`: the metadata of a strategy's file, as parts of its report card's page.

Sizes,
convergence, the benefit of more time, and the source of each choice of a description.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from doyle.agents.named_strategy import NamedStrategy
from doyle.games import Game
from doyle.measuring.reports.pages import convergence_svg, html_table
from doyle.strategy import ExploitabilityRecord, StrategyInfo


@dataclass(frozen=True)
class Hints:
    """Next steps for the reader of a report, in the caller's words."""

    resume: str = "Building again resumes it."
    measure: str = "a best response over all cards tells more"


@dataclass(frozen=True)
class BuildSection:
    """A strategy as it was built."""

    info: StrategyInfo
    game: Game
    betting: str
    hints: Hints = Hints()
    stages: dict[str, float] = field(default_factory=dict)
    """Seconds by stage, where the build has just been made."""

    @classmethod
    def of(cls, named: NamedStrategy, hints: Hints | None = None) -> BuildSection:
        tree = named.tables.tree
        return cls(named.tables.info, tree.game, str(tree.model), hints or Hints())

    def parts(self) -> list[str]:
        """HTML to be put on a page."""
        info = self.info
        facts = [
            ("betting, cards, solver", f"{self.betting}; {info.cards or 'all'}; {info.solver}"),
            *build_facts(info, self.game, self.hints),
        ]
        return [
            html_table(["", ""], [[name, value] for name, value in facts], "The strategy"),
            "<h2>Convergence</h2>",
            convergence_svg(info.history),
            f"<p>{escape(build_advice(info, self.hints))}</p>",
            html_table(
                ["stage", "seconds"],
                [[name, f"{seconds:.1f}"] for name, seconds in self.stages.items()],
                "Where the time went",
            ),
            html_table(
                ["field", "value", "source", "note"],
                [[row.field, str(row.value), row.source, row.note] for row in info.fields],
                "What was built, and where each choice comes from",
            ),
        ]


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
    """The benefit of more time."""
    if not info.history or info.history[-1].regret_bound is None:
        return f"Exploitability in the abstract game falls with every iteration. {hints.resume}"
    infosets = info.infosets or ()
    visits = (info.iterations or 0) * len(infosets) / max(1, sum(infosets))
    return (
        "The regret bound falls about as one over the square root of time: four times the minutes "
        f"halve it. So far there are {visits:,.0f} traversals for every information set. "
        f"{hints.resume}"
    )
