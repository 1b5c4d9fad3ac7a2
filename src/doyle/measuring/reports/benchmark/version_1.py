"""Version 1 of the benchmark: what is frozen.

Opponents are baselines and scripts, which play the same for ever, and one strategy that is built on
this machine from a description of its own, by one thread and to a fixed number of iterations. Its
checksum is printed on every score card: builds of the same source give the same bytes, and where
another processor rounds differently the card shows it.
"""

from __future__ import annotations

from pathlib import Path

from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.building import BuildDescription, agent_folder, build, load_description
from doyle.games import Game
from doyle.strategy import load_strategy

VERSION = 1
SEED = 20_261_117
DEALS = 10_000

BASELINES = ("always-fold", "always-call", "always-raise", "always-all-in", "random", "ev")
SCRIPTS = (
    "pokeminn-144",
    "min-bettor",
    "street-bettor-0.33",
    "river-bettor-0.5",
    "overbettor-2",
    "overbettor-5",
)
"""Opponents in no-limit games with more than one round."""

REFERENCE = "reference-1"
REFERENCE_GAME = "holdem-nl-200bb"
REFERENCE_ITERATIONS = 1 << 21

POTS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
"""Bets of the probe in pots, from the least legal one (0)."""

PROBE_SEED = SEED + 1


def opponents(game: Game) -> tuple[str, ...]:
    """The opponents of an agent besides the reference strategy."""
    return (*BASELINES, *SCRIPTS) if is_probed(game) else BASELINES


def is_probed(game: Game) -> bool:
    """Whether bets of many sizes can be made after the first round."""
    return not game.is_limit and game.rounds > 1


def has_reference(game: Game) -> bool:
    return game.name == REFERENCE_GAME


def reference_file() -> Path:
    """The description of the reference strategy, whose path is its text as an agent."""
    return Path(__file__).with_name(f"{REFERENCE}.toml")


def reference_description() -> BuildDescription:
    return load_description(str(reference_file()))


def reference_is_built() -> bool:
    """Whether the reference strategy is there; refused if it was built further than it should be."""
    folder = agent_folder(REFERENCE) / "strategy"
    if not folder.exists():
        return False
    found = load_strategy(folder).info.iterations or 0
    if found > REFERENCE_ITERATIONS:
        raise DoyleError(
            f"{folder.parent}: has {found:,} iterations, not the {REFERENCE_ITERATIONS:,} of the "
            "benchmark; remove the folder, and it is built again"
        )
    return found == REFERENCE_ITERATIONS


def build_reference(progress: Progress | None = None) -> None:
    """Build the reference strategy: half a minute of one core after its cards."""
    if not reference_is_built():
        build(
            reference_description(),
            iterations=REFERENCE_ITERATIONS,
            workers=Workers(1),
            progress=progress,
        )


def reference_digest() -> str:
    """The digest of the reference strategy's tables."""
    origin = load_strategy(agent_folder(REFERENCE) / "strategy").origin
    return "" if origin is None else origin.digest
