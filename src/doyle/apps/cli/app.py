"""The command tree, and `main`, which turns every error of the user's into one line and exit 2.

Ctrl-C: one line, exit code 130, no process left running, even if pressed repeatedly.

The first one raises `KeyboardInterrupt`, so that files under way are removed and workers end; the
others are ignored. A command that is then still busy after two seconds (in compiled code, or in
code that caught the exception) is ended from a second thread.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import typer

from doyle.apps.cli.common import leave_unread, show_notices, take_any_text
from doyle.base.errors import DoyleError, FieldError, ParseError, as_line

EXIT_CODE = 130
_PATIENCE_SECONDS = 2.0
_leaving = threading.Lock()
_hints: list[Callable[[], str]] = []
"""How the commands under way are resumed, innermost last."""


@contextmanager
def resumable(hint: Callable[[], str]) -> Iterator[None]:
    """Let Ctrl-C within the block end with the hint how to resume; an empty hint is omitted.

    The hint is computed when the command ends, from the state saved until then.
    """
    _hints.append(hint)
    try:
        yield
    except KeyboardInterrupt:
        raise  # the report of the interruption needs the hint
    except BaseException:
        _hints.remove(hint)
        raise
    _hints.remove(hint)


def report() -> str:
    """The message about the interrupted command."""
    hints = [hint() for hint in _hints[-1:]]
    _hints.clear()
    return "; ".join(["interrupted", *filter(None, hints)])


@contextmanager
def one_interrupt() -> Iterator[None]:
    """Take Ctrl-C as above for the length of the block, where it is not handled already."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    over = threading.Event()
    receiver, sender = os.pipe()
    os.set_blocking(sender, False)
    watcher = threading.Thread(target=_watch, args=(receiver, over), daemon=True)
    watcher.start()
    # Bytes arrive there at once, while handlers wait until the main thread is back in Python.
    previous = signal.set_wakeup_fd(sender, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, _first)
    try:
        yield
    finally:
        over.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(previous)
        os.close(sender)
        watcher.join()
        os.close(receiver)


def leave() -> NoReturn:
    """Say that the command was interrupted; end it and its workers without waiting for threads."""
    _leaving.acquire()  # a second caller waits here for the end
    show_cursor = "\x1b[?25h" if sys.stderr.isatty() else ""
    end_at_once(EXIT_CODE, f"{show_cursor}doyle: {report()}\n")


def end_at_once(code: int, line: str = "") -> NoReturn:
    """End the process and its workers, without exit handlers or waiting for threads."""
    try:
        lifetime = sys.modules.get("doyle.base.workers.local")
        if lifetime is not None:  # without it no process has been started
            lifetime.kill_children()
        sys.stderr.write(line)
        sys.stderr.flush()
    finally:
        os._exit(code)


def _first(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _ignored)
    raise KeyboardInterrupt


def _ignored(number: int, frame: FrameType | None) -> None:
    pass


def _watch(receiver: int, over: threading.Event) -> None:
    """Wait for Ctrl-C, then for the end of the command; end it if that takes too long."""
    while data := os.read(receiver, 4096):
        if signal.SIGINT in data:
            if not over.wait(_PATIENCE_SECONDS):
                leave()
            return


