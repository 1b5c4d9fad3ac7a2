"""`doyle build`: an agent from one description."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.cli.common import AsJson, output, progress_bar
from doyle.cli.paths import check_file

if TYPE_CHECKING:
    from doyle.building import BuildResult

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
    hands: Annotated[
        int, typer.Option(min=0, help="Deals of each match in the report; 0 leaves them out.")
    ] = 2000,
    report: Annotated[
        Path | None, typer.Option(help="Where to write the HTML report (default: with the build).")
    ] = None,
    presets: Annotated[bool, typer.Option("--list", help="List the presets and stop.")] = False,
    workers: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Processes, and threads of the solve (default: all cores). Several threads sample "
            "a little differently each time; --workers 1 and --shards give the same bytes.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build an agent from one description: cards, betting tree, solve, strategy, report.

    Run it again to go on where it stopped: a build only gets better.
    """
    from doyle.building import agent_lock, build_locked, load_description, named_build, preset_names
    from doyle.workers import parse_workers
    from doyle.workers.memory import keep_freed_memory

    if presets:
        rows = [
            {"name": preset, "summary": load_description(preset).summary}
            for preset in preset_names()
        ]
        output(
            {"presets": rows},
            as_json=as_json,
            text=lambda: [typer.echo(f"{row['name']:<18} {row['summary']}") for row in rows],  # type: ignore[func-returns-value,arg-type]
        )
        return
    _check_limits(minutes, iterations, report)
    description = named_build(name, scale=scale) or load_description(name).at_scale(scale)
    chosen = parse_workers(workers)
    keep_freed_memory()

    def say(line: str) -> None:
        typer.echo(line, err=True)

    # Held until the report is written: another build would replace the strategy under the matches.
    with agent_lock(description.name, say):
        with progress_bar() as progress:
            result = build_locked(
                description,
                seconds=None if minutes is None else 60.0 * minutes,
                iterations=iterations,
                seed=seed,
                shards=shards,
                workers=chosen,
                progress=progress,
                say=say,
            )
        result.agent = _agent_text(name, scale)
        result.command = _command(result.agent, seed, shards)
        document = _measure(result, hands, workers, report)

    def text() -> None:
        info = result.info
        typer.echo(f"{info['agent']}: {sum(info['infosets']):,} information sets, ", nl=False)
        typer.echo(f"{info['iterations']:,} iterations of {info['solver']}")
        if info["exploitability"] is not None:
            typer.echo(
                f"exploitability {info['exploitability']['total']:.4g} chips per hand ", nl=False
            )
            typer.echo("in the abstract game")
        for row in document["matches"]:
            typer.echo(
                f"  against {row['opponent']:<14} {row['mbb_per_hand']:+9.0f} ± "
                f"{row['ci95']:.0f} mbb/h over {row['hands']:,} deals"
            )
        typer.echo("stages: " + ", ".join(f"{k} {v:.0f} s" for k, v in result.stages.items()))
        typer.echo(f"report: {document['report']}")

    output(document, as_json=as_json, text=text)


def _check_limits(minutes: float | None, iterations: int | None, report: Path | None) -> None:
    import math

    from doyle.errors import DoyleError

    if minutes is not None and not math.isfinite(60.0 * minutes):
        raise DoyleError(f"--minutes {minutes}: expected a finite number from 0.01")
    if minutes is not None and iterations is not None:
        raise DoyleError("--minutes, --iterations: give one of the two")
    check_file("--report", report)


def _agent_text(name: str, scale: str) -> str:
    """What names the build on the command line, whatever options it was built with."""
    import shlex

    rest, at, game = name.partition("@")
    if scale == "small" and not rest.endswith("-small"):
        rest += "-small"
    return shlex.quote(rest + at + game)


def _command(agent: str, seed: int | None, shards: int) -> str:
    """The command that goes on with a build."""
    options = f" --seed {seed}" if seed is not None else ""
    options += f" --shards {shards}" if shards else ""
    command = f"doyle build {agent}{options} --minutes 60"
    return f"{command}` or `make agent MINUTES=60" if agent + options == "default" else command


def _measure(
    result: BuildResult, hands: int, workers: str | None, report: Path | None
) -> dict[str, Any]:
    """Matches against the baselines, and the report."""
    import time

    from doyle.building import find_strategy, named_build, play_notes
    from doyle.card_abstraction.registry import build as build_abstraction
    from doyle.matches import play_match
    from doyle.reports import strategy_grid, write_build_report
    from doyle.strategy import purified
    from doyle.workers import parse_workers

    strategy = result.strategy()
    game = strategy.tree.game
    rows = []
    if hands:
        default = result.description.name.partition("@")[0] in ("default", "default-small")
        where = result.description.game.value
        opponents = [*BASELINES, *(f"{name}@{where}" for name in PRESETS if default)]
        started = time.monotonic()
        for opponent in opponents:
            if named_build(opponent) is not None:
                find_strategy(opponent)
        result.stages["opponents"] = time.monotonic() - started
        started = time.monotonic()
        for opponent in opponents:
            with progress_bar() as progress:
                played = play_match(
                    game,
                    [str(result.folder), opponent],
                    hands=hands,
                    seed=1,
                    workers=parse_workers(workers),
                    progress=progress,
                ).to_json()
            mine = played["players"][0]
            rows.append(
                {
                    "opponent": opponent,
                    "hands": hands,
                    "mbb_per_hand": mine["mbb_per_hand"],
                    "ci95": mine["ci95"],
                }
            )
        result.stages["matches"] = time.monotonic() - started
    buckets = build_abstraction(result.description.cards.value).buckets(())
    tree = strategy.tree
    played_as = purified(strategy, strategy.info)
    grids = [
        strategy_grid(played_as, buckets, int(node))
        for node in tree.decisions[tree.round[tree.decisions] == 0][:4]
    ]
    path = report or result.folder / "report.html"
    facts, advice = play_notes(result)
    write_build_report(
        path,
        info=strategy.info,
        stages=result.stages,
        grids=grids,
        matches=rows,
        facts=facts,
        advice=advice,
    )
    return {
        "agent": result.info["agent"],
        "folder": str(result.folder),
        "report": str(path),
        "infosets": result.info["infosets"],
        "iterations": result.info["iterations"],
        "exploitability": result.info["exploitability"],
        "exploitability_as_played": result.info["exploitability_as_played"],
        "exploitability_note": result.info["exploitability_note"],
        "deterministic": result.info["deterministic"],
        "stages": result.stages,
        "matches": rows,
    }
