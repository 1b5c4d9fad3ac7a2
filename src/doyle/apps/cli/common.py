"""Shared parts of commands: the standard options, output as text or JSON, and progress on stderr.

Output that any terminal and any reader can take: plain letters for signs it cannot show.

A terminal with ASCII only (`LC_ALL=C`) gets `+/-` for a plus-minus sign and its like; what has no such
form, such as a letter of a name, becomes an escape. A reader that has gone (`doyle ... | true`) is no
error.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import logging
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from doyle.base.display import Text
    from doyle.base.workers import Progress


PLAIN = {
    "±": "+/-",
    "·": ".",
    "×": "x",
    "–": "-",
    "…": "...",
    "→": "->",
    "≤": "<=",
    "≥": ">=",
    "ø": "o",
}

_HANDLER = "doyle-plain"


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    sign = error.object[error.start]
    if sign in PLAIN:
        return PLAIN[sign], error.start + 1
    one = UnicodeEncodeError(
        error.encoding, error.object, error.start, error.start + 1, error.reason
    )
    return codecs.backslashreplace_errors(one)


codecs.register_error(_HANDLER, _plain)


def take_any_text() -> None:
    """Let standard output and error accept every text in any encoding."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # names may hold bytes that are no text
            stream.reconfigure(errors=_HANDLER)


def takes_all_signs() -> bool:
    """Whether standard output has an encoding that holds every sign."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return codecs.lookup(encoding).name.startswith("utf")


def shown(text: str) -> str:
    """A text as it will come out, so that a table can leave the right room for it."""
    return text if takes_all_signs() else "".join(PLAIN.get(sign, sign) for sign in text)


def leave_unread() -> int:
    """The exit code if the reader of our output has disconnected; no further output is written."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
    os.close(nowhere)
    return 0


AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of everything left to chance.")]
WorkersText = Annotated[
    str | None,
    typer.Option(
        "--workers",
        metavar="N|ray[:HOST:PORT]",
        help="Processes to use (default: all cores), or a Ray cluster; never changes results.",
    ),
]


class Result(Protocol):
    """The result of a command: one JSON document, and readable text."""

    def document(self) -> dict[str, Any]: ...

    def text(self) -> Text: ...


def show(result: Result, *, as_json: bool) -> None:
    """Print a result for people, or as JSON."""
    if as_json:
        print_json(result.document())
    else:
        print_text(result.text())


def output(document: Any, *, as_json: bool, text: Callable[[], Text | None]) -> None:
    """As `show`, for results outside the library: `text` returns its lines, or prints them."""
    if as_json:
        print_json(document)
    else:
        print_text(text() or ())


def print_text(text: Text) -> None:
    """Print lines as they are, and tables as wide as the terminal has room."""
    for part in text:
        if isinstance(part, str):
            sys.stdout.write(
                f"{part}\n"
            )  # unlike typer.echo it keeps to the encoding of the terminal
            continue
        from rich.table import Table

        table = Table(title=part.title)
        for column, head in enumerate(part.heads):
            is_text = column in part.texts
            table.add_column(head, justify="left" if is_text else "right", overflow="fold")
        for row in part.rows:
            table.add_row(*map(shown, row))
        plain_console().print(table)


def print_json(document: Any) -> None:
    """Print one JSON document."""
    # An escape of the terminal's inside a JSON text would not be JSON; those of JSON are.
    plain = not takes_all_signs()
    text = json.dumps(_without_nan(document), indent=2, ensure_ascii=plain, allow_nan=False)
    sys.stdout.write(text + "\n")


def _without_nan(value: Any) -> Any:
    """A document with null for numbers that JSON cannot write: unmeasured values are unknown."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _without_nan(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(one) for one in value]
    return value


def say(line: str) -> None:
    """A readable line about progress, on stderr."""
    typer.echo(f"doyle: {line}", err=True)


def warn(line: str) -> None:
    """A line about doubts about a result, on stderr."""
    typer.echo(f"warning: {line}", err=True)


def warn_all(lines: Iterable[str]) -> None:
    """Several warnings, such as those of a match."""
    for line in lines:
        warn(line)


class _Notices(logging.Handler):
    """Prints the library's log messages as lines on the current stderr."""

    def emit(self, record: logging.LogRecord) -> None:
        say(record.getMessage())


def show_notices() -> None:
    """Let the library's notices, such as "compiling kernels", be shown for this process."""
    logger = logging.getLogger("doyle")
    if not any(isinstance(handler, _Notices) for handler in logger.handlers):
        logger.addHandler(_Notices())
        logger.setLevel(logging.INFO)
        logger.propagate = False


def say_written(path: Path) -> None:
    """Report that a command wrote a requested file or folder."""
    say(f"wrote {path}")


def keep_result(name: str, document: dict[str, Any]) -> None:
    """Save a command's result for the pages of `doyle serve`; the last of each name."""
    from doyle.base.artifacts.files import write_json
    from doyle.base.paths import results_folder

    file = re.sub(r"[^A-Za-z0-9@._+-]+", "-", name).strip("-.")[:120] + ".json"
    try:
        results_folder().mkdir(parents=True, exist_ok=True)
        write_json(results_folder() / file, document)
    except OSError as error:  # the result is still printed
        say(f"not kept in {results_folder()}: {error}")


def plain_console(*, stderr: bool = False) -> Console:
    """A console that prints names as they are: `[bold]` is no markup and `:smile:` no picture."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A `Progress` that draws one bar per label on stderr, with the time left; quiet in a pipe."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import (
        Progress as Bars,
    )

    console = plain_console(stderr=True)
    bars = Bars(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )
    tasks: dict[str, Any] = {}

    def report(label: str, done: int, total: int) -> None:
        if label not in tasks:
            tasks[label] = bars.add_task(label, total=total)
        bars.update(tasks[label], completed=done, total=total)

    with bars:
        yield report
