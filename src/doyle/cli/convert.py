"""`doyle convert`: hand histories from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from doyle.cli.common import AsJson, output


def register(app: typer.Typer) -> None:
    app.command()(convert)


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A .log, .phh or .phhs file.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="A .log, .phh or .phhs file.")],
    game_name: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="The game of a log (default: the one its first line names); a PHH file names its own.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Convert hand histories between ACPC logs and PHH, by suffix; .gz and .xz are packed."""
    from doyle.games import Game
    from doyle.histories.convert import convert_file

    game = Game.named(game_name) if game_name is not None else None
    summary = convert_file(source, target, game)
    document = {
        "in": str(source),
        "out": str(target),
        "hands": summary.hands,
        "game": summary.game.name,
        "players": {
            name: float(total) for name, total in zip(summary.players, summary.totals, strict=True)
        },
    }
    output(
        document,
        as_json=as_json,
        text=lambda: typer.echo(f"{source} -> {target}: {summary.hands} hands"),
    )
