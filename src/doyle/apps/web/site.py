"""How pages are added: `Site`, and the frame around every page.

A package with pages has `add_pages(site)`, which `doyle.apps.web.server` calls once:

    def add_pages(site: Site) -> None:
        @site.page("/explorer", title="Explorer", navigation="Explorer")
        async def explorer() -> None:
            ui.label("...")

The function fills the page below the navigation. Nothing is fetched from other hosts: assets come from
folders that `site.static` serves.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from nicegui import ui

from doyle.apps.web.api.access import token_of
from doyle.apps.web.config import ServerConfig
from doyle.apps.web.service import TableService
from doyle.apps.web.store import PlayerRecord, Store
from doyle.base.version import __version__

STATIC = Path(__file__).parent / "static"

COLOURS = {
    "primary": "#1f7a54",
    "secondary": "#31465c",
    "accent": "#d98e32",
    "positive": "#5aa469",
    "negative": "#b83b3b",
    "info": "#4a6fa5",
    "warning": "#d98e32",
}


def html(text: str) -> ui.html:
    """HTML of our own on a page; every text of others in it is escaped already."""
    return ui.html(text, sanitize=False)


async def current_player(site: Site) -> PlayerRecord | None:
    """The player of the page being built; None before the first visit of the table."""
    request = ui.context.client.request
    token = None if request is None else token_of(request)
    return None if token is None else await site.service.player_of(token)


class Link(NamedTuple):
    """An entry of the navigation."""

    text: str
    path: str


class Site:
    """The pages of one server, with their data sources."""

    def __init__(self, app: FastAPI, *, config: ServerConfig, store: Store, service: TableService):
        self.app = app
        """Where routes of the API are added: `site.app.include_router(...)`."""
        self.config = config
        self.store = store
        self.service = service
        self.links: list[Link] = []
        self.static("static", STATIC)

    def static(self, name: str, folder: Path) -> str:
        """Serve the files of `folder` under /assets/NAME, and return that path."""
        path = f"/assets/{name}"
        self.app.mount(path, StaticFiles(directory=folder), name=name)
        return path

    def page(
        self, path: str, *, title: str, navigation: str | None = None, wide: bool = False
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Add a page, with an entry in the navigation if it is given; `wide` leaves no margins."""
        if navigation is not None:
            self.links.append(Link(navigation, path))

        def add(fill: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(fill)
            async def shown(*arguments: Any, **options: Any) -> Any:
                with self.frame(path, wide=wide):
                    result = fill(*arguments, **options)
                    if inspect.isawaitable(result):
                        result = await result
                return result

            ui.page(path, title=f"{title} · doyle")(shown)
            return fill

        return add

    def frame(self, path: str, *, wide: bool) -> ui.element:
        """The navigation, and the element to fill below it."""
        ui.colors(**COLOURS)
        ui.add_css(STATIC / "site.css")
        ui.add_head_html('<script>document.documentElement.lang = "en"</script>')
        with ui.element("header").classes("site-header"):
            ui.link("doyle", "/").classes("site-name").mark("home")
            with ui.element("nav").classes("site-links"):
                for link in self.links:
                    entry = ui.link(link.text, link.path).classes("site-link")
                    if link.path == path:
                        entry.classes("here").props('aria-current="page"')
            ui.link("API", "/api/docs").classes("site-link site-api")
            ui.label(f"v{__version__}").classes("site-version")
        # NiceGUI puts everything into a `main` of its own; a page has one.
        return ui.element("div").classes("site-main wide" if wide else "site-main")
