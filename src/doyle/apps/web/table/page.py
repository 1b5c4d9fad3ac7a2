"""The page of the table, and the page that checks commitments."""

from __future__ import annotations

from pathlib import Path

from nicegui import ui

from doyle.apps.web.dealing import check_commitment
from doyle.apps.web.site import Site
from doyle.base.errors import DoyleError

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
        with ui.element("doyle-table"):
            ui.label("Loading the table …").classes("loading").props("role=status")

    @site.page("/verify", title="Verify a hand")
    async def verify() -> None:
        with (
            ui.element("section")
            .classes("panel")
            .style("display: grid; gap: 10px; max-width: 720px")
        ):
            ui.label("Was the hand dealt from the deck that was committed to?").style(
                "font-size: 1.15rem; font-weight: 650"
            )
            fields = {
                name: ui.input(label).style("width: 100%").props(f'aria-label="{label}"')
                for name, label in (
                    ("commitment", "Commitment"),
                    ("salt", "Random bytes"),
                    ("deck", "Deck, such as AsKd..."),
                )
            }
            verdict = ui.label().mark("verdict").classes("verdict")

            def check() -> None:
                try:
                    given = {name: field.value.strip() for name, field in fields.items()}
                    valid = check_commitment(**given)
                except DoyleError as error:
                    verdict.set_text(str(error)[:300])
                    return
                words = (
                    "It is NOT the deck committed to.",
                    "It is the deck that was committed to.",
                )
                verdict.set_text(words[valid])

            ui.button("Check", on_click=check)
            ui.label("The same on your own machine: doyle verify").classes("muted")

    @site.page("/api/docs", title="API")
    async def api() -> None:
        ui.label("API").style("font-size: 1.4rem; font-weight: 650")
        ui.link("OpenAPI description", "/api/openapi.json").style("color: #8cc6ff")
        for path, operations in site.app.openapi()["paths"].items():
            for method, operation in operations.items():
                with ui.element("section").classes("panel").style("margin-top: 10px"):
                    ui.label(f"{method.upper()} {path}").style(
                        "font-family: ui-monospace, monospace; font-weight: 600"
                    )
                    ui.label(operation.get("description", "")).classes("muted")
