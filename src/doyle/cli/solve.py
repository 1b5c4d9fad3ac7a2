"""`doyle solve`: an equilibrium of a game, with its measured exploitability."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.cli.common import AsJson, Seed, output, plain_console, progress_bar
from doyle.cli.paths import check_checkpoint, check_file, check_save, given_path

if TYPE_CHECKING:
    from doyle.solving.profile import Profile
    from doyle.solving.solver import Limits, Point


SAMPLING = ("pcs", "external", "pure")


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
            metavar="NAME",
            help="lp, egt, cfr, cfr+, linear-cfr, dcfr, pcfr+; sampling: pcs, external, pure.",
        ),
    ] = "dcfr",
    betting: Annotated[
        str | None,
        typer.Option("--betting", metavar="MODEL", help="Betting model (default: all legal bets)."),
    ] = None,
    cards: Annotated[
        str | None,
        typer.Option(
            "--cards", metavar="SPEC", help="Card abstraction (perfect recall unless sampling)."
        ),
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
            help="Draw the convergence (png, svg, pdf).",
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint", metavar="FOLDER", parser=given_path, help="Keep checkpoints in FOLDER."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the newest checkpoint in FOLDER.")
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
    prune_below: Annotated[
        float | None,
        typer.Option(
            "--prune-below",
            metavar="R",
            help="external, pure: mostly pass over actions whose regret is below R (negative).",
        ),
    ] = None,
    seed: Seed = 0,
    workers: Annotated[
        str | None,
        typer.Option(
            "--workers",
            metavar="N",
            help="Threads (default: all cores; sampling: 1). Results never depend on it, except "
            "in sampling without --shards, where several threads race for the tables.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Solve a game and measure how far the result is from equilibrium."""
    from doyle.errors import DoyleError
    from doyle.solving.methods.by_name import check_solver
    from doyle.solving.solver import Limits

    check_solver(solver)  # before anything that takes long
    if resume and checkpoint is None:
        raise DoyleError("--resume: needs --checkpoint FOLDER")
    check_file("--csv", csv)
    check_file("--plot", plot)
    check_save(save)
    check_checkpoint(checkpoint, resume=resume)
    if plot is not None:
        from doyle.solving.convergence import check_plot_name

        check_plot_name(plot)
    if save is not None and checkpoint is not None and save.absolute() == checkpoint.absolute():
        raise DoyleError(f"--save and --checkpoint: both {save}; give two folders")
    if prune_below is not None and (solver not in ("external", "pure") or not prune_below < 0):
        raise DoyleError(
            f"--prune-below {prune_below:g}: a negative number, for the solvers external and pure"
        )
    if shards and solver not in SAMPLING:
        raise DoyleError(
            f"--shards: for {', '.join(SAMPLING)}; {solver} gives the same bytes anyway"
        )
    if solver == "lp" and target is None and seconds is None and iterations is None:
        target = 0.0  # lp ends by itself
    request = Request(
        game=game,
        betting=betting,
        cards=cards,
        solver=solver,
        limits=Limits(target=target, seconds=seconds, iterations=iterations),
        checkpoint=checkpoint,
        resume=resume,
        save=save,
        seed=seed,
        shards=shards,
        prune_below=-math.inf if prune_below is None else prune_below,
        workers=workers,
    )
    outcome = _by_sampling(request) if solver in SAMPLING else _by_walking(request)
    try:
        output(outcome.document, as_json=as_json, text=lambda: _print(outcome))
    finally:  # also if nobody reads what is printed
        if save is not None:
            outcome.save(save)
        _write_history(f"{game} {solver}", outcome.history, csv, plot)


@dataclass(frozen=True)
class Request:
    """What the user asked for."""

    game: str
    betting: str | None
    cards: str | None
    solver: str
    limits: Limits
    checkpoint: Path | None
    resume: bool
    save: Path | None
    seed: int
    shards: int
    prune_below: float
    workers: str | None


@dataclass(frozen=True)
class Outcome:
    """The document that is printed, with what it was made from, and how to save the strategy."""

    document: dict[str, Any]
    history: list[Point]
    profile: Profile | None
    save: Callable[[Path], object]


def _by_walking(request: Request) -> Outcome:
    """Solvers that walk the whole tree."""
    from doyle.errors import DoyleError
    from doyle.solving.games.named_games import ONE_BET_GAMES, named_game
    from doyle.solving.methods.by_name import make_solver
    from doyle.solving.methods.sequence_form import SequenceForm
    from doyle.solving.profile_tables import save_profile
    from doyle.solving.solver_checkpoints import SolverCheckpoints
    from doyle.workers import parse_workers
    from doyle.workers.memory import keep_freed_memory

    keep_freed_memory()
    if request.save is not None and request.game.partition(":")[0] in ONE_BET_GAMES:
        raise DoyleError(
            f"--save: {request.game} has no betting tree that a strategy file could name"
        )
    with progress_bar() as progress:
        game = named_game(request.game, request.betting, cards=request.cards, progress=progress)
    form = SequenceForm(game, workers=parse_workers(request.workers))
    method = make_solver(request.solver, form)
    keep = SolverCheckpoints(request.checkpoint, method) if request.checkpoint else None
    if keep is not None and request.resume:
        keep.restore(method)
    with _Display(request.solver) as display:
        profile = method.run(
            request.limits,
            report=display.show,
            checkpoint=keep.save_if_due if keep is not None else None,
        )
    if keep is not None:
        keep.save(method)
    document = _document(request, profile, method.iteration, method.seconds)
    document["deterministic"] = True
    document["infosets"] = list(form.game.information_sets())
    document["sequences"] = list(form.sequences)

    def save(folder: Path) -> object:
        info, history = _kept(document), method.history
        return save_profile(profile, game.betting, folder, info=info, history=history)

    return Outcome(document, method.history, profile, save)


