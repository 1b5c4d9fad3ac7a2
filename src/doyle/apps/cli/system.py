"""`doyle doctor` and `doyle cache`: the installation and the files it keeps."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
from typing import Annotated, Any

import typer

from doyle.apps.cli.common import AsJson, output, progress_bar
from doyle.base.artifacts import Store
from doyle.base.artifacts.listing import (
    agent_rows,
    artifact_rows,
    case_base_rows,
    folder_size,
    parameter_text,
)
from doyle.base.display import Text
from doyle.base.errors import DoyleError
from doyle.base.paths import cache_folder
from doyle.base.version import __version__
from doyle.base.workers.local import available_cores

cache_app = typer.Typer(help="List, check or clear the files doyle keeps.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.command()(doctor)
    app.add_typer(cache_app, name="cache")


EXTRAS = ("web", "postgresql", "parquet", "ray")
"""The extras that commands need; the others are for work on doyle itself."""


def doctor(
    warm: Annotated[
        bool,
        typer.Option(
            "--warm", help="Compile the kernels of the common commands, which are kept, first."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show versions, cache, cores and disk, and what is missing.

    Everything in the cache is compared with its checksum.
    """
    from doyle.base._numba import is_damaged
    from doyle.base.artifacts.audit import audit

    if warm:
        from doyle.apps.cli.warming import warm as warm_up

        with progress_bar() as progress:
            warm_up(progress)
    required = ("numpy", "numba", "scipy", "typer", "rich", "pydantic", "matplotlib")
    optional = (
        "pytest",
        "hypothesis",
        "scikit-learn",
        "pokerkit",
        "open_spiel",
        "eval7",
        "phevaluator",
        "treys",
    )

    def version_of(name: str) -> str | None:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return None

    folder = cache_folder()
    existing = folder
    while not existing.exists():
        existing = existing.parent
    damaged = [
        finding.problem for finding in audit(folder, is_damaged_code=is_damaged) if finding.problem
    ]
    extras = {
        extra: [package for package in packages if version_of(package) is None]
        for extra, packages in _packages_of_extras().items()
    }
    usage = shutil.disk_usage(existing)
    problems = [f"{name} is not installed" for name in required if version_of(name) is None]
    problems += damaged[:_MOST_DAMAGED]
    if len(damaged) > _MOST_DAMAGED:
        problems.append(f"{len(damaged)} files of the cache are damaged: doyle cache check")
    if not os.access(existing, os.W_OK):
        problems.append(f"the cache folder {folder} cannot be written; set DOYLE_CACHE")
    if usage.free < 5 << 30:
        problems.append(f"only {usage.free / 2**30:.1f} GiB free for the cache at {existing}")
    document = {
        "doyle": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": {name: version_of(name) for name in (*required, *optional)},
        "extras": {extra: {"missing": missing} for extra, missing in extras.items()},
        "cache": {
            "folder": str(folder),
            "exists": folder.is_dir(),
            "damaged": len(damaged),
        },
        "cores": available_cores(),
        "disk": {"free_bytes": usage.free, "total_bytes": usage.total},
        "problems": problems,
    }

    def text() -> Text:
        yield f"doyle     {document['doyle']}"
        yield f"python    {document['python']} on {document['platform']}"
        yield f"cores     {document['cores']}"
        yield f"cache     {folder}{'' if folder.is_dir() else ' (empty)'}"
        yield f"disk      {usage.free / 2**30:.1f} GiB free of {usage.total / 2**30:.1f}"
        for name in (*required, *optional):
            note = "" if name in required else " (extra)"
            yield f"          {name:<14}{version_of(name) or 'missing'}{note}"
        for extra, missing in extras.items():
            lacking = f"lacks {', '.join(missing)}: pip install 'doyle[{extra}]'"
            yield f"extra     {extra:<14}{lacking if missing else 'complete'}"
        yield from (f"problem   {problem}" for problem in problems)
        if not problems:
            yield "all good"

    output(document, as_json=as_json, text=text)
    if problems:
        raise typer.Exit(1)


_MOST_DAMAGED = 5


def _packages_of_extras() -> dict[str, list[str]]:
    """The packages of each extra, by the installed distribution's metadata."""
    try:
        required = importlib.metadata.requires("doyle") or []
    except importlib.metadata.PackageNotFoundError:  # run from its sources
        required = []
    found: dict[str, list[str]] = {extra: [] for extra in EXTRAS}
    for line in required:
        package = re.match(r"[A-Za-z0-9._-]+", line)
        extra = re.search(r"extra == ['\"]([^'\"]+)['\"]", line)
        if package and extra and extra[1] in found:
            found[extra[1]].append(package[0])
    return found


