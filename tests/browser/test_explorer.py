"""The explorer, the review and the results in a real browser: clicked through, on desktop and phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.apps.web.live import Live
from tests.browser.conftest import PHONE

pytestmark = pytest.mark.browser

PATIENCE = 600_000
"""Milliseconds: the first questions load an agent, the first solve compiles."""

LOG = (
    "# game holdem-nl-200bb\n"
    "STATE:0:r300c/cr900c/cc/cr2400f:QdQh|AsKs/2s7dKh/9c/Th:-900|900:other|<img src=x>\n"
)


@pytest.fixture(autouse=True)
def patience(page: Page) -> None:
    page.set_default_timeout(PATIENCE)


def is_narrow(page: Page) -> bool:
    """Whether nothing is wider than a phone."""
    page.set_viewport_size(PHONE)
    return bool(page.evaluate("document.documentElement.scrollWidth <= 390"))


def test_a_strategy_is_walked(page: Page, server: Live, shots: Path) -> None:
    page.goto(f"{server.address}/explorer#agent=starter&game=holdem-nl-200bb")
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
    page.screenshot(path=shots / "explorer.png", full_page=True)
    assert is_narrow(page)
    page.reload()
    page.wait_for_selector("text=Big blind to act, flop")


def test_a_node_is_locked(page: Page, server: Live, shots: Path) -> None:
    page.goto(f"{server.address}/explorer/spot")
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
    page.screenshot(path=shots / "spot.png", full_page=True)
    assert is_narrow(page)


def test_a_bet_is_dragged(page: Page, server: Live) -> None:
    page.goto(f"{server.address}/explorer/translation")
    page.wait_for_selector("text=Rand-psHar")
    box = page.locator("#line").bounding_box()
    assert box is not None
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


def test_hands_are_reviewed(page: Page, server: Live, shots: Path, tmp_path: Path) -> None:
    path = tmp_path / "hands.log"
    path.write_text(LOG, encoding="utf-8")
    page.goto(f"{server.address}/review")
    page.wait_for_selector("#judge option", state="attached")
    page.select_option("#judge", label="starter · holdem-nl-200bb")
    page.fill("#player", "<img src=x>")
    page.locator("#player").blur()
    page.set_input_files("#file", str(path))
    page.wait_for_selector("#result")
    assert "<img src=x>, judged by starter" in page.inner_text("#result")
    page.screenshot(path=shots / "review.png", full_page=True)
    assert is_narrow(page)


def test_builds_and_results_are_shown(page: Page, server: Live) -> None:
    page.goto(f"{server.address}/explorer/builds")
    page.wait_for_selector("text=Leagues")
    page.goto(f"{server.address}/results?game=<script>&agent=99999999999&measure=x")
    page.wait_for_selector("text=No hands yet")
    assert is_narrow(page)
