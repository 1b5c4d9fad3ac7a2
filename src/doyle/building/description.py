"""The description of a build: a TOML file, checked field by field.

A field is a plain value or a table `{ value, source, note }`, where `source` is "published" (the
note names paper and place) or "assumed" (the note says why). Bundled descriptions are *presets* and
tag every field; `small` is a table already and carries its own `source` and `note`.

Descriptions by name: presets come with the package, others are TOML files of the user's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from doyle.abstractions.betting import BettingModel
from doyle.abstractions.cards.notation import Notation
from doyle.abstractions.cards.registry import describe, find_maker
from doyle.base.artifacts.documents import Sourced, Tagged, parse_toml, read_text, validated
from doyle.base.errors import DoyleError, FieldError
from doyle.games import Game
from doyle.solving.solve import Method
from doyle.solving.solvers import DRAWING, SAMPLING, SOLVERS, check_solver
from doyle.strategy import ChosenField
from doyle.strategy.translation.named_translations import canonical_name

Purification = Literal["none", "full", "threshold"]

TIME_ALLOWANCE = 3.0
"""A solve with a number of iterations is stopped after this many times its usual seconds."""

NAME = r"^[a-z0-9]([a-z0-9._@-]{0,94}[a-z0-9])?\Z"
"""Folder names that are valid on any file system."""


def _checked(read: Callable[[str], object], text: str) -> str:
    """The text, if it can be parsed; doyle's own errors are converted to those that Pydantic
    collects."""
    try:
        read(text)
    except DoyleError as error:
        raise ValueError(str(error)) from None
    return text


def _readable(read: Callable[[str], object]) -> AfterValidator:
    return AfterValidator(partial(_checked, read))


def _number(holds: Callable[[Any], bool], expected: str) -> AfterValidator:
    def check(value: Any) -> Any:
        if not holds(value):
            raise ValueError(f"{value} is not {expected}")
        return value

    return AfterValidator(check)


def _full_deck(name: str) -> None:
    game = Game.named(name)
    if (game.hole_cards, len(game.deck), game.board_cards) != (2, 52, (0, 3, 1, 1)):
        raise DoyleError(
            f"game {name} is not Texas Hold'em with the full deck; others are solved and saved, not "
            "built"
        )


GameName = Annotated[str, _readable(_full_deck)]
Betting = Annotated[str, _readable(BettingModel.named)]
Cards = Annotated[str, _readable(describe)]
Solver = Annotated[str, _readable(check_solver)]
TranslationName = Annotated[str, _readable(canonical_name), AfterValidator(canonical_name)]
Seconds = Annotated[float, _number(lambda x: 0 < x < math.inf, "a finite number above 0")]
Count = Annotated[int, _number(lambda n: n >= 1, "a whole number from 1")]
Seed = Annotated[int, _number(lambda n: n >= 0, "a whole number from 0")]
Share = Annotated[float, _number(lambda x: 0 <= x <= 1, "a number from 0 to 1")]
Tremble = Annotated[float, _number(lambda x: 0 <= x < 1, "a share from 0 to less than 1")]
Regret = Annotated[
    float,
    _number(lambda x: -math.inf < x <= 0, "a number of chips below 0, or 0 for no pruning"),
]


class SmallScale(Sourced):
    """The changes of the small scale, which make the build take about a minute."""

    cards: Cards = Field(description="a card abstraction such as 'ir169.ir50.ir50.50'")
    solver: Solver | None = None
    iterations: int | None = Field(default=None, gt=0, strict=True)
    seconds: float = Field(default=20.0, gt=0, allow_inf_nan=False, strict=True)


class BuildDescription(BaseModel):
    """Everything that determines a build.

    `iterations` is the work of a solve, so that a busy machine makes the same agent; `seconds` is then
    its usual time on two cores, and a build stops at `TIME_ALLOWANCE` times that. Without `iterations`
    a build solves for `seconds`.

    `prune_below` is in chips of summed regret: traversals mostly skip actions whose regret is below
    it; 0 disables pruning. `tremble` is the share of decisions in which the seat whose actions
    are drawn acts at random (`SamplingOptions`).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(description="the name of the agent and of its folder, such as 'mine'")
    summary: str = ""
    game: Tagged[GameName] = Field(
        description="a game such as 'holdem-nl-200bb', or a definition file"
    )
    betting: Tagged[Betting] = Field(description="a betting model such as 'fcpa'")
    cards: Tagged[Cards] = Field(description="a card abstraction such as 'ir169.ir200.ir200.200'")
    solver: Tagged[Solver] = Field(description=f"one of {', '.join(SOLVERS)}")
    iterations: Tagged[Count] | None = None
    seconds: Tagged[Seconds] = Tagged[Seconds](value=240.0)
    seed: Tagged[Seed] = Tagged[Seed](value=1)
    prune_below: Tagged[Regret] = Tagged[Regret](value=0.0)
    tremble: Tagged[Tremble] = Tagged[Tremble](value=0.0)
    translation: Tagged[TranslationName] = Tagged[TranslationName](value="rand-pshar")
    purification: Tagged[Purification] = Tagged[Purification](value="none")
    threshold: Tagged[Share] = Tagged[Share](value=0.15)
    small: SmallScale | None = Field(
        default=None, description="a table such as { cards = 'ir169.ir50.ir50.50' }"
    )

    @field_validator("name")
    @classmethod
    def _folder_name(cls, name: str) -> str:
        if not re.fullmatch(NAME, name):
            raise ValueError(
                f"{name!r} is unfit for a folder; expected at most 96 of a-z, 0-9, '.', '_' and "
                "'-', with a letter or digit first and last"
            )
        return name

    @model_validator(mode="after")
    def _fields_fit_each_other(self) -> BuildDescription:
        try:
            self.betting_model.check(self.rules)
        except DoyleError as error:
            raise ValueError(f"key 'betting': {error}") from None
        usual = BuildDescription.model_fields["threshold"].default
        if self.threshold.value != usual.value and self.purification.value != "threshold":
            raise ValueError(
                f"key 'threshold': {self.threshold.value:g} is not played with purification "
                f"{self.purification.value!r}; add purification = 'threshold'"
            )
        players = self.rules.players
        scales = [(self.solver.value, self.cards.value)]
        if self.small is not None:
            scales.append((self.small.solver or self.solver.value, self.small.cards))
        for solver, cards in scales:
            if solver not in SAMPLING and not _remembers(cards):
                raise ValueError(
                    f"key 'solver': {solver} needs perfect recall, and {cards!r} has imperfect recall; "
                    f"allowed with it are {', '.join(SAMPLING)}"
                )
            if players > 2 and solver not in DRAWING:
                raise ValueError(
                    f"key 'solver': {solver} is for two players, and {self.game.value} has "
                    f"{players}; {' and '.join(DRAWING)} take more"
                )
            for key, does in (("prune_below", "prune"), ("tremble", "tremble")):
                if getattr(self, key).value and solver not in DRAWING:
                    raise ValueError(
                        f"key '{key}': {solver} does not {does}; {' and '.join(DRAWING)} do"
                    )
        return self

    @property
    def rules(self) -> Game:
        """The game itself."""
        return Game.named(self.game.value)

    @property
    def betting_model(self) -> BettingModel:
        """The betting model itself."""
        return BettingModel.named(self.betting.value)

    def method(self, *, shards: int = 0, merge: int = 0) -> Method:
        """The solver with its options."""
        return Method(
            self.solver.value,
            seed=self.seed.value,
            shards=shards,
            merge=merge,
            prune_below=self.prune_below.value or -math.inf,
            tremble=self.tremble.value,
        )

    def at_scale(self, scale: str) -> BuildDescription:
        """This description, or its small version with `-small` added to the name."""
        if scale == "full":
            return self
        if scale != "small":
            raise FieldError("scale", "expected full or small", value=scale)
        if self.small is None:
            raise FieldError(
                "scale",
                f"{self.name} has no small scale; add small = {{ cards = 'ir169.ir50.ir50.50' }}",
                value=scale,
            )
        small = self.small

        def changed(kind: type[Tagged[Any]], value: Any) -> Tagged[Any]:
            return kind(value=value, source="assumed", note="the small scale")

        update = {
            "name": f"{self.name}-small",
            "cards": changed(Tagged[Cards], small.cards),
            "iterations": small.iterations and changed(Tagged[Count], small.iterations),
            "seconds": changed(Tagged[Seconds], small.seconds),
            "solver": changed(Tagged[Solver], small.solver) if small.solver else self.solver,
        }
        return self.model_copy(update=update)

    def in_game(self, game: str) -> BuildDescription:
        """The same betting and cards in another game, with `@GAME` added to the name."""
        where = f"{self.name}@{game}"
        try:
            name = f"{self.name}@{Game.named(game).name}"
        except DoyleError as error:
            raise DoyleError(f"{where}: key 'game': {error}") from None
        asked = {"value": game, "source": "assumed", "note": "asked for by name"}
        fields = {**self.model_dump(), "name": name, "game": asked}
        return validated(type(self), fields, where=where)

    def tags(self) -> list[ChosenField]:
        """Every field that was chosen, with its value, source and note."""
        rows: list[ChosenField] = []
        for name in type(self).model_fields:
            field = getattr(self, name)
            if isinstance(field, Tagged):
                value = field.value
            elif isinstance(field, SmallScale):
                work = "" if field.iterations is None else f"{field.iterations:,} iterations, "
                chosen = (
                    field.cards,
                    field.solver or self.solver.value,
                    f"{work}{field.seconds:g} s",
                )
                value = ", ".join(chosen)
            else:
                continue
            rows.append(ChosenField(name, value, field.source, field.note))
        return rows


