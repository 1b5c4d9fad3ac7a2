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
from doyle.card_abstraction.notation import Notation
from doyle.card_abstraction.registry import describe, find_maker
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.solving.sampling import METHODS

Value = TypeVar("Value")

SolverName = Literal[
    "external", "pure", "pcs", "lp", "egt", "cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+"
]
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
    solver: SolverName | None = None
    seconds: float = Field(default=20.0, gt=0)

    @field_validator("cards")
    @classmethod
    def _known_cards(cls, spec: str) -> str:
        _checked(describe, spec)
        return spec


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
        if (game.hole_cards, len(game.deck), game.board_cards) != (2, 52, (0, 3, 1, 1)):
            raise ValueError(
                f"game {field.value} is not Texas Hold'em with the full deck; for others see "
                "`doyle solve GAME --save FOLDER`"
            )
        return field

    @field_validator("cards")
    @classmethod
    def _known_cards(cls, field: Tagged[str]) -> Tagged[str]:
        _checked(describe, field.value)
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

    @model_validator(mode="after")
    def _solver_fits_cards(self) -> BuildDescription:
        small = self.small.solver or self.solver.value
        for solver, cards in ((self.solver.value, self.cards.value), (small, self.small.cards)):
            if solver not in METHODS and not _remembers(cards):
                raise ValueError(
                    f"key 'solver': {solver} needs buckets that remember, and {cards!r} forgets; "
                    f"allowed with it are {', '.join(METHODS)}"
                )
        return self

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
                "solver": self.solver
                if self.small.solver is None
                else Tagged[SolverName](value=self.small.solver, source="assumed", note=note),
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
        key = ".".join(str(part) for part in first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        if not key:  # a rule about several fields, which names one itself
            raise DoyleError(f"{where}: {message}") from None
        if first["type"] == "extra_forbidden":
            message = f"unknown key; allowed are {', '.join(BuildDescription.model_fields)}"
        raise DoyleError(f"{where}: key '{key}': {message}") from None


def _remembers(cards: str) -> bool:
    """Whether buckets tell all earlier buckets of their hands."""
    if find_maker(cards) is not None:
        return True
    return all(all(round.remembered) for round in Notation.parse(cards).rounds[:-1])


def _checked(read: Any, text: str) -> Any:
    """Turn doyle's own errors into what Pydantic collects."""
    try:
        return read(text)
    except DoyleError as error:
        raise ValueError(str(error)) from None
