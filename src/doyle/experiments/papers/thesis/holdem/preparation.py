"""The players of several tables, built side by side before the first table runs.

Each small player is solved by one thread, and a table has few of them: its longest one would keep the other cores
waiting. Over all tables there are enough to share out.
"""

from __future__ import annotations

from collections.abc import Iterable

from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.thesis.holdem.boundary import EXPLORED
from doyle.experiments.papers.thesis.holdem.coaches import STRATEGIES
from doyle.experiments.papers.thesis.holdem.exploited import SETTINGS
from doyle.experiments.papers.thesis.holdem.fixes import FCPA, FCPTA
from doyle.experiments.papers.thesis.holdem.players import PLAYERS, build_players
from doyle.experiments.papers.thesis.holdem.pokeminn import TESTED
from doyle.experiments.papers.thesis.holdem.trade_offs import LARGE_TREES, TABLES

PLAYERS_OF: dict[str, tuple[str, ...]] = {
    **{name: table.players for name, table in TABLES.items()},
    "thesis/table3.4-holdem": (FCPA,),
    "thesis/table3.5-holdem": (FCPA, FCPTA),
    "thesis/section3.3.3": (FCPA, FCPTA),
    "thesis/table4.1-holdem": (EXPLORED,),
    "thesis/table4.2": SETTINGS["500bb"].players,
    "thesis/table4.3": SETTINGS["100bb"].players,
    "thesis/table4.5": SETTINGS["500bb"].players,
    "thesis/table4.6": SETTINGS["100bb"].players,
    "thesis/table5.2": tuple(STRATEGIES.values()),
    "tartanian/section7": (TESTED,),
}
"""By the name of the table."""


def prepare(tables: Iterable[str], options: Options) -> None:
    """Build the missing small players of these tables, the slowest first."""
    named = {player for table in tables for player in PLAYERS_OF.get(table, ())}
    build_players(
        sorted(named, key=lambda name: (name not in LARGE_TREES, -PLAYERS[name].iterations, name)),
        options,
    )
