"""The page of the table."""

from __future__ import annotations

from nicegui import ui

from doyle.web.site import Site


def add_pages(site: Site) -> None:
    """Add the table, which is the first page."""

    @site.page("/", title="Table", navigation="Play", wide=True)
    async def table() -> None:
        ui.label("The table.")
