"""Section 6.1.2 of the thesis with our own agents: `hyperborean09-br` in independent matches,
memories reset.

The published agents were Tartanian3RM and Tartanian3, which are not public; `tartanian` and
`tartanian2` replace them, at small scale and in the 2009 game of 200 big blinds, so digits are not
compared. Each match is one observation.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from doyle.agents.adaptive.boundary_exploiter import EXPLORED, BoundaryExploiter
from doyle.agents.named_strategy import required_strategy
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.statistics import Estimate
from doyle.experiments.laboratory import ITERATIONS, built_strategy
from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result
from doyle.games import Game
from doyle.matches import play_match
from doyle.matches.phased import PhasedResult, play_phased

GAME = "holdem-nl-200bb"
MATCHES = 200
HANDS = 3_000
DEALS = 20_000
"""Of a duplicate match of the base strategy alone."""
OPPONENTS = {
    "tartanian": ("2.12", "Tartanian3RM"),
    "tartanian2": ("3.53", "Tartanian3"),
    "hyperborean09-eqm": ("-0.06", "Hyperborean-Eqm"),
}
"""The published values in small bets per hand, and their opponents."""
EQUILIBRIUM = "hyperborean09-eqm"
CONVERGED = (1 << 17, 1 << 19)
"""Fewer iterations of the equilibrium agent at small scale: the dependence of its losses on its
solve."""


def section_6_1_2(options: Options) -> Result:
    """Small bets per hand over 200 matches of 3,000 hands against each opponent."""
    size = "" if options.scale == "published" else "-small"
    hands = options.hands or HANDS
    base = _strategy(f"hyperborean09-br{size}@{GAME}", options)
    agent = BoundaryExploiter("hyperborean09-br", base)
    cells: list[Cell] = []

    def alone(opponent: StrategyAgent) -> Estimate:
        """Winnings of the base strategy, which is stateless."""
        found = play_match(
            Game.named(GAME), [base, opponent],
            hands=DEALS, seed=options.seed, workers=options.workers,
        )  # fmt: skip
        return found.small_bets_per_hand(0)

    stages: dict[int, float] = {}
    if options.scale == "small":
        for iterations in CONVERGED:
            won = alone(_strategy(f"{EQUILIBRIUM}{size}@{GAME}", options, iterations))
            text = f"{EQUILIBRIUM} after {iterations:,} iterations: the base strategy alone"
            cells.append(measured(text, "sb/h", won))
            stages[iterations] = float(won.mean)
    for name, (published, whom) in OPPONENTS.items():
        opponent = _strategy(f"{name}{size}@{GAME}", options)
        found = play_phased(
            Game.named(GAME), agent, opponent, matches=MATCHES, hands=hands, seed=options.seed,
            progress=options.progress,
        )  # fmt: skip
        won, reason = alone(opponent), None
        if name == EQUILIBRIUM:
            stages[ITERATIONS] = float(won.mean)
            reason = explained(found, stages)
        ours, other = found.mbb_per_hand.scaled(Fraction(1, 1000)), f"published against {whom}"
        cells.append(measured(name, "sb/h", ours, published, reason=reason, other=other))
        cells.append(measured(f"{name}: the base strategy alone", "sb/h", won))
        cells.append(Cell(f"{name}: chosen", "matches", None, chosen_text(found)))
    return Result(
        cells,
        notes=(
            f"{MATCHES} matches of {hands:,} hands each, memories reset; {agent.explored} hands of each "
            f"are exploration. Matches are the observations. The base strategy alone plays {DEALS:,} duplicate deals.",
            f"At small scale agents are solved for {ITERATIONS:,} iterations by one thread unless it says "
            "otherwise.",
        ),
    )


def _strategy(name: str, options: Options, iterations: int | None = None) -> StrategyAgent:
    text = built_strategy(
        name, iterations=iterations, workers=options.workers, progress=options.progress
    )
    return required_strategy(text, purpose="play").agent()


def chosen_text(found: PhasedResult) -> str:
    """The number of matches with each technique, and the winnings in these."""
    parts = []
    for name, count in found.techniques.most_common():
        mean = found.mean_with(name)
        parts.append(f"{name} {count} (mean {(mean or 0.0) / 1000:.2f} sb/h)")
    return ", ".join(parts)


def explained(found: PhasedResult, stages: dict[int, float]) -> str | None:
    """The reason that the result against the equilibrium agent differs from the printed one, from
    the measurements.

    Its win is due to the opponent's short solve if the base strategy's winnings fall from stage to
    stage. Its loss is due to its chosen techniques if it does not lose in matches that it continues
    with its base strategy.
    """
    if found.mbb_per_hand.mean > 0:
        return _converging(stages)
    base = found.mean_with("base")
    if base is None or base < 0:
        return None
    wrong = sum(count for name, count in found.techniques.items() if name != "base")
    return (
        f"Soft translation has no boundary to exploit, but {wrong} of {len(found.played)} matches find one in their "
        f"{EXPLORED} hands and lose by it; the others win {base / 1000:.2f} on average."
    )


def _converging(stages: dict[int, float]) -> str | None:
    """The reason that the equilibrium agent loses: its losses to the base strategy fall as it is
    solved further."""
    values = [stages[iterations] for iterations in sorted(stages)]
    if not all(later < earlier for earlier, later in pairwise(values)):
        return None
    text = ", ".join(f"{value:.2f} after {n:,}" for n, value in sorted(stages.items()))
    return f"Solved too short: the base strategy alone wins {text} iterations of it."
