"""Errors that are the user's to mend.

Every `DoyleError` is one clear line that names what is wrong, where, and the fix; the command line
prints it on stderr and exits with 2. Anything else that escapes is a defect in doyle.
"""

from __future__ import annotations


class DoyleError(Exception):
    """Bad input, with a message fit to be shown as it is."""


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
        super().__init__(f"{what} {_shown(text)}: {problem} at character {position + 1}")

    def pointer(self) -> str:
        """The text with a caret under the offending character."""
        return f"{self.text}\n{' ' * self.position}^"


def _shown(text: str, limit: int = 120) -> str:
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")
