"""The description of a build: a TOML file, checked field by field.

A field is a plain value or a table `{ value, source, note }`, where `source` is "published" (the
note names paper and place) or "assumed" (the note says why). Bundled descriptions are *presets* and
tag every field.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from doyle.betting import BettingModel
from doyle.errors import DoyleError
from doyle.games import Game

Value = TypeVar("Value")

SolverName = Literal["external", "pure", "pcs"]
Purification = Literal["none", "full", "threshold"]


class Tagged(BaseModel, Generic[Value]):
    """A value with where it comes from.

    >>> Tagged[int].model_validate(3)
    Tagged[int](value=3, source='given', note='')
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    value: Value
    source: Literal["published", "assumed", "given"] = "given"
    note: str = ""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, data: Any) -> Any:
        return data if isinstance(data, Mapping | Tagged) else {"value": data}

    @model_validator(mode="after")
    def _explained(self) -> Tagged[Value]:
        if self.source != "given" and not self.note:
            raise ValueError(f"source {self.source!r} needs a note (the place, or the reason)")
        return self


class SmallScale(BaseModel):
    """What `--scale small` changes so that the build takes about a minute."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cards: str
    seconds: float = Field(default=20.0, gt=0)


class BuildDescription(BaseModel):
    """Everything that determines a build."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9._@-]{0,95}$")
    summary: str = ""
    game: Tagged[str]
    betting: Tagged[str]
    cards: Tagged[str]
    solver: Tagged[SolverName]
    seconds: Tagged[float] = Tagged[float](value=240.0)
    seed: int = Field(default=1, ge=0)
    translation: Tagged[str] = Tagged[str](value="rand-pshar")
    purification: Tagged[Purification] = Tagged[Purification](value="none")
    threshold: float = Field(default=0.15, ge=0, le=1)
    small: SmallScale

    @field_validator("game")
    @classmethod
    def _known_game(cls, field: Tagged[str]) -> Tagged[str]:
        game = _checked(Game.named, field.value)
        if game.players != 2:
            raise ValueError(f"game {field.value} has {game.players} players; builds are for two")
        return field

    @field_validator("betting")
    @classmethod
    def _known_betting(cls, field: Tagged[str]) -> Tagged[str]:
        _checked(BettingModel.parse, field.value)
        return field

    @field_validator("seconds")
    @classmethod
    def _positive(cls, field: Tagged[float]) -> Tagged[float]:
        if not field.value > 0:
            raise ValueError("must be above 0")
        return field

    def at_scale(self, scale: str) -> BuildDescription:
        """This description, or its small version with `-small` added to the name."""
        if scale == "full":
            return self
        if scale != "small":
            raise DoyleError(f"--scale {scale!r}: expected full or small")
        note = "--scale small"
        return self.model_copy(
            update={
                "name": f"{self.name}-small",
                "cards": Tagged[str](value=self.small.cards, source="assumed", note=note),
                "seconds": Tagged[float](value=self.small.seconds, source="assumed", note=note),
            }
        )

    def in_game(self, game: str) -> BuildDescription:
        """The same betting and cards in another game, with `@GAME` added to the name."""
        return type(self).model_validate(
            {
                **self.model_dump(),
                "name": f"{self.name}@{Game.named(game).name}",
                "game": {"value": game, "source": "assumed", "note": "asked for by name"},
            }
        )

    def tags(self) -> list[dict[str, Any]]:
        """Every tagged field with its value, source and note."""
        rows = []
        for name in type(self).model_fields:
            field = getattr(self, name)
            if isinstance(field, Tagged):
                rows.append({"field": name, **field.model_dump()})
        return rows


def preset_names() -> list[str]:
    """The bundled descriptions.

    >>> "default" in preset_names()
    True
    """
    folder = resources.files("doyle.building") / "presets"
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    )


def load_description(name_or_path: str) -> BuildDescription:
    """The preset of that name, or the description in that TOML file."""
    if name_or_path in preset_names():
        text = (resources.files("doyle.building") / "presets" / f"{name_or_path}.toml").read_text()
        return parse_description(text, where=f"preset {name_or_path}")
    path = Path(name_or_path)
    if path.suffix != ".toml":
        raise DoyleError(
            f"build {name_or_path!r}: not a preset ({', '.join(preset_names())}) nor a .toml file"
        )
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DoyleError(f"{path}: cannot be read ({error})") from None
    return parse_description(text, where=str(path))


def parse_description(text: str, *, where: str) -> BuildDescription:
    """Check the text of a description; the error names the key and what it allows."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DoyleError(f"{where}: not valid TOML: {error}") from None
    try:
        return BuildDescription.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "description"
        message = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            message = f"unknown key; allowed are {', '.join(BuildDescription.model_fields)}"
        raise DoyleError(f"{where}: key '{key}': {message}") from None


def _checked(read: Any, text: str) -> Any:
    """Turn doyle's own errors into what Pydantic collects."""
    try:
        return read(text)
    except DoyleError as error:
        raise ValueError(str(error)) from None
