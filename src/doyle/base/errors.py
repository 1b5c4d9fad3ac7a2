"""Errors that the user can correct.

Every `DoyleError` is one clear line that names what is wrong, where, and the fix; the command line
prints it on stderr and exits with 2. Any other exception that escapes is a defect in doyle. Long
user input is quoted in part.
"""

from __future__ import annotations

import re
from typing import Any

MOST_QUOTED = 100
"""Characters of one thing the user typed, or that a file holds, in a message."""
LONGEST_LINE = 800
"""Characters of a whole message; paths are quoted in full within it."""

_LONG_QUOTED = re.compile(
    rf"(?<!\w)(['\"])((?:(?!\1)[^\\]|\\.){{{MOST_QUOTED + 1},}})\1(?!\w)", re.DOTALL
)
_LONG_WORD = re.compile(rf"[^\s/]{{{MOST_QUOTED + 1},}}")


class DoyleError(Exception):
    """Bad input, with a message fit to be shown as it is.

    >>> len(str(DoyleError(f"game {'x' * 9000!r}: no such game")))
    118
    """

    def __init__(self, message: str) -> None:
        super().__init__(as_line(message))

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors of workers are returned pickled, regardless of their constructors' arguments.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[DoyleError], arguments: tuple[Any, ...], fields: Any) -> DoyleError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(fields)
    return error


class FieldError(DoyleError):
    """An argument that cannot be used, by its name; commands show it as their option.

    >>> str(FieldError("target", "expected a number"))
    'target: expected a number'
    """

    def __init__(self, field: str, problem: str, *, value: object = None) -> None:
        self.field = field
        self.said = f"{'' if value is None else f' {value!r}'}: {problem}"
        super().__init__(field + self.said)


class ParseError(DoyleError):
    """Text that cannot be read, with the position of the first offending character.

    >>> error = ParseError("expected a rank", text="AxKd", position=1, what="cards")
    >>> str(error)
    "cards 'AxKd': expected a rank at character 2"
    >>> print(error.pointer())
    AxKd
     ^
    """

    def __init__(self, problem: str, *, text: str, position: int, what: str) -> None:
        self.problem = problem
        self.text = text
        self.position = position
        self.what = what
        where = f" at character {position + 1}" if text else ""
        super().__init__(f"{what} {text!r}: {problem}{where}")

    def pointer(self) -> str:
        """The text, or its part around the offending character, with a caret under it; empty for an
        empty text."""
        if not self.text:
            return ""
        start = max(0, self.position - MOST_QUOTED // 2)
        end = start + MOST_QUOTED
        before = "..." if start else ""
        after = "..." if end < len(self.text) else ""
        shown = printable(self.text[start:end])
        return f"{before}{shown}{after}\n{' ' * (len(before) + self.position - start)}^"


def as_line(message: str) -> str:
    """One line of bounded length: long quotations and words lose their middle.

    >>> as_line("two\\nlines")
    'two lines'
    """
    line = printable(shortened(" ".join(message.split()), 5 * LONGEST_LINE))
    line = _LONG_QUOTED.sub(lambda found: f"{found[1]}{shortened(found[2])}{found[1]}", line)
    line = _LONG_WORD.sub(lambda found: shortened(found[0]), line)
    return shortened(line, LONGEST_LINE)


def shortened(text: str, most: int = MOST_QUOTED) -> str:
    """The text, or its beginning and end.

    >>> shortened("abcdefghij", 7)
    'ab...ij'
    """
    if len(text) <= most:
        return text
    kept = (most - 3) // 2
    return f"{text[: most - 3 - kept]}...{text[len(text) - kept :]}"


def printable(text: str) -> str:
    """The text with characters that would move the cursor or colour the terminal replaced."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "?" for c in text)
