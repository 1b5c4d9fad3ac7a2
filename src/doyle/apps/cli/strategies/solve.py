"""`doyle solve`: an equilibrium of a game, with its measured exploitability."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.apps.cli.app import resumable
from doyle.apps.cli.common import (
    AsJson,
    Seed,
    output,
    plain_console,
    progress_bar,
    say,
    say_written,
)
from doyle.apps.cli.options import (
    check_checkpoint,
    check_file,
    check_save,
    checkpoint_hint,
    given_path,
)
from doyle.solving.solvers import SAMPLING, WALKING

if TYPE_CHECKING:
    from doyle.solving.run import Limits
    from doyle.solving.solve import Solution
    from doyle.strategy import Point


def register(app: typer.Typer) -> None:
    app.command()(solve)


def solve(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="A name, a definition file, clairvoyance:n=10 or nolimit-kuhn:n=10.",
        ),
    ],
    solver: Annotated[
        str,
        typer.Option(
            "--solver",
            metavar="NAME[,NAME...]",
            help=f"{', '.join(WALKING)}; sampling: {', '.join(SAMPLING)}. "
            "Several are run one after the other and compared.",
        ),
    ] = "dcfr",
    betting: Annotated[
        str | None,
        typer.Option(
            "--betting",
            metavar="MODEL",
            help="Betting model or FILE.bml (default: all legal bets).",
        ),
    ] = None,
    cards: Annotated[
        str | None,
        typer.Option(
            "--cards", metavar="SPEC", help="Card abstraction (perfect recall unless sampling)."
        ),
    ] = None,
    target: Annotated[
        float | None,
        typer.Option(
            "--target",
            metavar="EPS",
            help="Stop at this exploitability in chips per hand (without any limit: 0.001 big "
            "blinds; sampling: 0.02, or 60 seconds where it is not known).",
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="S", help="Stop after this much solving.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", metavar="N", help="Stop at this total count.")
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="FILE", parser=given_path, help="Write the convergence as CSV."
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            parser=given_path,
            help="Draw the convergence, a line for each solver (png, svg, pdf).",
        ),
    ] = None,
    over: Annotated[
        str, typer.Option("--over", metavar="seconds|iterations", help="Along what it is drawn.")
    ] = "seconds",
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint", metavar="FOLDER", parser=given_path, help="Keep checkpoints in FOLDER."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume from the newest checkpoint in FOLDER.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FOLDER",
            parser=given_path,
            help="Write the strategy to FOLDER, in place of one that is there.",
        ),
    ] = None,
    shards: Annotated[
        int,
        typer.Option(
            "--shards",
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
    prune_below: Annotated[
        float | None,
        typer.Option(
            "--prune-below",
            metavar="R",
            help="external, pure: mostly skip actions whose regret is below R (negative).",
        ),
    ] = None,
    tremble: Annotated[
        float,
        typer.Option(
            "--tremble",
            metavar="SHARE",
            help="external, pure: the opponent acts at random in this share of its decisions.",
        ),
    ] = 0.0,
    seed: Seed = 0,
    workers: Annotated[
        str | None,
        typer.Option(
            "--workers",
            metavar="N|ray[:HOST:PORT]",
            help="Threads (default: all cores; sampling: 1), or a Ray cluster for --shards. Results "
            "never depend on it, except in sampling without --shards, where several threads race "
            "for the tables.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Solve a game and measure how far the result is from equilibrium."""
    from doyle.base.errors import DoyleError
    from doyle.base.workers import parse_workers
    from doyle.base.workers.memory import keep_freed_memory
    from doyle.solving.games.one_bet import is_one_bet_game
    from doyle.solving.run import Limits
    from doyle.solving.solve import Method, Problem, Solution, check_method

    names = _solver_names(solver)
    _check_outputs(names, csv=csv, plot=plot, over=over, save=save, checkpoint=checkpoint,
                   resume=resume)  # fmt: skip
    if target == 0 and seconds is None and iterations is None and solver != "lp":
        raise DoyleError(
            f"--target 0: may never be reached by {solver}; add --seconds or --iterations, or raise it"
        )
    unlimited = (target, seconds, iterations) == (None, None, None)
    if not unlimited:
        Limits(target=target, seconds=seconds, iterations=iterations)
    pruned = -math.inf if prune_below is None else prune_below
    methods = [Method(name, seed, shards, merge, pruned, tremble) for name in names]
    for method in methods:
        check_method(game, method)  # before any slow step
    if save is not None and is_one_bet_game(game):
        raise DoyleError(f"--save: {game} has no betting tree that a strategy file could name")
    keep_freed_memory()

    def solved(method: Method) -> Solution:
        """One solve from beginning to end, with its progress on stderr."""
        threads = parse_workers(workers or ("1" if method.samples else None))
        with progress_bar() as progress:
            problem = Problem.named(game, betting, cards, method=method, progress=progress)
            limits = problem.limits(method, target=target, seconds=seconds, iterations=iterations)
            run = problem.begin(
                method, limits, checkpoint=checkpoint, workers=threads, progress=progress
            )
        if unlimited and method.solver != "lp":
            say(f"no limit is given: {method.solver} stops {_limit_text(limits)}")
        with resumable(lambda: checkpoint_hint(checkpoint)), _Display(method.solver) as display:
            run.until(limits, resume=resume, report=display.show)
        return Solution(problem, method, run)

    solves = [solved(method) for method in methods]
    documents = [one.document() for one in solves]
    single = len(solves) == 1
    try:
        output(
            documents[0] if single else {"game": game, "solves": documents},
            as_json=as_json,
            text=lambda: _print(solves[0]) if single else _print_all(documents),
        )
    finally:  # also if the output is not read
        _write(solves, csv=csv, plot=plot, over=over, save=save)


