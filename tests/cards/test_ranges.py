"""Ranges: what each form of the text means, round trips, PokerKit's reading of the same text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from pokerkit import parse_range as pokerkit_parse_range

from doyle.base.errors import DoyleError, ParseError
from doyle.cards import HOLES, format_card, format_range, hole_index, parse_cards, parse_range
from tests.cards.dealing import attempt


def hands(text: str) -> set[int]:
    return set(np.flatnonzero(parse_range(text)).tolist())


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("QQ+", "QQ,KK,AA"),
        ("AK", "AKs AKo"),
        ("KA", "AK"),
        ("ATs+", "ATs,AJs,AQs,AKs"),
        ("T9s+", "T9s"),
        ("A5s-A2s", "A2s,A3s,A4s,A5s"),
        ("A2s-A5s", "A5s-A2s"),
        ("22-66", "66-22"),
        ("22-66", "22,33,44,55,66"),
        ("T9s-76s", "T9s,98s,87s,76s"),
        ("QJ-87", "QJ,JT,T9,98,87"),
        ("KcQd", "QdKc"),
        ("random", "*"),
        ("any", "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"),
    ],
)
def test_notation(text: str, same: str) -> None:
    assert hands(text) == hands(same)


@pytest.mark.parametrize(
    ("text", "count"),
    [("AA", 6), ("AKs", 4), ("AKo", 12), ("AK", 16), ("QQ+,AKs,A5s-A2s", 38), ("random", 1326)],
)
def test_number_of_hands(text: str, count: int) -> None:
    assert len(hands(text)) == count


def test_weights_and_the_last_item_wins() -> None:
    weights = parse_range("AA:0.5, AsAh, KK:0.25")
    assert sorted(weights[weights > 0]) == [0.25] * 6 + [0.5] * 5 + [1.0]
    assert weights[hole_index(*parse_cards("AsAh"))] == 1.0


@pytest.mark.parametrize(
    "text", ["QQ+", "AKs", "AKo", "AK", "ATs+", "T9s+", "K9o+", "22-66", "T9s-76s", "QJ-87", "KcQd"]
)
def test_pokerkit_reads_the_same_hands(text: str) -> None:
    theirs = {frozenset(repr(card) for card in hand) for hand in pokerkit_parse_range(text)}
    ours = {frozenset(format_card(card) for card in HOLES[index]) for index in hands(text)}
    assert ours == theirs


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("QX", 1),
        ("QQ+,AKx", 6),
        ("AAs", 2),
        ("AKs-QJo", 3),
        ("AKs-Q9s", 3),
        ("AKs-", 4),
        ("AKs-AQs5", 7),
        ("22-AK", 2),
        ("AKs:1.5", 4),
        ("AKs:x", 4),
        ("AKs:nan", 4),
        ("AsAs", 2),
        ("AsKx", 3),
        ("As", 2),
        ("AsKsQs", 4),
    ],
)
def test_bad_ranges_are_pointed_at(text: str, position: int) -> None:
    with pytest.raises(ParseError) as caught:
        parse_range(text)
    assert caught.value.position == position


PARTS = st.sampled_from(["AA", "KK", "22", "AK", "AKs", "T9o", "AsKs", "+", "-", ",", ":0.5", "x"])


@given(
    st.text(alphabet="23456789TJQKAcdhso+-:.,* ", max_size=16)
    | st.lists(PARTS, max_size=6).map("".join)
)
@example("QQ+,AKs:0.5")
def test_any_text_is_read_or_refused(text: str) -> None:
    outcome = attempt(parse_range, text)
    if text == "QQ+,AKs:0.5":
        assert not isinstance(outcome, ParseError)
        assert outcome.sum() == 3 * 6 + 4 * 0.5
    if isinstance(outcome, ParseError):
        assert 0 <= outcome.position <= len(text)
    else:
        assert (parse_range(format_range(outcome)) == outcome).all()


@st.composite
def ranges(draw: st.DrawFn) -> NDArray[np.float64]:
    """Weights with both whole classes and single hands."""
    weights = np.zeros(1326)
    item = st.sampled_from(
        [
            "AA",
            "KK",
            "77",
            "22",
            "AKs",
            "AQs",
            "AJs",
            "A5s",
            "K9o",
            "T9s",
            "T9o",
            "32o",
            "QQ+",
            "66-33",
            "KcQd",
            "AhAs",
        ]
    )
    weight = st.sampled_from([1.0, 0.5, 0.1, 1 / 3])
    for text, value in draw(st.lists(st.tuples(item, weight), max_size=12)):
        weights[list(hands(text))] = value
    for index, value in draw(
        st.lists(st.tuples(st.integers(0, 1325), st.floats(0, 1)), max_size=8)
    ):
        weights[index] = value
    return weights


@given(ranges())
def test_printed_ranges_read_back_exactly(weights: NDArray[np.float64]) -> None:
    assert (parse_range(format_range(weights)) == weights).all()


@pytest.mark.parametrize(
    "text", ["random", "AA", "QQ+", "66-22", "AQs+", "A5s-A2s", "QQ+,AKs,AKo", "AsAh", "random:0.5"]
)
def test_short_forms_are_kept(text: str) -> None:
    assert format_range(parse_range(text)) == text


def test_ranges_print_compactly() -> None:
    text = "QQ+,66-22,AQs+,A5s-A2s,KTo+:0.5"
    assert format_range(parse_range(text)) == text
    assert format_range(np.zeros(1326)) == "random:0.0"


@pytest.mark.parametrize("weights", [np.zeros(3), np.full(1326, 2.0), np.full(1326, np.nan)])
def test_only_weights_are_printed(weights: NDArray[np.float64]) -> None:
    with pytest.raises(DoyleError):
        format_range(weights)
