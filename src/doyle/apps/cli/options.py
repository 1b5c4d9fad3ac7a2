"""Options and arguments that several commands share, and what stands behind them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from doyle.agents.registry import OWN_NAMES
from doyle.agents.resolve import is_foreign, own_game
from doyle.apps.cli.missing import build_missing
from doyle.apps.cli.paths import given_path
from doyle.base.errors import DoyleError
from doyle.games import Game

if TYPE_CHECKING:
    from doyle.matches.chance import Chance

DEFAULT_GAME = "holdem-nl-200bb"

AgentText = Annotated[
    str, typer.Argument(metavar="AGENT", help="Any agent: see `doyle agents list`.")
]
PolicyText = Annotated[
    str, typer.Argument(metavar="AGENT", help="An agent that gives its probabilities.")
]
GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A bundled game or a definition file.")
]
GameOfAgent = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help=f"A bundled game or a definition file (default: the agent's, or {DEFAULT_GAME}).",
    ),
]
GameOfHands = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="The game (default: the one the file names)."),
]
MatchStateText = Annotated[
    str,
    typer.Option(
        "--state",
        metavar="MATCHSTATE",
        help="What the seat to act sees, such as 'MATCHSTATE:1:0:cr300:|AsKd'.",
    ),
]
Page = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE.html", parser=given_path, help="Write an HTML page too."
    ),
]
Log = Annotated[Path | None, typer.Option("--log", help="Write the hands as an ACPC log.")]
TimeLimit = Annotated[
    float,
    typer.Option("--time-limit", help="Seconds for one action; a slower agent forfeits the match."),
]
Sealed = Annotated[
    bool,
    typer.Option(
        "--sealed",
        help="Take cards and dice from the system's randomness; the result reveals the secret.",
    ),
]
Secret = Annotated[
    str | None,
    typer.Option(
        "--secret",
        metavar="HEX|LOG",
        help="Replay a sealed match: its secret, or the log that ends with it.",
    ),
]
DealsFrom = Annotated[
    str,
    typer.Option(
        "--deals",
        metavar="secret|acpc",
        help="acpc: the ACPC dealer's deals of the seed, which agents can search for.",
    ),
]


def game_of_agent(agent: str, game: str | None, *, build: bool) -> Game:
    """The game given, or that of the agent's strategy, or the default; the agent is built if need be."""
    if game is not None:
        chosen = Game.named(game)
        build_missing([agent], build=build, game=chosen)
        return chosen
    if agent not in OWN_NAMES and not is_foreign(agent):
        build_missing([agent], build=build)
        own = own_game(agent)
        if own is not None:
            return own
    chosen = Game.named(DEFAULT_GAME)
    build_missing([agent], build=build, game=chosen)  # reports what is wrong with the text
    return chosen


def chosen_chance(seed: int, *, sealed: bool, secret: str | None, deals: str) -> Chance:
    """Where deals and dice come from, by --seed, --sealed, --secret and --deals."""
    from doyle.matches.chance import Chance  # for commands that play matches alone
    from doyle.matches.log import find_secret

    if deals not in ("secret", "acpc"):
        raise DoyleError(f"--deals {deals!r}: expected secret or acpc")
    if not sealed and secret is None:
        return Chance.repeatable(seed, deals="acpc" if deals == "acpc" else "secret")
    if deals == "acpc":
        raise DoyleError(
            "--deals acpc: the ACPC dealer's deals come from a seed, not from a secret"
        )
    return Chance.sealed(None if secret is None else find_secret(secret))
