"""Documents: JSON and TOML that anybody may have written, read with limits.

A document is a regular file of UTF-8 text whose size, nesting and numbers are bounded, so that no
file can hang a command, fill its memory or cause any error except one line that names the file.

Pydantic's errors, as one line that names the key and its allowed values.

Values of a description with where they come from.

A field of a TOML file is a plain value or a table `{ value, source, note }`, where `source` is
"published" (the note names paper and place) or "assumed" (the note says why).
"""

from __future__ import annotations

import json
import stat
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import NoneType
from typing import Any, Generic, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from doyle.base.errors import DoyleError

LARGEST_BYTES = 64 << 20
"""Of one document; the manifest of a long solve's checkpoint has a few."""
DEEPEST = 64
"""Lists and tables inside each other."""
MOST_DIGITS = 400
"""Of one whole number; Python itself refuses 4,300."""


def read_bytes(path: Path, *, most: int = LARGEST_BYTES) -> bytes:
    """The bytes of a regular file; FileNotFoundError if absent."""
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
    """The text of a regular file; FileNotFoundError if absent."""
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


Model = TypeVar("Model", bound=BaseModel)


def validated(model: type[Model], data: Mapping[str, Any], *, where: str) -> Model:
    """`data` as a `model`; else an error of one line about the first thing that is wrong.

    If that is a missing key, the line names the others that are missing too.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first, *rest = error.errors()
        line = _line(model, data, first)
        others = [str(one["loc"][0]) for one in rest if one["type"] == "missing"]
        if first["type"] == "missing" and others:
            line += f"; also missing: {', '.join(others)}"
        raise DoyleError(f"{where}: {line}") from None


def _line(model: type[BaseModel], data: Mapping[str, Any], problem: Any) -> str:
    keys = [str(part) for part in problem["loc"]]
    if not keys:  # a rule about several fields, which names one itself
        return _words(problem)
    # A plain value stands for a table with `value`, which the user never wrote; what a value says is
    # of its field.
    is_plain = problem["type"] == "value_error" or not isinstance(data.get(keys[0]), Mapping)
    if keys[1:] == ["value"] and is_plain:
        keys = keys[:1]
    holder = _holder(model, keys[:-1])
    allowed = ", ".join(holder.model_fields)
    message = _words(problem)
    if problem["type"] == "extra_forbidden":
        message = f"unknown key; allowed are {allowed}"
    elif problem["type"] == "missing":
        message = f"required; expected {_meaning(model, keys)}"
    elif problem["type"].startswith("model"):
        allowed = ", ".join(_holder(model, keys).model_fields)
        message = f"expected a table with the keys {allowed}"
    return f"key '{'.'.join(keys)}': {message}"


def _words(problem: Any) -> str:
    return str(problem["msg"]).removeprefix("Value error, ")


def _holder(model: type[BaseModel], keys: list[str]) -> type[BaseModel]:
    """The model of the table at `keys`, or of the innermost table around a list there."""
    for key in keys:
        annotation = model.model_fields[key].annotation
        # A key that may be left out is annotated `Table | None`.
        inner = next((part for part in get_args(annotation) if part is not NoneType), annotation)
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            break  # places in a list follow
        model = inner
    return model


def _meaning(model: type[BaseModel], keys: list[str]) -> str:
    """The expected content of a missing key."""
    if keys[-1] == "value":
        keys = keys[:-1]
    field = _holder(model, keys[:-1]).model_fields[keys[-1]]
    return field.description or "a value"


Value = TypeVar("Value")

Source = Literal["published", "assumed", "given"]


class Sourced(BaseModel):
    """Something with where it comes from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: Source = "given"
    note: str = ""

    @model_validator(mode="after")
    def _explained(self) -> Sourced:
        if self.source != "given" and not self.note:
            raise ValueError(f"source {self.source!r} needs a note (the place, or the reason)")
        return self


class Tagged(Sourced, Generic[Value]):
    """A value with where it comes from.

    >>> Tagged[int].model_validate(3)
    Tagged[int](source='given', note='', value=3)
    """

    value: Value

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, data: Any) -> Any:
        found = data if isinstance(data, Mapping | Tagged) else {"value": data}
        value = found.get("value") if isinstance(found, Mapping) else None
        if isinstance(value, bool) and cls.model_fields["value"].annotation is not bool:
            raise ValueError(f"expected a value, not {str(value).lower()}")
        return found
