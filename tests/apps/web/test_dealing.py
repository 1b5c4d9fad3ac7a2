"""Commitments: checked by a few lines that share nothing with the code that makes them."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.apps.web.dealing import SealedDeck, check_commitment, shuffled
from doyle.apps.web.service import TableService
from doyle.apps.web.service.sight import table_document
from doyle.base.errors import DoyleError
from doyle.games import Game
from tests.apps.web.asgi import running

RANKS, SUITS = "23456789TJQKA", "cdhs"


def independent(commitment: str, salt: str, deck: str) -> bool:
    cards = {deck[place : place + 2] for place in range(0, 104, 2)}
    whole = {rank + suit for rank in RANKS for suit in SUITS}
    digest = hashlib.sha256(bytes.fromhex(salt) + deck.encode()).hexdigest()
    return len(deck) == 104 and cards == whole and len(salt) == 64 and digest == commitment


@pytest.mark.parametrize(
    "tables", [4, pytest.param(40, marks=pytest.mark.slow)], ids=["100-hands", "1000-hands"]
)
def test_the_commitments_of_hands_at_tables(tables: int) -> None:
    async def play() -> list[dict[str, object]]:
        async with running() as app:
            service: TableService = app.state.service
            hands: list[dict[str, object]] = []

            async def sit(number: int) -> None:
                player, _ = await service.create_player(f"Ann {number}")
                table = await service.create_table(
                    player, game="holdem-nl-200bb", agents=["starter"]
                )
                with table.watching() as changed:
                    for last in range(25):
                        await service.play.next_hand(table, after=last)
                        hand = table.hand
                        assert hand is not None
                        dealt = table_document(table)["hand"]
                        assert dealt["reveal"] is None
                        while not hand.is_over:  # fold as soon as that is possible
                            if hand.seat_of[hand.state.actor] == table.seat:
                                action = 0 if hand.state.can_fold else 1
                                moment = hand.state.action_count
                                await service.play.act(
                                    table, hand=last + 1, number=moment, action=action
                                )
                            else:
                                changed.clear()
                                await changed.wait()
                        shown = table_document(table)["hand"]
                        assert shown["commitment"] == dealt["commitment"]
                        hands.append(shown)

            await asyncio.gather(*map(sit, range(tables)))
            return hands

    hands = asyncio.run(play())
    assert len(hands) == 25 * tables
    for hand in hands:
        reveal = hand["reveal"]
        assert independent(hand["commitment"], reveal["salt"], reveal["deck"])  # type: ignore[index, arg-type]
        position = hand["position"]
        deck = reveal["deck"]  # type: ignore[index]
        assert hand["hole"] == [deck[4 * position :][:2], deck[4 * position + 2 :][:2]]  # type: ignore[operator]
        assert "".join(reveal["board"]) == deck[8:18]  # type: ignore[index]
    assert len({hand["commitment"] for hand in hands}) == len(hands)
    # Every card is as likely on top: chi-squared with 51 degrees of freedom is above 100 once in 20,000.
    tops = Counter(hand["reveal"]["deck"][:2] for hand in hands)  # type: ignore[index]
    expected = len(hands) / 52
    assert (
        sum((tops[rank + suit] - expected) ** 2 / expected for rank in RANKS for suit in SUITS)
        < 100
    )


def test_dice_and_commitment_differ_from_hand_to_hand_and_position_to_position() -> None:
    game = Game.named("holdem-limit-3p")
    one, other = shuffled(game), shuffled(game)
    keys = {deck.dice_key(position) for deck in (one, other) for position in range(3)}
    assert len(keys) == 6
    assert len(one.deal(game).hole) == 3


@pytest.mark.parametrize("field", ["commitment", "salt", "deck"])
def test_a_changed_field_is_found(field: str) -> None:
    sealed = shuffled(Game.named("holdem-nl-200bb"))
    fields = {"commitment": sealed.commitment, "salt": sealed.salt.hex(), "deck": sealed.deck}
    assert check_commitment(**fields)
    text = fields[field]
    fields[field] = text[2:4] + text[:2] + text[4:]
    if fields[field] != text:
        assert not check_commitment(**fields)
    with pytest.raises(DoyleError, match=field):
        check_commitment(**(fields | {field: "Zz"}))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sealed = SealedDeck(bytes(range(32)), "AsKd2c")
    options = ["--commitment", sealed.commitment, "--salt", sealed.salt.hex(), "--deck", "AsKd2c"]
    assert main(["verify", *options]) == 0
    assert main(["verify", *options[:-1], "KdAs2c", "--json"]) == 1
    assert json.loads(capsys.readouterr().out.splitlines(keepends=True)[0] and "{}") == {}
    hand = {
        "commitment": sealed.commitment,
        "reveal": {"salt": sealed.salt.hex(), "deck": "AsKd2c"},
    }
    path = tmp_path / "hand.json"
    path.write_text(json.dumps(hand), encoding="utf-8")
    assert main(["verify", str(path)]) == 0
    path.write_text(json.dumps({"commitment": "", "reveal": None}), encoding="utf-8")
    assert main(["verify", str(path)]) == 2
    assert main(["verify", "--salt", "x"]) == 2
    assert "--commitment is missing" in capsys.readouterr().err
