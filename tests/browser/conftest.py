"""A real Chromium and a real server. Chromium is found, not downloaded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.apps.web.live import Live, served

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PLAIN_HOST = "doyle.test"
"""A name of the server that is no secure context over http, as 127.0.0.1 and localhost are."""
PROXIED_HOST = "table.example"
"""Its name behind a proxy, as the documentation has it."""

ARGUMENTS = [
    f"--host-resolver-rules=MAP {PLAIN_HOST} 127.0.0.1, MAP {PROXIED_HOST} 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}


def chromium() -> str | None:
    """The browser to drive: DOYLE_CHROMIUM, or one that is installed."""
    named = os.environ.get("DOYLE_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip("no Chromium; `make test-browser` says how to get one")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    options = ("--pace", "0.15", "--allowed-host", PLAIN_HOST)
    with served(tmp_path_factory.mktemp("server"), *options) as live:
        yield live


@pytest.fixture
def context(browser: Browser, server: Live) -> Iterator[BrowserContext]:
    """A browser of somebody who was never here; requests to other hosts fail the test."""
    opened = browser.new_context(viewport=DESKTOP)
    opened.set_default_timeout(60_000)
    foreign: list[str] = []

    def look(url: str) -> None:
        if not url.startswith((server.address, "data:", "blob:")):
            foreign.append(url)

    opened.on("request", lambda request: look(request.url))
    yield opened
    opened.close()
    assert foreign == []


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page; errors of its scripts fail the test."""
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on(
        "console",
        lambda message: problems.append(message.text) if message.type == "error" else None,
    )
    yield opened
    assert problems == []


@pytest.fixture
def shots(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Where screenshots go: DOYLE_SCREENSHOTS, or a temporary folder."""
    folder = Path(os.environ.get("DOYLE_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
