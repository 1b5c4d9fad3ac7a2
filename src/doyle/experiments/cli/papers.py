"""`doyle papers`: the published tables and figures, computed again beside the printed numbers."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.apps.cli.app import resumable
from doyle.apps.cli.common import (
    AsJson,
    Seed,
    WorkersText,
    output,
    plain_console,
    progress_bar,
    say_written,
    shown,
)
from doyle.apps.cli.options import check_folder
from doyle.base.display import duration

if TYPE_CHECKING:
    from rich.console import Console

    from doyle.experiments.papers.cell import Cell
    from doyle.experiments.papers.judgement import Judgement
    from doyle.experiments.papers.registry import Entry, Options
    from doyle.experiments.papers.table import Result


COMMANDS = (
    "doyle papers all --results docs/results      # runs what is not kept yet; --minutes, --only bound it",
    "doyle papers played --results docs/results   # of that the experiments",
    "doyle papers NAME --results docs/results     # one table again; --scale published: the paper's size",
    "doyle papers page --results docs/results --output docs/lab",
)
"""The commands that generate docs/lab/results.md."""

SEVERAL = ("all", "played")
"""Names of groups of tables."""


def register(app: typer.Typer) -> None:
    app.command()(papers)


def papers(
    name: Annotated[
        str,
        typer.Argument(
            help="A name such as ijcai2013/table1; `list`; `all`: everything that --results does not "
            "hold yet; `played`: of that the experiments, whose agents are built and play; `page`: results.md in "
            "the folder --output, from --results."
        ),
    ] = "list",
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
        typer.Option(
            metavar="small|published",
            help="Of experiments; published: the paper's numbers of hands.",
        ),
    ] = "small",
    hands: Annotated[
        int | None, typer.Option(min=1, help="Deals of each match of an experiment.")
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option("--results", metavar="FOLDER", help="Keep results there, for `page`."),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(min=0, help="Of `all` and `played`: begin no table after so many minutes."),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="PATTERNS",
            help="Of `all` and `played`: the tables that fit one of these, as in 'thesis/table4*,tartanian*'.",
        ),
    ] = None,
    seed: Seed = 0,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Regenerate a published table or figure; ours beside the published value."""
    from doyle.base.errors import FieldError
    from doyle.base.workers import parse_workers
    from doyle.experiments.papers.registry import Options, find
    from doyle.experiments.papers.running import run_table

    if name == "list":
        _list(as_json=as_json)
        return
    check_folder("--output", folder)
    if folder is not None and folder.suffix == ".csv":
        raise FieldError("output", "is a folder, with a CSV file for each table", value=str(folder))
    check_folder("--results", results)
    if name == "page":
        _page(results, folder, as_json=as_json)
        return
    several = name in SEVERAL
    for field, value in (("minutes", minutes), ("only", only)):
        if value is not None and not several:
            raise FieldError(field, "only for `all` and `played`")
    entry = None if several else find(name)
    entries = _chosen(name, only) if several else []
    hint = f"the same command resumes after the tables kept in {results}" if several else ""
    with resumable(lambda: hint), progress_bar() as progress:
        options = Options(
            seed=seed, scale=scale, hands=hands, workers=parse_workers(workers), progress=progress
        )
        if entry is None:
            ran = _run_all(entries, options, results, minutes)
        else:
            regenerated = run_table(entry, options, results)
            if regenerated.path is not None:
                say_written(regenerated.path)
    if entry is None:
        output(ran, as_json=as_json, text=lambda: _show_all(ran))
        return
    result, document = regenerated.result, regenerated.document()
    if folder is not None:
        figures = [path for figure in result.figures for path in figure.draw(folder)]
        tables = list(result.write_csv(folder))
        document["figures"] = [str(path) for path in figures]
        document["tables"] = [str(path) for path in tables]
        for path in (*tables, *figures):
            say_written(path)
    output(document, as_json=as_json, text=lambda: _print(result, regenerated.judged))


def _chosen(name: str, only: str | None) -> list[Entry]:
    """The tables of `all` or `played` that fit one of the patterns."""
    from fnmatch import fnmatchcase

    from doyle.base.errors import FieldError
    from doyle.experiments.papers.registry import ENTRIES

    entries = [entry for entry in ENTRIES if name == "all" or entry.is_experiment]
    if only is None:
        return entries
    patterns = [pattern.strip() for pattern in only.split(",")]
    for pattern in patterns:
        if not any(fnmatchcase(entry.name, pattern) for entry in entries):
            raise FieldError("only", f"fits no table of `{name}`", value=pattern)
    return [one for one in entries if any(fnmatchcase(one.name, each) for each in patterns)]


