"""Requests and responses, as Pydantic models: validated on input, described by OpenAPI."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from doyle.apps.web.store import TableRecord

ActionText = Annotated[str, StringConstraints(pattern=r"^(f|c|r[1-9][0-9]{0,9}|r)$")]
"""`f` folds, `c` calls or checks, `rTOTAL` raises to a total over the whole hand (`r` in limit games)."""

PlayerName = Annotated[str, StringConstraints(pattern=r"^[\w .'\-]{1,40}$", strip_whitespace=True)]
Hexadecimal = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
CardsText = Annotated[str, StringConstraints(pattern=r"^([2-9TJQKA][cdhs]){1,52}$")]
Names = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]{1,200}$")]


class Strict(BaseModel):
    """A request: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """Why a request was refused."""

    detail: Any


class NewPlayer(Strict):
    name: PlayerName = "Player"


class PlayerDocument(BaseModel):
    """A player; the token stands for it in `Authorization: Bearer TOKEN` and is shown this once."""

    player: str
    name: str
    token: str


class OfferDocument(BaseModel):
    agent: str
    name: str
    note: str


class GameDocument(BaseModel):
    """A game and the agents that play it; `stronger` is the build that would play better."""

    name: str
    title: str
    players: int
    limit: bool
    big_blind: int
    blinds: list[int]
    stacks: list[int]
    bets: list[int]
    agents: list[OfferDocument] = []
    stronger: str | None = None


class NewTable(Strict):
    """One agent takes all other seats, or there is one for each."""

    game: Names
    agents: Annotated[list[Names], Field(min_length=1, max_length=9)]
    pace: Annotated[float, Field(ge=0.02, le=10, allow_inf_nan=False)] | None = None
    """Seconds until an agent's action is shown."""


class NextHand(Strict):
    after: Annotated[int, Field(ge=0, le=2**31 - 1)]
    """The number of the last hand; 0 for the first."""


class PlayerAction(Strict):
    """An action; `hand` and `number` identify its decision."""

    hand: Annotated[int, Field(ge=1, le=2**31 - 1)]
    number: Annotated[int, Field(ge=0, le=1000)]
    action: ActionText


class SessionDocument(BaseModel):
    hands: int
    won: float
    baseline: float
    baseline_hands: int


class TableDocument(BaseModel):
    """A table as its player sees it; docs/guides/table.md describes `hand`."""

    type: Literal["table"] = "table"
    table: str
    game: GameDocument
    seat: int
    names: list[str]
    agents: list[str | None]
    session: SessionDocument
    problem: str
    hand: dict[str, Any] | None


class TableEntry(BaseModel):
    table: str
    game: str
    agents: list[str]
    created_at: str

    @classmethod
    def of(cls, record: TableRecord) -> TableEntry:
        return cls(
            table=record.id,
            game=record.game,
            agents=list(record.agents),
            created_at=record.created_at.isoformat(),
        )


class NewSession(Strict):
    name: PlayerName = "You"


class NewName(Strict):
    name: PlayerName


class PlayerEntry(BaseModel):
    player: str
    name: str


class SessionOpened(BaseModel):
    """The player of a browser's cookie, and its tables, newest first."""

    player: str
    name: str
    tables: list[TableEntry]


class HandEntry(BaseModel):
    number: int
    hole: list[str]
    board: list[str]
    betting: str
    won: float
    baseline: float | None
    commitment: str
    shown: dict[str, str]


class WhyDocument(BaseModel):
    """The decisions of the agents in a hand that is over."""

    number: int
    baseline: float | None
    decisions: list[dict[str, Any]]


class Commitment(Strict):
    commitment: Hexadecimal
    salt: Hexadecimal
    deck: CardsText


class Verdict(BaseModel):
    valid: bool


class PolicyQuestion(Strict):
    agent: Names
    game: Names
    state: Annotated[str, StringConstraints(pattern=r"^MATCHSTATE:[0-9A-Za-z:|/]{1,500}$")]
    """The view of the seat to act, or the public view, as an ACPC line."""


class PolicyDocument(BaseModel):
    agent: str
    game: str
    position: int
    actions: list[str]
    hands: dict[str, dict[str, Any]]


class SpotQuestion(Strict):
    """A turn or river spot; see `doyle spot`."""

    board: Annotated[str, StringConstraints(pattern=r"^([2-9TJQKA][cdhs]){4,5}$")]
    ranges: Annotated[
        list[Annotated[str, StringConstraints(pattern=r"^[2-9TJQKAcdhsxo,+:.0-9-]{1,2000}$")]],
        Field(min_length=2, max_length=2),
    ]
    pot: Annotated[int, Field(ge=2, le=1_000_000)]
    stacks: Annotated[int, Field(ge=1, le=1_000_000)]
    betting: Annotated[str, StringConstraints(pattern=r"^[a-z0-9,/@+|-]{1,40}$")] = "fchpa"
    target_percent: Annotated[float, Field(ge=0.05, le=100, allow_inf_nan=False)] = 0.5
