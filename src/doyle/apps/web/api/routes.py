"""The requests of the API. Each is a call of `TableService`."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse

from doyle.apps.web.api import documents as d
from doyle.apps.web.api.access import CurrentPlayer, Service, player_of, set_player_cookie
from doyle.apps.web.api.sockets import socket_router
from doyle.apps.web.dealing import check_commitment
from doyle.apps.web.service import ServiceError, downloads, sight
from doyle.apps.web.service.errors import IllegalActionError
from doyle.apps.web.service.offers import STRONGER
from doyle.apps.web.service.tables import LiveTable
from doyle.apps.web.store import UnavailableError
from doyle.apps.web.thinking.lanes import OverloadedError
from doyle.base.errors import DoyleError
from doyle.games import CALL, FOLD, Action, Game

TableId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]
HandNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]

MOST_FIELDS = 20
LONGEST_DOWNLOAD = 100_000

REFUSED: dict[int | str, dict[str, Any]] = {
    status: {"model": d.Problem} for status in (400, 401, 404, 409, 413, 422, 429, 503)
}

router = APIRouter(prefix="/api", responses=REFUSED)


def add_routes(app: FastAPI) -> None:
    """Add the API to the application, with its errors."""
    app.include_router(router)
    app.include_router(socket_router)

    @app.exception_handler(ServiceError)
    async def refused(_: Request, error: ServiceError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, error.status)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        # Without the input, which may be no JSON (NaN) or very long.
        fields = [{key: entry[key] for key in ("type", "loc", "msg")} for entry in error.errors()]
        return JSONResponse({"detail": fields[:MOST_FIELDS]}, 422)

    @app.exception_handler(UnavailableError)
    @app.exception_handler(OverloadedError)
    async def unavailable(_: Request, error: DoyleError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 503, {"Retry-After": "5"})

    @app.exception_handler(DoyleError)
    async def wrong(_: Request, error: DoyleError) -> JSONResponse:
        return JSONResponse({"detail": str(error)[:500]}, 422)


def parsed_action(table: LiveTable, text: str) -> Action:
    """An action from its text; `r` alone is the raise of a limit game."""
    if text in ("f", "c"):
        return FOLD if text == "f" else CALL
    if table.game.is_limit or text == "r":
        raise_to = 0 if table.hand is None else table.hand.state.max_raise_to
        if not table.game.is_limit or not raise_to:
            raise IllegalActionError("no raise is allowed" if raise_to == 0 else "raise to what?")
        return raise_to
    return int(text[1:])


@router.post("/players", status_code=201)
async def create_player(service: Service, new: d.NewPlayer) -> d.PlayerDocument:
    """Become a player; the returned token identifies it from then on."""
    player, token = await service.create_player(new.name)
    return d.PlayerDocument(player=player.id, name=player.name, token=token)


@router.post("/session")
async def browser_session(
    connection: Request, service: Service, response: Response, asked: d.NewSession
) -> d.SessionOpened:
    """For browsers: the player of the cookie, or a new one whose cookie is set."""
    player = await player_of(connection)
    if player is None:
        player, token = await service.create_player(asked.name)
        set_player_cookie(connection, response, token)
    tables = list(map(d.TableEntry.of, await service.tables_of(player)))
    return d.SessionOpened(player=player.id, name=player.name, tables=tables)


@router.put("/session/name")
async def rename(service: Service, player: CurrentPlayer, asked: d.NewName) -> d.PlayerEntry:
    """Change one's name, which tables and the leaderboard show."""
    renamed = await service.rename_player(player, asked.name)
    return d.PlayerEntry(player=renamed.id, name=renamed.name)


@router.get("/games")
async def games(service: Service) -> list[d.GameDocument]:
    """The games that can be played, with the agents for each."""
    offers, found = await service.offers.all(), []
    for name in dict.fromkeys(offer.game for offer in offers):
        agents = [offer for offer in offers if offer.game == name]
        found.append(
            d.GameDocument(
                **sight.game_document(Game.named(name)),
                agents=[d.OfferDocument(agent=o.agent, name=o.name, note=o.note) for o in agents],
                stronger=None if agents[0].agent != "starter" else STRONGER.get(name),
            )
        )
    return found


@router.post("/tables", status_code=201)
async def create_table(service: Service, player: CurrentPlayer, new: d.NewTable) -> d.TableDocument:
    """Sit down at a new table; the first hand is dealt by POST .../hands."""
    table = await service.create_table(player, game=new.game, agents=new.agents, pace=new.pace)
    return _document(table)


@router.get("/tables")
async def tables(service: Service, player: CurrentPlayer) -> list[d.TableEntry]:
    """One's tables, newest first."""
    return list(map(d.TableEntry.of, await service.tables_of(player)))


