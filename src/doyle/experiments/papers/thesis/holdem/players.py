"""The agents of the thesis's Hold'em tables, in one place, and their winnings against each other.

A table names its agents by a key of `PLAYERS`. At small scale each is a small agent of the laboratory; at published
scale the preset itself plays, built if it is missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from doyle.base.artifacts.documents import validated
from doyle.base.errors import DoyleError
from doyle.base.statistics import Estimate
from doyle.base.workers import Workers, map_items
from doyle.building import (
    BuildDescription,
    agent_folder,
    build,
    load_or_build_strategy,
    named_build,
)
from doyle.building.pipeline import has_snapshot
from doyle.experiments.laboratory import (
    is_solved,
    kept_exact_hands,
    kept_match,
    own_description,
    small_agent,
)
from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.registry import Options
from doyle.games import Game

ITERATIONS = 1 << 22
"""Default iterations of a small agent: 13 to 25 seconds of one core were measured."""

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
    # The sign of naivePA's winnings against it changes with convergence: -12,564 mb/h after 2^20
    # iterations, -3,146 after 2^22.
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
    """The build of a player: a preset, or a variant of one."""
    if scale == "small":
        name = _SAME_WHEN_SMALL.get(name, name)
    player = PLAYERS[name]
    description = named_build(player.preset, scale="full")
    if description is None:
        raise DoyleError(f"papers: player {name!r}: no preset {player.preset!r}")
    own: dict[str, str | None] = {
        "name": name.lower().replace(" ", "-"),
        "betting": player.betting,
        "cards": player.cards,
    }
    if scale == "small":
        small = description.at_scale("small")
        own["cards"] = player.small or small.cards.value
        own["solver"] = small.solver.value
    elif player.is_preset:
        return description
    fields = {**description.model_dump(), **{key: text for key, text in own.items() if text}}
    described = validated(BuildDescription, fields, where=f"player {name}")
    return described if scale == "small" else own_description(described, 0)


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


def _is_solved(name: str) -> bool:
    return is_solved(player_description(name, scale="small"), PLAYERS[name].iterations)


def _build_small(name: str) -> str:
    return small_agent(player_description(name, scale="small"), PLAYERS[name].iterations)


def built_player(name: str, options: Options) -> str:
    """The text of a player as an agent, built first if it is missing."""
    return _built(name, options.scale, options.workers)


@lru_cache(maxsize=64)
def _built(name: str, scale: str, workers: Workers) -> str:
    if scale == "small":
        return _build_small(name)
    player, description = PLAYERS[name], player_description(name, scale=scale)
    if player.is_preset:
        load_or_build_strategy(player.preset, workers=workers)
        return player.preset
    if not has_snapshot(agent_folder(description.name) / "strategy"):
        build(description, workers=workers, solve_here=True)
    return str(agent_folder(description.name))


def player_game(name: str) -> Game:
    """The game that a player was made for."""
    return Game.named(player_description(name, scale="small").game.value)


EXPLOITERS = {
    "+-": "size-tell",
    "-+": "reverse-size-tell",
    "+1-1": "one-chip-tell",
    "-1+1": "reverse-one-chip-tell",
}
"""Exploiters as the thesis prints them, and their names here."""


def played_as(name: str, translation: str, options: Options, *, technique: str = "") -> str:
    """A player with a translation, or its exploiter by a technique, as the text of an agent."""
    text = f"{built_player(name, options)}:translation={translation}"
    return f"{EXPLOITERS.get(technique, technique)}:{text}" if technique else text


def won(
    game: Game, first: str, second: str, options: Options, *, boards: int, least_stake: float = 0.0
) -> Estimate:
    """Winnings of the first agent against the second over all hands on some boards."""
    return kept_exact_hands(
        game, (first, second),
        boards=boards, seed=options.seed, least_stake=least_stake, workers=options.workers,
    ).won  # fmt: skip


def won_in_match(game: Game, first: str, second: str, options: Options, *, deals: int) -> Estimate:
    """As `won`, by a duplicate match: for agents whose many bet sizes have too many histories."""
    return kept_match(
        game, (first, second), hands=deals, seed=options.seed, workers=options.workers
    ).mbb_per_hand(0)


def repeated(
    row: str,
    column: str,
    published: str | None,
    won: Estimate,
    *,
    turned: bool = False,
    **more: Any,
) -> Cell:
    """The cell of an experiment repeated by players of ours; `turned` if it is seen from the other side."""
    return measured(
        row, column, won.scaled(-1) if turned else won, published,
        rebuilt=True, more={"boards": won.count}, **more,
    )  # fmt: skip


def played_notes(options: Options) -> tuple[str, ...]:
    """The notes of every table on its agents and on its published scale."""
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
