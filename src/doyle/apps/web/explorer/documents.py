"""The explorer's requests and responses, with their bounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

AgentText = Annotated[str, Field(min_length=1, max_length=300)]
GameName = Annotated[str, Field(min_length=1, max_length=100)]
Betting = Annotated[str, Field(max_length=400, pattern=r"^[fcr0-9/]*$")]
Board = Annotated[str, Field(max_length=10, pattern=r"^([2-9TJQKA][cdhs])*$")]
RangeText = Annotated[str, Field(min_length=1, max_length=20_000)]
LockText = Annotated[str, Field(min_length=1, max_length=2_000)]
Pots = Annotated[float, Field(ge=0, le=1000, allow_inf_nan=False)]


class Question(BaseModel):
    """A request; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class PlaceQuestion(Question):
    agent: AgentText
    game: GameName
    betting: Betting = ""
    board: Board = ""


class BetQuestion(Question):
    agent: AgentText
    game: GameName
    betting: Betting = ""
    raise_to: Annotated[int, Field(ge=2, le=2**30)]


class MappingQuestion(Question):
    lower: Pots
    upper: Pots
    size: Pots


class SpotQuestion(Question):
    board: Annotated[str, Field(pattern=r"^([2-9TJQKA][cdhs]){4,5}$", max_length=10)]
    ranges: tuple[RangeText, RangeText]
    pot: Annotated[int, Field(ge=2, le=1_000_000)]
    stacks: Annotated[int, Field(ge=1, le=1_000_000)]
    sizes: Annotated[list[Annotated[int, Field(ge=10, le=1000)]], Field(max_length=4)] = [50, 100]
    all_in: bool = True
    locks: Annotated[list[LockText], Field(max_length=20)] = []
    target_percent: Annotated[float, Field(ge=0.1, le=50, allow_inf_nan=False)] = 0.5


class SpotPlaceQuestion(Question):
    history: Annotated[str, Field(max_length=400, pattern=r"^[fcra0-9/]*$")] = ""
    board: Board = ""


class ReviewQuestion(Question):
    name: Annotated[str, Field(min_length=1, max_length=120)]
    """The name of the file, of which only the suffix is used."""
    text: Annotated[str, Field(min_length=1, max_length=1 << 20)]
    agent: AgentText
    game: GameName
    player: Annotated[str | None, Field(max_length=120)] = None
    spots: Literal["none", "river", "late"] = "river"


class StrategyDocument(BaseModel):
    """A strategy that can be explored."""

    agent: str
    name: str
    game: str
    note: str


class PlaceDocument(BaseModel):
    """A place in the betting: the public view, and the strategy's play with every hand."""

    model_config = ConfigDict(extra="allow")

    agent: str
    game: str
    betting: str
    over: bool
    needs_board: int


class JobDocument(BaseModel):
    """A job: waiting, running, done or failed; `place` is that in the queue, from 1, while it waits."""

    job: str
    status: str
    place: int | None
    progress: dict[str, Any]
    result: dict[str, Any] | None
    problem: str | None
