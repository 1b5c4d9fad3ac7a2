"""`doyle convert`: hand histories from one format to another, with a count of refused hands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from doyle.apps.cli.common import AsJson, output, progress_bar
from doyle.base.display import Text
from doyle.games import Game
from doyle.games.histories.convert import Conversion
from doyle.games.histories.convert import convert as run


def register(app: typer.Typer) -> None:
    app.command()(convert)


def convert(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="A .log, .phh or .phhs file, or a folder of them.")
    ],
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="[OUT]", help="A .log, .phh or .phhs file; without it hands are only counted."
        ),
    ] = None,
    game_name: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="The game of a log (default: the one its head names), or the only one to take "
            "from PHH files, which name their own.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Convert hand histories between ACPC logs and PHH, by suffix; .gz and .xz are packed.

    Hands of a folder or .phhs file that cannot be read are counted by reason, and the others
    converted: exit code 0. If none can be read nothing is written: exit code 2.
    """
    game = Game.named(game_name) if game_name is not None else None
    with progress_bar() as progress:
        result = run(source, target, game=game, progress=progress)
    output(
        _document(source, target, result),
        as_json=as_json,
        text=lambda: _print(source, target, result),
    )


def _document(source: Path, target: Path | None, result: Conversion) -> dict[str, Any]:
    game = result.game if result.one_game else None
    return {
        "in": str(source),
        "out": None if target is None else str(target),
        "files": result.files,
        "hands": result.hands,
        "refused_hands": result.refused_hands,
        "reasons": [
            {"reason": reason, "hands": refused.hands, "example": refused.example}
            for reason, refused in result.reasons()
        ],
        "game": None if game is None else game.name,
        "definition": None if game is None else game.to_text(),
        "players": [
            {"name": name, "chips": float(total)} for name, total in result.players.items()
        ],
    }


def _print(source: Path, target: Path | None, result: Conversion) -> Text:
    arrow = "" if target is None else f" -> {target}"
    refused = f", {result.refused_hands} refused" if result.refused else ""
    yield f"{source}{arrow}: {result.hands} hands{refused}"
    for reason, entry in result.reasons():
        yield f"{entry.hands:>8}  {reason}"
        yield f"{'':>10}{entry.example}"
