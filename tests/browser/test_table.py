"""The table in real Chromium: whole hands in each game, keyboard only, phone, reload, two tabs."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.apps.web.live import Live
from tests.browser.conftest import DESKTOP, PHONE

pytestmark = pytest.mark.browser

MOST_ACTIONS = 60


def open_table(page: Page, server: Live, game: str = "holdem-nl-200bb") -> None:
    page.goto(f"{server.address}/?game={game}")
    wait_for(page, "turn", "over")


def state(page: Page) -> str:
    return page.locator("doyle-table").get_attribute("data-state") or ""


def hand_number(page: Page) -> int:
    return int(page.locator("doyle-table").get_attribute("data-hand") or 0)


def wait_for(page: Page, *states: str) -> None:
    page.wait_for_selector(", ".join(f"doyle-table[data-state={name}]" for name in states))


def finish_hand(page: Page, key: str = "c") -> None:
    """Press a key whenever it is one's turn, until the hand is over."""
    for _ in range(MOST_ACTIONS):
        wait_for(page, "turn", "over")
        if state(page) == "over":
            return
        before = page.locator(".history .line").count()
        page.keyboard.press(key)
        page.wait_for_function(
            "count => document.querySelectorAll('.history .line').length > count", arg=before
        )
    raise AssertionError("the hand does not end")


def cards_of(page: Page, place: str) -> list[str | None]:
    slots = page.locator(f".place-{place} .card")
    return [slots.nth(number).get_attribute("data-card") for number in range(slots.count())]


@pytest.mark.parametrize(
    ("game", "others"),
    [
        ("holdem-nl-200bb", ["north"]),
        ("holdem-limit-2p", ["north"]),
        ("holdem-limit-3p", ["west", "east"]),
    ],
)
def test_hands_of_each_game(
    page: Page, server: Live, shots: Path, game: str, others: list[str]
) -> None:
    open_table(page, server, game)
    for number in (1, 2, 3):
        assert hand_number(page) == number
        if state(page) != "over":
            assert all(cards_of(page, place) == [None, None] for place in others)
        finish_hand(page)
        assert all(None not in cards_of(page, place) for place in [*others, "south"])
        assert (
            "You " in page.locator(".outcome").inner_text()
            or "Even" in page.locator(".outcome").inner_text()
        )
        page.wait_for_selector(".tab.ready", state="attached")
        page.screenshot(path=shots / f"{game}-{number}.png")
        if number < 3:
            page.keyboard.press("Space")
            page.wait_for_selector(f"doyle-table[data-hand='{number + 1}']")
            wait_for(page, "turn", "over")
    assert "3 hands" in page.locator(".session").inner_text()


def test_keyboard_only_with_bets(page: Page, server: Live) -> None:
    open_table(page, server)
    for number in range(1, 4):
        wait_for(page, "turn", "over")
        if state(page) == "turn":
            for key, size in (("h", "½ pot"), ("p", "Pot"), ("a", "All-in")):
                if page.locator(f".size[data-key={key}]:not(.absent)").count():
                    page.keyboard.press(key)
                    chosen = page.locator(".size.chosen .label").first
                    assert chosen.inner_text() == size
            smallest = page.locator(".slider").get_attribute("min")
            page.keyboard.press("h")
            page.keyboard.press("ArrowRight")
            assert int(page.locator(".slider").input_value()) > int(smallest or 0)
            page.keyboard.press("Enter")
        finish_hand(page)
        if number < 3:
            page.keyboard.press("n")
            page.wait_for_selector(f"doyle-table[data-hand='{number + 1}']")
    folded = False
    for _ in range(12):
        page.keyboard.press("Space")
        wait_for(page, "turn", "over")
        if state(page) == "turn" and page.locator(".fold:not([disabled])").count():
            page.keyboard.press("f")
            wait_for(page, "over")
            folded = True
            break
        finish_hand(page)
    assert folded
    assert None not in cards_of(page, "north")  # shown after a fold too


def test_slider_and_mouse(page: Page, server: Live) -> None:
    open_table(page, server)
    wait_for(page, "turn")
    page.locator(".amount").fill("777")
    page.locator(".amount").blur()
    assert "777" in page.locator(".raise .label").inner_text()
    page.locator(".size[data-key=p]").click()
    page.locator(".raise").click()
    page.locator(".history", has_text="You raise to 300").wait_for()


