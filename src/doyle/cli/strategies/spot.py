"""`doyle spot` and `doyle spot show`: situations solved from two ranges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.cli.common import AsJson, WorkersText, output
from doyle.cli.paths import check_file, check_save, given_path

if TYPE_CHECKING:
    from doyle.spots import Decision, Lock, Spot, SpotResult

spot_app = typer.Typer(
    help="Solve a river, turn or flop situation exactly, or show a solved one.",
    invoke_without_command=True,
)

FigureFile = Annotated[
    Path | None,
    typer.Option(
        "--figure",
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
    solver: Annotated[str, typer.Option(help="dcfr, linear-cfr, cfr+ or cfr.")] = "dcfr",
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
    figure: FigureFile = None,
    page: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", parser=given_path, help="Write a page of it."),
    ] = None,
    all_suits: Annotated[
        bool, typer.Option("--all-suits", help="Do not merge boards that differ by suits only.")
    ] = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Solve a situation from two ranges; `doyle spot show FOLDER` shows a saved one."""
    if context.invoked_subcommand is not None:
        return
    from doyle.spots import save_spot, solve_spot
    from doyle.workers import parse_workers

    check_save(save, kind="spot")
    check_figure(figure)
    check_file("--html", page)
    hole: tuple[int, ...] = ()
    if state is None:
        _refuse_with("--state", {"--agents": agents, "--game": game}, needed=True)
        given = _spot(board, ranges, pot, stacks, betting, big_blind, isomorphism=not all_suits)
    else:
        _refuse_with("--state", {"--board": board, "--pot": pot, "--stacks": stacks}, needed=False)
        given, hole = _spot_of_state(
            state, agents, ranges, game, betting, isomorphism=not all_suits
        )
    percent = _percent(target)
    threads = parse_workers(workers).count
    with _Display() as display:
        display.begin(given, precision)
        result = solve_spot(
            given,
            target_percent=percent,
            seconds=seconds,
            iterations=iterations,
            locks=[_lock(text) for text in lock or ()],
            method=solver,
            precision=precision,
            memory=None if memory is None else int(memory * 1e9),
            workers=threads,
            report=lambda point: display.show(point, given.pot),
        )
    document = result.document()
    if hole:
        document["hand"] = _hand(result, hole)
    try:
        output(document, as_json=as_json, text=lambda: _print(result, document))
    finally:  # also if nobody reads what is printed
        if save is not None:
            save_spot(result, save)
        _draw(result.root, figure)
        if page is not None:
            from doyle.reports.spot_report import write_spot_report

            write_spot_report(page, result)


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
    figure: FigureFile = None,
    as_json: AsJson = False,
) -> None:
    """Show what is played at a place of a solved spot, by class and by hand."""
    from doyle.spots import load_spot

    check_figure(figure)
    decision = load_spot(folder).at(history, board)
    _draw(decision, figure)
    output(decision.document(), as_json=as_json, text=lambda: _print_decision(decision))


def check_figure(path: Path | None) -> None:
    """Refuse a figure that could not be written, before the work."""
    from doyle.errors import DoyleError

    check_file("--figure", path)
    if path is not None and path.suffix not in (".png", ".svg", ".pdf"):
        raise DoyleError(f"--figure {path}: figures are written as .png, .svg, .pdf")


def _spot(
    board: str | None,
    ranges: tuple[str, str] | None,
    pot: int | None,
    stacks: str | None,
    betting: str,
    big_blind: int,
    *,
    isomorphism: bool,
) -> Spot:
    from doyle.errors import DoyleError
    from doyle.spots import Spot

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


def _refuse_with(option: str, given: dict[str, Any], *, needed: bool) -> None:
    """Refuse options that need another one, or that cannot stand beside it."""
    from doyle.errors import DoyleError

    for name, value in given.items():
        if value is not None:
            raise DoyleError(
                f"spot: {name} needs {option}"
                if needed
                else f"spot: {option} has its own {name[2:]}"
            )