def _by_sampling(request: Request) -> Outcome:
    """Solvers that sample deals or boards."""
    from doyle.errors import DoyleError
    from doyle.games import Game
    from doyle.solving.games.named_games import ONE_BET_GAMES
    from doyle.solving.sampling.sampled import SampledSolve
    from doyle.strategy import save_strategy
    from doyle.workers import parse_workers

    if request.game.partition(":")[0] in ONE_BET_GAMES:
        raise DoyleError(
            f"solver {request.solver}: deals cards of a poker game; {request.game} is none, use lp, "
            "egt or one of the cfr family"
        )
    with progress_bar() as progress:
        sampled = SampledSolve(
            request.solver,
            Game.named(request.game),
            betting=request.betting,
            cards=request.cards,
            seed=request.seed,
            shards=request.shards,
            prune_below=request.prune_below,
            measured=request.limits.target is not None,
            progress=progress,
        )
    with _Display(request.solver) as display:
        sampled.run(
            request.limits,
            workers=parse_workers(request.workers or "1"),
            report=display.show,
            checkpoint=request.checkpoint,
            resume=request.resume,
        )
    iterations = sampled.solver.iterations
    profile = sampled.profile()
    document = _document(request, profile, iterations, sampled.seconds)
    document["exploitability_note"] = sampled.unmeasured
    document["infosets"], document["sequences"] = sampled.sizes()
    document["regret_bound"] = list(sampled.solver.regret_bound())
    document["deterministic"] = sampled.solver.deterministic

    def save(folder: Path) -> object:
        strategy = sampled.strategy()
        strategy.info.update({**_kept(document), "history": sampled.solver.history})
        return save_strategy(strategy, folder, step=iterations)

    return Outcome(document, sampled.history, profile, save)


def _kept(document: dict[str, Any]) -> dict[str, Any]:
    """The document as strategy files keep it: clusterings by the name they are kept under."""
    from doyle.card_abstraction.registry import kept_name

    cards = document["cards"]
    return document if cards is None else {**document, "cards": kept_name(cards)}


def _document(
    request: Request, profile: Profile | None, iterations: int, seconds: float
) -> dict[str, Any]:
    from doyle.solving.exploitability import exploitability, value_of_first_actor

    return {
        "game": request.game,
        "betting": request.betting,
        "cards": request.cards,
        "solver": request.solver,
        "seed": request.seed,
        "value": None if profile is None else value_of_first_actor(profile),
        "exploitability": None if profile is None else exploitability(profile).document(),
        "exploitability_note": None,
        "infosets": [],
        "sequences": [],
        "iterations": iterations,
        "seconds": round(seconds, 6),
    }


def _print(outcome: Outcome) -> None:
    document = outcome.document
    for name in ("game", "solver"):
        typer.echo(f"{name:<16}{document[name]}")
    if outcome.profile is None:
        typer.echo(f"{'exploitability':<16}not known: {document['exploitability_note']}")
        bounds = ", ".join(f"{one:.3g}" for one in document["regret_bound"])
        typer.echo(f"{'regret bound':<16}{bounds}")
    else:
        _print_measured(document, outcome.profile)
    for name in ("infosets", "sequences"):
        typer.echo(f"{name:<16}" + ", ".join(f"{count:,}" for count in document[name]))
    typer.echo(f"{'iterations':<16}{document['iterations']:,}")
    typer.echo(f"{'seconds':<16}{document['seconds']:.3f}")


def _print_measured(document: dict[str, Any], profile: Profile) -> None:
    measured = document["exploitability"]
    low, high = -profile.best_response_values[1], profile.best_response_values[0]
    if int(profile.form.game.tree.actor[0]) == 1:
        low, high = -high, -low
    typer.echo(f"{'value':<16}{document['value']:.9f}  (between {low:.9f} and {high:.9f})")
    players = ", ".join(f"{one:.3g}" for one in measured["players"])
    typer.echo(f"{'exploitability':<16}{measured['total']:.3g}  (players {players})")


def _write_history(name: str, history: list[Point], csv: Path | None, plot: Path | None) -> None:
    from doyle.solving.convergence import draw, write_csv

    if csv is not None:
        write_csv(csv, history)
    if plot is not None:
        draw(plot, {name: history})


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
