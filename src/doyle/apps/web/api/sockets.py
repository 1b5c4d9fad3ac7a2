"""A table over a WebSocket.

The server sends the whole document of the table whenever it changes, also first. The client sends

    {"type": "act", "hand": 3, "number": 0, "action": "r300"}
    {"type": "next", "after": 3}

and gets {"type": "refused", "detail": ...} if that cannot be done. A document replaces the previous
one, so a slow client misses only outdated documents, and there is no queue for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from doyle.apps.web.api import documents as d
from doyle.apps.web.api.access import player_of, service_of
from doyle.apps.web.service import ServiceError, TableService, sight
from doyle.apps.web.service.tables import LiveTable
from doyle.apps.web.store import UnavailableError

UNSUPPORTED_DATA = 1003
POLICY_VIOLATION = 1008
TRY_AGAIN_LATER = 1013
SEND_SECONDS = 20.0

socket_router = APIRouter()


@socket_router.websocket("/api/tables/{table_id}/socket")
async def table_socket(socket: WebSocket, table_id: str) -> None:
    """Watch a table and act at it."""
    service = service_of(socket)
    try:
        player = await player_of(socket, _bearer(socket))
        if player is None:
            await socket.close(POLICY_VIOLATION, "no player")
            return
        table = await service.tables.find(player, table_id)
    except ServiceError as error:
        await socket.close(POLICY_VIOLATION, str(error))
        return
    except UnavailableError:
        await socket.close(TRY_AGAIN_LATER, "the database cannot be read")
        return
    await socket.accept()
    with table.watching() as changed:
        sender = asyncio.create_task(_send_changes(socket, table, changed))
        try:
            await _receive(socket, service, table)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await sender


async def _send_changes(socket: WebSocket, table: LiveTable, changed: asyncio.Event) -> None:
    while True:
        changed.clear()
        text = json.dumps(sight.table_document(table))
        async with asyncio.timeout(SEND_SECONDS):
            await socket.send_text(text)
        await changed.wait()


async def _receive(socket: WebSocket, service: TableService, table: LiveTable) -> None:
    from doyle.apps.web.security import Bucket

    limits = service.config.limits
    bucket = Bucket(limits.messages_per_second, limits.messages_burst)
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if not bucket.take():
            await socket.close(POLICY_VIOLATION, "too many messages")
            return
        if text is None:
            await socket.close(UNSUPPORTED_DATA, "text messages only")
            return
        try:
            await _handle(service, table, text)
        except (ServiceError, UnavailableError) as error:
            await _refuse(socket, str(error))
        except (ValidationError, ValueError, KeyError, RecursionError):
            await _refuse(socket, "not understood")


async def _refuse(socket: WebSocket, detail: str) -> None:
    await socket.send_text(json.dumps({"type": "refused", "detail": detail}))


async def _handle(service: TableService, table: LiveTable, text: str) -> None:
    from doyle.apps.web.api.routes import parsed_action

    message: Any = json.loads(text)
    if not isinstance(message, dict):
        raise ValueError("not an object")
    kind = message.pop("type", None)
    if kind == "act":
        chosen = d.PlayerAction.model_validate(message)
        action = parsed_action(table, chosen.action)
        await service.play.act(table, hand=chosen.hand, number=chosen.number, action=action)
    elif kind == "next":
        await service.play.next_hand(table, after=d.NextHand.model_validate(message).after)
    else:
        raise ValueError("unknown type")


def _bearer(socket: WebSocket) -> str | None:
    scheme, _, token = socket.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" else None