def _remembers(cards: str) -> bool:
    """Whether buckets determine all earlier buckets of their hands."""
    if find_maker(cards) is not None:
        return True
    return all(all(round.remembered) for round in Notation.parse(cards).rounds[:-1])


LARGEST_DESCRIPTION = 32 << 10
"""Bytes of a user's TOML file; the time to parse one may grow with the square of its size."""


@cache
def preset_names() -> tuple[str, ...]:
    """The bundled descriptions.

    >>> "default" in preset_names()
    True
    """
    folder = resources.files("doyle.building") / "presets"
    found = sorted(
        entry.name.removesuffix(".toml")
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    )
    return tuple(found)


def load_description(name_or_path: str) -> BuildDescription:
    """The preset of that name, or the description in that TOML file."""
    if name_or_path in preset_names():
        return _preset(name_or_path)
    path = Path(name_or_path)
    if path.suffix != ".toml":
        raise DoyleError(
            f"build {name_or_path!r}: not a preset ({', '.join(preset_names())}) nor a .toml file"
        )
    try:
        text = read_text(path, most=LARGEST_DESCRIPTION)
    except FileNotFoundError:
        raise DoyleError(f"{path}: cannot be read (no such file)") from None
    description = parse_description(text, where=str(path))
    _refuse_taken_names(description.name, where=str(path))
    return description


@cache
def _preset(name: str) -> BuildDescription:
    """A bundled description, read and checked once in a process."""
    path = resources.files("doyle.building") / "presets" / f"{name}.toml"
    return parse_description(path.read_text(encoding="utf-8"), where=f"preset {name}")


def parse_description(text: str, *, where: str) -> BuildDescription:
    """Check the text of a description; the error names the key and its allowed values."""
    return validated(BuildDescription, parse_toml(text, where=where), where=where)


def _refuse_taken_names(name: str, *, where: str) -> None:
    """An agent's folder has its name, and folders of presets must match the preset."""
    if name.removesuffix("-small") in preset_names():
        raise DoyleError(f"{where}: key 'name': {name!r} is a preset's; choose another")
    if "@" in name:
        raise DoyleError(
            f"{where}: key 'name': {name!r} has an '@', which stands before the game of `NAME@GAME`"
        )
