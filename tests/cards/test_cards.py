"""Cards: parsing, printing, hole indices, and errors that point at the offending character."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from doyle.base.errors import DoyleError, ParseError
from doyle.cards import (
    HOLES,
    RANKS,
    SUITS,
    format_card,
    format_cards,
    hole_index,
    parse_card,
    parse_cards,
)
from tests.cards.dealing import attempt


def test_cards_are_numbered_by_rank_then_suit() -> None:
    names = [rank + suit for rank in RANKS for suit in SUITS]
    assert [parse_card(name) for name in names] == list(range(52))
    assert [format_card(card) for card in range(52)] == names


def test_hole_index_numbers_all_pairs() -> None:
    assert HOLES.shape == (1326, 2)
    assert (HOLES[:, 0] < HOLES[:, 1]).all()
    assert [hole_index(b, a) for a, b in HOLES.tolist()] == list(range(1326))
    assert (HOLES[:, 1] * (HOLES[:, 1] - 1) // 2 + HOLES[:, 0] == np.arange(1326)).all()


@given(
    st.lists(st.integers(0, 51), unique=True, max_size=10), st.sampled_from(["", " ", ",", ", "])
)
def test_printed_cards_read_back(cards: list[int], separator: str) -> None:
    assert parse_cards(format_cards(cards)) == tuple(cards)
    assert parse_cards(separator.join(format_card(card) for card in cards)) == tuple(cards)


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("Axs", 1, "expected a suit"),
        ("AsK", 3, "expected a suit"),
        ("AsXd", 2, "expected a rank"),
        ("10h", 0, "expected a rank"),
        ("as", 0, "expected a rank"),
        ("AsKdAs", 4, "As appears twice"),
    ],
)
def test_bad_cards_are_pointed_at(text: str, position: int, problem: str) -> None:
    with pytest.raises(ParseError, match=problem) as caught:
        parse_cards(text)
    assert caught.value.position == position


@pytest.mark.parametrize("text", ["", "AsKs", "A", "é"])
def test_one_card_is_one_card(text: str) -> None:
    with pytest.raises(ParseError):
        parse_card(text)


PARTS = st.sampled_from([*map(format_card, range(52)), " ", ",", "A", "s", "1", "é", "\n"])


@given(st.lists(PARTS, max_size=6).map("".join) | st.text(max_size=12))
@example("As Kd,2c")
@example("AsAs")
def test_any_text_is_read_or_refused(text: str) -> None:
    outcome = attempt(parse_cards, text)
    written = re.findall("[2-9TJQKA][cdhs]", text)
    is_cards = re.fullmatch("(?:[ ,\t]|[2-9TJQKA][cdhs])*", text) is not None
    if is_cards and len(set(written)) == len(written):
        assert not isinstance(outcome, ParseError)
        assert [format_card(card) for card in outcome] == written
    else:
        assert isinstance(outcome, ParseError)
        assert 0 <= outcome.position <= len(text)


@pytest.mark.parametrize("pair", [(0, 0), (-1, 3), (5, 52)])
def test_impossible_hole_cards_are_refused(pair: tuple[int, int]) -> None:
    with pytest.raises(DoyleError):
        hole_index(*pair)


@pytest.mark.parametrize("card", [-1, 52])
def test_only_cards_are_printed(card: int) -> None:
    with pytest.raises(DoyleError):
        format_card(card)
