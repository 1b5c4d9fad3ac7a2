"""No request yields the other seat's cards: all that is sent before the end is equal for every holding."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Iterable
from contextvars import ContextVar

import pytest

from doyle.apps.web.dealing import SealedDeck
from doyle.apps.web.service import play
from doyle.cards import format_cards, parse_cards
from doyle.games import Game
from tests.apps.web.asgi import Client, Script, running

OWN, BOARD = "AhKd", "Qs7c2dTh3s"
CHOSEN: ContextVar[SealedDeck] = ContextVar("CHOSEN")


def decks() -> list[SealedDeck]:
    """A deck for every holding of seat B: A's cards, the board, and the order of the rest stay the same.

    Seat A has position 1 in the first hand, so seat B's cards are on top.
    """
    fixed = set(parse_cards(OWN + BOARD))
    rest = [card for card in range(52) if card not in fixed]
    found = []
    for number, held in enumerate(itertools.combinations(rest, 2)):
        others = [card for card in rest if card not in held]
        cards = [*held, *parse_cards(OWN), *parse_cards(BOARD), *others]
        found.append(SealedDeck(number.to_bytes(32, "big"), format_cards(cards)))
    return found


async def everything_sent(app: object, sealed: SealedDeck, number: int) -> tuple[bytes, int]:
    """All that is sent to seat A, over REST and WebSocket, until the last action before the end."""
    CHOSEN.set(sealed)
    address = f"10.1.{number // 250}.{number % 250}"
    client = await Client(app, address=address).enter()  # type: ignore[arg-type]
    table = await client.new_table()
    async with client.socket(f"/api/tables/{table}/socket") as socket:
        await socket.next()
        socket.send({"type": "next", "after": 0})
        asked = 0
        while True:
            document = await socket.until_turn()
            hand = document["hand"]
            if hand["over"]:
                raise AssertionError("the script keeps the hand going until A acts on the river")
            if hand["round"] == 3 and hand["legal"]["to_call"]:
                break  # A's next action ends the hand
            # Whatever else may be asked meanwhile:
            for path in ("", "/hands", "/hands/1", "/hands/1/why", "/hands.log", "/hands.phhs"):
                await client.get(f"/api/tables/{table}{path}")
            await client.get("/api/tables")
            moment = {"hand": 1, "number": hand["number_of_actions"]}
            await client.post(f"/api/tables/{table}/actions", {**moment, "action": "r7"})  # illegal
            await client.post(f"/api/tables/{table}/hands", {"after": 0})
            asked += 1
            socket.send({"type": "act", **moment, "action": "c"})
        before = b"\n".join(client.sent)
        moment = {"hand": 1, "number": hand["number_of_actions"]}
        socket.send({"type": "act", **moment, "action": "f"})
        last = await socket.until_turn()
        shown = last["hand"]["reveal"]
        # After a fold both hands and the deck are shown.
        assert "".join(shown["seats"][1]["hole"]) == sealed.deck[:4]
        assert shown["deck"] == sealed.deck
    return _masked(before, table, sealed), asked


def _masked(sent: bytes, table: str, sealed: SealedDeck) -> bytes:
    """Without what is random and not of the cards: the table's name, the commitment, times."""
    assert sealed.commitment.encode() in sent
    sent = (
        sent.replace(table.encode(), b"TABLE")
        .replace(table[:8].encode(), b"TABLE")
        .replace(sealed.commitment.encode(), b"COMMITMENT")
    )
    return b"\n".join(line for line in sent.split(b"\n") if b'"created_at"' not in line)


def run(chosen: Iterable[SealedDeck], monkeypatch: pytest.MonkeyPatch) -> list[tuple[bytes, int]]:
    def deal(game: Game) -> SealedDeck:
        return CHOSEN.get()

    monkeypatch.setattr(play, "shuffled", deal)
    script = Script(
        # Calls, bets the flop and the turn, and bets the river, with delays of its own.
        actions=(1, 300, 900, 2700),
        delays=(0.0, 0.004, 0.031, 0.012),
    )

    async def all_of_them() -> list[tuple[bytes, int]]:
        gate = asyncio.Semaphore(12)
        async with running(script=script, pace=0.05) as app:

            async def one(number: int, sealed: SealedDeck) -> tuple[bytes, int]:
                async with gate:
                    return await everything_sent(app, sealed, number)

            return await asyncio.gather(*(one(*pair) for pair in enumerate(chosen)))

    return asyncio.run(all_of_them())


def check(found: list[tuple[bytes, int]]) -> None:
    first, asked = found[0]
    assert asked == 3
    assert first.count(b"websocket.send") > 5
    different = [number for number, (sent, _) in enumerate(found) if sent != first]
    assert different == []


def test_what_is_sent_does_not_depend_on_the_other_hand(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    chosen = decks()
    assert len(chosen) == 990  # every pair of the 45 cards that A cannot see
    with caplog.at_level(logging.DEBUG, logger="doyle"):
        check(run(chosen[::11], monkeypatch))
    assert caplog.records == []


@pytest.mark.slow
def test_what_is_sent_is_equal_for_every_holding(monkeypatch: pytest.MonkeyPatch) -> None:
    check(run(decks(), monkeypatch))


def test_the_check_finds_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the server did show something of the other hand, the comparison would say so."""
    from doyle.apps.web.service import sight

    real = sight.hand_document

    def leaking(table: object, hand: object) -> dict[str, object]:
        document = real(table, hand)  # type: ignore[arg-type]
        return document | {"hint": hand.deal.hole[0][0] % 4}  # type: ignore[attr-defined]

    monkeypatch.setattr(sight, "hand_document", leaking)
    with pytest.raises(AssertionError):
        check(run(decks()[:60:7], monkeypatch))
