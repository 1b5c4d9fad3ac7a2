"""`doyle build`: an agent from one description."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from doyle.cli.common import AsJson, output, progress_bar, say_written
from doyle.cli.missing import build_missing
from doyle.cli.paths import check_file

if TYPE_CHECKING:
    from doyle.building import BuildDescription, BuildResult
    from doyle.reports.builds import BuildReport, Hints
    from doyle.workers import Workers

BASELINES = ("always-fold", "always-call", "always-raise", "always-all-in", "random", "ev")
PRESETS = ("tartanian-small", "hyperborean07-small")
"""Whom the default agent is measured against besides: built at small scale in its own game."""


def register(app: typer.Typer) -> None:
    app.command()(build)


def build(
    name: Annotated[str, typer.Argument(help="A preset, or a .toml description.")] = "default",
    scale: Annotated[str, typer.Option(help="full, or small: about a minute.")] = "full",
    minutes: Annotated[float | None, typer.Option(min=0.01, help="Minutes of solving.")] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Solve up to this many iterations in all instead.")
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
        int, typer.Option(min=0, help="Deals of each match in the report; 0 leaves them out.")
    ] = 2000,
    report: Annotated[
        Path | None, typer.Option(help="Where to write the HTML report (default: with the build).")
    ] = None,
    measure_only: Annotated[
        bool,
        typer.Option(
            "--measure-only", help="Do not solve: play the matches of a finished build again."
        ),
    ] = False,
    presets: Annotated[bool, typer.Option("--list", help="List the presets and stop.")] = False,
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
    """Build an agent from one description: cards, betting tree, solve, strategy, report.

    Run it again to resume where it stopped: a build only gets better.
    """
    from doyle.building import agent_lock, load_description, named_build
    from doyle.workers import parse_workers
    from doyle.workers.memory import keep_freed_memory

    if presets:
        _list_presets(as_json=as_json)
        return
    _check_limits(minutes, iterations, report, measure_only=measure_only)
    description = named_build(name, scale=scale) or load_description(name).at_scale(scale)
    chosen = parse_workers(workers)
    keep_freed_memory()

    # Held until the report is written: another build would replace the strategy under the matches.
    with agent_lock(description.name, _say):
        if measure_only:
            result = _finished(description)
        else:
            result = _built(description, minutes, iterations, seed, (shards, merge), chosen)
        hints = _hints(_agent_text(name, scale), seed, (shards, merge))
        measured = _report(result, hands, report, hints, chosen)
    if report is not None:
        say_written(report)
    output(measured.document(), as_json=as_json, text=lambda: _print(measured))


def _say(line: str) -> None:
    typer.echo(line, err=True)


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
    minutes: float | None, iterations: int | None, report: Path | None, *, measure_only: bool
) -> None:
    import math

    from doyle.errors import DoyleError

    if minutes is not None and not math.isfinite(60.0 * minutes):
        raise DoyleError(f"--minutes {minutes}: expected a finite number from 0.01")
    if minutes is not None and iterations is not None:
        raise DoyleError("--minutes, --iterations: give one of the two")
    if measure_only and (minutes is not None or iterations is not None):
        raise DoyleError("--measure-only: does not solve; leave --minutes and --iterations out")
    check_file("--report", report)


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
            say=_say,
            lock=False,
        )


def _finished(description: BuildDescription) -> BuildResult:
    """What an earlier build made, as the description says that it is played now."""
    from doyle.building import BuildResult, agent_folder, is_built, load_built_strategy
    from doyle.errors import DoyleError

    folder = agent_folder(description.name)
    if not is_built(description):
        raise DoyleError(f"--measure-only: {description.name} is not built yet ({folder})")
    return BuildResult(description, folder, info=load_built_strategy(description).info)


def _agent_text(name: str, scale: str) -> str:
    """What names the build on the command line, whatever options it was built with."""
    import shlex

    rest, at, game = name.partition("@")
    if scale == "small" and not rest.endswith("-small"):
        rest += "-small"
    return shlex.quote(rest + at + game)


def _hints(agent: str, seed: int | None, shards: tuple[int, int]) -> Hints:
    """The commands that resume a build and that measure it further."""
    from doyle.reports.builds import Hints

    options = f" --seed {seed}" if seed is not None else ""
    options += f" --shards {shards[0]}" if shards[0] else ""
    options += f" --merge {shards[1]}" if shards[1] else ""
    command = f"`doyle build {agent}{options} --minutes 60`"
    if agent + options == "default":
        command += " or `make agent MINUTES=60`"
    return Hints(
        resume=f"{command} resumes it.",
        measure=f"over all cards: doyle exploitability {agent} --cards full",
    )


def _report(
    result: BuildResult, hands: int, path: Path | None, hints: Hints, workers: Workers
) -> BuildReport:
    """Matches against the baselines, and the report."""
    import time

    from doyle.reports.builds import report_build

    opponents: list[str] = []
    if hands:
        default = result.description.name.partition("@")[0] in ("default", "default-small")
        where = result.description.game.value
        opponents = [*BASELINES, *(f"{name}@{where}" for name in PRESETS if default)]
        started = time.monotonic()
        build_missing(opponents, build=True)
        result.stages["opponents"] = time.monotonic() - started
    with progress_bar() as progress:
        return report_build(
            result,
            opponents=opponents,
            hands=hands,
            path=path,
            hints=hints,
            workers=workers,
            progress=progress,
        )


def _print(measured: BuildReport) -> None:
    info, document = measured.info, measured.document()
    typer.echo(f"{info.agent}: {sum(info.infosets or ()):,} information sets, ", nl=False)
    typer.echo(f"{info.iterations or 0:,} iterations of {info.solver}")
    if info.exploitability is not None:
        typer.echo(
            f"exploitability {info.exploitability.total:.4g} chips per hand in the abstract game "
            "(mean of both seats)"
        )
    for row in measured.matches:
        typer.echo(
            f"  against {row.opponent:<14} {row.mbb_per_hand:+9.0f} ± "
            f"{row.ci95:.0f} mbb/h over {row.hands:,} deals"
        )
    typer.echo("stages: " + ", ".join(f"{k} {v:.0f} s" for k, v in measured.result.stages.items()))
    typer.echo(f"report: {document['report']}")
