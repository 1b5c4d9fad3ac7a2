"""What Pydantic finds wrong, as one line that names the key and what it may hold."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from doyle.base.errors import DoyleError

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
    """What a missing key should hold."""
    if keys[-1] == "value":
        keys = keys[:-1]
    field = _holder(model, keys[:-1]).model_fields[keys[-1]]
    return field.description or "a value"
