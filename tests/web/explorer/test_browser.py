"""The explorer, the review and the results in a real browser: clicked through, on desktop and phone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.browser

CHROMIUM = Path(os.environ.get("DOYLE_CHROMIUM", "/usr/bin/chromium"))
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 600_000
"""Milliseconds: the first questions load an agent, the first solve compiles."""

LOG = (
    "# game holdem-nl-200bb\n"
    "STATE:0:r300c/cr900c/cc/cr2400f:QdQh|AsKs/2s7dKh/9c/Th:-900|900:other|<img src=x>\n"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("web")
    database = f"sqlite:///{folder / 'web.sqlite'}"
    process = subprocess.Popen(
        [sys.executable, "-m", "doyle", "serve", "--port", "0", "--database", database],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.search(r"http://\S+", said)
        assert found is not None, said
        address = found.group().rstrip("/")
        with urlopen(f"{address}/api/explorer/strategies", timeout=120) as answer:
            assert answer.status == 200
        yield address
    finally:
        process.terminate()
        process.wait(20)
        if process.stderr is not None:
            process.stderr.close()


@pytest.fixture
def page(server: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    if not CHROMIUM.exists():
        pytest.skip("no Chromium; set DOYLE_CHROMIUM to its path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        found = browser.new_page(viewport={"width": 1280, "height": 900}, base_url=server)
        found.set_default_timeout(PATIENCE)
        problems: list[str] = []
        found.on("pageerror", lambda error: problems.append(str(error)))
        found.on(
            "request",
            lambda request: (
                None if request.url.startswith((server, "data:")) else problems.append(request.url)
            ),
        )
        yield found
        browser.close()
    assert problems == []


def is_narrow(page: Any) -> bool:
    """Whether nothing is wider than a phone."""
    page.set_viewport_size({"width": 390, "height": 844})
    return bool(page.evaluate("document.documentElement.scrollWidth <= 390"))


def test_a_strategy_is_walked(page: Any, tmp_path: Path) -> None:
    page.goto("/explorer#agent=starter&game=holdem-nl-200bb")
    page.wait_for_selector(".grid13")
    assert page.locator(".cell").count() == 169
    page.click('[data-action="r300"]')
    page.wait_for_selector("text=Big blind to act")
    page.click('[data-action="c"]')
    page.wait_for_selector("text=Pick 3 more board cards")
    for card in ("Ks", "7h", "4d"):
        page.click(f'[data-card="{card}"]')
        page.wait_for_selector(f'[data-card="{card}"].on')
    page.wait_for_selector(".grid13")
    page.click('[data-class="KQs"]')
    page.wait_for_selector("#contents >> text=Bucket")
    page.screenshot(path=tmp_path / "explorer.png", full_page=True)
    assert is_narrow(page)
    page.reload()
    page.wait_for_selector("text=Big blind to act, flop")


def test_a_node_is_locked(page: Any, tmp_path: Path) -> None:
    page.goto("/explorer/spot")
    page.fill("#range0", "AA,66")
    page.fill("#range1", "KK,QQ")
    page.locator("#range1").blur()
    page.click("#solve")
    page.wait_for_selector(".grid13")
    before = page.locator('[data-action="c"] .share').inner_text()
    assert not before.startswith("100")
    page.click('[data-lock="c"]')
    page.wait_for_selector("text=first decision: check")
    page.click("#solve")
    page.wait_for_selector('[data-action="c"] .share:has-text("100.0%")')
    page.click('[data-action="c"]')
    page.wait_for_selector("text=Second to act after c")
    page.screenshot(path=tmp_path / "spot.png", full_page=True)
    assert is_narrow(page)


def test_a_bet_is_dragged(page: Any) -> None:
    page.goto("/explorer/translation")
    page.wait_for_selector("text=Rand-psHar")
    box = page.locator("#line").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 38)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 3, box["y"] + 38, steps=4)
    page.mouse.up()
    page.wait_for_selector("text=1.000 pots")
    row = page.locator("tr", has_text="Rand-psHar").first
    # (B - x)(1 + A) / ((B - A)(1 + x)) with A = 0.5, B = 2 and x = 1 is a half.
    assert "50.00%" in row.inner_text()
    page.wait_for_selector("text=its own translation")
    assert is_narrow(page)


def test_hands_are_reviewed(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "hands.log"
    path.write_text(LOG, encoding="utf-8")
    page.goto("/review")
    page.wait_for_selector("#judge option", state="attached")
    page.select_option("#judge", label="starter · holdem-nl-200bb")
    page.fill("#player", "<img src=x>")
    page.locator("#player").blur()
    page.set_input_files("#file", str(path))
    page.wait_for_selector("#result")
    assert "<img src=x>, judged by starter" in page.inner_text("#result")
    page.screenshot(path=tmp_path / "review.png", full_page=True)
    assert is_narrow(page)


def test_builds_and_results_are_shown(page: Any) -> None:
    page.goto("/explorer/builds")
    page.wait_for_selector("text=Leagues")
    page.goto("/results?game=<script>&agent=99999999999&measure=x")
    page.wait_for_selector("text=No hands yet")
    assert is_narrow(page)
