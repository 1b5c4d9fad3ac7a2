"""Table 15: a three-player agent with and without switching to a two-player base, on the same deals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from doyle.agents import resolve_agent
from doyle.agents.cases import CaseBasedAgent, SwitchingAgent
from doyle.building import load_or_build_strategy
from doyle.cases.snapshot import load_snapshot
from doyle.games import Game
from doyle.matches import play_match
from doyle.matches.statistics import Estimate
from doyle.papers.registry import Options
from doyle.papers.result import Cell, Result, printed
from doyle.papers.sartre.competitions import SOURCE
from doyle.training.presets import train

GAME = "holdem-limit-3p"
PRESET = "sartre-3p-2011"
OPPONENTS = {"dpp": "ev", "akuma": "limit-3p-small:purification=full"}
"""Who stands for the two public bots: a mathematically fair one, and the purified expert."""


def table_15(options: Options) -> Result:
    """What each of the three wins, in both versions, and the paired difference."""
    deals = options.hands or (10_000 if options.scale == "published" else 100)
    load_or_build_strategy("limit-3p-small", workers=options.workers, progress=options.progress)
    train(load_snapshot(PRESET), scale="small", workers=options.workers, progress=options.progress)
    game = Game.named(GAME)
    switching = resolve_agent(f"{PRESET}-small", game)
    assert isinstance(switching, SwitchingAgent)
    plain = CaseBasedAgent("CaseBased3P", switching.base)
    table = printed("sartre/table15")
    players = ("CaseBased3P", *OPPONENTS)
    units, cells = {}, []
    for column, agent in (("Non-Switching", plain), ("Switching", switching)):
        # Objects play inside this process, so that decisions after a fold can be counted.
        others = [resolve_agent(text, game) for text in OPPONENTS.values()]
        result = play_match(
            game, [agent, *others], hands=deals, seed=options.seed, workers=1,
            progress=options.progress,
        )  # fmt: skip
        units[column] = np.asarray(result.units[:, 0])
        for place, player in enumerate(players):
            won = result.small_bets_per_hand(place)
            cells.append(
                Cell(
                    player, column, table.text(player, column), float(won.mean),
                    other="other opponents", more={"ci95": won.ci95},
                )
            )  # fmt: skip
        unit = result.unit
    paired = Estimate.of(units["Switching"] - units["Non-Switching"], unit=unit)
    difference = paired.scaled(Fraction(1, game.big_blind))
    cells.append(
        Cell("CaseBased3P", "difference", "0.0117", float(difference.mean),
             other="other opponents", more={"ci95": difference.ci95})
    )  # fmt: skip
    asked = switching.mapped + switching.unmapped
    share = switching.mapped / max(1, asked)
    cells.append(Cell("decisions after a fold", "answered by the two-player base", None, share))
    stand_ins = ", ".join(f"{name} by {text}" for name, text in OPPONENTS.items())
    return Result(
        "sartre/table15",
        "Three players with and without switching, small bets per hand",
        f"{SOURCE}, table 15",
        tuple(cells),
        notes=(
            f"{deals:,} deals in six seatings, the same for both versions; {stand_ins}.",
            f"The paired difference is {difference:.4f} small bets a hand; the two-player base answered "
            f"{switching.mapped:,} of {asked:,} decisions after a fold.",
            "The caption says small bets, the text small blinds.",
            "Printed sums: switching 0.0000, non-switching 0.0004, of which rounding explains 0.00015.",
        ),
    )
