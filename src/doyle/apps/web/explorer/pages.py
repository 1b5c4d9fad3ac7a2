"""The pages of the explorer: each is a frame that its script fills."""

from __future__ import annotations

from pathlib import Path

from nicegui import app, ui

from doyle.apps.web.explorer.builds import builds_page
from doyle.apps.web.explorer.routes import router_of
from doyle.apps.web.site import Site, html
from doyle.apps.web.thinking.jobs import Jobs

STATIC = Path(__file__).parent / "static"

TABS = (
    ("Strategies", "/explorer"),
    ("Spot solver", "/explorer/spot"),
    ("Translation", "/explorer/translation"),
    ("Builds", "/explorer/builds"),
)


def add_pages(site: Site) -> None:
    """Add the explorer's pages and requests."""
    jobs = Jobs()
    app.on_shutdown(jobs.close)
    site.app.include_router(router_of(site.service, jobs))
    assets = site.static("explorer", STATIC)

    def scripted(name: str, path: str) -> None:
        ui.add_head_html(f'<link rel="stylesheet" href="{assets}/explorer.css">')
        if path.startswith("/explorer"):
            _tabs(path)
        loading = '<div class="notice" role="status">Loading …</div>'
        html(f'<div id="{name}" class="explorer">{loading}</div>')
        ui.add_body_html(f'<script type="module" src="{assets}/{name}.js"></script>')

    @site.page("/explorer", title="Explorer", navigation="Explorer")
    async def strategies() -> None:
        scripted("strategies", "/explorer")

    @site.page("/explorer/spot", title="Spot solver")
    async def spot() -> None:
        scripted("spot", "/explorer/spot")

    @site.page("/explorer/translation", title="Translation")
    async def translation() -> None:
        scripted("translation", "/explorer/translation")

    @site.page("/explorer/builds", title="Builds")
    async def builds() -> None:
        ui.add_head_html(f'<link rel="stylesheet" href="{assets}/explorer.css">')
        _tabs("/explorer/builds")
        waiting = ui.label("Reading what is built …").classes("notice").props("role=status")
        await ui.context.client.connected()  # what follows may take longer than an answer may
        await builds_page(site)
        waiting.delete()

    @site.page("/review", title="Review", navigation="Review")
    async def review() -> None:
        scripted("review", "/review")


def _tabs(here: str) -> None:
    with ui.element("nav").classes("tabs"):
        for text, path in TABS:
            link = ui.link(text, path).classes("tab")
            if path == here:
                link.classes("here").props('aria-current="page"')