def _solver_names(text: str) -> list[str]:
    from doyle.base.errors import DoyleError
    from doyle.solving.solvers import check_solver

    names = text.split(",")
    for place, name in enumerate(names):
        check_solver(name)
        if name in names[:place]:
            raise DoyleError(f"--solver {text}: {name} is given twice")
    return names


def _check_outputs(
    names: list[str],
    *,
    csv: Path | None,
    plot: Path | None,
    over: str,
    save: Path | None,
    checkpoint: Path | None,
    resume: bool,
) -> None:
    """Refuse unwritable outputs, before the work."""
    from doyle.base.errors import DoyleError

    if len(names) > 1 and (save is not None or checkpoint is not None):
        option = "--save" if save is not None else "--checkpoint"
        raise DoyleError(f"{option}: one folder is for one solver, and {len(names)} are given")
    check_file("--csv", csv)
    check_file("--plot", plot)
    check_save(save)
    check_checkpoint(checkpoint, resume=resume, save=save)
    if plot is not None:
        from doyle.solving.convergence import check_plot_name

        check_plot_name(plot)
    if over not in ("seconds", "iterations"):
        raise DoyleError(f"--over {over!r}: expected seconds or iterations")


def _limit_text(limits: Limits) -> str:
    if limits.target is None:
        return f"after {limits.seconds:g} seconds"
    return f"at an exploitability of {limits.target:g} chips per hand"


def _print(solution: Solution) -> None:
    for line in solution.text():
        typer.echo(line)


def _print_all(documents: list[dict[str, Any]]) -> None:
    """One line for each solver."""
    typer.echo(f"{'solver':<12}{'exploitability':>15}{'value':>14}{'iterations':>12}{'seconds':>9}")
    for document in documents:
        measured = document["exploitability"]
        known = ("-", "-")
        if measured is not None:
            known = (f"{measured['total']:.3g}", f"{document['value']:.6f}")
        typer.echo(
            f"{document['solver']:<12}{known[0]:>15}{known[1]:>14}{document['iterations']:>12,}"
            f"{document['seconds']:>9.3f}"
        )


def _write(
    solves: list[Solution], *, csv: Path | None, plot: Path | None, over: str, save: Path | None
) -> None:
    """Write the requested files, and report them."""
    from doyle.solving.convergence import draw, write_csv

    if save is not None:
        from doyle.strategy import save_strategy

        save_strategy(solves[0].strategy, save, step=solves[0].iterations)
        say_written(save)
    histories = {solve.solver: solve.history for solve in solves}
    if csv is not None:
        write_csv(csv, histories)
        say_written(csv)
    if plot is not None:
        draw(plot, histories, title=solves[0].game, over=over)
        say_written(plot)


class _Display:
    """The live line of convergence on stderr; in a pipe, one line a few times a minute."""

    def __init__(self, name: str) -> None:
        self._console = plain_console(stderr=True)
        self._name = name
        self._last = -10.0

    def __enter__(self) -> _Display:
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._console.print()

    def show(self, point: Point) -> None:
        name, value = point.measure
        line = (
            f"{self._name}: iteration {point.iteration:,}, {point.seconds:.1f} s, "
            f"{name.replace('_', ' ')} {value:.3g}"
        )
        if self._console.is_terminal:
            self._console.print(line, end="\r")
        elif point.seconds - self._last >= 10.0 and point.seconds >= 10.0:
            self._last = point.seconds
            self._console.print(line)
