"""Output that any terminal and any reader can take: plain letters for signs it cannot show.

A terminal with ASCII only (`LC_ALL=C`) gets `+/-` for a plus-minus sign and its like; what has no such
form, such as a letter of a name, becomes an escape. A reader that has gone (`doyle ... | true`) is no
error.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from io import TextIOWrapper

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
    """Let standard output and error take every text, whatever their encoding."""
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
    """The exit code when the reader of our output has gone; nothing more is written anywhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
    os.close(nowhere)
    return 0
