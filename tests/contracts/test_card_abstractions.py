"""What every card abstraction must do: `check_card_abstraction` can be called on any of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
import pytest

from doyle.card_abstraction import BOARD_CARDS, CardAbstraction, Notation
from doyle.card_abstraction.methods.recall import build_notation
from doyle.cards import HOLES
from doyle.cards.suits.boards import CARD_MAPS, HOLE_MAPS, boards
from tests.card_abstraction.small_atlas import FLOPS, small_atlas

SPECS = [
    "8.8.8.8",
    "ir169.ir20.ir30.40",
    "ir169.64.8.8",
    "ir169.dir-pub2x3hs2x2hs-pub2x1.dir-pub3x4hs2x2hs-pub3x1.5",
    "ir169.iru20hs.iru50hs2.u20hs",
]


def check_card_abstraction(abstraction: CardAbstraction, rivers: Iterable[tuple[int, ...]]) -> None:
    """Check all rounds of some five-card boards; the first three cards are the flop."""
    for board in rivers:
        for round, size in enumerate(BOARD_CARDS):
            check_board(abstraction, round, board[:size])
        check_deals(abstraction, board)
    for round in range(abstraction.rounds):
        masses = abstraction.masses(round)
        assert len(masses) == abstraction.bucket_count(round)
        assert masses.sum() == pytest.approx(1.0)


def check_board(abstraction: CardAbstraction, round: int, board: tuple[int, ...]) -> None:
    """Buckets are in range, agree one by one, ignore suits' names and the order within a round."""
    found = abstraction.buckets(board)
    hit = np.isin(HOLES, board).any(axis=1)
    assert (found[hit] == -1).all()
    assert (found[~hit] >= 0).all()
    assert (found[~hit] < abstraction.bucket_count(round)).all()
    for hole in np.flatnonzero(~hit)[::97]:
        cards = tuple(int(card) for card in HOLES[hole])
        assert abstraction.bucket(round, cards, board) == found[hole]
        assert abstraction.bucket(round, cards[::-1], board) == found[hole]
    for permutation in (3, 10, 23):
        renamed = tuple(int(card) for card in CARD_MAPS[permutation, list(board)])
        assert (abstraction.buckets(renamed)[HOLE_MAPS[permutation]] == found).all()
    assert (abstraction.buckets((*board[:3][::-1], *board[3:])) == found).all()
    parents = abstraction.parents(round)
    if parents is not None:
        before = abstraction.buckets(board[: BOARD_CARDS[round - 1]])
        assert (parents[found[~hit]] == before[~hit]).all()


def check_deals(abstraction: CardAbstraction, board: tuple[int, ...]) -> None:
    """Deals give the same buckets as boards do."""
    left = [card for card in range(52) if card not in board]
    holes = np.array([[left[:2], left[2:4]], [left[5:7][::-1], left[-2:]]])
    found = abstraction.deal_buckets(holes, np.array([board, board]))
    assert found.shape == (2, 2, 4)
    for deal in range(2):
        for seat in range(2):
            for round in range(4):
                assert found[deal, seat, round] == abstraction.bucket(
                    round, holes[deal, seat], board
                )


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
    check_card_abstraction(made(spec), small_rivers(4, seed=len(spec)))
