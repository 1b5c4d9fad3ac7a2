"""Deals are those of the ACPC dealer, from the seed alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.base.errors import DoyleError
from doyle.cards import format_cards
from doyle.games import Game, bundled_names, check_deal
from doyle.matches import Dealer, as_deal
from doyle.matches.chance import deck


class MersenneTwister:
    """The reference generator of Matsumoto and Nishimura, mt19937ar, word by word."""

    def __init__(self, seed: int) -> None:
        self.state = [seed]
        for i in range(1, 624):
            last = self.state[-1]
            self.state.append((1812433253 * (last ^ (last >> 30)) + i) & 0xFFFFFFFF)
        self.position = 624

    def next(self) -> int:
        if self.position == 624:
            for i in range(624):
                y = (self.state[i] & 0x80000000) | (self.state[(i + 1) % 624] & 0x7FFFFFFF)
                odd = 0x9908B0DF if y & 1 else 0
                self.state[i] = self.state[(i + 397) % 624] ^ (y >> 1) ^ odd
            self.position = 0
        y = self.state[self.position]
        self.position += 1
        y ^= y >> 11
        y ^= (y << 7) & 0x9D2C5680
        y ^= (y << 15) & 0xEFC60000
        return y ^ (y >> 18)


def dealt_one_by_one(game: Game, seed: int, count: int) -> list[list[int]]:
    """The ACPC dealer's procedure, card by card."""
    twister = MersenneTwister(seed)
    deals = []
    for _ in range(count):
        cards = [4 * r + s for s in range(4 - game.suits, 4) for r in range(13 - game.ranks, 13)]
        deal = []
        for _ in range(game.players * game.hole_cards + sum(game.board_cards)):
            place = twister.next() % len(cards)
            deal.append(cards[place])
            cards[place] = cards[-1]
            cards.pop()
        deals.append(deal)
    return deals


@pytest.mark.parametrize("name", bundled_names())
def test_deals_are_drawn_as_the_dealer_draws_them(name: str) -> None:
    game = Game.named(name)
    deals = Dealer(game, seed=5001).draw(300)
    assert deals.tolist() == dealt_one_by_one(game, 5001, 300)


def test_the_first_deals_of_a_seed_stay_what_they_are() -> None:
    # Dealt by the public ACPC dealer from seed 5001.
    game = Game.named("holdem-nl-200bb")
    deals = Dealer(game, seed=5001).draw(4)
    holes = ["|".join(format_cards(cards) for cards in as_deal(game, row).hole) for row in deals]
    assert holes == ["6cJd|9c4s", "8cQs|7h8h", "6d5h|8d6h", "5h8c|4d9h"]
    assert format_cards(as_deal(game, deals[1]).board[:3]) == "4h9cJc"


@given(seed=st.integers(0, 2**32 - 1), parts=st.lists(st.integers(0, 9000), max_size=3))
def test_drawing_in_parts_gives_the_same_deals(seed: int, parts: list[int]) -> None:
    game = Game.named("leduc")
    whole = Dealer(game, seed=seed).draw(sum(parts))
    dealer = Dealer(game, seed=seed)
    drawn = [dealer.draw(part) for part in parts]
    assert np.array_equal(whole, np.concatenate(drawn) if drawn else whole)


@given(seed=st.integers(0, 2**32 - 1), name=st.sampled_from(bundled_names()))
def test_every_deal_is_legal(seed: int, name: str) -> None:
    game = Game.named(name)
    for row in Dealer(game, seed=seed).draw(5):
        check_deal(game, as_deal(game, row))


def test_short_decks_keep_the_top_ranks_and_suits() -> None:
    assert format_cards(deck(Game.named("kuhn")).tolist()) == "QsKsAs"
    assert format_cards(deck(Game.named("leduc")).tolist()) == "QhKhAhQsKsAs"


def test_cards_are_dealt_evenly() -> None:
    first = Dealer(Game.named("holdem-nl-200bb"), seed=3).draw(52_000)[:, 0]
    counts = np.bincount(first, minlength=52)
    # Chi-squared with 51 degrees of freedom: the 99.9% quantile is 87.
    assert ((counts - 1000) ** 2 / 1000).sum() < 87


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(DoyleError, match="seeds go from 0"):
        Dealer(Game.named("kuhn"), seed=seed)
