"""`doyle results`: the hands that matches and leagues kept with --results."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from doyle.apps.cli.common import AsJson, output, progress_bar, say_written
from doyle.apps.cli.options import check_file
from doyle.matches.results.hands import hands_in

results_app = typer.Typer(
    help="Show or export the hands that `match` and `league` kept with --results.",
    no_args_is_help=True,
)

Folder = Annotated[
    Path,
    typer.Argument(metavar="FOLDER", help="The folder of --results, or one table of a league."),
]


def register(app: typer.Typer) -> None:
    app.add_typer(results_app, name="results")


@results_app.command()
def show(folder: Folder, as_json: AsJson = False) -> None:
    """Show each player's winnings, and how hands ended."""
    tables = hands_in(folder)
    reports = [hands.report() for hands in tables]
    document = {
        "tables": [report.document() for report in reports],
        "hands_played": sum(map(len, tables)),
    }
    output(document, as_json=as_json, text=lambda: chain(*(report.text() for report in reports)))


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
