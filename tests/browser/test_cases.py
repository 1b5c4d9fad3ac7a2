"""A table against an agent that plays cases: after the hand the cases behind each decision are shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.agents.case_bases.synthetic import category_base
from tests.apps.web.live import Live, served
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_table import finish_hand, wait_for

pytestmark = pytest.mark.browser

GAME = "holdem-limit-2p"


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server that offers an agent with a small case base; hands are known by category."""
    folder = tmp_path_factory.mktemp("cases")
    category_base("limit", hands=400).with_points(retrieve=2).save(folder / "remembering")
    with served(folder, str(folder / "remembering"), "--pace", "0.05") as live:
        yield live


def test_the_cases_behind_a_decision(browser: Browser, cases: Live, shots: Path) -> None:
    context = browser.new_context(viewport=DESKTOP)
    context.set_default_timeout(180_000)
    page: Page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{cases.address}/?game={GAME}")
    wait_for(page, "turn", "over")
    assert "remembering" in page.locator("doyle-table").inner_text()
    finish_hand(page)
    page.wait_for_selector(".tab.ready", state="attached")
    page.click(".tab:text-is('Why')")
    page.wait_for_selector(".retrieved .case")
    case = page.locator(".retrieved .case").first
    assert case.locator(".feature").count() >= 2
    assert "betting" in case.inner_text()
    assert case.locator(".case-head b").inner_text().endswith("%")
    assert "What was done then" in case.inner_text()
    assert "it plays:" in page.locator(".retrieved").inner_text()
    page.screenshot(path=shots / "why-cases.png", full_page=True)
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= 390")
    page.screenshot(path=shots / "why-cases-phone.png", full_page=True)
    assert problems == []
    context.close()
