"""Values of a description with where they come from.

A field of a TOML file is a plain value or a table `{ value, source, note }`, where `source` is
"published" (the note names paper and place) or "assumed" (the note says why).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, model_validator

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
