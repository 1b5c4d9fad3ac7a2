"""`doyle solve`: an equilibrium of a game, with its measured exploitability."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.cli.common import AsJson, output, progress_bar

if TYPE_CHECKING:
    from doyle.solving.profile import Profile
    from doyle.solving.solver import Point, Solver


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
            "--solver", metavar="NAME", help="lp, egt, cfr, cfr+, linear-cfr, dcfr or pcfr+."
        ),
    ] = "dcfr",
    betting: Annotated[
        str | None,
        typer.Option("--betting", metavar="MODEL", help="Betting model (default: all legal bets)."),
    ] = None,
    cards: Annotated[
        str | None,
        typer.Option("--cards", metavar="SPEC", help="Card abstraction with perfect recall."),
    ] = None,
    target: Annotated[
        float | None, typer.Option("--target", metavar="EPS", help="Stop at this exploitability.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="S", help="Stop after this time.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", metavar="N", help="Stop after this many.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the convergence as CSV.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the convergence (png, svg).")
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", metavar="FOLDER", help="Keep checkpoints in FOLDER."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the newest checkpoint in FOLDER.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FOLDER", help="Write the strategy to FOLDER."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Solve a game and measure how far the result is from equilibrium."""
    from doyle.errors import DoyleError
    from doyle.measuring.exploitability import exploitability, value_of_first_actor
    from doyle.solving.methods import make_solver
    from doyle.solving.names import ONE_BET_GAMES, named_game
    from doyle.solving.sequence_form import SequenceForm
    from doyle.solving.solver import Limits
    from doyle.solving.solver_checkpoints import SolverCheckpoints

    if save is not None and game.partition(":")[0] in ONE_BET_GAMES:
        raise DoyleError(f"--save: {game} has no betting tree that a strategy file could name")
    if resume and checkpoint is None:
        raise DoyleError("--resume: needs --checkpoint FOLDER")
    if solver == "lp" and target is None and seconds is None and iterations is None:
        target = 0.0  # lp ends by itself
    limits = Limits(target=target, seconds=seconds, iterations=iterations)
    with progress_bar() as progress:
        found = named_game(game, betting, cards=cards, progress=progress)
    form = SequenceForm(found.tree_game)
    method = make_solver(solver, form)
    keep = SolverCheckpoints(checkpoint, method) if checkpoint is not None else None
    if keep is not None and resume:
        keep.restore(method)
    with _Display(solver) as display:
        profile = method.run(
            limits, report=display.show, checkpoint=keep.save_if_due if keep is not None else None
        )
    if keep is not None:
        keep.save(method)
    measured = exploitability(profile)
    document = {
        "game": form.game.name,
        "betting": betting,
        "cards": cards,
        "solver": solver,
        "value": value_of_first_actor(profile),
        "exploitability": measured.document(),
        "infosets": list(form.game.information_sets()),
        "sequences": list(form.sequences),
        "iterations": method.iteration,
        "seconds": round(method.seconds, 6),
    }
    _write_history(method, csv, plot)
    if save is not None:
        from doyle.solving.tables import save_profile

        save_profile(profile, found.betting, save, info=document, history=method.history)
    output(document, as_json=as_json, text=lambda: _print(document, profile))


def _print(document: dict[str, Any], profile: Profile) -> None:
    measured = document["exploitability"]
    low, high = -profile.best_response_values[1], profile.best_response_values[0]
    if int(profile.form.game.tree.actor[0]) == 1:
        low, high = -high, -low
    for name in ("game", "solver"):
        typer.echo(f"{name:<16}{document[name]}")
    typer.echo(f"{'value':<16}{document['value']:.9f}  (between {low:.9f} and {high:.9f})")
    players = ", ".join(f"{one:.3g}" for one in measured["players"])
    typer.echo(f"{'exploitability':<16}{measured['total']:.3g}  (players {players})")
    for name in ("infosets", "sequences"):
        typer.echo(f"{name:<16}" + ", ".join(f"{count:,}" for count in document[name]))
    typer.echo(f"{'iterations':<16}{document['iterations']:,}")
    typer.echo(f"{'seconds':<16}{document['seconds']:.3f}")


def _write_history(method: Solver, csv: Path | None, plot: Path | None) -> None:
    from doyle.solving.convergence import draw, write_csv

    if csv is not None:
        write_csv(csv, method.history)
    if plot is not None:
        draw(plot, {f"{method.form.game.name} {method.name}": method.history})


class _Display:
    """The live line of convergence on stderr; in a pipe, one line a few times a minute."""

    def __init__(self, name: str) -> None:
        from rich.console import Console

        self._console = Console(stderr=True)
        self._name = name
        self._last = -10.0

    def __enter__(self) -> _Display:
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._console.print()

    def show(self, point: Point) -> None:
        line = (
            f"{self._name}: iteration {point.iteration:,}, {point.seconds:.1f} s, "
            f"exploitability {point.exploitability:.3g}"
        )
        if self._console.is_terminal:
            self._console.print(line, end="\r", highlight=False, markup=False)
        elif point.seconds - self._last >= 10.0 and point.seconds >= 10.0:
            self._last = point.seconds
            self._console.print(line, highlight=False, markup=False)
