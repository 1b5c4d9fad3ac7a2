"""`doyle spot` and `doyle spot show`: situations solved from two ranges.

The options of `doyle spot`: the spot, its locks and its target.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.apps.cli.app import resumable
from doyle.apps.cli.common import AsJson, WorkersText, output, say_written
from doyle.apps.cli.options import (
    FIGURES,
    check_checkpoint,
    check_file,
    check_save,
    checkpoint_hint,
    given_path,
)
from doyle.apps.cli.strategies.spot_output import (
    SpotDisplay,
    draw,
    hand_document,
    print_decision,
    print_result,
)
from doyle.solving.solvers import SPOT_SOLVERS

if TYPE_CHECKING:
    from doyle.solving.spots import Lock, Spot


def spot_of_options(
    board: str | None,
    ranges: tuple[str, str] | None,
    pot: int | None,
    stacks: str | None,
    betting: str,
    big_blind: int,
    *,
    isomorphism: bool,
) -> Spot:
    from doyle.base.errors import DoyleError
    from doyle.solving.spots import Spot

    if board is None or ranges is None or pot is None or stacks is None:
        given = {"--board": board, "--ranges": ranges, "--pot": pot, "--stacks": stacks}
        missing = next(option for option, value in given.items() if value is None)
        raise DoyleError(f"spot: {missing} is missing")
    return Spot.parse(
        board=board,
        ranges=(_range_text(ranges[0]), _range_text(ranges[1])),
        pot=pot,
        stacks=_stacks(stacks),
        betting=betting,
        big_blind=big_blind,
        isomorphism=isomorphism,
    )


def refuse_with(option: str, given: dict[str, Any], *, needed: bool) -> None:
    """Refuse options that require another one, or exclude it."""
    from doyle.base.errors import DoyleError

    for name, value in given.items():
        if value is not None:
            raise DoyleError(
                f"spot: {name} needs {option}"
                if needed
                else f"spot: {option} has its own {name[2:]}"
            )


def spot_of_state(
    line: str,
    agents: tuple[str, str] | None,
    ranges: tuple[str, str] | None,
    game_name: str | None,
    betting: str,
    *,
    isomorphism: bool,
) -> tuple[Spot, tuple[int, ...]]:
    """The spot at a MATCHSTATE line, and the acting seat's cards if the line shows them."""
    from functools import partial

    from doyle.base.errors import DoyleError
    from doyle.games import Game, Policy
    from doyle.games.histories import parse_matchstate
    from doyle.solving.spots import Spot

    if (agents is None) == (ranges is None):
        raise DoyleError("spot: --state needs either --agents or --ranges")
    read = partial(parse_matchstate, line=line, what="--state")
    if agents is None:
        if game_name is None:
            raise DoyleError("spot: --state with --ranges needs --game")
        assert ranges is not None
        seen = read(Game.named(game_name))
        known: tuple[str | Policy, str | Policy] = (_range_text(ranges[0]), _range_text(ranges[1]))
    else:
        found = _game(agents[0], game_name, read)
        seen = read(found)
        known = (_policy(agents[0], found), _policy(agents[1], found))
    given = Spot.of_state(seen.state, known, betting=betting, isomorphism=isomorphism)
    deal = seen.state.deal
    return given, () if deal is None else deal.hole[seen.state.actor]


def _game(agent: str, game_name: str | None, read: Any) -> Any:
    """The game that is named, or that of an agent with a strategy."""
    from doyle.agents.named_strategy import required_strategy
    from doyle.games import Game

    if game_name is not None:
        return Game.named(game_name)
    return required_strategy(agent, purpose="take a range from", check=read).game


def _policy(text: str, game: Any) -> Any:
    from doyle.agents.resolve import resolve_agent
    from doyle.base.errors import DoyleError
    from doyle.games import Policy

    agent = resolve_agent(text, game)
    if not isinstance(agent, Policy):
        raise DoyleError(
            f"agent {text!r}: has no range (it does not report its probabilities); give --ranges"
        )
    return agent


def _range_text(text: str) -> str:
    from doyle.base.artifacts.documents import read_text
    from doyle.base.errors import DoyleError

    if not text.startswith("@"):
        return text
    path = Path(text[1:])
    try:
        found = read_text(path).strip()
    except FileNotFoundError:
        raise DoyleError(f"--ranges {text}: no such file") from None
    if not found:
        raise DoyleError(f"--ranges {text}: the file is empty")
    return found


def read_lock(text: str) -> Lock:
    from doyle.solving.spots import Lock

    return Lock.read(Path(text[1:])) if text.startswith("@") else Lock.parse(text)


def _stacks(text: str) -> tuple[int, int]:
    from doyle.base.errors import ParseError

    parts = text.split(",")
    position = 0
    stacks = []
    for part in parts[:3]:
        if not part.isascii() or not part.strip().isdigit() or len(part) > 12:
            raise ParseError("expected chips", text=text, position=position, what="--stacks")
        stacks.append(int(part))
        position += len(part) + 1
    if len(stacks) > 2:
        raise ParseError(
            "expected one or two stacks", text=text, position=position - 1, what="--stacks"
        )
    return stacks[0], stacks[-1]


def read_percent(text: str | None) -> float | None:
    """Percent of the pot, with or without the sign."""
    from doyle.base.errors import ParseError

    if text is None:
        return None
    number = text.strip().removesuffix("%")
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if not 0 <= value < 100:
        raise ParseError(
            "expected a percentage such as 0.3%", text=text, position=0, what="--target"
        )
    return value


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
            help="Agents in seats 0 and 1 of --state: their play so far determines the ranges.",
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
            help="Fix a seat's play, such as cr300=f or c=c:0.5,r300:0.5@QQ+; @FILE "
            "reads the output of `spot show --json`.",
        ),
    ] = None,
    memory: Annotated[
        float | None,
        typer.Option(metavar="GB", help="Memory limit for the tables (default: free memory)."),
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
    finally:  # also if the output is not read
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
        Path, typer.Argument(metavar="FOLDER", help="The folder of `doyle spot --save`.")
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
    """Show the play at a place of a solved spot, by class and by hand."""
    from doyle.solving.spots import load_spot

    check_file("--plot", plot, suffixes=FIGURES)
    decision = load_spot(folder).at(history, board)
    draw(decision, plot)
    output(decision.document(), as_json=as_json, text=lambda: print_decision(decision))
