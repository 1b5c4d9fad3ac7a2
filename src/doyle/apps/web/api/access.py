"""The identity of the caller: a player's token, in a header for programs, in a cookie for
browsers."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, HTTPException, Response
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection

from doyle.apps.web.security import WRONG_TOKENS, Bucket
from doyle.apps.web.service import TableService
from doyle.apps.web.service.errors import TooManyError
from doyle.apps.web.store import PlayerRecord

COOKIE = "doyle_player"
COOKIE_SECONDS = 365 * 24 * 3600
LONGEST_TOKEN = 200

_bearer = HTTPBearer(auto_error=False, description="The token of a player.")
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="The same, in a browser.")


def service_of(connection: HTTPConnection) -> TableService:
    service: TableService = connection.app.state.service
    return service


def token_of(connection: HTTPConnection, bearer: str | None = None) -> str | None:
    """The token in a header or in the cookie, if there is one."""
    token = bearer or connection.cookies.get(COOKIE)
    return token if token and len(token) <= LONGEST_TOKEN else None


async def player_of(connection: HTTPConnection, bearer: str | None = None) -> PlayerRecord | None:
    """The player of a request; None without a token."""
    token = token_of(connection, bearer)
    if token is None:
        return None
    service = service_of(connection)
    wrong: Bucket = connection.scope[WRONG_TOKENS]
    if wrong.is_empty and not service.knows(token):
        raise TooManyError("too many wrong tokens; try again in a minute")
    player = await service.player_of(token)
    if player is None:
        wrong.take()
    return player


async def _required(
    connection: HTTPConnection,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    cookie: Annotated[str | None, Depends(_cookie)],
) -> PlayerRecord:
    player = await player_of(connection, bearer.credentials if bearer else None)
    if player is None:
        raise HTTPException(401, "no player: send the token of one", {"WWW-Authenticate": "Bearer"})
    return player


def set_player_cookie(connection: HTTPConnection, response: Response, token: str) -> None:
    """Set a browser's cookie to a player's token; over TLS it is sent over TLS only."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="strict",
        secure=connection.url.scheme in ("https", "wss"),
    )


async def _visitor(
    connection: HTTPConnection,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> PlayerRecord | None:
    return await player_of(connection, bearer.credentials if bearer else None)


async def _owner(
    connection: HTTPConnection,
    response: Response,
    player: Annotated[PlayerRecord | None, Depends(_visitor)],
) -> PlayerRecord:
    """The player, or a new one whose cookie is set: every started job has an owner."""
    if player is not None:
        return player
    player, token = await service_of(connection).create_player("You")
    set_player_cookie(connection, response, token)
    return player


async def _service(connection: HTTPConnection) -> TableService:
    """Asynchronous, because FastAPI runs plain functions in threads."""
    return service_of(connection)


CurrentPlayer = Annotated[PlayerRecord, Depends(_required)]
Visitor = Annotated[PlayerRecord | None, Depends(_visitor)]
Owner = Annotated[PlayerRecord, Depends(_owner)]
Service = Annotated[TableService, Depends(_service)]
