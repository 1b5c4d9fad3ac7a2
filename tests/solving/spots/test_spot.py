"""Spots that can and cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from doyle.base.errors import DoyleError
from doyle.solving.spots import Spot, solve_spot
from doyle.solving.spots.solve import check_memory, memory_needed, prepare

GOOD: dict[str, Any] = {
    "board": "Ks7h4d2c", "ranges": ("QQ+", "22+"), "pot": 200, "stacks": 800,
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"board": "Ks7h"}, "2 cards; a spot starts"),
        ({"board": "Ks7hXd2c"}, "expected a rank .* at character 5"),
        ({"board": "Ks7hKs2c"}, "Ks appears twice at character 5"),
        ({"ranges": ("QQ+,AKx", "22+")}, "at character 7"),
        ({"ranges": ("", "22+")}, "expected a hand"),
        ({"ranges": ("QQ+", "AsKd,7hAh")}, "7hAh shares a card with the board .* at character 6"),
        ({"ranges": ("KcKd", "KcKd")}, "no two hands"),
        ({"board": "KsKhKdKc", "ranges": ("KK", "22+")}, "range 1: every hand"),
        ({"pot": 201}, "must be even"),
        ({"pot": 0}, "expected a number from 1"),
        ({"pot": -200}, "expected a number from 1"),
        ({"stacks": 0}, "stack of seat 0"),
        ({"stacks": (800, 0)}, "stack of seat 1"),
        ({"big_blind": 150}, "smaller than two big blinds"),
        ({"big_blind": 60}, "no betting leads to it"),
        ({"betting": "fcx"}, "betting model"),
        ({"betting": "limit"}, "no-limit"),
    ],
)
def test_refused_with_one_line(change: dict[str, Any], message: str) -> None:
    with pytest.raises(DoyleError, match=message) as found:
        prepare(Spot.parse(**(GOOD | change)))
    assert "\n" not in str(found.value)


def test_memory_is_known_before_and_refused() -> None:
    spot = Spot.parse(**GOOD)
    parts = spot.outline()
    solver, _ = prepare(spot)
    assert memory_needed(parts) == solver.memory_bytes
    with pytest.raises(DoyleError, match="shrink the ranges") as found:
        check_memory(parts, "single", solver.memory_bytes - 1)
    assert "\n" not in str(found.value)


def test_unequal_stacks_play_for_the_smaller_one() -> None:
    equal = solve_spot(Spot.parse(**GOOD), iterations=50)
    deep = solve_spot(
        Spot.parse(**(GOOD | {"stacks": (800, 5000), "betting": "fca"})), iterations=50
    )
    assert deep.root.texts[-1] == "r900"
    assert deep.at("c").texts == ("c", "r5100")
    assert equal.root.texts[-1] == "r900"


def test_documents_round_trip() -> None:
    spot = Spot.parse(**(GOOD | {"ranges": ("QQ+,AKs:0.5,KcKd:0.5", "22+")}))
    assert Spot.of_document(spot.document()).document() == spot.document()


def test_a_big_blind_bounds_the_least_bet() -> None:
    small = Spot.parse(**(GOOD | {"betting": "fc10a"}))
    large = Spot.parse(**(GOOD | {"betting": "fc10a", "big_blind": 50}))
    assert small.outline().tree.actions_of(0).tolist() == [1, 120, 900]
    assert large.outline().tree.actions_of(0).tolist() == [1, 900]
