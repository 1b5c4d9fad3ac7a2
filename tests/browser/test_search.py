"""A table against a searching agent: offered at once, and afterwards the solution is shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.apps.web.live import Live, served
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_table import finish_hand, hand_number, wait_for

pytestmark = pytest.mark.browser

GAME = "holdem-nl-200bb"
MOST_HANDS = 12


@pytest.fixture(scope="module")
def searching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("search")
    with served(folder, "search:starter", "--pace", "0.05") as live:
        yield live


def test_the_solution_behind_a_decision(browser: Browser, searching: Live, shots: Path) -> None:
    context = browser.new_context(viewport=DESKTOP)
    context.set_default_timeout(180_000)
    page: Page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{searching.address}/?game={GAME}")
    wait_for(page, "turn", "over")
    assert "search:starter" in page.locator("doyle-table").inner_text()
    for _ in range(MOST_HANDS):
        finish_hand(page)
        page.wait_for_selector(".tab.ready", state="attached")
        page.click(".tab:text-is('Why')")
        page.wait_for_selector(".range-grid .marked")
        if page.locator(".why .step:has-text('River')").count():
            break
        number = hand_number(page)
        page.keyboard.press("Space")
        page.wait_for_selector(f"doyle-table[data-hand='{number + 1}']")
    page.click(".why .step:has-text('River')")
    page.wait_for_selector(".solution")
    shown = page.locator(".solution").inner_text()
    assert "Solved from the start of the river" in shown
    assert "of the pot" in shown
    assert "Without search (starter)" in shown
    page.screenshot(path=shots / "why-search.png", full_page=True)
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= 390")
    page.screenshot(path=shots / "why-search-phone.png", full_page=True)
    assert problems == []
    context.close()
