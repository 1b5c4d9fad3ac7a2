"""`doyle build`, `doyle strategy show` and `doyle exploitability`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.cli.common import AsJson, WorkersText, output, progress_bar

if TYPE_CHECKING:
    from doyle.building import BuildResult

strategy_app = typer.Typer(help="Look into a built strategy.", no_args_is_help=True)

BASELINES = ("always-fold", "always-call", "always-raise", "always-all-in", "random", "ev")
PRESETS = ("tartanian-small", "hyperborean07-small")
"""Whom the default agent is measured against besides: built at small scale in its own game."""


def register(app: typer.Typer) -> None:
    app.command()(build)
    app.add_typer(strategy_app, name="strategy")
    app.command()(exploitability)


def build(
    name: Annotated[str, typer.Argument(help="A preset, or a .toml description.")] = "default",
    scale: Annotated[str, typer.Option(help="full, or small: about a minute.")] = "full",
    minutes: Annotated[float | None, typer.Option(min=0.01, help="Minutes of solving.")] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Solve up to this many iterations in all instead.")
    ] = None,
    hands: Annotated[
        int, typer.Option(min=0, help="Deals of each match in the report; 0 leaves them out.")
    ] = 2000,
    report: Annotated[
        Path | None, typer.Option(help="Where to write the HTML report (default: with the build).")
    ] = None,
    presets: Annotated[bool, typer.Option("--list", help="List the presets and stop.")] = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Build an agent from one description: cards, betting tree, solve, strategy, report.

    Run it again to go on where it stopped: a build only gets better.
    """
    from doyle.building import build as run_build
    from doyle.building import load_description, named_build, preset_names
    from doyle.workers import parse_workers

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
    description = named_build(name) or load_description(name)
    description = description.at_scale(scale)
    chosen = parse_workers(workers)
    with progress_bar() as progress:
        result = run_build(
            description,
            seconds=None if minutes is None else 60.0 * minutes,
            iterations=iterations,
            workers=chosen,
            progress=progress,
            say=lambda line: typer.echo(line, err=True),
        )
    document = _measure(result, hands, workers, report)

    def text() -> None:
        info = result.info
        typer.echo(f"{info['agent']}: {info['infosets']:,} information sets, ", nl=False)
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


def _measure(
    result: BuildResult, hands: int, workers: str | None, report: Path | None
) -> dict[str, Any]:
    """Matches against the baselines, and the report."""
    import time

    from doyle.building import find_strategy, named_build, play_notes
    from doyle.card_abstraction.registry import build as build_abstraction
    from doyle.matches import play_match
    from doyle.reports import strategy_grid, write_build_report
    from doyle.workers import parse_workers

    strategy = result.strategy()
    game = strategy.tree.game
    rows = []
    if hands:
        default = result.description.name.startswith("default")
        opponents = [*BASELINES, *(f"{name}@{game.name}" for name in PRESETS if default)]
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
    grids = [
        strategy_grid(strategy, buckets, int(node))
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
        "deterministic": result.info["deterministic"],
        "stages": result.stages,
        "matches": rows,
    }


