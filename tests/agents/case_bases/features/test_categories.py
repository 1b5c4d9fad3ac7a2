"""Hand categories against the evaluator, and by example."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.agents.case_bases.features.hands import (
    CATEGORY_COUNT,
    TEXTURES,
    categories_of_deals,
    categories_on,
    category_name,
    texture_of,
)
from doyle.cards import category_of, format_cards, hole_index, parse_cards, rank_hand

MADE = {
    "high card": {"no pair", "one overcard", "two overcards"},
    "pair": {
        "board pair",
        "underpair",
        "bottom pair",
        "middle pair",
        "top pair",
        "top pair good kicker",
        "overpair",
    },
    "two pair": {
        "low pair and board pair",
        "high pair and board pair",
        "two pair",
        "top two pair",
        "two pair on the board",
    },
    "three of a kind": {"trips on the board", "trips", "set"},
    "straight": {"straight on the board", "straight with one card", "straight with two cards"},
    "flush": {
        "flush on the board",
        "flush with one card",
        "nut flush with one card",
        "flush with two cards",
        "nut flush with two cards",
    },
    "full house": {
        "full house on the board",
        "full house with one card",
        "full house with two cards",
    },
    "four of a kind": {"quads on the board", "quads"},
    "straight flush": {"straight flush"},
}


def named(hole: str, board: str) -> str:
    cards = parse_cards(board)
    return category_name(int(categories_on(cards)[hole_index(*parse_cards(hole))]))


def test_made_hands_agree_with_the_evaluator() -> None:
    rng = np.random.default_rng(4)
    deals = np.argsort(rng.random((1000, 52)), axis=1)[:, :7]
    out = np.zeros((len(deals), 4), np.int16)
    categories_of_deals(deals[:, :2], deals[:, 2:], out)
    for deal, found in zip(deals.tolist(), out.tolist(), strict=True):
        for round_ in (1, 2, 3):
            made = category_name(found[round_]).split(",")[0]
            cards = deal[: 4 + round_]
            expected = category_of(rank_hand(cards))
            assert made in MADE[expected], (format_cards(cards), made)
            if round_ == 3:
                assert "," not in category_name(found[round_])  # nothing is left to draw to


@pytest.mark.parametrize(
    ("hole", "board", "expected"),
    [
        ("AsKd", "Qc7s2d", "two overcards"),
        ("Qh3h", "Qs7h2h", "top pair, flush draw two cards"),
        ("9h8h", "7h6h2c", "two overcards, flush draw two cards, straight draw open"),
        ("AcTc", "KcQc2d9s", "one overcard, flush draw nut, straight draw gutshot"),
        ("6d6h", "5c7c8dTs", "middle pair, straight draw open"),
        ("KhQh", "AhJh2h", "nut flush with two cards"),
        ("9c5d", "9h9s4c4h4d", "full house with one card"),
        ("7c2d", "AhAdAcAs7d", "quads on the board"),
        ("4h3h", "5h6h7h", "straight flush"),
        ("2c3c", "4d5s6h7c8d", "straight on the board"),
        ("7h7d", "7c2s9d", "set"),
        ("9h2h", "AcKc9c8c", "middle pair"),
        ("8h2h", "AcKc9c8c", "bottom pair"),
    ],
)
def test_examples(hole: str, board: str, expected: str) -> None:
    assert named(hole, board) == expected


def test_all_categories_have_names() -> None:
    names = {category_name(number) for number in range(CATEGORY_COUNT)}
    assert len(names) == CATEGORY_COUNT


@pytest.mark.parametrize(
    ("board", "texture"),
    [
        ("Ks7h2d", "A"),
        ("Ks7s2s", "B"),
        ("9s8h7d", "C"),
        ("9s8s7s", "D"),
        ("9s8h7d6c", "E"),
        ("9s8s7s6h", "F"),
        ("Ks7s2s3sJd", "G"),
        ("Ks7s6s5sJd", "H"),
        ("9s8s7s6s2d", "I"),
        ("As5h4d", "C"),  # the ace is low too
        ("AsKhTd", "C"),
        ("As2h3d5cKd", "E"),
        ("AsKh2d", "A"),  # and does not join the two
        ("9s9h8d7c", "C"),  # a pair counts once
    ],
)
def test_textures(board: str, texture: str) -> None:
    assert TEXTURES[texture_of(parse_cards(board))] == texture
