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
    betting: Annotated[str, typer.Option(metavar="MODEL", help="Betting model.")] = "fchpa",
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
    given = _spot(board, ranges, pot, stacks, betting, big_blind, isomorphism=not all_suits)
    percent = _percent(target)
    threads = parse_workers(workers).count
    with _Display() as display:
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
    try:
        output(result.document(), as_json=as_json, text=lambda: _print(result))
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


def _print(result: SpotResult) -> None:
    from doyle.cards import format_cards

    document = result.document()
    percent = document["exploitability_percent_of_pot"]
    typer.echo(f"{'board':<16}{format_cards(result.spot.board)}")
    typer.echo(f"{'value':<16}{result.value:.4f} chips for the seat that acts first")
    typer.echo(f"{'pot shares':<16}" + ", ".join(f"{one:.4f}" for one in document["pot_shares"]))
    typer.echo(f"{'exploitability':<16}{percent:.3g}% of the pot")
    typer.echo(f"{'iterations':<16}{document['iterations']:,}")
    typer.echo(f"{'seconds':<16}{document['seconds']:.3f}")
    typer.echo(f"{'memory':<16}{document['memory_bytes'] / 1e6:.1f} MB of tables")
    _print_decision(result.root)


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
