"""`doyle spot` and `doyle spot show`: situations solved from two ranges."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from doyle.apps.cli.common import AsJson, WorkersText, output, say_written
from doyle.apps.cli.interrupts import resumable
from doyle.apps.cli.paths import (
    FIGURES,
    check_checkpoint,
    check_file,
    check_save,
    checkpoint_hint,
    given_path,
)
from doyle.apps.cli.strategies.spot_input import (
    read_lock,
    read_percent,
    refuse_with,
    spot_of_options,
    spot_of_state,
)
from doyle.apps.cli.strategies.spot_output import (
    SpotDisplay,
    draw,
    hand_document,
    print_decision,
    print_result,
)
from doyle.solving.solvers import SPOT_SOLVERS

spot_app = typer.Typer(
    help="Solve a river, turn or flop situation exactly, or show a solved one.",
    invoke_without_command=True,
)

PlotFile = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        parser=given_path,
        help="Draw the 13x13 grid of a decision (png, svg, pdf).",
    ),
]


def register(app: typer.Typer) -> None:
    app.add_typer(spot_app, name="spot")


@spot_app.callback()
def spot(
    context: typer.Context,
    board: Annotated[
        str | None, typer.Option(metavar="CARDS", help="The board, such as Ks7h4d2c.")
    ] = None,
    ranges: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="RANGE RANGE",
            help="The ranges of the seat that acts first and of the other; @FILE reads one.",
        ),
    ] = None,
    pot: Annotated[int | None, typer.Option(metavar="CHIPS", help="Chips in the pot.")] = None,
    stacks: Annotated[
        str | None,
        typer.Option(metavar="CHIPS[,CHIPS]", help="Chips behind, of both seats or of each."),
    ] = None,
    state: Annotated[
        str | None,
        typer.Option(
            metavar="MATCHSTATE",
            help="A moment of a hand instead, such as 'MATCHSTATE:0:0:cr300c/cr600:AsKd|/8c8d5c'; its "
            "cards are shown with the result.",
        ),
    ] = None,
    agents: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="AGENT AGENT",
            help="Who plays seats 0 and 1 of --state: their ranges are what they play so far.",
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game of --state (default: that of the agents)."),
    ] = None,
    betting: Annotated[
        str,
        typer.Option(
            metavar="MODEL",
            help="Betting model, by seat (fchpa|fcpa) or street (fcpa,river=fc50,100,pa).",
        ),
    ] = "fchpa",
    big_blind: Annotated[
        int, typer.Option("--big-blind", metavar="CHIPS", help="The least bet.")
    ] = 1,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="P%", help="Stop at this exploitability in percent of the pot (0.3%)."
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="Stop after this much time.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(metavar="N", help="Stop after this many iterations.")
    ] = None,
    solver: Annotated[str, typer.Option(help=f"{', '.join(SPOT_SOLVERS)}.")] = "dcfr-delayed",
    precision: Annotated[str, typer.Option(help="Of the tables: single or double.")] = "single",
    lock: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HISTORY=PLAY",
            help="Fix a seat's play, such as cr300=f or c=c:0.5,r300:0.5@QQ+; @FILE reads what "
            "`spot show --json` printed.",
        ),
    ] = None,
    memory: Annotated[
        float | None,
        typer.Option(metavar="GB", help="Most memory for the tables (default: what is free)."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", parser=given_path, help="Write the result to FOLDER."),
    ] = None,
    plot: PlotFile = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE.html", parser=given_path, help="Write a page of it."
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", parser=given_path, help="Keep checkpoints in FOLDER."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume from the newest checkpoint in FOLDER.")
    ] = False,
    all_suits: Annotated[
        bool, typer.Option("--all-suits", help="Do not merge boards that differ by suits only.")
    ] = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Solve a situation from two ranges; `doyle spot show FOLDER` shows a saved one."""
    if context.invoked_subcommand is not None:
        return
    from doyle.base.workers import parse_workers
    from doyle.solving.spots import save_spot, solve_spot

    check_save(save, kind="spot")
    check_checkpoint(checkpoint, resume=resume, save=save)
    check_file("--plot", plot, suffixes=FIGURES)
    check_file("--output", page)
    hole: tuple[int, ...] = ()
    if state is None:
        refuse_with("--state", {"--agents": agents, "--game": game}, needed=True)
        given = spot_of_options(
            board, ranges, pot, stacks, betting, big_blind, isomorphism=not all_suits
        )
    else:
        refuse_with("--state", {"--board": board, "--pot": pot, "--stacks": stacks}, needed=False)
        given, hole = spot_of_state(state, agents, ranges, game, betting, isomorphism=not all_suits)
    percent = read_percent(target)
    from doyle.base.errors import DoyleError

    if memory is not None and not 0 < memory < 1e9:
        raise DoyleError(f"--memory {memory:g}: expected a number of GB above 0")
    threads = parse_workers(workers).count
    with resumable(lambda: checkpoint_hint(checkpoint)), SpotDisplay() as display:
        display.begin(given, precision)
        result = solve_spot(
            given,
            target_percent=percent,
            seconds=seconds,
            iterations=iterations,
            locks=[read_lock(text) for text in lock or ()],
            method=solver,
            precision=precision,
            memory=None if memory is None else int(memory * 1e9),
            workers=threads,
            checkpoint=checkpoint,
            resume=resume,
            report=lambda point: display.show(point, given.pot),
        )
    document = result.document()
    if hole:
        document["hand"] = hand_document(result, hole)
    try:
        output(document, as_json=as_json, text=lambda: print_result(result, document))
    finally:  # also if nobody reads what is printed
        if save is not None:
            save_spot(result, save)
            say_written(save)
        draw(result.root, plot)
        if page is not None:
            from doyle.measuring.reports.spot_report import write_spot_report

            write_spot_report(page, result)
            say_written(page)


@spot_app.command("show")
def show(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="What `doyle spot --save` wrote.")
    ],
    history: Annotated[
        str, typer.Option(help="Betting from the start of the spot, such as cr300.")
    ] = "",
    board: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS", help="The whole board, where the history leads to a new street."
        ),
    ] = None,
    plot: PlotFile = None,
    as_json: AsJson = False,
) -> None:
    """Show what is played at a place of a solved spot, by class and by hand."""
    from doyle.solving.spots import load_spot

    check_file("--plot", plot, suffixes=FIGURES)
    decision = load_spot(folder).at(history, board)
    draw(decision, plot)
    output(decision.document(), as_json=as_json, text=lambda: print_decision(decision))
