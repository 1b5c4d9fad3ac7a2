"""`doyle build`: an agent from one description."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.apps.cli.app import resumable
from doyle.apps.cli.common import AsJson, keep_result, output, print_text, progress_bar, say_written
from doyle.apps.cli.measurements.report import build_hints
from doyle.apps.cli.options import check_file, given_path

if TYPE_CHECKING:
    from doyle.base.workers import Workers
    from doyle.building import BuildDescription, BuildResult
    from doyle.measuring.reports.report_card import ReportCard


Scale = Annotated[
    str,
    typer.Option(
        "--scale",
        metavar="full|small",
        help="small: seconds of solving, minutes in all with an empty cache.",
    ),
]


def register(app: typer.Typer) -> None:
    app.command()(build)


def build(
    name: Annotated[
        str, typer.Argument(help="A preset, or a .toml description; `list` lists the presets.")
    ] = "default",
    scale: Scale = "full",
    minutes: Annotated[float | None, typer.Option(min=0.01, help="Minutes of solving.")] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Solve until at least this many iterations in all.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the solve (default: the description's).")
    ] = None,
    shards: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Sample into N copies of the tables: the same bytes for any --workers.",
        ),
    ] = 0,
    merge: Annotated[
        int,
        typer.Option(
            metavar="ITERATIONS",
            help="Iterations of a shard between two merges (default: one batch of 4,096 deals).",
        ),
    ] = 0,
    hands: Annotated[
        int,
        typer.Option(
            min=0,
            help="Deals of each duplicate match of the report card, the rest in proportion; "
            "0 skips measuring.",
        ),
    ] = 10_000,
    page: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE.html",
            parser=given_path,
            help="Where to write the report card (default: with the build).",
        ),
    ] = None,
    measure_only: Annotated[
        bool,
        typer.Option("--measure-only", help="Do not solve: measure a finished build again."),
    ] = False,
    workers: Annotated[
        str | None,
        typer.Option(
            metavar="N|ray[:HOST:PORT]",
            help="Processes, and threads of the solve (default: all cores), or a Ray cluster. Several threads sample "
            "a little differently each time; --workers 1 and --shards give the same bytes.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build an agent from one description: cards, betting tree, solve, strategy, report card.

    Run it again to resume where it stopped: a build only gets better.
    """
    from doyle.base.workers import parse_workers
    from doyle.base.workers.memory import keep_freed_memory
    from doyle.building import agent_lock
    from doyle.building.find import agent_text
    from doyle.measuring.reports.build_report import report_build

    if name == "list":
        _list_presets(as_json=as_json)
        return
    _check_limits(minutes, iterations, page, measure_only=measure_only)
    description = described(name, scale)
    chosen = parse_workers(workers)
    keep_freed_memory()

    # Held until the report is written: another build would replace the strategy under the matches.
    hint = f"`doyle build {name}` with the same options resumes from what is kept"
    with resumable(lambda: hint), agent_lock(description.name):
        if measure_only:
            result = _finished(description)
        else:
            result = _built(description, minutes, iterations, seed, (shards, merge), chosen)
        agent = agent_text(name, scale)
        path = page or result.folder / "report.html"
        options = f" --seed {seed}" if seed is not None else ""
        options += f" --shards {shards}" if shards else ""
        options += f" --merge {merge}" if merge else ""
        # A build with options of its own differs from the build of its name.
        text = str(result.folder) if options else agent
        with progress_bar() as progress:
            card = report_build(
                result,
                text,
                path,
                name=agent,
                hands=hands,
                hints=build_hints(agent, options),
                workers=chosen,
                progress=progress,
            )
    if page is not None:
        say_written(page)
    if hands:
        keep_result(f"report-{agent}", card.document())
    output(_document(result, card, path), as_json=as_json, text=lambda: _print(result, card, path))