def test_phone_width(page: Page, server: Live, shots: Path) -> None:
    page.set_viewport_size(PHONE)
    open_table(page, server)
    wait_for(page, "turn")
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(overflow) <= 0
    for name in (".fold", ".call", ".raise"):
        box = page.locator(name).bounding_box()
        assert box is not None
        assert box["height"] >= 44  # can be hit with a thumb
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["y"] + box["height"] <= PHONE["height"]
    page.screenshot(path=shots / "phone-turn.png")
    finish_hand(page)
    page.wait_for_selector(".tab.ready", state="attached")
    page.screenshot(path=shots / "phone.png")
    page.set_viewport_size(DESKTOP)
    assert page.locator(".panels").bounding_box()["x"] > 800  # type: ignore[index]
    page.set_viewport_size(PHONE)
    assert page.evaluate(overflow) <= 0


def test_reload_in_mid_hand(page: Page, server: Live) -> None:
    open_table(page, server)
    wait_for(page, "turn")
    own, number = cards_of(page, "south"), hand_number(page)
    said = page.locator(".history").inner_text()
    page.reload()
    wait_for(page, "turn")
    assert cards_of(page, "south") == own
    assert hand_number(page) == number
    assert page.locator(".history").inner_text() == said
    finish_hand(page)


def test_two_tabs(context: BrowserContext, page: Page, server: Live) -> None:
    open_table(page, server)
    wait_for(page, "turn")
    other = context.new_page()
    other.goto(page.url)
    wait_for(other, "turn")
    assert cards_of(other, "south") == cards_of(page, "south")
    before = page.locator(".history .line").count()
    other.keyboard.press("c")
    page.wait_for_function(
        "count => document.querySelectorAll('.history .line').length > count", arg=before
    )
    finish_hand(page)
    wait_for(other, "over")
    for tab in (page, other):  # until then the outcome lacks the agent's with the same cards
        tab.locator(".outcome", has_text="with your cards").wait_for()
    assert other.locator(".outcome").inner_text() == page.locator(".outcome").inner_text()


def test_why_and_fairness(page: Page, server: Live, shots: Path) -> None:
    open_table(page, server)
    finish_hand(page)
    page.wait_for_selector(".tab.ready", state="attached")
    page.click(".tab:text-is('Why')")
    page.wait_for_selector(".range-grid .marked")
    assert page.locator(".bar").count() >= 2
    assert "With your cards the agent would have won" in page.locator(".why").inner_text()
    page.screenshot(path=shots / "why.png")
    page.click(".tab:text-is('Fair')")
    page.wait_for_selector(".verdict.good")
    assert page.locator(".deck .card-text").count() == 52
    page.screenshot(path=shots / "fair.png")
    page.click(".tab:text-is('Hands')")
    page.wait_for_selector(".hand-row")
    with page.expect_download() as download:
        page.click("text=ACPC log")
    assert download.value.path().read_text().startswith("STATE:1:")


def test_elements_are_updated_in_place(page: Page, server: Live) -> None:
    """No element of the felt is made again while hands are played."""
    open_table(page, server)
    page.evaluate(
        "() => { window.made = []; const look = new MutationObserver(list => list.forEach(change =>"
        " change.addedNodes.forEach(node => { if (node.nodeType === 1 && node.matches("
        "'.seat, .card, .board, .act')) window.made.push(node.className); })));"
        " look.observe(document.querySelector('doyle-table'), {childList: true, subtree: true}); }"
    )
    finish_hand(page)
    page.keyboard.press("Space")
    page.wait_for_selector("doyle-table[data-hand='2']")
    finish_hand(page)
    assert page.evaluate("window.made") == []


def test_the_connection_comes_back(page: Page, server: Live) -> None:
    open_table(page, server)
    wait_for(page, "turn")
    page.evaluate("document.querySelector('doyle-table').socket.close()")
    page.wait_for_selector("doyle-table.offline", state="attached")
    page.wait_for_selector("doyle-table:not(.offline)")
    finish_hand(page)


def test_sound_is_off_until_it_is_turned_on(page: Page, server: Live) -> None:
    open_table(page, server)
    assert page.locator(".icon.on").count() == 0
    page.click("[aria-label=Sound]")
    assert page.locator(".icon.on").count() == 1


def test_the_page_that_verifies_a_hand(page: Page, server: Live) -> None:
    from doyle.apps.web.dealing import SealedDeck

    sealed = SealedDeck(bytes(range(32)), "AsKd2c")
    page.goto(f"{server.address}/verify")
    fields = (("Commitment", sealed.commitment), ("Random bytes", sealed.salt.hex()))
    for name, value in fields:
        page.get_by_label(name).first.fill(value)
    for deck, words in (("AsKd2c", "It is the deck"), ("KdAs2c", "NOT"), ("Zz", "deck")):
        page.get_by_label("Deck, such as AsKd...").first.fill(deck)
        page.click("text=Check")
        page.wait_for_function(
            "words => document.querySelector('.verdict').textContent.includes(words)", arg=words
        )
    page.goto(f"{server.address}/api/docs")
    page.get_by_text("/api/tables/{table_id}/actions").wait_for()
