"""Section 6.1.2 of the thesis in kind: `hyperborean09-br` in independent matches, memories reset.

The published agents were Tartanian3RM and Tartanian3, of which nothing is public; `tartanian` and
`tartanian2` stand for them, at small scale and in the 2009 game of 200 big blinds, so nothing is compared
digit by digit. Each match is one observation.
"""

from __future__ import annotations

from doyle.agents.adaptive.boundary_exploiter import BoundaryExploiter
from doyle.agents.options import strategy_agent
from doyle.agents.strategy_agent import StrategyAgent
from doyle.building import load_or_build_strategy
from doyle.games import Game
from doyle.matches.phased import PhasedResult, play_phased
from doyle.papers.registry import Options
from doyle.papers.result import Cell, Result, Section

GAME = "holdem-nl-200bb"
MATCHES = 200
HANDS = 3_000
OPPONENTS = {
    "tartanian": ("2.12", "Tartanian3RM"),
    "tartanian2": ("3.53", "Tartanian3"),
    "hyperborean09-eqm": ("-0.06", "Hyperborean-Eqm"),
}
"""What was published in small bets per hand, and against whom."""


def section_6_1_2(options: Options) -> Result:
    """Small bets per hand over 200 matches of 3,000 hands against each opponent."""
    game = Game.named(GAME)
    size = "" if options.scale == "published" else "-small"
    hands = options.hands or HANDS
    agent = BoundaryExploiter(
        "hyperborean09-br", _strategy(f"hyperborean09-br{size}@{GAME}", options)
    )
    cells, rows = [], []
    for name, (published, whom) in OPPONENTS.items():
        opponent = _strategy(f"{name}{size}@{GAME}", options)
        found = play_phased(
            game, agent, opponent, matches=MATCHES, hands=hands, seed=options.seed,
            progress=options.progress,
        )  # fmt: skip
        base = play_phased(
            game, BoundaryExploiter("base", agent.base, explored=0), opponent, matches=MATCHES,
            hands=hands, seed=options.seed, progress=options.progress,
        )  # fmt: skip
        cells.append(_cell(name, published, whom, found))
        chosen = ", ".join(f"{one} {count}" for one, count in found.techniques.most_common())
        mean, width = _small_bets(base)
        rows.append((name, f"{mean:.2f} ± {width:.2f}", chosen))
    return Result(
        "thesis/section6.1.2",
        "hyperborean09-br, small bets per hand",
        "Schnizlein, State Translation in No-Limit Poker (2009), section 6.1.2 and table 6.2",
        tuple(cells),
        sections=(
            Section(
                "Its base strategy on the same deals, and what was chosen in how many matches",
                ("opponent", "base strategy", "techniques"),
                tuple(rows),
            ),
        ),
        notes=(
            f"{MATCHES} matches of {hands:,} hands each, memories reset; {agent.explored} hands of each "
            "are exploration.",
        ),
    )


def _strategy(name: str, options: Options) -> StrategyAgent:
    load_or_build_strategy(name, workers=options.workers, progress=options.progress)
    found = strategy_agent(name, Game.named(GAME))
    assert found is not None
    return found


def _small_bets(found: PhasedResult) -> tuple[float, float]:
    estimate = found.mbb_per_hand
    return float(estimate.mean) / 1000, (estimate.ci95 or 0.0) / 1000


def _cell(name: str, published: str, whom: str, found: PhasedResult) -> Cell:
    mean, width = _small_bets(found)
    more = {"ci95": width, "least": mean - width, "most": mean + width}
    return Cell(name, "sb/h", published, mean, other=f"published against {whom}", more=more)
