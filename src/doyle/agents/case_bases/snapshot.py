"""Architecture snapshots: the six points of an agent as a TOML file, each with its source.

The keys of a file are those of `Architecture`, grouped by the paper's points, and what the agent is
trained on. Bundled snapshots are *presets* (`sartre-2009` and its successors), which say of every value
whether it is published or assumed.
"""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from doyle.agents.case_bases.architecture import (
    Architecture,
    BettingMetric,
    Combination,
    CommitmentMetric,
    HoleMetric,
    Reading,
    Reuse,
    Solution,
    Strength,
    StrengthMetric,
    TextureMetric,
)
from doyle.agents.case_bases.domains import domain_of
from doyle.base.artifacts.documents import Sourced, Tagged, parse_toml, read_text, validated
from doyle.base.errors import DoyleError
from doyle.base.paths import cache_folder
from doyle.games import Game

LARGEST_SNAPSHOT = 32 << 10
NAME = r"^[a-z0-9]([a-z0-9._-]{0,94}[a-z0-9])?$"
Scale = Literal["full", "small"]


class _Point(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    def values(self) -> dict[str, Any]:
        """What the file says, without sources."""
        found = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: tagged.value for name, tagged in found.items() if tagged is not None}


class Features(_Point):
    """Point 1: what a case says of its moment."""

    strength: Tagged[Strength] = Field(description=f"one of {', '.join(get_args(Strength))}")
    buckets: Tagged[int] | None = None
    letters: Tagged[str] | None = None
    commitment_classes: Tagged[int] | None = None
    reading: Tagged[Reading] | None = None
    spread: Tagged[float] | None = None
    switching: Tagged[bool] | None = None


class Similarity(_Point):
    """Point 2: how values of each feature are compared."""

    hole_metric: Tagged[HoleMetric] | None = None
    strength_metric: Tagged[StrengthMetric] | None = None
    slope: Tagged[float] | None = None
    betting_metric: Tagged[BettingMetric] | None = None
    decay: Tagged[float] | None = None
    texture_metric: Tagged[TextureMetric] | None = None
    commitment_metric: Tagged[CommitmentMetric] | None = None


class SmallTraining(Sourced):
    """What the small scale changes so that a build takes about a minute."""

    deals: int = Field(ge=1)


class TrainingPoint(BaseModel):
    """Point 6: whom the agent learns from, against whom they play, how many deals.

    Several experts give one base each, which `combine` brings together; `heads_up` are the experts
    of the two-player base that a three-player agent switches to.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    experts: Tagged[tuple[str, ...]] = Field(description="a list of agents such as ['limit-2p']")
    partners: Tagged[tuple[str, ...]] = Tagged[tuple[str, ...]](value=())
    heads_up: Tagged[tuple[str, ...]] = Tagged[tuple[str, ...]](value=())
    deals: Tagged[int] = Tagged[int](value=100_000)
    seed: Tagged[int] = Tagged[int](value=1)
    combine: Tagged[Combination] | None = None
    small: SmallTraining = SmallTraining(deals=5_000)

    @field_validator("experts")
    @classmethod
    def _someone(cls, experts: Tagged[tuple[str, ...]]) -> Tagged[tuple[str, ...]]:
        if not experts.value:
            raise ValueError("expected at least one agent")
        return experts


class Snapshot(BaseModel):
    """An agent in the paper's six points."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(description="the name of the agent and of its folder, such as 'mine'")
    summary: str = ""
    game: Tagged[str] = Field(description="a game such as 'holdem-limit-2p'")
    features: Features = Field(description="a table with `strength`")
    similarity: Similarity = Similarity()
    solution: Tagged[Solution] = Tagged[Solution](value="vector")
    retrieve: Tagged[int] = Tagged[int](value=1)
    reuse: Tagged[Reuse] = Tagged[Reuse](value="max-frequency")
    training: TrainingPoint = Field(description="a table with `experts`")

    @field_validator("name")
    @classmethod
    def _folder_name(cls, name: str) -> str:
        if not re.match(NAME, name):
            raise ValueError(f"{name!r} is unfit for a folder; expected a-z, 0-9, '.', '_' and '-'")
        return name

    @model_validator(mode="after")
    def _fits(self) -> Snapshot:
        try:
            _ = self.architecture
        except DoyleError as error:
            raise ValueError(str(error)) from None
        return self

    @property
    def architecture(self) -> Architecture:
        """The points that decide how cases are made and asked."""
        points = {**self.features.values(), **self.similarity.values()}
        if self.training.combine is not None:
            points["combine"] = self.training.combine.value
        return Architecture(
            domain=domain_of(Game.named(self.game.value)).name,
            solution=self.solution.value,
            retrieve=self.retrieve.value,
            reuse=self.reuse.value,
            **points,
        )

    def deals(self, scale: Scale = "full") -> int:
        """How many deals the logs have that are made for it."""
        return self.training.deals.value if scale == "full" else self.training.small.deals


def preset_names() -> list[str]:
    """The bundled snapshots.

    >>> "sartre-2011" in preset_names()
    True
    """
    folder = resources.files("doyle.agents.case_bases") / "presets"
    names = (entry.name for entry in folder.iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def load_snapshot(name_or_path: str) -> Snapshot:
    """The preset of that name, or the snapshot in that TOML file."""
    if name_or_path in preset_names():
        file = resources.files("doyle.agents.case_bases") / "presets" / f"{name_or_path}.toml"
        return parse_snapshot(file.read_text(encoding="utf-8"), where=f"preset {name_or_path}")
    path = Path(name_or_path)
    if path.suffix != ".toml":
        known = ", ".join(preset_names())
        raise DoyleError(f"snapshot {name_or_path!r}: not a preset ({known}) nor a .toml file")
    try:
        text = read_text(path, most=LARGEST_SNAPSHOT)
    except FileNotFoundError:
        raise DoyleError(f"{path}: cannot be read (no such file)") from None
    snapshot = parse_snapshot(text, where=str(path))
    if snapshot.name.removesuffix("-small") in preset_names():
        raise DoyleError(f"{path}: key 'name': {snapshot.name!r} is a preset's; choose another")
    return snapshot


def parse_snapshot(text: str, *, where: str) -> Snapshot:
    """Check the text of a snapshot; the error names the key and what it allows."""
    return validated(Snapshot, parse_toml(text, where=where), where=where)


def preset_folder(name: str) -> Path:
    """Where the case bases of a preset or of a snapshot's name are, or will be.

    It holds `members`, with one case base for each expert; that of a three-player agent that switches
    also `heads-up` with its two-player bases.
    """
    return cache_folder() / "case_bases" / name
