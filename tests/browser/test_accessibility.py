"""axe-core on every page: no finding that is serious or critical."""

from __future__ import annotations

from importlib.resources import files

import pytest
from playwright.sync_api import Browser

from tests.apps.web.live import Live

pytest.importorskip("axe_playwright_python")
pytestmark = pytest.mark.browser

PAGES = {
    "/": "doyle-table[data-state=turn], doyle-table[data-state=over]",
    "/explorer": ".grid13",
    "/explorer/spot": "#solve",
    "/explorer/translation": "#line",
    "/explorer/builds": "text=Leagues",
    "/review": "#judge option",
    "/results": "main",
    "/verify": "main",
    "/api/docs": "main",
    "/nothing": "h1:text-is('No such page')",  # instead of the library's page
}


@pytest.mark.parametrize("path", PAGES)
def test_no_serious_finding(browser: Browser, server: Live, path: str) -> None:
    context = browser.new_context(bypass_csp=True)
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto(server.address + path)
    page.wait_for_selector(PAGES[path], state="attached")
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("main").count() == 1
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run()")
    assert found["passes"]
    serious = [
        (one["id"], [node["target"] for node in one["nodes"]])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    context.close()
    assert serious == []
