"""The chance in a match: nobody can compute the cards or another's dice, and matches can be replayed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.base.statistics import Estimate
from doyle.base.workers import Workers
from doyle.games import CALL, Action, Game, View, bundled_names, check_deal
from doyle.games.histories import Hand, read_log
from doyle.matches import Chance, KeyedDealer, MatchResult, as_deal, play_league, play_match
from doyle.matches.chance import deck
from tests.matches.cheating_agents import Searching, SearchingCards, SearchingKey

HOLDEM = Game.named("holdem-nl-200bb")
DEALS = 2000
SEED = 1234
NEAR = range(SEED - 2, SEED + 1)
"""Seeds that a cheating agent tries: in truth it would have to try 2**32."""


def won(agent: Any, chance: Chance) -> MatchResult:
    return play_match(HOLDEM, [agent, "random"], hands=DEALS, chance=chance)


def advantage(cheating: MatchResult, honest: MatchResult) -> Estimate:
    """How much more the one wins than the other on the same deals, in big blinds a hand."""
    difference = cheating.units[:, 0] - honest.units[:, 0]
    return Estimate.of(difference, unit=cheating.unit * HOLDEM.big_blind)


@pytest.mark.parametrize("cheat", [SearchingKey(NEAR), SearchingCards(range(2000))])
def test_sealed_no_search_helps(cheat: Searching) -> None:
    chance = Chance.sealed()
    estimate = advantage(won(cheat, chance), won(Searching(()), chance))
    assert cheat.found is None
    assert estimate.ci95 is not None
    assert abs(float(estimate.mean)) <= estimate.ci95


@pytest.mark.parametrize(
    ("cheat", "chance"),
    [
        (SearchingKey(NEAR), Chance.repeatable(SEED)),
        (SearchingCards(range(2000)), Chance.repeatable(SEED, deals="acpc")),
    ],
)
def test_whoever_guesses_the_seed_of_a_repeatable_match_knows_the_cards(
    cheat: Searching, chance: Chance
) -> None:
    """The searches work where they can: the test above would fail if they were let in."""
    estimate = advantage(won(cheat, chance), won(Searching(()), chance))
    assert cheat.found == SEED
    assert estimate.is_significant
    assert estimate.mean > 10


def test_own_deals_cannot_be_searched_by_the_cards() -> None:
    chance = Chance.repeatable(SEED)
    cheat = SearchingCards(range(2000))
    estimate = advantage(won(cheat, chance), won(Searching(()), chance))
    assert cheat.found is None
    assert estimate.mean == 0


class Recording:
    """Calls, and records what it was shown: the seat and the key of its dice."""

    name = "recording"

    def __init__(self) -> None:
        self.seen: list[tuple[int, bytes]] = []

    def act(self, view: View) -> Action:
        self.seen.append((view.seat, view.dice_key))
        return CALL


def keys_shown(chance: Chance, hands: int = 20) -> list[set[tuple[int, bytes]]]:
    """What two players are shown in a duplicate match."""
    agents = [Recording(), Recording()]
    play_match(HOLDEM, agents, hands=hands, chance=chance)
    return [set(agent.seen) for agent in agents]


def test_dice_depend_on_deal_and_position() -> None:
    first, second = keys_shown(Chance.repeatable(7))
    assert first == second  # who sits there does not matter
    assert len(first) == 40
    assert len({key for _, key in first}) == 40


def test_sealed_dice_depend_on_the_seating_too() -> None:
    first, second = keys_shown(Chance.sealed())
    assert not first & second
    assert len({key for _, key in first | second}) == 80


def test_the_tables_of_a_sealed_league_have_their_own_dice_and_the_same_deals() -> None:
    agents = [Recording(), Recording(), Recording()]
    league = play_league(HOLDEM, agents, hands=5, chance=Chance.sealed())
    assert len(league.matches) == 3
    shown = [key for agent in agents for key in set(agent.seen)]
    assert len(shown) == len(set(shown)) == 3 * 5 * 2 * 2


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_keys_of_different_secrets_have_nothing_in_common(one: bytes, other: bytes) -> None:
    sets = []
    for secret in {one, other}:
        dice = Chance.sealed(secret).dice(HOLDEM)
        keys = {
            dice.hand_key(position, deal=deal, seating=seating)
            for position in (0, 1)
            for deal in (0, 1, 255, 256, 2**40)
            for seating in (0, 1)
        }
        assert len(keys) == 20
        assert secret not in keys
        sets.append(keys)
    assert len(set.union(*sets)) == 20 * len(sets)


@pytest.mark.parametrize("name", bundled_names())
def test_keyed_deals_are_legal_and_come_in_order(name: str) -> None:
    game = Game.named(name)
    key = b"k" * 32
    whole = KeyedDealer(game, key=key).draw(20_000)
    dealer = KeyedDealer(game, key=key)
    parts = np.concatenate([dealer.draw(count) for count in (0, 1, 8191, 1, 11_807)])
    assert np.array_equal(whole, parts)
    for row in whole[::997]:
        check_deal(game, as_deal(game, row))


def test_keyed_deals_are_picked_as_documented() -> None:
    """One by one from the stream of SHAKE-256, 64 bits a card."""
    key = bytes(range(32))
    stream = hashlib.shake_256(key + bytes(8)).digest(8 * 9 * 50)
    expected = []
    for deal in range(50):
        cards = deck(HOLDEM).tolist()
        drawn = []
        for card in range(9):
            start = 8 * (9 * deal + card)
            place = int.from_bytes(stream[start : start + 8], "little") % len(cards)
            drawn.append(cards[place])
            cards[place] = cards[-1]
            cards.pop()
        expected.append(drawn)
    assert KeyedDealer(HOLDEM, key=key).draw(50).tolist() == expected


def test_keyed_cards_are_dealt_evenly_in_every_place() -> None:
    deals = KeyedDealer(HOLDEM, key=b"e" * 32).draw(52_000)
    for column in deals.T:
        counts = np.bincount(column, minlength=52)
        # Chi-squared with 51 degrees of freedom, nine times: the 99.99% quantile is 97.
        assert ((counts - 1000) ** 2 / 1000).sum() < 97


def test_a_sealed_match_is_replayed_from_its_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, again = tmp_path / "first.log", tmp_path / "again.log"
    match = ["match", "leduc", "random", "ev", "--hands", "150", "--workers", "1", "--json"]
    assert main([*match, "--sealed", "--log", str(first)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert main([*match, "--secret", str(first), "--log", str(again)]) == 0
    assert json.loads(capsys.readouterr().out) == document
    assert first.read_bytes() == again.read_bytes()
    assert document["mode"] == "sealed"
    assert document["seed"] is None
    text = first.read_text()
    assert f"# secret {document['secret']}\n" in text
    # What was published before the first hand fits what was revealed after the last.
    assert hashlib.sha256(bytes.fromhex(document["secret"])).hexdigest() in text.splitlines()[3]
    assert text.index("# secret") > text.rindex("STATE:")
    hands = [hand for hand in read_log(first, Game.named("leduc")) if isinstance(hand, Hand)]
    assert len(hands) == 300


def test_two_sealed_matches_are_different() -> None:
    one, two = (
        play_match(HOLDEM, ["random", "always-call"], hands=50, chance=Chance.sealed())
        for _ in range(2)
    )
    assert not np.array_equal(one.units, two.units)


def test_sealed_matches_do_not_depend_on_the_number_of_workers() -> None:
    chance = Chance.sealed()
    one, two = (
        play_match(HOLDEM, ["random", "random"], hands=150, chance=chance, workers=Workers(count))
        for count in (1, 2)
    )
    assert np.array_equal(one.units, two.units)
    assert one.units.any()  # the dice of the two halves differ, so equal agents do not tie


def test_the_document_names_mode_and_deals(capsys: pytest.CaptureFixture[str]) -> None:
    match = ["match", "kuhn", "always-call", "always-fold", "--hands", "5", "--json"]
    for options, mode, deals in (
        ((), "repeatable", "secret"),
        (("--deals", "acpc"), "repeatable", "acpc"),
        (("--sealed",), "sealed", "secret"),
    ):
        assert main([*match, *options]) == 0
        document = json.loads(capsys.readouterr().out)
        assert (document["mode"], document["deals"]) == (mode, deals)
        assert ("secret" in document) == (mode == "sealed")


def test_bad_secrets_and_seeds_are_refused() -> None:
    with pytest.raises(DoyleError, match="expected 32 bytes, not 3"):
        Chance.sealed(b"abc")
    for seed in (-1, 2**128):
        with pytest.raises(DoyleError, match="seeds go from 0"):
            Chance.repeatable(seed)
