"""The page of the table, and the page that checks commitments."""

from __future__ import annotations

from pathlib import Path

from nicegui import ui

from doyle.web.site import Site

STATIC = Path(__file__).parent / "static"


def add_pages(site: Site) -> None:
    """Add the table, which is the first page."""
    assets = site.static("table", STATIC)

    @site.page("/", title="Play", navigation="Play", wide=True)
    async def table() -> None:
        ui.add_head_html(
            f'<link rel="stylesheet" href="{assets}/table.css">'
            f'<script type="module" src="{assets}/table.js"></script>'
        )
        ui.element("doyle-table")