@router.get("/tables/{table_id}")
async def read_table(
    service: Service,
    player: CurrentPlayer,
    table_id: TableId,
    wait: Annotated[float, Query(ge=0, le=30, allow_inf_nan=False)] = 0.0,
) -> d.TableDocument:
    """The state of a table; with `wait`, once it is one's turn or the hand is over, or after so long."""
    table = await service.tables.find(player, table_id)
    if wait:
        try:
            with table.watching() as changed:
                async with asyncio.timeout(wait):
                    while _others_turn(table):
                        changed.clear()
                        await changed.wait()
        except TimeoutError:
            pass
    return _document(table)


@router.post("/tables/{table_id}/hands")
async def next_hand(
    service: Service, player: CurrentPlayer, table_id: TableId, asked: d.NextHand
) -> d.TableDocument:
    """Deal the next hand; no effect if it is dealt already."""
    table = await service.tables.find(player, table_id)
    await service.play.next_hand(table, after=asked.after)
    return _document(table)


@router.post("/tables/{table_id}/actions")
async def act(
    service: Service, player: CurrentPlayer, table_id: TableId, chosen: d.PlayerAction
) -> d.TableDocument:
    """Act; refused if the hand has moved on since."""
    table = await service.tables.find(player, table_id)
    action = parsed_action(table, chosen.action)
    await service.play.act(table, hand=chosen.hand, number=chosen.number, action=action)
    return _document(table)


@router.get("/tables/{table_id}/hands")
async def finished_hands(
    service: Service,
    player: CurrentPlayer,
    table_id: TableId,
    below: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
    most: Annotated[int, Query(ge=1, le=200)] = 50,
) -> list[d.HandEntry]:
    """Hands of a table that are over, newest first."""
    table = await service.tables.find(player, table_id)
    hands = await service.tables.finished_hands(table, below=below, most=most)
    return [d.HandEntry(**sight.hand_summary(table, hand)) for hand in hands]


@router.get("/tables/{table_id}/hands/{number}")
async def finished_hand(
    service: Service, player: CurrentPlayer, table_id: TableId, number: HandNumber
) -> dict[str, Any]:
    """A hand that is over, with all cards, the deck and the salt of its commitment."""
    table = await service.tables.find(player, table_id)
    return sight.hand_document(table, await service.tables.finished_hand(table, number))


@router.get("/tables/{table_id}/hands/{number}/why")
async def why(
    service: Service, player: CurrentPlayer, table_id: TableId, number: HandNumber
) -> d.WhyDocument:
    """Explain the agents' actions in a finished hand."""
    table = await service.tables.find(player, table_id)
    return d.WhyDocument(**await service.explanations.of(table, number))


@router.get("/tables/{table_id}/hands.log", response_class=PlainTextResponse)
async def acpc_log(service: Service, player: CurrentPlayer, table_id: TableId) -> Response:
    """One's hands at a table as an ACPC log."""
    return await _download(service, player, table_id, "log")


@router.get("/tables/{table_id}/hands.phhs", response_class=PlainTextResponse)
async def phh(service: Service, player: CurrentPlayer, table_id: TableId) -> Response:
    """One's hands at a table in the Poker Hand History format."""
    return await _download(service, player, table_id, "phhs")


@router.post("/verify")
async def verify(asked: d.Commitment) -> d.Verdict:
    """Whether a commitment is SHA-256(salt + deck)."""
    return d.Verdict(valid=check_commitment(asked.commitment, salt=asked.salt, deck=asked.deck))


@router.post("/policy")
async def policy(
    service: Service, player: CurrentPlayer, asked: d.PolicyQuestion
) -> d.PolicyDocument:
    """An agent's play at a moment of a hand: with the hand in the line, or with every hand."""
    offer = service.offers.find(asked.agent, asked.game)
    found = await service.pool.work("policy_api.policy", offer.agent, offer.game, asked.state)
    return d.PolicyDocument(**found)


@router.post("/spot")
async def spot(service: Service, player: CurrentPlayer, asked: d.SpotQuestion) -> dict[str, Any]:
    """Solve a turn or river spot, for a few seconds at most."""
    ranges = (asked.ranges[0], asked.ranges[1])
    found: dict[str, Any] = await service.pool.work(
        "policy_api.spot", asked.board, ranges, asked.pot, asked.stacks, asked.betting,
        asked.target_percent,
    )  # fmt: skip
    return found


def _others_turn(table: LiveTable) -> bool:
    hand = table.hand
    return hand is not None and not hand.is_over and hand.seat_of[hand.state.actor] != table.seat


def _document(table: LiveTable) -> d.TableDocument:
    return d.TableDocument(**sight.table_document(table))


async def _download(
    service: Service, player: CurrentPlayer, table_id: str, kind: str
) -> PlainTextResponse:
    table = await service.tables.find(player, table_id)
    hands = await service.tables.finished_hands(table, most=LONGEST_DOWNLOAD, oldest_first=True)
    histories = [downloads.history(table, hand) for hand in hands]
    return downloads.attachment(histories, f"doyle-{table.record.game}-{table_id[:8]}", kind)
