"""Card abstractions of every kind of notation pass the check; a broken one does not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from doyle.abstractions.cards import CardAbstraction, Notation
from doyle.abstractions.cards.methods.recall import build_notation
from doyle.cards.suits.boards import CARD_MAPS, boards
from doyle.testing import ContractError, check_abstraction
from tests.abstractions.cards.small_atlas import FLOPS, small_atlas

SPECS = [
    "8.8.8.8",
    "ir169.ir20.ir30.40",
    "ir169.64.8.8",
    "ir169.dir-pub2x3hs2x2hs-pub2x1.dir-pub3x4hs2x2hs-pub3x1.5",
    "ir169.iru20hs.iru50hs2.u20hs",
]


@cache
def made(spec: str) -> CardAbstraction:
    tables = build_notation(Notation.parse(spec), atlas=small_atlas(), seed=1)
    return CardAbstraction(spec, tables, small_atlas())


def small_rivers(count: int, seed: int) -> list[tuple[int, ...]]:
    """Boards that begin with the small atlas's flops under any names of suits."""
    generator = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        flop = boards(3).boards[generator.choice(FLOPS)].astype(int)
        rest = generator.permutation(np.setdiff1d(np.arange(52), flop))[:2]
        cards = CARD_MAPS[
            generator.integers(24), np.concatenate([generator.permutation(flop), rest])
        ]
        found.append(tuple(int(card) for card in cards))
    return found


@pytest.mark.parametrize("spec", SPECS)
def test_card_abstractions_keep_the_contract(spec: str) -> None:
    assert check_abstraction(made(spec), small_rivers(4, seed=len(spec))) == 4


class Broken(CardAbstraction):
    """An abstraction whose boards have other buckets than its hands and deals."""

    def buckets(self, board: Sequence[int]) -> NDArray[np.int32]:
        found = super().buckets(board)
        if len(board) == 3:
            found[found >= 0] = found[found >= 0][::-1]
        return found


def test_a_broken_abstraction_is_found() -> None:
    sound = made("8.8.8.8")
    broken = Broken(sound.spec, sound.tables, small_atlas())
    with pytest.raises(ContractError, match=r"8\.8\.8\.8, round 1"):
        check_abstraction(broken, small_rivers(1, seed=1))