def _spot_of_state(
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

    from doyle.errors import DoyleError
    from doyle.games import Game, Policy
    from doyle.histories import parse_matchstate
    from doyle.spots import Spot

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
    from doyle.errors import DoyleError
    from doyle.games import Policy

    agent = resolve_agent(text, game)
    if not isinstance(agent, Policy):
        raise DoyleError(
            f"agent {text!r}: has no range (it does not tell its probabilities); give --ranges"
        )
    return agent


def _hand(result: SpotResult, hole: tuple[int, ...]) -> dict[str, Any]:
    """What one hand plays at the start of the spot; only its name if it is not in the range."""
    from doyle.cards import format_cards

    name = format_cards(sorted(hole, reverse=True))
    return {"cards": name, **result.root.by_hand().get(name, {})}


def _range_text(text: str) -> str:
    from doyle.errors import DoyleError

    if not text.startswith("@"):
        return text
    try:
        return Path(text[1:]).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise DoyleError(f"--ranges {text}: cannot be read ({error})") from None


def _lock(text: str) -> Lock:
    from doyle.spots import Lock

    return Lock.read(Path(text[1:])) if text.startswith("@") else Lock.parse(text)


def _stacks(text: str) -> tuple[int, int]:
    from doyle.errors import ParseError

    parts = text.split(",")
    position = 0
    stacks = []
    for part in parts[:3]:
        if not part.strip().isdigit() or len(part) > 12:
            raise ParseError("expected chips", text=text, position=position, what="--stacks")
        stacks.append(int(part))
        position += len(part) + 1
    if len(stacks) > 2:
        raise ParseError(
            "expected one or two stacks", text=text, position=position - 1, what="--stacks"
        )
    return stacks[0], stacks[-1]


def _percent(text: str | None) -> float | None:
    """Percent of the pot, with or without the sign."""
    from doyle.errors import ParseError

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


def _draw(decision: Decision, path: Path | None) -> None:
    if path is None:
        return
    from doyle.reports.figures import grid_figure, save_figure
    from doyle.reports.spot_report import decision_grid

    save_figure(grid_figure(decision_grid(decision)), path)


def _print(result: SpotResult, document: dict[str, Any]) -> None:
    from doyle.cards import format_cards

    percent = document["exploitability_percent_of_pot"]
    typer.echo(f"{'board':<16}{format_cards(result.spot.board)}")
    typer.echo(f"{'value':<16}{result.value:.4f} chips for seat 0")
    typer.echo(f"{'pot shares':<16}" + ", ".join(f"{one:.4f}" for one in document["pot_shares"]))
    typer.echo(f"{'exploitability':<16}{percent:.3g}% of the pot")
    typer.echo(f"{'iterations':<16}{document['iterations']:,}")
    typer.echo(f"{'seconds':<16}{document['seconds']:.3f}")
    typer.echo(f"{'memory':<16}{document['memory_bytes'] / 1e6:.1f} MB of tables")
    if "hand" in document:
        _print_hand(document["hand"], result.root)
    _print_decision(result.root)


def _print_hand(hand: dict[str, Any], decision: Decision) -> None:
    if "frequencies" not in hand:
        typer.echo(f"{'hand':<16}{hand['cards']}: not in the range of seat {decision.seat}")
        return
    shares = zip(decision.actions, hand["frequencies"], strict=True)
    plays = ", ".join(f"{name} {100 * share:.1f}%" for name, share in shares)
    value, equity = _number(hand["value"], 0), _number(hand["equity"], 0, 3)
    typer.echo(f"{'hand':<16}{hand['cards']}: {plays}; value {value}, equity {equity}")


def _print_decision(decision: Decision) -> None:
    where = f"after {decision.history!r}" if decision.history else "first to act"
    typer.echo(f"\n{where}, seat {decision.seat}")
    for name, share, value in zip(
        decision.actions, decision.frequencies, decision.values, strict=True
    ):
        typer.echo(f"  {name:<14}{100 * share:6.1f}%  value {value:10.3f}")
    names = "".join(f"{name:>12}" for name in decision.actions)
    typer.echo(f"\n{'class':<7}{'value':>10}{'equity':>8}{names}")
    for name, row in decision.by_class().items():
        shares = "".join(f"{100 * share:11.1f}%" for share in row["frequencies"])
        typer.echo(f"{name:<7}{_number(row['value'])}{_number(row['equity'], 8, 3)}{shares}")


def _number(value: Any, width: int = 10, digits: int = 2) -> str:
    return " " * (width - 1) + "-" if value is None else f"{value:{width}.{digits}f}"


class _Display:
    """The live line of exploitability on stderr; quiet in a pipe."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(stderr=True)

    def __enter__(self) -> _Display:
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._console.print()

    def begin(self, given: Spot, precision: str) -> None:
        """Say how much memory the tables take, before they are made."""
        from doyle.solving.vector.solver import PRECISIONS
        from doyle.spots.solve import memory_needed

        if self._console.is_terminal and precision in PRECISIONS:
            megabytes = memory_needed(given.outline(), precision) / 1e6
            self._console.print(
                f"spot: the tables take about {megabytes:,.1f} MB", highlight=False, markup=False
            )

    def show(self, point: Any, pot: int) -> None:
        if self._console.is_terminal:
            percent = 100 * point.exploitability / pot
            self._console.print(
                f"spot: iteration {point.iteration:,}, {point.seconds:.1f} s, exploitability "
                f"{percent:.3g}% of the pot",
                end="\r",
                highlight=False,
                markup=False,
            )
