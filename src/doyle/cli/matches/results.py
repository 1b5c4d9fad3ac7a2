"""`doyle results`: the hands that matches and leagues kept with --results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from doyle.cli.common import AsJson, output, plain_console, progress_bar, say_written
from doyle.cli.paths import check_file
from doyle.cli.terminal import shown
from doyle.matches.results.hands import MatchHands, hands_in

results_app = typer.Typer(
    help="Show or export the hands that `match` and `league` kept with --results.",
    no_args_is_help=True,
)

Folder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="What --results named, or one table of a league.")
]


def register(app: typer.Typer) -> None:
    app.add_typer(results_app, name="results")


@results_app.command()
def show(folder: Folder, as_json: AsJson = False) -> None:
    """Show what each player won, and how hands ended."""
    tables = hands_in(folder)
    documents = [hands.result().document() | hands.summary() for hands in tables]
    document = {"tables": documents, "hands_played": sum(map(len, tables))}
    output(document, as_json=as_json, text=lambda: _show(tables, documents))


@results_app.command()
def export(
    folder: Folder,
    file: Annotated[Path, typer.Argument(metavar="FILE.parquet", help="Where to write.")],
    cards: Annotated[bool, typer.Option("--cards", help="With the cards of every hand.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write one row per hand as a Parquet file (extra `parquet`)."""
    from doyle.matches.results.parquet import write_parquet

    check_file("FILE", file, suffixes=(".parquet",))
    tables = hands_in(folder)
    with progress_bar() as progress:
        count = write_parquet(tables, file, cards=cards, progress=progress)
    document = {"file": str(file), "hands_played": count, "table_count": len(tables)}
    output(document, as_json=as_json, text=lambda: say_written(file))


def _show(tables: list[MatchHands], documents: list[dict[str, Any]]) -> None:
    console = plain_console()
    for hands, document in zip(tables, documents, strict=True):
        result = hands.result()
        table = Table(title=f"{hands.game.name}: {len(hands):,} hands of {hands.deals:,} deals")
        table.add_column("player", overflow="fold")
        for heading in ("mean mbb/h", "of it at showdowns", "of it without showdown"):
            table.add_column(heading, justify="right", overflow="fold")
        for player, name in enumerate(hands.names):
            estimate = result.mbb_per_hand(player)
            part = document["mbb_per_hand_at_showdown"][name]
            rest = float(estimate.mean) - part
            table.add_row(name, shown(f"{estimate:.1f}"), f"{part:.1f}", f"{rest:.1f}")
        console.print(table)
        console.print(
            f"{document['showdown_share']:.1%} of hands were shown down, "
            f"{document['actions_per_hand']:.2f} actions a hand"
        )
