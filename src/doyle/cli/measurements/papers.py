"""`doyle papers`: the published tables and figures, computed again beside the printed numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.cli.common import AsJson, Seed, WorkersText, output, progress_bar
from doyle.cli.paths import check_folder

if TYPE_CHECKING:
    from doyle.papers.result import Cell, Result


def register(app: typer.Typer) -> None:
    app.command()(papers)


def papers(
    name: Annotated[str, typer.Argument(help="`list`, or a name such as ijcai2013/table1.")],
    folder: Annotated[
        Path | None, typer.Option("--output", help="Write figures (PNG, SVG) into this folder.")
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
    from doyle.papers.registry import ENTRIES, Options, find
    from doyle.workers import parse_workers

    if name == "list":
        listed = [{"name": entry.name, "title": entry.title} for entry in ENTRIES]

        def show() -> None:
            for entry in listed:
                typer.echo(f"{entry['name']:<28}{entry['title']}")

        output({"papers": listed}, as_json=as_json, text=show)
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

        document["figures"] = [
            str(path) for figure in result.figures for path in draw(figure, folder)
        ]
    output(document, as_json=as_json, text=lambda: _print(result, document))


def _print(result: Result, document: dict[str, Any]) -> None:
    typer.echo(f"{result.name}: {result.title}")
    typer.echo(f"  {result.source}")
    if result.cells:
        typer.echo("")
        extra = [
            key
            for key in ("exact", "least", "most", "exploitability", "by_linear_program", "ci95")
            if key in result.cells[0].more
        ]
        header = f"  {'row':<30}{'column':<22}{'published*':>12}{'ours':>12}"
        typer.echo(header + "".join(f"{key[:16]:>18}" for key in extra) + "  agrees")
        for cell in result.cells:
            typer.echo(_line(cell, extra))
        typer.echo("  * printed in the paper; every other number was computed in this run")
        if result.compared:
            agreeing = f"{result.agreeing} of {result.compared}"
            typer.echo(f"  {agreeing} cells agree to the printed digit")
    for section in result.sections:
        typer.echo(f"\n  {section.title}")
        typer.echo("  " + "".join(f"{column:<24}" for column in section.columns))
        for row in section.rows:
            typer.echo("  " + "".join(f"{_shown(value):<24}" for value in row))
    for note in result.notes:
        typer.echo(f"  note: {note}")
    for path in document.get("figures", ()):
        typer.echo(f"  wrote {path}")


def _line(cell: Cell, extra: Sequence[str]) -> str:
    verdict = {True: "yes", False: "no", None: cell.other or ""}[cell.agrees]
    start = f"  {cell.row:<30}{cell.column:<22}{cell.published or '-':>12}{_shown(cell.ours):>12}"
    return (
        start + "".join(f"{_shown(cell.more.get(key, '')):>18}" for key in extra) + f"  {verdict}"
    )


def _shown(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
