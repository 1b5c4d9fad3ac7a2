"""The command tree, and `main`, which turns every error of the user's into one line and exit 2."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

from doyle.cli.common import show_notices
from doyle.cli.interrupts import EXIT_CODE, leave, one_interrupt
from doyle.cli.terminal import leave_unread, take_any_text
from doyle.errors import DoyleError, FieldError, ParseError, as_line

TOPICS: dict[str, tuple[str, ...]] = {
    "system": ("doctor", "cache"),
    "games.game": ("game",),
    "games.convert": ("convert",),
    "games.equity": ("equity", "rank"),
    "matches.match": ("match", "league"),
    "matches.museum": ("museum",),
    "matches.results": ("results",),
    "matches.acpc": ("acpc",),
    "matches.serve": ("serve",),
    "matches.verify": ("verify",),
    "matches.agents": ("agents",),
    "abstractions.tree": ("tree",),
    "abstractions.cards": ("cards",),
    "abstractions.shrink": ("shrink",),
    "abstractions.translate": ("translate",),
    "measurements.papers": ("papers",),
    "strategies.build": ("build",),
    "strategies.plan": ("plan",),
    "strategies.strategy": ("strategy",),
    "strategies.exploitability": ("exploitability",),
    "strategies.explain": ("explain",),
    "strategies.cases": ("cases",),
    "measurements.lbr": ("lbr",),
    "measurements.exploit": ("exploit",),
    "measurements.evaluate": ("evaluate",),
    "matches.review": ("review",),
    "measurements.report": ("report",),
    "measurements.benchmark": ("benchmark",),
    "strategies.solve": ("solve",),
    "strategies.spot": ("spot",),
}
"""Modules with a `register(app)` that adds their commands, these, in the order shown by --help.

A command loads its own module only."""

# Typer carries its own copy of Click; the base of all its usage errors is two above BadParameter.
_UsageProblem: type[Exception] = typer.BadParameter.__mro__[2]


def _show_version(value: bool) -> None:
    if value:
        from doyle.version import __version__

        typer.echo(f"doyle {__version__}")
        raise typer.Exit


def root(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Build, solve, measure and play Texas Hold'em agents."""


def command_tree(topics: Iterable[str]) -> typer.Typer:
    """`doyle` with the commands of some topics."""
    app = typer.Typer(
        name="doyle",
        help="Build, solve, measure and play Texas Hold'em agents.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(root)
    for topic in topics:
        import_module(f"doyle.cli.{topic}").register(app)
    return app


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code: 0 done, 1 a check failed, 2 bad input."""
    if sys.stdout is None:  # closed by the caller, who wants no output
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    take_any_text()
    show_notices()
    with one_interrupt():
        try:
            return _run(list(sys.argv[1:] if arguments is None else arguments))
        except (typer.Abort, KeyboardInterrupt):
            if arguments is None:
                leave()
            return _refuse("interrupted", code=EXIT_CODE)


def _run(arguments: list[str]) -> int:
    """Run the command; every error of the user's becomes a line on stderr."""
    named = [topic for topic, commands in TOPICS.items() if arguments and arguments[0] in commands]
    command = typer.main.get_command(command_tree(named or TOPICS))
    try:
        result = _called(command, arguments)
        sys.stdout.flush()
    except _UsageProblem as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            return 2  # the help has been printed
        return _refuse(error.format_message())  # type: ignore[attr-defined]
    except FieldError as error:  # named as the option by which it was given
        return _refuse(f"--{error.field.replace('_', '-')}{error.said}")
    except ParseError as error:
        return _refuse(str(error), error.pointer())
    except DoyleError as error:
        return _refuse(str(error))
    except BrokenPipeError:
        return leave_unread()
    except OSError as error:
        problem = _file_problem(error)
        if problem is None:
            raise
        return _refuse(problem)
    if result == EXIT_CODE:  # what Typer makes of KeyboardInterrupt
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0


def _called(command: Any, arguments: list[str]) -> Any:
    """The command's result; a closed pipe, which Typer and Rich make an exit, as what it is."""
    try:
        return command.main(args=arguments, prog_name="doyle", standalone_mode=False)
    except SystemExit as leaving:
        cause = leaving.__context__
        if isinstance(cause, OSError) and cause.errno == errno.EPIPE:
            raise BrokenPipeError from cause
        raise


def _file_problem(error: OSError) -> str | None:
    """What to say of a file or disk that does not do what was asked; None for other errors."""
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error.strerror or error}"
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG):
        return f"a file cannot be written: {error.strerror}"
    return None


def _refuse(message: str, detail: str = "", code: int = 2) -> int:
    try:
        print(f"doyle: {as_line(message)}", file=sys.stderr)
        if detail:
            print(detail, file=sys.stderr)
    except BrokenPipeError:
        leave_unread()
    return code
