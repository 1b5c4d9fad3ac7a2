"""Table 15: a three-player agent with and without switching to a two-player base, on the same deals."""

from __future__ import annotations

from doyle.agents import resolve_agent
from doyle.agents.case_bases import CaseBase
from doyle.agents.case_bases.snapshot import load_snapshot
from doyle.agents.cases import CaseBasedAgent, SwitchingAgent
from doyle.base.statistics import Estimate
from doyle.building import load_or_build_strategy
from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, printed
from doyle.experiments.training import Lesson
from doyle.experiments.training.presets import HEADS_UP_GAME, train
from doyle.games import Agent, Game
from doyle.matches import play_match
from doyle.matches.match import MatchResult

GAME = "holdem-limit-3p"
PRESET = "sartre-3p-2011"
EXPERT, HEADS_UP = "limit-3p-small", "limit-2p-small"
OPPONENTS = {"dpp": "ev", "akuma": f"{EXPERT}:purification=full"}
"""Substitutes for the two public bots: a mathematically fair one, and the purified expert."""

DEALS = {"small": 5_000, "published": 10_000}
_OTHER = "other opponents"
PRINTED = ("Non-Switching", "Switching")
LARGER, BOTH_LARGER = "with a larger two-player base", "with both bases larger"
LARGER_ALONE = "with a larger three-player base alone"
LARGER_DEALS, LARGER_3P_DEALS = 72_000, 21_000
"""About a million decisions of each expert, as many as the paper's limit agents were trained on."""
COUNTED_DEALS = 100
"""The player whose decisions after a fold are counted, by hand."""


def table_15(options: Options) -> Result:
    """Winnings of each of the three, in both versions, and the paired difference."""
    deals = options.hands or DEALS[options.scale]
    for expert in (EXPERT, HEADS_UP):
        load_or_build_strategy(expert, workers=options.workers, progress=options.progress)
    train(load_snapshot(PRESET), scale="small", workers=options.workers, progress=options.progress)
    game = Game.named(GAME)
    switching = resolve_agent(f"{PRESET}-small", game)
    assert isinstance(switching, SwitchingAgent)
    plain = CaseBasedAgent("CaseBased3P", switching.base)
    others = [resolve_agent(text, game) for text in OPPONENTS.values()]
    two = _larger(HEADS_UP_GAME, HEADS_UP, LARGER_DEALS, switching.heads_up, options)
    three = _larger(GAME, EXPERT, LARGER_3P_DEALS, switching.base, options)
    versions = {
        "Non-Switching": plain,
        "Switching": switching,
        LARGER: SwitchingAgent("larger two", switching.base, two),
        LARGER_ALONE: CaseBasedAgent("larger three", three),
        BOTH_LARGER: SwitchingAgent("both larger", three, two),
    }
    results = {
        column: play_match(
            game, [agent, *others], hands=deals, seed=options.seed, workers=options.workers,
            progress=options.progress,
        )
        for column, agent in versions.items()
    }  # fmt: skip
    cells = [cell for column in PRINTED for cell in _column(column, results[column])]
    alone = "Non-Switching"
    unit = results[alone].unit * game.big_blind
    gained = {
        column: results[column].units[:, 0] - results[without].units[:, 0]
        for column, without in (
            ("Switching", alone), (LARGER, alone), (BOTH_LARGER, LARGER_ALONE), (LARGER_ALONE, alone)
        )
    }  # fmt: skip
    difference, with_larger, both_larger, by_size = (
        Estimate.of(values, unit=unit) for values in gained.values()
    )
    cells.append(measured("CaseBased3P", "difference", difference, "0.0117", other=_OTHER))
    cells.append(measured("CaseBased3P", f"difference {LARGER}", with_larger))
    cells.append(measured("CaseBased3P", f"difference {BOTH_LARGER}", both_larger))
    mapped, unmapped = _answered(switching, others, options, deals)
    share = mapped / max(1, mapped + unmapped)
    cells.append(Cell("decisions after a fold", "answered by the two-player base", None, share))
    changed = float((gained["Switching"] != 0).mean())
    cells.append(Cell("deals", "on which switching changes what is won", None, changed))
    stand_ins = ", ".join(f"{name} by {text}" for name, text in OPPONENTS.items())
    needed = difference.count_needed
    return Result(
        cells,
        notes=(
            f"{deals:,} deals in six seatings, the same for both versions; {stand_ins}.",
            f"The paired difference is {difference:.4f} small bets a hand"
            + ("" if needed is None else f"; about {needed:,} deals tell such a one from 0")
            + f". The two-player base answered {mapped:,} of {mapped + unmapped:,} decisions after a fold "
            f"in the first {min(deals, COUNTED_DEALS):,} deals.",
            f"The three-player base has {switching.base.decisions:,} decisions of {EXPERT} "
            f"({load_or_build_strategy(EXPERT).info.iterations or 0:,} iterations), the two-player base "
            f"{switching.heads_up.decisions:,} of {HEADS_UP} "
            f"({load_or_build_strategy(HEADS_UP).info.iterations or 0:,} iterations).",
            f"With a two-player base of {two.decisions:,} decisions of the same expert the difference is "
            f"{with_larger:.4f}; if the three-player base has {three.decisions:,} too, {both_larger:.4f}. Without "
            f"switching the larger three-player base wins {by_size:.4f} more than the other.",
            "The caption says small bets, the text small blinds.",
            "Printed sums: switching 0.0000, non-switching 0.0004, of which rounding explains 0.00015.",
        ),
    )


def _larger(game: str, expert: str, deals: int, small: CaseBase, options: Options) -> CaseBase:
    """A base as the small one, of more hands of its expert."""
    lesson = Lesson(game, (expert,), deals=deals, seed=1000 * options.seed)
    return lesson.base(small.architecture, workers=options.workers, progress=options.progress)


def _column(column: str, result: MatchResult) -> list[Cell]:
    table = printed("sartre/table15")
    found = []
    for place, player in enumerate(("CaseBased3P", *OPPONENTS)):
        won = result.small_bets_per_hand(place)
        found.append(measured(player, column, won, table.text(player, column), other=_OTHER))
    return found


def _answered(
    switching: SwitchingAgent, others: list[Agent], options: Options, deals: int
) -> tuple[int, int]:
    """How many decisions after a fold the two-player base answered, and how many it did not."""
    counting = SwitchingAgent(switching.name, switching.base, switching.heads_up)
    play_match(
        Game.named(GAME), [counting, *others], hands=min(deals, COUNTED_DEALS), seed=options.seed,
        workers=1, method="plain",
    )  # fmt: skip
    return counting.mapped, counting.unmapped