TOPICS: dict[str, dict[str, str]] = {
    "system": {
        "doctor": "Show versions, cache, cores and disk, and what is missing.",
        "cache": "List, check or clear the files doyle keeps.",
    },
    "games.game": {
        "game": "List the games, show their rules and size.",
    },
    "games.convert": {
        "convert": "Convert hand histories between ACPC logs and PHH, by suffix; .gz and .xz are packed.",
    },
    "games.equity": {
        "equity": "Exact equity of hands or ranges against each other, over every deal and board.",
        "rank": "Rank a hand of 1 to 7 cards: its category, the cards that count, and its number.",
    },
    "matches.match": {
        "match": "Play a match and show each player's winnings, with a 95% interval.",
        "league": "Play a match at every table the agents can form; rank them by both ACPC winner rules.",
    },
    "doyle.experiments.cli.museum": {
        "museum": "Build the papers' agents and play them in two leagues; finished matches are kept.",
    },
    "matches.results": {
        "results": "Show or export the hands that `match` and `league` kept with --results.",
    },
    "matches.acpc": {
        "acpc": "Play over the network: ACPC protocol 2.0.0, as client and as dealer.",
    },
    "matches.serve": {
        "serve": "Serve the table in the browser, and its API, until interrupted.",
    },
    "matches.verify": {
        "verify": "Check that SHA-256(salt + deck) is the commitment of a hand; exit 1 if it is not.",
    },
    "matches.agents": {
        "agents": "The agents that commands know by name.",
    },
    "abstractions.tree": {
        "tree": "Count the decisions and leaves of a betting model or a BML file, by round and seat.",
    },
    "abstractions.cards": {
        "cards": "Build card abstractions, look at them, find a hand's bucket.",
    },
    "abstractions.shrink": {
        "shrink": "Merge the signals of a game by GameShrink and count the classes of each round.",
    },
    "abstractions.translate": {
        "translate": "Show how a bet between two known bets is read.",
    },
    "doyle.experiments.cli.papers": {
        "papers": "Regenerate a published table or figure; ours beside the published value.",
    },
    "strategies.build": {
        "build": "Build an agent from one description: cards, betting tree, solve, strategy, report card.",
    },
    "strategies.plan": {
        "plan": "Predict memory, disk and time of each stage of a build or a spot; nothing is built.",
    },
    "strategies.strategy": {
        "strategy": "Look into a strategy.",
    },
    "strategies.exploitability": {
        "exploitability": "Exact exploitability of a strategy as it is played.",
    },
    "strategies.explain": {
        "explain": "Show a decision: abstract histories with weights, the bucket, action probabilities.",
    },
    "strategies.cases": {
        "cases": "Case bases: build them from logs, inspect and query them.",
    },
    "measurements.late_response": {
        "late-response": "Measure how much an exact best response from the river or turn on wins "
        "against an agent.",
    },
    "measurements.lbr": {
        "lbr": "Measure how much a simple opponent that knows the agent's strategy wins against "
        "it.",
    },
    "measurements.exploit": {
        "exploit": "Respond to an opponent, with a bound on the response's own losses.",
    },
    "measurements.evaluate": {
        "evaluate": "Measure a match from its log with less noise. The mean is the same as that of the chips won.",
    },
    "matches.review": {
        "review": "Review a player's hands: the agent's probabilities and the loss of each decision in mbb.",
    },
    "measurements.report": {
        "report": "Measure an agent with every instrument that takes seconds, and write one HTML page.",
    },
    "measurements.benchmark": {
        "benchmark": "Measure an agent against frozen opponents and probes: cards of one version compare.",
    },
    "strategies.solve": {
        "solve": "Solve a game and measure how far the result is from equilibrium.",
    },
    "strategies.spot": {
        "spot": "Solve a river, turn or flop situation exactly, or show a solved one.",
    },
}
"""Modules with a `register(app)` that adds their commands, these, in the order shown by --help.

Those of the experiments are named in full: no module here imports them. A command loads its own module only, and the list of all commands none: it is made of these lines, which
are the first of each command's own help.
"""

HELP = ["-h", "--help"]

# Typer carries its own copy of Click; the base of all its usage errors is two above BadParameter.
_UsageProblem: type[Exception] = typer.BadParameter.__mro__[2]


def _show_version(value: bool) -> None:
    if value:
        from doyle.base.version import __version__

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
        context_settings={"help_option_names": HELP},
    )
    app.callback()(root)
    for topic in topics:
        name = topic if topic.startswith("doyle.") else f"doyle.apps.cli.{topic}"
        import_module(name).register(app)
    return app


def command_list() -> typer.Typer:
    """`doyle` with every command's name and line, and nothing behind them."""
    app = command_tree(())
    for commands in TOPICS.values():
        for name, line in commands.items():
            app.command(name, help=line)(lambda: None)
    return app


def _leave_types_of_flags_out(command: Any) -> None:
    """Let the help of a flag show no type: `--json`, not `--json <bool>`."""
    context = command.context_class(command, help_option_names=HELP)
    for parameter in (*command.params, command.get_help_option(context)):
        if getattr(parameter, "is_flag", False) and parameter.metavar is None:
            parameter.metavar = ""
    for part in getattr(command, "commands", {}).values():
        _leave_types_of_flags_out(part)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code: 0 done, 1 a check failed, 2 bad input."""
    if sys.stdout is None:  # closed by the caller, which wants no output
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    take_any_text()
    show_notices()
    with one_interrupt():
        try:
            code = _run(list(sys.argv[1:] if arguments is None else arguments))
            head = sys.modules.get("doyle.base.workers.cluster")
            if arguments is None and head is not None and head.is_lost():
                end_at_once(code)  # Ray's threads, which still wait for the head, may abort an exit
            return code
        except (typer.Abort, KeyboardInterrupt):
            if arguments is None:
                leave()
            return _refuse(report(), code=EXIT_CODE)


def _run(arguments: list[str]) -> int:
    """Run the command; every error of the user's becomes a line on stderr."""
    named = [topic for topic, commands in TOPICS.items() if arguments and arguments[0] in commands]
    if not arguments or arguments[0].startswith("-"):
        app = command_list()
    else:
        app = command_tree(named or TOPICS)
    command = typer.main.get_command(app)
    if not arguments or not {*HELP}.isdisjoint(arguments):
        _leave_types_of_flags_out(command)
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
    if result == EXIT_CODE:  # Typer's conversion of KeyboardInterrupt
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0


def _called(command: Any, arguments: list[str]) -> Any:
    """The command's result; a closed pipe, which Typer and Rich convert to an exit, is raised as
    itself."""
    try:
        return command.main(args=arguments, prog_name="doyle", standalone_mode=False)
    except SystemExit as leaving:
        cause = leaving.__context__
        if isinstance(cause, OSError) and cause.errno == errno.EPIPE:
            raise BrokenPipeError from cause
        raise


def _file_problem(error: OSError) -> str | None:
    """The message about a failed operation on a file or disk; None for other errors."""
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