def described(name: str, scale: str) -> BuildDescription:
    """The build that a text names; case-based agents, which are built from logs, are refused with
    the remedy."""
    from doyle.building import load_description, named_build

    found = named_build(name, scale=scale)
    if found is not None:
        return found
    from doyle.agents.cases.named import named_cases
    from doyle.base.errors import DoyleError

    cases = named_cases(name)
    if cases is not None and cases.snapshot is not None:
        training = cases.snapshot.training
        experts = ", ".join((*training.experts.value, *training.heads_up.value))
        raise DoyleError(
            f"build {name!r}: a case-based agent, made by `doyle cases build {name}`; what takes long is "
            f"its experts: {experts}"
        )
    return load_description(name).at_scale(scale)


def _list_presets(*, as_json: bool) -> None:
    from doyle.building import load_description, preset_names

    rows = [
        {"name": preset, "summary": load_description(preset).summary} for preset in preset_names()
    ]

    def text() -> None:
        for row in rows:
            typer.echo(f"{row['name']:<18} {row['summary']}")

    output({"presets": rows}, as_json=as_json, text=text)


def _check_limits(
    minutes: float | None, iterations: int | None, page: Path | None, *, measure_only: bool
) -> None:
    import math

    from doyle.base.errors import DoyleError

    if minutes is not None and not math.isfinite(60.0 * minutes):
        raise DoyleError(f"--minutes {minutes}: expected a finite number from 0.01")
    if minutes is not None and iterations is not None:
        raise DoyleError("--minutes, --iterations: give one of the two")
    if measure_only and (minutes is not None or iterations is not None):
        raise DoyleError("--measure-only: does not solve; leave --minutes and --iterations out")
    check_file("--output", page, suffixes=(".html", ".htm"))


def _built(
    description: BuildDescription,
    minutes: float | None,
    iterations: int | None,
    seed: int | None,
    shards: tuple[int, int],
    workers: Workers,
) -> BuildResult:
    from doyle.building import build as build_agent

    with progress_bar() as progress:
        return build_agent(
            description,
            seconds=None if minutes is None else 60.0 * minutes,
            iterations=iterations,
            seed=seed,
            shards=shards[0],
            merge=shards[1],
            workers=workers,
            progress=progress,
            lock=False,
        )


def _finished(description: BuildDescription) -> BuildResult:
    """The strategy of an earlier build, with the description's current play options."""
    from doyle.base.errors import DoyleError
    from doyle.building import BuildResult, agent_folder, is_built, load_built_strategy

    folder = agent_folder(description.name)
    if not is_built(description):
        raise DoyleError(f"--measure-only: {description.name} is not built yet ({folder})")
    return BuildResult(description, folder, info=load_built_strategy(description).info)


def _document(result: BuildResult, card: ReportCard, path: Path) -> dict[str, Any]:
    """The report card, and the facts of the build."""
    known = result.info.document()
    names = ["infosets", "iterations", "exploitability", "exploitability_as_played"]
    names += ["exploitability_note", "deterministic"]
    return {
        **card.document(),
        "agent": result.info.agent,
        "folder": str(result.folder),
        "report": str(path),
        "wanted_iterations": result.wanted_iterations,
        "cut_short": result.cut_short,
        **{name: known.get(name) for name in names},
        "stages": [{"name": stage, "seconds": seconds} for stage, seconds in result.stages.items()],
    }


def _print(result: BuildResult, card: ReportCard, path: Path) -> None:
    info = result.info
    typer.echo(f"{info.agent}: {sum(info.infosets or ()):,} information sets, ", nl=False)
    wanted = f" of {result.wanted_iterations:,} (time limit)" if result.cut_short else ""
    typer.echo(f"{info.iterations or 0:,}{wanted} iterations of {info.solver}")
    if info.exploitability is not None:
        typer.echo(
            f"exploitability {info.exploitability.total:.4g} chips per hand in the abstract game "
            "(mean of both seats)"
        )
    typer.echo("stages: " + ", ".join(f"{k} {v:.0f} s" for k, v in result.stages.items()))
    print_text(card.text())
    typer.echo(f"report card: {path}")
