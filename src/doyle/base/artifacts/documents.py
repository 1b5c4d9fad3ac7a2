"""Documents: JSON and TOML that anybody may have written, read with limits.

A document is a regular file of UTF-8 text whose size, nesting and numbers are bounded, so that no
file can hang a command, fill its memory or end in anything but one line that names the file.
"""

from __future__ import annotations

import json
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from doyle.base.errors import DoyleError

LARGEST_BYTES = 64 << 20
"""Of one document; the manifest of a long solve's checkpoint has a few."""
DEEPEST = 64
"""Lists and tables inside each other."""
MOST_DIGITS = 400
"""Of one whole number; Python itself refuses 4,300."""


def read_bytes(path: Path, *, most: int = LARGEST_BYTES) -> bytes:
    """The bytes of a regular file; FileNotFoundError where there is nothing."""
    try:
        status = path.stat()
        # Opening a pipe waits for its other end, and reading a device may never end.
        if not stat.S_ISREG(status.st_mode):
            raise DoyleError(f"{path}: cannot be read: not a regular file")
        if status.st_size > most:
            raise DoyleError(f"{path}: has {status.st_size:,} bytes; at most {most:,} are read")
        with path.open("rb") as stream:
            return stream.read(most)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise DoyleError(f"{path}: cannot be read ({_reason(error)})") from None


def read_text(path: Path, *, most: int = LARGEST_BYTES) -> str:
    """The text of a regular file; FileNotFoundError where there is nothing."""
    try:
        return read_bytes(path, most=most).decode("utf-8")
    except UnicodeDecodeError as error:
        raise DoyleError(
            f"{path}: cannot be read: not UTF-8 text at byte {error.start + 1}"
        ) from None


def read_json(path: Path) -> Any:
    """The JSON document in a file; FileNotFoundError where there is nothing.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "x.json"
    >>> _ = path.write_text("[1, 2")
    >>> read_json(path)
    Traceback (most recent call last):
    ...
    doyle.base.errors.DoyleError: ...x.json: cannot be read: not valid JSON: ...
    """
    return _parsed(_load_json, read_text(path), where=str(path), kind="JSON")


def parse_toml(text: str, *, where: str) -> dict[str, Any]:
    """The TOML document in `text`; errors name `where` it comes from.

    >>> parse_toml("a = 1", where="example")
    {'a': 1}
    """
    found: dict[str, Any] = _parsed(tomllib.loads, text, where=where, kind="TOML")
    return found


def are_records(value: Any) -> bool:
    """Whether a value is a list of tables of numbers, such as the history of a solve."""
    return isinstance(value, list) and all(
        isinstance(record, dict) and all(type(entry) in (int, float) for entry in record.values())
        for record in value
    )


def _load_json(text: str) -> Any:
    return json.loads(text, parse_int=_whole_number)


def _whole_number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits; at most {MOST_DIGITS} are read")
    return int(digits)


def _parsed(parse: Callable[[str], Any], text: str, *, where: str, kind: str) -> Any:
    try:
        document = parse(text)
    except RecursionError:
        raise _too_deep(where) from None
    except ValueError as error:
        raise DoyleError(f"{where}: cannot be read: not valid {kind}: {error}") from None
    if _is_deep(document):
        raise _too_deep(where)
    return document


def _too_deep(where: str) -> DoyleError:
    return DoyleError(
        f"{where}: cannot be read: nested too deeply; at most {DEEPEST} levels are read"
    )


def _is_deep(document: Any) -> bool:
    """Whether lists and tables lie deeper in each other than `DEEPEST`; does not recurse."""
    level = [document] if isinstance(document, dict | list) else []
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
