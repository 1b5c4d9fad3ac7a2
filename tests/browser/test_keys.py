"""The keys after a click, one's tables, the deck's check over plain http, and words while one waits."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.apps.web.live import Live
from tests.browser.conftest import PLAIN_HOST
from tests.browser.test_table import finish_hand, hand_number, open_table, wait_for

pytestmark = pytest.mark.browser


def table_of(page: Page) -> str:
    return page.url.partition("#")[2]


def test_the_deck_is_checked_over_plain_http(browser: Browser, server: Live) -> None:
    context = browser.new_context()
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto(f"http://{PLAIN_HOST}:{server.address.rpartition(':')[2]}/")
    assert page.evaluate("window.isSecureContext") is False
    wait_for(page, "turn", "over")
    finish_hand(page)
    page.click(".tab:text-is('Fair')")
    page.wait_for_selector(".verdict.good")
    assert "is the one that was committed to" in page.locator(".verdict").inner_text()
    context.close()


def test_the_digest_has_known_values(page: Page, server: Live) -> None:
    page.goto(f"{server.address}/verify")
    digest = (
        "async bytes => (await import('/assets/static/sha256.js')).sha256(new Uint8Array(bytes))"
    )
    known = {  # FIPS 180-4 examples
        b"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": (
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    }
    for text, value in known.items():
        assert page.evaluate(digest, list(text)) == value
    for length in (0, 1, 55, 56, 63, 64, 65, 119, 136, 1000):
        text = bytes(7 * place % 256 for place in range(length))
        assert page.evaluate(digest, list(text)) == hashlib.sha256(text).hexdigest()


def test_space_after_new_table_stays_at_the_table(page: Page, server: Live) -> None:
    open_table(page, server)
    first = table_of(page)
    page.click(".new")
    page.wait_for_function("first => location.hash.slice(1) !== first", arg=first)
    second = table_of(page)
    wait_for(page, "turn", "over")
    page.keyboard.press("Space")
    finish_hand(page)
    page.keyboard.press("Space")
    page.wait_for_selector("doyle-table[data-hand='2']")
    assert table_of(page) == second
    made = page.locator(".tables option")
    assert made.count() == 2
    page.select_option(".tables", first)
    page.wait_for_selector("doyle-table[data-hand='1']")
    assert table_of(page) == first
    finish_hand(page)
    page.keyboard.press("Space")
    page.wait_for_selector("doyle-table[data-hand='2']")


@pytest.mark.parametrize("key", ["Space", "Enter"])
@pytest.mark.parametrize("clicked", [".tab:text-is('Hands')", "[aria-label=Sound]"])
def test_keys_after_a_click_deal_the_next_hand(
    page: Page, server: Live, clicked: str, key: str
) -> None:
    open_table(page, server)
    finish_hand(page)
    page.click(clicked)
    number = hand_number(page)
    page.keyboard.press(key)
    page.wait_for_selector(f"doyle-table[data-hand='{number + 1}']")


def test_enter_after_a_click_on_a_size_raises(page: Page, server: Live) -> None:
    open_table(page, server)
    wait_for(page, "turn")
    page.click(".size[data-key=p]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".history .own:has-text('You raise to 300')")


def test_a_button_reached_with_tab_keeps_its_keys(page: Page, server: Live) -> None:
    open_table(page, server)
    finish_hand(page)
    number = hand_number(page)
    page.locator(".tab:text-is('Fair')").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".fair.shown")
    assert hand_number(page) == number


def test_waiting_is_named(page: Page, server: Live) -> None:
    held: list[Route] = []
    page.route("**/api/games", lambda route: held.append(route))
    page.goto(f"{server.address}/")
    page.wait_for_selector(".work:has-text('looking for agents')")
    held[0].continue_()
    wait_for(page, "turn", "over")
    assert page.locator(".work.shown").count() == 0
    page.route("**/api/explorer/strategies", lambda route: held.append(route))
    page.goto(f"{server.address}/explorer")
    page.wait_for_selector(".notice:has-text('Looking for strategies')")
    held[1].continue_()
    page.wait_for_selector(".grid13")


def test_back_returns_to_the_place_before(page: Page, server: Live) -> None:
    page.goto(f"{server.address}/explorer#agent=starter&game=holdem-nl-200bb")
    page.wait_for_selector("text=Small blind to act")
    page.click('[data-action="r300"]')
    page.wait_for_selector("text=Big blind to act")
    page.go_back()
    page.wait_for_selector("text=Small blind to act")
    page.go_forward()
    page.wait_for_selector("text=Big blind to act")


def test_chips_are_settled_and_a_row_opens_its_hand(page: Page, server: Live, shots: Path) -> None:
    open_table(page, server)
    wait_for(page, "turn")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    finish_hand(page)
    said = page.locator(".history").first.inner_text()
    assert "from the pot" in said
    # Stacks are equal: of an all-in something is uncalled only if the other seat folds.
    assert ("You get back" in said) is ("folds" in said)
    assert page.locator(".bet.pushed.shown").count() >= 1
    assert page.locator(".pot").inner_text() == ""
    page.wait_for_selector(".tab.ready", state="attached")
    page.screenshot(path=shots / "settled.png")
    page.click(".tab:text-is('Hands')")
    page.click(".hand-row")
    page.wait_for_selector(".opened .verdict.good")
    assert "from the pot" in page.locator(".opened .history").inner_text()
    page.screenshot(path=shots / "opened.png")
    page.click(".opened >> text=All hands")
    page.wait_for_selector(".hand-row")


def test_a_player_has_a_name(page: Page, server: Live) -> None:
    open_table(page, server)
    page.fill("[aria-label='Your name']", "Ann")
    page.keyboard.press("Enter")
    page.wait_for_selector(".place-south .name:text-is('Ann')")
    page.reload()
    page.wait_for_selector(".place-south .name:text-is('Ann')")
    assert page.input_value("[aria-label='Your name']") == "Ann"
