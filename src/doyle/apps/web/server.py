"""The server: store, service, API and pages put together."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from doyle.apps.web.api import add_routes
from doyle.apps.web.config import ServerConfig
from doyle.apps.web.connections import BACKLOG, Connections, GuardedProtocol
from doyle.apps.web.security import Gate
from doyle.apps.web.service import TableService
from doyle.apps.web.store import Database, Store
from doyle.apps.web.thinking.pool import Thinker
from doyle.base.errors import DoyleError
from doyle.base.version import __version__

LARGEST_MESSAGE = 16 << 10
"""Bytes of one message over a WebSocket."""

NOT_FOUND = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>No such page · doyle</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body { background: #10161d; color: #e8edf2; font-family: system-ui, sans-serif; margin: 15vh auto;
max-width: 32rem; padding: 0 1rem } a { color: #8cc6ff }</style></head>
<body><main><h1>No such page</h1><p>There is nothing at this address.
<a href="/">Go to the table</a></p></main></body></html>
"""

SECTIONS = ("table", "results", "review", "explorer")
"""Packages or modules of `doyle.apps.web` that have `add_pages(site)`, in the order of the navigation."""


def create_app(
    config: ServerConfig, *, pages: bool = True, thinker: Thinker | None = None
) -> FastAPI:
    """The application of a server; without `pages` only its API."""
    store = Store(Database(config.database_url))
    service = TableService(store, config, thinker)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.stop()
            store.database.close()

    app = FastAPI(
        title="doyle",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.service = service
    add_routes(app)
    app.add_middleware(Gate, config=config)
    if config.trusted_proxies:  # outermost: everything else sees the visitor's address
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(config.trusted_proxies))
    if pages:
        _add_pages(app, config=config, store=store, service=service)
    return app


def _add_pages(app: FastAPI, *, config: ServerConfig, store: Store, service: TableService) -> None:
    from nicegui import app as pages
    from nicegui import ui

    from doyle.apps.web.site import Site

    site = Site(app, config=config, store=store, service=service)
    for section in SECTIONS:
        if find_spec(f"doyle.apps.web.{section}") is not None:
            import_module(f"doyle.apps.web.{section}").add_pages(site)
    ui.run_with(
        app,
        title="doyle",
        dark=True,
        tailwind=False,
        binding_refresh_interval=None,
        show_welcome_message=False,
    )
    pages.add_exception_handler(404, _not_found)  # that of the library logs addresses


async def _not_found(request: Request, error: Exception) -> Response:
    """The page for addresses that do not exist; JSON under /api."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": getattr(error, "detail", "Not Found")}, 404)
    return HTMLResponse(NOT_FOUND, 404)


def serve(config: ServerConfig, *, say: Callable[[str], None] = lambda line: None) -> None:
    """Serve until interrupted; `say` is called with the address once it can be opened."""
    import uvicorn

    with _listener(config) as listener:
        port = listener.getsockname()[1]
        shown = f"[{config.host}]" if ":" in config.host else config.host
        settings = uvicorn.Config(
            create_app(config),
            log_level="warning",
            http=partial(GuardedProtocol, connections=Connections(config)),  # type: ignore[arg-type]
            ws_max_size=LARGEST_MESSAGE,
            proxy_headers=False,
            backlog=BACKLOG,
        )
        say(f"serving http://{shown}:{port}/ (Ctrl-C ends it)")
        uvicorn.Server(settings).run(sockets=[listener])


def _listener(config: ServerConfig) -> socket.socket:
    """The socket to listen on; bound first, so that a port conflict is reported immediately."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((config.host, config.port))
        listener.listen(512)
    except OSError as error:
        listener.close()
        raise DoyleError(
            f"{config.host}:{config.port}: cannot listen there ({error.strerror or error})"
        ) from None
    return listener
