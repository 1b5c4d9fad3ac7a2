"""Single hands: the shipped tables, the order of all hands, and the small games' orders."""

from __future__ import annotations

import importlib.util
import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.base.errors import DoyleError
from doyle.cards import (
    CATEGORIES,
    CATEGORY_STARTS,
    category_of,
    describe_hand,
    format_cards,
    parse_cards,
    rank_hand,
)
from doyle.cards.ranking import rank_best
from tests.reference.cards_ranking import best_value

ROOT = Path(__file__).parents[2]


def rank(text: str) -> int:
    return rank_hand(parse_cards(text))


def test_shipped_tables_are_what_the_script_builds() -> None:
    path = ROOT / "tools" / "build_rank_tables.py"
    spec = importlib.util.spec_from_file_location("build_rank_tables", path)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    folder = ROOT / "src" / "doyle" / "cards" / "tables"
    built = script.build()
    assert {f"{name}.npy" for name in built} == {path.name for path in folder.iterdir()}
    for name, table in built.items():
        shipped = np.load(folder / f"{name}.npy")
        assert shipped.dtype == table.dtype
        assert (shipped == table).all(), name


def test_rank_hand_orders_hands_as_the_definition_does() -> None:
    generator = np.random.default_rng(5)
    for size in (5, 6, 7):
        hands = [tuple(generator.permutation(52)[:size].tolist()) for _ in range(400)]
        by_value = sorted((best_value(hand), rank_hand(hand)) for hand in hands)
        for (value, number), (next_value, next_number) in itertools.pairwise(by_value):
            assert (value == next_value) == (number == next_number)
            assert number <= next_number


@pytest.mark.parametrize(
    ("category", "least", "most"),
    [
        ("high card", "7c5d4h3s2c", "AcKdQhJs9c"),
        ("pair", "2c2d5h4s3c", "AcAdKhQsJc"),
        ("two pair", "3c3d2h2s4c", "AcAdKhKsQc"),
        ("three of a kind", "2c2d2h4s3c", "AcAdAhKsQc"),
        ("straight", "Ac2d3h4s5c", "AcKdQhJsTc"),
        ("flush", "7c5c4c3c2c", "AcKcQcJc9c"),
        ("full house", "2c2d2h3s3c", "AcAdAhKsKc"),
        ("four of a kind", "2c2d2h2s3c", "AcAdAhAsKc"),
        ("straight flush", "Ac2c3c4c5c", "AcKcQcJcTc"),
    ],
)
def test_each_category_spans_its_ranks(category: str, least: str, most: str) -> None:
    number = CATEGORIES.index(category)
    end = (*CATEGORY_STARTS[1:], 7463)[number]
    assert rank(least) == CATEGORY_STARTS[number]
    assert rank(most) == end - 1
    assert category_of(rank(least)) == category_of(rank(most)) == category
    assert describe_hand(parse_cards(most)).category == category


@given(st.permutations(range(52)), st.integers(5, 7))
def test_order_of_cards_and_names_of_suits_change_nothing(deck: list[int], size: int) -> None:
    hand = deck[:size]
    assert rank_hand(sorted(hand)) == rank_hand(hand)
    for suits in itertools.permutations(range(4)):
        assert rank_hand([4 * (card // 4) + suits[card % 4] for card in hand]) == rank_hand(hand)


@given(st.permutations(range(52)), st.integers(6, 7))
def test_a_hand_is_as_good_as_its_best_five(deck: list[int], size: int) -> None:
    hand = deck[:size]
    described = describe_hand(hand)
    assert described.rank == max(rank_hand(five) for five in itertools.combinations(hand, 5))
    assert rank_hand(described.best) == described.rank
    assert set(described.best) <= set(hand)


def test_kuhn_is_the_high_card() -> None:
    assert rank("Qs") < rank("Ks") < rank("As")
    assert rank("Qs") == rank("Qh")


def test_leduc_pair_beats_high_card() -> None:
    assert rank("QsQh") > rank("AsKh")
    assert rank("KsKh") > rank("QsQh")
    assert rank("AsQh") > rank("KsQh")
    assert rank("AsKh") == rank("AhKs")


def test_rhode_island_order_by_frequency() -> None:
    """Gilpin and Sandholm (2007), table of Rhode Island hands: the rarer hand is the better one."""
    counts = Counter(describe_hand(hand).category for hand in itertools.combinations(range(52), 3))
    assert counts == {
        "straight flush": 48,
        "three of a kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "high card": 16440,
    }
    weakest_first = ["KcQd9h", "2c2dAh", "2c3c5c", "Ac2d3h", "2c2d2h", "Ac2c3c"]
    ranks = [rank(text) for text in weakest_first]
    assert ranks == sorted(ranks)
    assert rank("AcKdQh") > rank("2c3d4h") > rank("Ac2d3h")
    assert rank("AcKdJh") < rank("2c2d3h")


def test_four_cards_count_groups_only() -> None:
    texts = ["AcKcQcJc", "2c2d3h4s", "2c2d3h3s", "2c2d2h3s", "2c2d2h2s"]
    ranks = [rank(text) for text in texts]
    assert ranks == sorted(set(ranks))
    assert rank("AcKcQcJc") == rank("AcKdQhJs")


@given(st.permutations(range(52)), st.integers(1, 4))
def test_small_hands_ignore_order_and_names_of_suits(deck: list[int], size: int) -> None:
    hand = deck[:size]
    for suits in itertools.permutations(range(4)):
        renamed = [4 * (card // 4) + suits[card % 4] for card in reversed(hand)]
        assert rank_hand(renamed) == rank_hand(hand)


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("As2d3h4s5cKdKh", "5c4s3h2dAs"),
        ("AsAdKsKd7c2h2d", "AsAdKsKd7c"),
        ("9c9d9hAsKd2c3c", "9h9d9cAsKd"),
        ("Ah2d3c", "3c2dAh"),
        ("2c2dAh3s", "2d2cAh3s"),
    ],
)
def test_best_cards_come_strongest_first(text: str, best: str) -> None:
    assert format_cards(describe_hand(parse_cards(text)).best) == best


@pytest.mark.parametrize("hand", [(), (0, 0), (0, 1, 2, 3, 3), (0, 1, 2, 3, 52), tuple(range(8))])
def test_what_is_not_a_hand_is_refused(hand: tuple[int, ...]) -> None:
    with pytest.raises(DoyleError):
        rank_hand(hand)


@pytest.mark.parametrize("number", [0, 7463])
def test_what_is_not_a_rank_is_refused(number: int) -> None:
    with pytest.raises(DoyleError):
        category_of(number)


@given(st.permutations(range(52)), st.integers(8, 10), st.sampled_from([52, 14]))
def test_the_best_of_many_cards_is_that_of_seven_of_them(
    deck: list[int], size: int, cards: int
) -> None:
    hand = tuple([card for card in deck if card < cards][:size])
    assert rank_best(hand) == max(map(rank_hand, itertools.combinations(hand, 7)))


def test_all_cards_hold_a_royal_flush() -> None:
    assert rank_best(range(52)) == 7462
    assert rank_best([card for card in range(52) if card // 4 < 3]) == rank_hand(
        parse_cards("4c4d4h4s3s")
    )


@pytest.mark.parametrize("cards", [(-1, 0, 1, 2, 3), (0, 1, 2, 3, 52), (7, 1, 2, 3, 7), (-1,)])
def test_what_is_no_hand_has_no_rank(cards: tuple[int, ...]) -> None:
    with pytest.raises(DoyleError):
        rank_hand(cards)
