"""The evolution of Sartre: its limit agents in one league, and its no-limit agents in another.

The competitions of three years had other opponents each; here the agents of all years meet the same pool.
Two-player limit agents play from tables, no-limit agents retrieve case by case.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from doyle.agents.cases.named import named_cases
from doyle.building import load_or_build_strategy
from doyle.cases import CaseBase
from doyle.cases.snapshot import load_snapshot
from doyle.games import Agent, Game
from doyle.matches import play_league
from doyle.matches.statistics import Estimate
from doyle.matches.winners import CrossTable, instant_runoff, total_bankroll
from doyle.papers.registry import Options
from doyle.papers.result import Cell, Result
from doyle.papers.sartre.competitions import SOURCE
from doyle.papers.sartre.setting import EXPERT, Setting, measured
from doyle.training.presets import train

LIMIT = {"sartre-2009": "0.097", "sartre-2010": "0.203", "sartre-2011": "0.281"}
LIMIT_POOL = ("limit-2p-small", "gs2-limit-small", "gs3-limit-small")
SEVERAL = LIMIT_POOL
"""The experts of 2011 at small scale: the pool is made of them."""

NO_LIMIT = {"sartre-nl-2010": "0.537", "sartre-nl-2011": "1.302"}
NO_LIMIT_POOL = ("hyperborean09-eqm-small@holdem-nl-200bb", "ev")
NO_LIMIT_GAME = "holdem-nl-200bb"


def limit_evolution(options: Options) -> Result:
    """2009, 2010 and 2011 with their experts in one league, small bets per hand."""
    setting = Setting(options, 10_000, 10_000, 20_000, 9_000)
    players: dict[str, Agent] = {}
    for name in LIMIT:
        players[name] = setting.imitator(name, _bases(name, options))
    for name in LIMIT_POOL:
        players[name] = setting.expert(name)
    units: dict[tuple[str, str], npt.NDArray[np.int64]] = {}
    for first, second in combinations(players, 2):
        units[first, second] = setting.units(players[first], players[second])
        if options.progress is not None:
            options.progress("league", len(units), len(players) * (len(players) - 1) // 2)

    def bankroll(name: str) -> Estimate:
        won = [values if name == pair[0] else -values
               for pair, values in units.items() if name in pair]  # fmt: skip
        return setting.estimate(np.sum(won, axis=0), len(won))

    totals = {name: bankroll(name) for name in players}
    tables: CrossTable = {
        pair: (setting.estimate(values).mean, -setting.estimate(values).mean)
        for pair, values in units.items()
    }
    others = [name for name in players if name != "sartre-2011"]

    def instead(bases: CaseBase | list[CaseBase]) -> Estimate:
        """What other bases win in the place of 2011, against the same others."""
        agent = setting.imitator("instead", bases)
        won = [setting.units(agent, players[name]) for name in others]
        return setting.estimate(np.sum(won, axis=0), len(won))

    # Whether 2011 is held back by its further experts, or by voting.
    first_base = next(base for base in _bases("sartre-2011", options) if base.name == EXPERT)
    architecture = load_snapshot("sartre-2011").architecture
    equal = [setting.base(architecture, seed=seed) for seed in (1, 2, 3)]
    variants: dict[str, CaseBase | list[CaseBase]] = {
        f"2011 with the base of {EXPERT} only": first_base,
        f"2011 with one base of {EXPERT} against itself": equal[0],
        f"2011 with votes of three bases of {EXPERT} against itself": equal,
    }
    cells = [measured(name, "bankroll", instead(bases)) for name, bases in variants.items()]
    cells += [
        measured(f"{first} - {second}", "won by the first", setting.estimate(values))
        for (first, second), values in units.items()
    ]
    return _result(
        "sartre/evolution-limit",
        "Sartre 2009, 2010 and 2011 in one limit league, small bets per hand",
        LIMIT,
        totals,
        cells,
        (
            f"{setting.deals:,} duplicate deals a match, the same for all; 2011 votes by the bases of "
            f"{', '.join(SEVERAL)}.",
            f"Orders: {', '.join(total_bankroll(tables).names)} by total bankroll, "
            f"{', '.join(instant_runoff(tables).names)} by instant run-off.",
            setting.note(*LIMIT_POOL),
        ),
    )


def no_limit_evolution(options: Options) -> Result:
    """2010 and 2011 with their expert and `ev` in one league, big blinds per hand."""
    deals = options.hands or (3_000 if options.scale == "published" else 150)
    for name in NO_LIMIT:
        _bases(name, options)
    for name in NO_LIMIT_POOL[:1]:
        load_or_build_strategy(name, workers=options.workers, progress=options.progress)
    agents = [*(f"{name}-small" for name in NO_LIMIT), *NO_LIMIT_POOL]
    league = play_league(
        Game.named(NO_LIMIT_GAME), agents, hands=deals, seed=options.seed,
        workers=options.workers, progress=options.progress,
    )  # fmt: skip
    in_blinds = Fraction(1, 1000)
    totals = {
        name.removesuffix("-small"): league.bankroll(own).scaled(in_blinds)
        for name, own in zip(agents, league.names, strict=True)
    }
    first, second = league.names[:2]
    against = league.against(second, first).scaled(in_blinds)
    cells = [
        measured(
            f"{row} - {column}", "won by the first", league.against(row, column).scaled(in_blinds)
        )
        for row, column in combinations(league.names, 2)
    ]
    return _result(
        "sartre/evolution-no-limit",
        "Sartre 2010 and 2011 in one no-limit league, big blinds per hand",
        NO_LIMIT,
        totals,
        cells,
        (f"{deals:,} duplicate deals a match; 2011 wins {against:.3f} from 2010.",),
    )


def _bases(name: str, options: Options) -> list[CaseBase]:
    """The case bases of a preset at small scale, trained if they are missing."""
    train(load_snapshot(name), scale="small", workers=options.workers, progress=options.progress)
    found = named_cases(f"{name}-small")
    assert found is not None
    return found.bases()


def _result(
    name: str,
    title: str,
    published: dict[str, str],
    totals: dict[str, Estimate],
    further: list[Cell],
    notes: tuple[str, ...],
) -> Result:
    cells = [
        Cell(
            agent, "bankroll", published.get(agent), float(won.mean),
            other="other opponents" if agent in published else None, more={"ci95": won.ci95},
        )
        for agent, won in totals.items()
    ]  # fmt: skip
    ours = [float(totals[agent].mean) for agent in published]
    rises = all(later > earlier for earlier, later in pairwise(ours))
    order = "rise from year to year, as printed" if rises else "do not rise from year to year"
    return Result(
        name,
        title,
        f"{SOURCE}, tables 6 to 8, 12 and 13: the bankrolls of each year's competition",
        (*cells, *further),
        notes=(f"Our bankrolls {order}.", *notes),
    )