def _run_all(
    entries: Sequence[Entry], options: Options, kept_in: Path | None, minutes: float | None
) -> dict[str, Any]:
    """Run tables without kept results; failures are named."""
    from doyle.base.errors import FieldError
    from doyle.experiments.papers.kept_results import file_of
    from doyle.experiments.papers.running import run_tables

    if kept_in is None:
        raise FieldError("results", "`all` and `played` need a folder to keep results in")
    started = time.monotonic()
    missing = [entry for entry in entries if not file_of(kept_in, entry.name).is_file()]
    ran: dict[str, Any] = {"ran": [], "left": [], "failed": {}}
    ran["kept"] = [entry.name for entry in entries if entry not in missing]
    for one in run_tables(missing, options, kept_in, minutes=minutes):
        if one.path is not None:
            say_written(one.path)
            ran["ran"].append(one.name)
        elif one.error is not None:
            ran["failed"][one.name] = one.error
        else:
            ran["left"].append(one.name)
    ran["seconds"] = round(time.monotonic() - started, 1)
    return ran


def _show_all(ran: dict[str, Any]) -> None:
    for what in ("ran", "kept", "left"):
        typer.echo(f"{what}: {', '.join(ran[what]) or 'none'}")
    typer.echo(f"seconds: {ran['seconds']:g}")
    for name, error in ran["failed"].items():
        typer.echo(f"failed: {name}: {error}")


def _page(results: Path | None, folder: Path | None, *, as_json: bool) -> None:
    from doyle.base.artifacts.files import write_text
    from doyle.base.errors import FieldError
    from doyle.experiments.papers.kept_results import read_all
    from doyle.experiments.papers.page import page as page_of
    from doyle.experiments.papers.registry import ENTRIES

    if results is None:
        raise FieldError("results", "`page` needs the folder of kept results")
    if not results.is_dir():
        raise FieldError("results", f"{results}: no such folder")
    text = page_of(ENTRIES, results, commands=COMMANDS)
    judged = [
        {"name": kept.entry.name, "is_kept": kept.document is not None, **found.document()}
        for kept, found in read_all(ENTRIES, results)
    ]
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / "results.md", text)
        say_written(folder / "results.md")
    if as_json or folder is None:
        output({"tables": judged}, as_json=as_json, text=lambda: typer.echo(text))


def _list(*, as_json: bool) -> None:
    """Show the tables that can be regenerated, and the parts of the papers that cannot."""
    from doyle.experiments.papers.registry import ENTRIES, UNAVAILABLE

    listed = [{"name": entry.name, "title": entry.title} for entry in ENTRIES]
    absent = [one._asdict() for one in UNAVAILABLE]

    def show() -> None:
        width = max(len(entry["name"]) for entry in listed)
        for entry in listed:
            typer.echo(f"{entry['name']:<{width}}  {entry['title']}")
        typer.echo("\ncannot be had:")
        for one in UNAVAILABLE:
            typer.echo(f"  {one.name} ({one.where}): {one.reason}; instead: {one.instead}")

    output({"papers": listed, "unavailable": absent}, as_json=as_json, text=show)


EXTRA = ("exact_value", "exact_fraction", "exploitability_of_ours")
"""Further numbers of a cell that are shown."""


def _print(result: Result, judged: Judgement) -> None:
    from doyle.experiments.papers.page import scores

    console = plain_console()
    console.print(f"{result.name}: {result.title}\n  {result.source}")
    if result.tuned is not None:
        console.print(f"changed after an outcome was seen: {result.tuned}")
    if result.cells:
        extra = [key for key in EXTRA if any(key in cell.more for cell in result.cells)]
        if "exact_value" in extra and "exact_fraction" in extra:
            extra.remove("exact_fraction")
        widths = ["±"] if any(cell.is_sampled for cell in result.cells) else []
        heads = ["row", "column", "published*", "ours", *widths, *extra, "word", "ratio", ""]
        rows = [_cells(cell, bool(widths), extra) for cell in result.cells]
        remarked = any(row[-1] for row in rows)
        rows = rows if remarked else [row[:-1] for row in rows]
        _table(console, heads if remarked else heads[:-1], rows, numbers=range(2, len(heads) - 3))
        console.print("* printed in the paper; every other number was computed in this run")
        counted = ", ".join(f"{count} {word}" for word, count in judged.words.items())
        if counted:
            console.print(f"words: {counted}")
    if judged.claims:
        claims = [[one.text, one.finding, one.detail] for one in judged.claims]
        _table(console, ["claim of the paper", "", "by ours"], claims, numbers=())
    for line in scores(judged):
        console.print(line)
    for section in result.sections:
        console.print(f"\n{section.title}")
        rows = [[_shown(value) for value in row] for row in section.rows]
        _table(console, list(section.columns), rows, numbers=())
    for note in result.notes:
        console.print(f"note: {note}")
    if result.published_seconds is not None:
        console.print(f"published scale: about {duration(result.published_seconds)}")


def _table(
    console: Console, heads: list[str], rows: list[list[str]], *, numbers: Collection[int]
) -> None:
    """A table as wide as the terminal at most: long names continue in the next line."""
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


def _cells(cell: Cell, has_widths: bool, extra: Sequence[str]) -> list[str]:
    from doyle.experiments.papers.page import line_of

    row, column, published, _, _, word, ratio, remarks = line_of(cell)
    width = "" if cell.ci95 is None else _shown(cell.ci95)
    more = [*([width] if has_widths else []), *(_shown(cell.more.get(key, "")) for key in extra)]
    return [row, column, published, _shown(cell.ours), *more, word, ratio, remarks]


def _shown(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
