"""The agents of the thesis's Hold'em tables, in one place, and matches between them.

A table names its agents by a key of `PLAYERS`. At small scale each is built by one thread up to a fixed
number of iterations under a name of its own (`papers-...`, with a digest of what is solved), so that a user's build of the same preset, which
may go on for hours, never changes a table; at published scale the preset itself plays, built if it is
missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from doyle.artifacts.validation import validated
from doyle.building import (
    BuildDescription,
    agent_folder,
    build,
    load_or_build_strategy,
    named_build,
)
from doyle.building.identity import has_snapshot, identity
from doyle.errors import DoyleError
from doyle.experiments.papers.measured_cells import Measured, kept
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.result import Cell, measured
from doyle.experiments.papers.verdicts import Uncounted
from doyle.games import Game
from doyle.matches import play_match
from doyle.measuring.exact_hands.run import run_exact_hands
from doyle.statistics import Estimate
from doyle.strategy import load_strategy
from doyle.workers import Workers, map_items

ITERATIONS = 1 << 22
"""Of every small agent that says nothing else: 13 to 25 seconds of one core were measured."""

LONG = 1 << 24
"""Of players that are compared with each other by their cards: fine cards converge later than coarse ones."""

PUBLISHED_BOARDS_TIMES = 10
"""How many times as many boards are looked at at published scale."""


@dataclass(frozen=True)
class Player:
    """A preset (with `@GAME`), or a preset with another betting model and other cards.

    `small` are the cards at small scale, if not those of the preset.
    """

    preset: str
    betting: str | None = None
    cards: str | None = None
    small: str | None = None
    iterations: int = ITERATIONS

    @property
    def is_preset(self) -> bool:
        """Whether at published scale the preset itself plays."""
        return self.betting is None and self.cards is None


TWELVE = "ir169.72hs2x2hs.12.12"
SMALL_8S, SMALL_12S = "ir169.16.4.4", "ir169.18hs2x2hs.6.6"

PLAYERS: dict[str, Player] = {
    # Tables 4.2 and 4.5; at small scale also 3.4 and 3.5, whose agent has other cards.
    "fcpa 500bb": Player("thesis-fcpa"),
    "fc75pa 500bb": Player("fc75pa"),
    "fc125pa 500bb": Player("fc125pa"),
    # Tables 4.3 and 4.6.
    "fchpta 100bb": Player("thesis-fchpta"),
    "fc75pa 100bb": Player("fc75pa@holdem-nl-100bb"),
    "fc125pa 100bb": Player("fc125pa@holdem-nl-100bb"),
    # Tables 3.4 and 3.5 and the ten-pot bet.
    "fcpa 8.8.8.8": Player("hyperborean07"),
    # What naivePA wins from it turns with convergence: -12,564 mb/h after 2^20 iterations, -3,146 after 2^22.
    "fcpta 8.8.8.8": Player("thesis-fcpta", iterations=LONG),
    # Table 3.1: 8s and 12s become 4s and 6s at small scale, which keeps their ratio. Signs turn with convergence:
    # 12s wins -379, -81 and +30 mb/h from 8s after 2^20, 2^22 and 2^24 iterations.
    "fchpta 8s 100bb": Player("thesis-fchpta", small=SMALL_8S, iterations=LONG),
    "fcpta 12s 100bb": Player(
        "thesis-fchpta", betting="fcpta", cards=TWELVE, small=SMALL_12S, iterations=LONG
    ),
    "fcpta 8s 100bb": Player("thesis-fchpta", betting="fcpta", small=SMALL_8S, iterations=LONG),
    # Tables 3.2 and 5.2: three agents of one size; a twelfth of the buckets at small scale. These and the agents of
    # 3.3 are solved as long as those of 3.1, whose signs turn with convergence, and the finest cards four times as long.
    "fchpea 200bb": Player(
        "hyperborean09-br",
        small="ir169.dir-pub5x12hs2x5hs-pub5x1.dir-pub3x7hs2x3hs-pub3x1.20",
        iterations=LONG,
    ),
    "fcpea 200bb": Player(
        "hyperborean09-br",
        betting="fcpea",
        cards="ir169.dir-pub20x75hs2x36hs-pub20x1.dir-pub3x50hs2x18hs-pub3x1.900",
        small="ir169.dir-pub5x30hs2x30hs-pub5x1.dir-pub3x20hs2x15hs-pub3x1.300",
        iterations=4 * LONG,
    ),
    "fchqpwea 200bb": Player(
        "hyperborean09-eqm", small="ir169.ir6hs2x3hs.ir6hs3x3hs.18", iterations=LONG
    ),
    # Table 3.3, fcpta at 500bb: an eighth of the river buckets at small scale. The 12 and 8 buckets before the flop
    # stay: with 6 and 4 these two agents lost three to five times as much as printed. Those with five times the
    # buckets, or 16 times on the flop, are solved four times as long.
    "fcpta public": Player(
        "thesis-fcpta",
        cards="ir169.dir-pub20x205-pub20x1.dir-pub3x68-pub3x1.68",
        small="ir169.dir-pub10x51-pub10x1.dir-pub3x17-pub3x1.17",
        iterations=4 * LONG,
    ),
    "fcpta 12s ir169": Player(
        "thesis-fcpta", cards=TWELVE, small="ir169.36hs2x2hs.6.6", iterations=4 * LONG
    ),
    "fcpta forgetting": Player(
        "thesis-fcpta",
        cards="ir169.ir64.ir512.4096",
        small="ir169.ir32.ir128.512",
        iterations=LONG,
    ),
    "fcpta 8s ir169": Player(
        "thesis-fcpta", cards="ir169.64.8.8", small="ir169.32.4.4", iterations=LONG
    ),
    "fcpta 12s": Player("thesis-fcpta", cards="12.12.12.12", small="12.6.6.6", iterations=4 * LONG),
    "fcpta 8s": Player("thesis-fcpta", small="8.4.4.4", iterations=LONG),
    # Table 4.1.
    "fcpa 5.5.5.5": Player("hyperborean07", cards="5.5.5.5", small="5.5.5.5"),
    # Tartanian 2008, section 7.
    "tartanian": Player("tartanian"),
}
"""Every agent that a table names."""

_SAME_WHEN_SMALL = {"fcpa 8.8.8.8": "fcpa 500bb"}
"""Agents that differ in their cards alone, which are the same at small scale."""


def player_description(name: str, *, scale: str) -> BuildDescription:
    """What is built for a player: a preset, or under a name of its own that ends with a digest of what is solved."""
    if scale == "small":
        name = _SAME_WHEN_SMALL.get(name, name)
    player = PLAYERS[name]
    description = named_build(player.preset, scale="full")
    if description is None:
        raise DoyleError(f"papers: player {name!r}: no preset {player.preset!r}")
    own: dict[str, str | None] = {
        "name": "papers-" + name.lower().replace(" ", "-").replace("/", "-"),
        "betting": player.betting,
        "cards": player.cards,
    }
    if scale == "small":
        small = description.at_scale("small")
        own["cards"] = player.small or small.cards.value
        own["solver"] = small.solver.value
    elif player.is_preset:
        return description
    else:
        own["name"] = f"{own['name']}-published"
    fields = {**description.model_dump(), **{key: text for key, text in own.items() if text}}
    described = validated(BuildDescription, fields, where=f"player {name}")
    digest = sha256(json.dumps(identity(described), sort_keys=True).encode()).hexdigest()
    return described.model_copy(update={"name": f"{described.name}-{digest[:8]}"})


def built_player(name: str, options: Options) -> str:
    """The text of a player as an agent, built first if it is missing."""
    return _built(name, options.scale, options.workers)


def build_players(names: Iterable[str], options: Options) -> None:
    """Build the small players that are missing, side by side: each is solved by one thread."""
    if options.scale != "small":
        return
    found = {player_description(name, scale="small").name: name for name in names}
    missing = [name for name in found.values() if not _is_solved(name)]
    workers = options.workers if options.workers.cluster is None else Workers(1)
    for _ in map_items(
        _build_small, missing, workers=workers, progress=options.progress, label="players"
    ):
        pass


@lru_cache(maxsize=64)
def _built(name: str, scale: str, workers: Workers) -> str:
    description = player_description(name, scale=scale)
    player = PLAYERS[name]
    if scale == "small":
        if not _is_solved(name):
            _build_small(name)
    elif player.is_preset:
        load_or_build_strategy(player.preset, workers=workers)
        return player.preset
    elif not has_snapshot(agent_folder(description.name) / "strategy"):
        build(description, workers=workers, solve_here=True)
    return str(agent_folder(description.name))


def _is_solved(name: str) -> bool:
    """Whether there is a small player with all its iterations."""
    stored = agent_folder(player_description(name, scale="small").name) / "strategy"
    if not has_snapshot(stored):
        return False
    return (load_strategy(stored).info.iterations or 0) >= PLAYERS[name].iterations


def _build_small(name: str) -> None:
    description = player_description(name, scale="small")
    build(description, iterations=PLAYERS[name].iterations, workers=Workers(1))


def player_game(name: str) -> Game:
    """The game that a player was made for."""
    return Game.named(player_description(name, scale="small").game.value)


def played_as(name: str, translation: str, options: Options) -> str:
    """A player with a translation, as the text of an agent."""
    return f"{built_player(name, options)}:translation={translation}"


def won(
    game: Game,
    first: tuple[str, str],
    second: tuple[str, str],
    options: Options,
    *,
    boards: int,
    least_stake: float = 0.0,
) -> Measured:
    """What the first agent wins from the second.

    An agent is given by its text and by what decides how it plays, which together name the cell. Histories of policies
    without a plan at which less than `least_stake` chips a hand are at stake are followed at random.
    """

    def measure() -> Estimate:
        return run_exact_hands(
            game,
            [first[0], second[0]],
            boards=boards,
            seed=options.seed,
            least_stake=least_stake,
            workers=options.workers,
        ).won

    key: dict[str, Any] = {
        "game": game.to_text(),
        "agents": [first[1], second[1]],
        "boards": boards,
        "seed": options.seed,
    }
    if least_stake:
        key["least_stake"] = least_stake
    return kept(key, measure)


def won_in_match(
    game: Game, first: tuple[str, str], second: tuple[str, str], options: Options, *, deals: int
) -> Measured:
    """As `won`, by a duplicate match: for agents whose many bet sizes have too many histories."""

    def measure() -> Estimate:
        return play_match(
            game, [first[0], second[0]], hands=deals, seed=options.seed, workers=options.workers
        ).mbb_per_hand(0)

    key = {
        "game": game.to_text(),
        "agents": [first[1], second[1]],
        "deals": deals,
        "seed": options.seed,
    }
    return kept(key, measure)


EXPLOITERS = {
    "+-": "size-tell",
    "-+": "reverse-size-tell",
    "+1-1": "one-chip-tell",
    "-1+1": "reverse-one-chip-tell",
}
"""Exploiters as the thesis prints them, and their names here."""


def identified(
    name: str, options: Options, *, technique: str = "", translation: str
) -> tuple[str, str]:
    """A player with a translation, or its exploiter, as `won` asks for it."""
    text = played_as(name, translation, options)
    folder = text.rpartition(":translation=")[0]
    strategy = load_or_build_strategy(folder)
    description = player_description(name, scale=options.scale)
    solved = {**identity(description), "iterations": strategy.info.iterations}
    before = f"{EXPLOITERS.get(technique, technique)}:" if technique else ""
    return before + text, f"{before}{sorted(solved.items())}:{translation}"


def repeated(
    row: str,
    column: str,
    published: str | None,
    found: Measured,
    *,
    uncounted: Uncounted | None = None,
    tuned: str | None = None,
    reason: str | None = None,
    turned: bool = False,
) -> Cell:
    """The cell of an experiment repeated by players of ours; `turned` if it is seen from the other side."""
    won = found.won.scaled(-1) if turned else found.won
    return measured(
        row, column, won, published, rebuilt=True,
        uncounted=uncounted, tuned=tuned, reason=reason,
        more={"boards": won.count, "seconds": found.seconds},
    )  # fmt: skip


def published_seconds(
    players: Iterable[str], measured: Iterable[Measured | Cell], options: Options
) -> float:
    """About how long a table takes at published scale: solving its players, and ten times the boards.

    The seconds of cells are those of when they were measured, so a table that resumes says the same.
    """
    found = [player_description(name, scale="published") for name in players]
    solving = sum({one.name: float(one.seconds.value) for one in found}.values())
    times = PUBLISHED_BOARDS_TIMES if options.scale == "small" else 1
    return solving + times * sum(map(_seconds, measured))


def _seconds(one: Measured | Cell) -> float:
    return float(one.more.get("seconds", 0.0)) if isinstance(one, Cell) else one.seconds


def played_notes(options: Options) -> tuple[str, ...]:
    """What every table of these says of its agents and of its published scale."""
    return (
        "The published agents cannot be had: agents of ours repeat the experiment, and signs are compared.",
        "At published scale every agent is solved for an hour on 2 cores, and "
        f"{PUBLISHED_BOARDS_TIMES} times as many boards or deals are looked at.",
    )


def boards_of(options: Options, small: int) -> int:
    """How many boards a cell is measured on."""
    if options.hands is not None:
        return options.hands
    return small if options.scale == "small" else PUBLISHED_BOARDS_TIMES * small