@strategy_app.command("show")
def strategy_show(
    agent: Annotated[str, typer.Argument(help="A preset or a built strategy folder.")] = "default",
    history: Annotated[str, typer.Option(help="Betting so far, such as cr300 or cc/r200.")] = "",
    plot: Annotated[Path | None, typer.Option(help="Write a figure (.png, .svg, .pdf).")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the 13x13 grid before the flop, or the probabilities of every bucket after it."""
    from doyle.building import find_strategy
    from doyle.histories import parse_betting

    strategy = find_strategy(agent)
    tree = strategy.tree
    state = parse_betting(tree.game, history, what="--history")
    node = tree.find(state.betting)
    if not tree.child_count[node]:
        from doyle.errors import DoyleError

        raise DoyleError(f"--history {history!r}: the hand is over there")
    if tree.round[node] == 0:
        _show_grid(strategy, node, plot, as_json)
    else:
        _show_buckets(strategy, node, plot, as_json)


def _show_grid(strategy: Any, node: int, plot: Path | None, as_json: bool) -> None:
    from doyle.card_abstraction.registry import build as build_abstraction
    from doyle.reports import strategy_grid
    from doyle.reports.figures import grid_figure, save_figure
    from doyle.reports.grid import hand_name

    buckets = build_abstraction(strategy.info["cards"]).buckets(())
    grid = strategy_grid(strategy, buckets, node)
    if plot is not None:
        save_figure(grid_figure(grid), plot)

    def text() -> None:
        typer.echo(f"after {grid.history!r}, seat {grid.actor} to act")
        for place, action in enumerate(grid.actions):
            typer.echo(f"\n{action}: {100 * grid.overall[place]:.1f}% of all hands")
            for row in range(13):
                typer.echo(
                    " ".join(
                        f"{hand_name(row, column):>3}{100 * grid.cells[row, column, place]:4.0f}"
                        for column in range(13)
                    )
                )

    output(grid.document(), as_json=as_json, text=text)


def _show_buckets(strategy: Any, node: int, plot: Path | None, as_json: bool) -> None:
    import numpy as np

    from doyle.reports.figures import bucket_figure, save_figure
    from doyle.reports.grid import action_name

    tree = strategy.tree
    buckets = np.arange(strategy.bucket_count(int(tree.round[node])))
    shares = strategy.probabilities(node, buckets)
    actions = tuple(action_name(tree, node, int(action)) for action in tree.actions_of(node))
    history = tree.betting_text(node)
    if plot is not None:
        save_figure(bucket_figure(shares, actions, f"after {history!r}"), plot)

    def text() -> None:
        typer.echo(f"after {history!r}, seat {int(tree.actor[node])} to act")
        typer.echo("bucket " + " ".join(f"{action:>12}" for action in actions))
        for bucket, row in zip(buckets, shares, strict=True):
            typer.echo(f"{bucket:6d} " + " ".join(f"{share:12.3f}" for share in row))

    document = {
        "history": history,
        "seat": int(tree.actor[node]),
        "actions": list(actions),
        "buckets": [[round(float(share), 6) for share in row] for row in shares],
    }
    output(document, as_json=as_json, text=text)


def exploitability(
    agent: Annotated[str, typer.Argument(help="A preset or a built strategy folder.")],
    cards: Annotated[str, typer.Option(help="full: the responder sees all cards.")] = "full",
    flops: Annotated[
        int | None, typer.Option(min=1, help="Stop after this many more flops; run again to go on.")
    ] = None,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Exact exploitability over all hands and boards inside the agent's betting tree.

    Flop by flop, resumable: the time left is estimated from what is done.
    """
    from doyle.building import full_card_run
    from doyle.errors import DoyleError
    from doyle.workers import parse_workers

    if cards != "full":
        raise DoyleError(f"--cards {cards!r}: expected full")
    with progress_bar() as progress:
        result = full_card_run(
            agent, flops=flops, workers=parse_workers(workers), progress=progress
        )
    best = result.best_response
    measured = result.exploitability
    document = {
        "agent": agent,
        "flops": result.flops,
        "flops_done": result.flops_done,
        "seconds": result.seconds,
        "seconds_left": result.seconds_left,
        "best_response": None if best is None else list(best),
        "own_value": result.own_value,
        "exploitability": None if measured is None else measured.document(),
    }

    def text() -> None:
        if best is None or measured is None:
            typer.echo(
                f"{result.flops_done} of {result.flops} flops in {result.seconds:.0f} s; ", nl=False
            )
            typer.echo(f"about {result.seconds_left / 3600:.1f} hours left; run again to go on")
        else:
            typer.echo(f"best responses win {best[0]:.4f} and {best[1]:.4f} chips per hand")
            players = ", ".join(f"{share:.4f}" for share in measured.players)
            typer.echo(f"exploitability {measured.total:.4f} chips per hand (players {players})")
            typer.echo(f"{result.flops} flops in {result.seconds:.0f} s")

    output(document, as_json=as_json, text=text)
