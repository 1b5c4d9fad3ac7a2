"""`doyle aivat`: what a player of a log won, with the luck of cards and known choices taken out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from doyle.cli.common import AsJson, output, progress_bar
from doyle.cli.missing import BuildMissing, build_missing

if TYPE_CHECKING:
    from doyle.games import Game
    from doyle.measuring.variance_reduction.log_run import AivatResult
    from doyle.measuring.variance_reduction.records import Estimate


def register(app: typer.Typer) -> None:
    app.command()(aivat)


def aivat(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="An ACPC log of two players.")],
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="AGENT|NAME=AGENT",
            help="A player's agent, which gives its probabilities; once or twice. NAME is the "
            "player's in the log (default: the agent's). The first one's result is shown.",
        ),
    ] = None,
    game_name: Annotated[
        str | None,
        typer.Option(
            "--game", metavar="GAME", help="The game (default: the one the log's head names)."
        ),
    ] = None,
    hands: Annotated[
        int | None, typer.Option("--hands", min=1, help="Only so many hands from the first.")
    ] = None,
    build: BuildMissing = False,
    as_json: AsJson = False,
) -> None:
    """Measure a match from its log with far less noise, where one or both strategies are known.

    The mean is the same as that of the chips won.
    """
    from doyle.games import Game
    from doyle.histories.log_game import game_of_log
    from doyle.measuring.variance_reduction.log_run import run_log

    game = Game.named(game_name) if game_name is not None else game_of_log(log)
    known = _by_name(agents or [], log, game, build=build)
    with progress_bar() as progress:
        result = run_log(game, log, dict(known), most_hands=hands, progress=progress)
    output(result.to_json(), as_json=as_json, text=lambda: _show(result))


def _by_name(texts: list[str], log: Path, game: Game, *, build: bool) -> dict[str, str]:
    """Agents by the names of their players in the log."""
    from doyle.histories import read_hands
    from doyle.matches.log import log_name
    from doyle.matches.match import agent_name, distinct_names

    players = next((hand.players for hand in read_hands(log, game)), ())
    split = [text.split("=", 1) if text.split("=", 1)[0] in players else [text] for text in texts]
    given = [parts[-1] for parts in split]
    build_missing(given, build=build, game=game)
    names = [
        parts[0] if len(parts) == 2 else log_name(agent_name(parts[0], game)) for parts in split
    ]
    return dict(zip(distinct_names(names), given, strict=True))


def _show(result: AivatResult) -> None:
    typer.echo(f"{'match':<10}{result.player} against {result.opponent} in {result.game.name}")
    typer.echo(f"{'hands':<10}{result.hands:,}; known: {', '.join(result.known)}")
    typer.echo(f"{'plain':<10}{_said(result.plain)}")
    typer.echo(f"{'AIVAT':<10}{_said(result.corrected)}")
    if result.sd_reduction is not None:
        typer.echo(f"{'':<10}standard deviation {100 * result.sd_reduction:.1f}% less")


def _said(estimate: Estimate) -> str:
    interval = "" if estimate.ci95 is None else f" ± {estimate.ci95:.1f}"
    return f"{estimate.mbb_per_hand:.1f}{interval} mbb/h, sd {estimate.sd:.0f} a hand"
