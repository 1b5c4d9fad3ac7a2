"""`doyle papers`: the published tables and figures, computed again beside the printed numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.cli.common import (
    AsJson,
    Seed,
    WorkersText,
    output,
    plain_console,
    progress_bar,
    say_written,
)
from doyle.cli.paths import check_folder
from doyle.cli.terminal import shown

if TYPE_CHECKING:
    from rich.console import Console

    from doyle.papers.result import Cell, Result


def register(app: typer.Typer) -> None:
    app.command()(papers)


def papers(
    name: Annotated[str, typer.Argument(help="`list`, or a name such as ijcai2013/table1.")],
    folder: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="FOLDER",
            help="Write tables (CSV) and figures (PNG, SVG) into this folder.",
        ),
    ] = None,
    scale: Annotated[
        str,
        typer.Option(help="Of experiments: small, or published (the paper's numbers of hands)."),
    ] = "small",
    hands: Annotated[
        int | None, typer.Option(min=1, help="Deals of each match of an experiment.")
    ] = None,
    seed: Seed = 0,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Regenerate a published table or figure; ours beside the published value."""
    from doyle.papers.registry import Options, find
    from doyle.workers import parse_workers

    if name == "list":
        _list(as_json=as_json)
        return
    entry = find(name)
    check_folder("--output", folder)
    with progress_bar() as progress:
        options = Options(
            seed=seed, scale=scale, hands=hands, workers=parse_workers(workers), progress=progress
        )
        result = entry.run(options)
    document = result.document()
    document["seed"] = seed
    if entry.is_experiment:
        document["scale"] = scale
    if folder is not None:
        from doyle.papers.figures import draw
        from doyle.papers.tables import write_tables

        figures = [path for figure in result.figures for path in draw(figure, folder)]
        tables = write_tables(result, folder)
        document["figures"] = [str(path) for path in figures]
        document["tables"] = [str(path) for path in tables]
        for path in (*tables, *figures):
            say_written(path)
    output(document, as_json=as_json, text=lambda: _print(result))


def _list(*, as_json: bool) -> None:
    """What there is, and what cannot be had."""
    from doyle.papers.registry import ENTRIES
    from doyle.papers.unavailable import UNAVAILABLE

    listed = [{"name": entry.name, "title": entry.title} for entry in ENTRIES]
    absent = [one._asdict() for one in UNAVAILABLE]

    def show() -> None:
        for entry in listed:
            typer.echo(f"{entry['name']:<28}{entry['title']}")
        typer.echo("\ncannot be had:")
        for one in UNAVAILABLE:
            typer.echo(f"  {one.name} ({one.where}): {one.reason}; instead: {one.instead}")

    output({"papers": listed, "unavailable": absent}, as_json=as_json, text=show)


EXTRA = ("exact", "ci95", "least", "most", "exploitability", "by_linear_program")
"""Further numbers of a cell that are shown."""


def _print(result: Result) -> None:
    console = plain_console()
    console.print(f"{result.name}: {result.title}\n  {result.source}")
    if result.cells:
        extra = [key for key in EXTRA if any(key in cell.more for cell in result.cells)]
        heads = ["row", "column", "published*", "ours", *extra, "agrees"]
        rows = [_cells(cell, extra) for cell in result.cells]
        _table(console, heads, rows, numbers=range(2, 4 + len(extra)))
        console.print("* printed in the paper; every other number was computed in this run")
        if result.compared:
            agreeing = f"{result.agreeing} of {result.compared}"
            console.print(f"{agreeing} cells agree to the printed digit")
        if result.ranged is not None:
            inside, of = result.ranged
            console.print(f"{inside} of {of} printed values lie within our range (least to most)")
    for section in result.sections:
        console.print(f"\n{section.title}")
        rows = [[_shown(value) for value in row] for row in section.rows]
        _table(console, list(section.columns), rows, numbers=())
    for note in result.notes:
        console.print(f"note: {note}")


def _table(
    console: Console, heads: list[str], rows: list[list[str]], *, numbers: Collection[int]
) -> None:
    """A table as wide as the terminal at most: long names go on in the next line."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    for place, head in enumerate(heads):
        name = head.replace("_", " ")
        if place in numbers:
            table.add_column(name, justify="right", overflow="fold")
        else:
            table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*map(shown, row))
    console.print(table)


def _cells(cell: Cell, extra: Sequence[str]) -> list[str]:
    verdict = {True: "yes", False: "no", None: cell.other or ""}[cell.agrees]
    more = [_shown(cell.more.get(key, "")) for key in extra]
    return [cell.row, cell.column, cell.published or "-", _shown(cell.ours), *more, verdict]


def _shown(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