@cache_app.command("list")
def cache_list(as_json: AsJson = False) -> None:
    """List agents, case bases and artifacts, finished and unfinished, with their sizes."""
    store = Store()
    agents = list(agent_rows(cache_folder() / "agents"))
    bases = list(case_base_rows(cache_folder() / "case_bases"))
    rows = list(artifact_rows(store.root))
    unfinished = [
        {"name": folder.name, "bytes": folder_size(folder)} for folder in store.unfinished()
    ]
    document = {
        "folder": str(store.root),
        "agents": agents,
        "case_bases": bases,
        "artifacts": rows,
        "unfinished": unfinished,
    }

    def text() -> Text:
        yield str(cache_folder())
        yield from _list_rows("agents", [(row, _agent_text(row)) for row in agents])
        yield from _list_rows("case bases", [(row, _case_base_text(row)) for row in bases])
        yield from _list_rows(
            "artifacts", [(row, parameter_text(row["parameters"])) for row in rows]
        )
        yield from _list_rows("unfinished", [(row, "") for row in unfinished])
        if not (agents or bases or rows or unfinished):
            yield "  empty"

    output(document, as_json=as_json, text=text)


def _list_rows(title: str, rows: list[tuple[dict[str, Any], str]]) -> Text:
    if not rows:
        return
    yield title
    width = max(len(row["name"]) for row, _ in rows)
    for row, text in rows:
        shown = f"(damaged: {row['problem']})" if "problem" in row else text
        yield f"{row['bytes'] / 2**20:10.1f} MiB  {row['name']:<{width}}  {shown}".rstrip()


def _agent_text(row: dict[str, Any]) -> str:
    if not row["built"]:
        return "(unfinished)"
    iterations = row["iterations"]
    count = f"{iterations:,}" if isinstance(iterations, int) else "?"
    what = f"{row['game']}, cards {row['cards']}, betting {row['betting']}"
    return f"{what}; {count} iterations of {row['solver']}"


def _case_base_text(row: dict[str, Any]) -> str:
    def number(name: str) -> str:
        return f"{row[name]:,}" if isinstance(row[name], int) else "?"

    listed = row["players"] if isinstance(row["players"], list) else ["?"]
    # Copies of one player at a table are numbered: name, name#2.
    players = ", ".join(dict.fromkeys(str(name).partition("#")[0] for name in listed))
    what = f"{row['game']}, strength {row['strength']}, trained on {players}"
    return f"{what}; {number('decisions')} decisions in {number('cases')} cases"


@cache_app.command("check")
def cache_check(as_json: AsJson = False) -> None:
    """Compare everything in the cache with its checksum; exit 1 if something is damaged."""
    from doyle.base._numba import is_damaged
    from doyle.base.artifacts.audit import audit

    found = audit(cache_folder(), is_damaged_code=is_damaged)
    results = [{"name": finding.name, "problem": finding.problem} for finding in found]
    damaged = [row for row in results if row["problem"]]

    output(
        {"artifacts": results},
        as_json=as_json,
        text=lambda: (f"{row['name']}: {row['problem'] or 'good'}" for row in results),
    )
    if damaged:
        raise typer.Exit(1)


@cache_app.command("clear")
def cache_clear(
    name: str | None = typer.Argument(
        None, help="One artifact by name (default: all, kernels included)."
    ),
    as_json: AsJson = False,
) -> None:
    """Delete artifacts; they are built again when needed."""
    store = Store()
    if name is not None:
        candidates = [store.root / name, store.root / "unfinished" / name]
        folders = [folder for folder in candidates if folder.is_dir() and folder.name == name]
        if not folders or "/" in name or name in {"", ".", "..", "locks", "unfinished"}:
            raise DoyleError(f"cache clear: no artifact named {name!r}; see `doyle cache list`")
    else:
        folders = (
            [path for path in store.root.iterdir() if path.is_dir()] if store.root.is_dir() else []
        )
        kernels = cache_folder() / "numba"
        if kernels.is_dir():
            shutil.rmtree(kernels)
    for folder in folders:
        store.remove(folder)
    removed = [folder.name for folder in folders]
    output(
        {"removed": removed},
        as_json=as_json,
        text=lambda: [f"removed {len(removed)} folders under {store.root}"],
    )
