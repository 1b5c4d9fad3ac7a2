"""Many hands at once: against the plain twin, peer evaluators and the known counts."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks._sevens_kernels import sum_of_all_sevens

from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.cards import (
    HOLES,
    board_ranks,
    board_strength,
    boards_strength,
    category_counts,
    evaluate,
    rank_hand,
    rank_tables,
)
from tests.cards.dealing import random_hands
from tests.reference import cards_ranking


@pytest.mark.parametrize("size", [5, 6, 7])
def test_batches_agree_with_single_hands(size: int) -> None:
    hands = random_hands(3000, size, seed=1)
    assert evaluate(hands).tolist() == [rank_hand(hand) for hand in hands.tolist()]


def test_all_five_card_hands() -> None:
    assert category_counts(5) == {
        "high card": 1_302_540,
        "pair": 1_098_240,
        "two pair": 123_552,
        "three of a kind": 54_912,
        "straight": 10_200,
        "flush": 5_108,
        "full house": 3_744,
        "four of a kind": 624,
        "straight flush": 40,
    }


def test_all_six_card_hands() -> None:
    counts = category_counts(6)
    assert sum(counts.values()) == 20_358_520
    assert counts["straight flush"] == 1_844
    assert counts["high card"] == 6_612_900


@pytest.mark.slow
def test_all_seven_card_hands() -> None:
    counts = category_counts(7, workers=Workers(2))
    assert counts == {
        "high card": 23_294_460,
        "pair": 58_627_800,
        "two pair": 31_433_400,
        "three of a kind": 6_461_620,
        "straight": 6_180_020,
        "flush": 4_047_644,
        "full house": 3_473_184,
        "four of a kind": 224_848,
        "straight flush": 41_584,
    }
    assert sum(counts.values()) == 133_784_560


def test_the_benchmark_enumeration_sums_the_same_ranks() -> None:
    from doyle.cards._ranking_kernels import count_ranks

    counts = np.zeros(7463, dtype=np.int64)
    for top in range(6, 52):
        count_ranks(rank_tables(7), top, 7, counts)
    assert int(sum_of_all_sevens(rank_tables(7))) == int(counts @ np.arange(7463))


@pytest.mark.parametrize("size", [3, 4, 5])
def test_board_ranks_are_the_ranks_of_the_hands(size: int) -> None:
    for board in random_hands(3, size, seed=6).tolist():
        expected = [
            0 if set(hole) & set(board) else rank_hand((*hole, *board)) for hole in HOLES.tolist()
        ]
        assert board_ranks(board).tolist() == expected


@pytest.mark.parametrize("board", [(0, 5, 10, 15, 20), (3, 7, 11, 15, 50)])
def test_board_strength_agrees_with_the_twin(board: tuple[int, ...]) -> None:
    win, tie, loss = board_strength(board)
    expected = cards_ranking.board_strength(board)
    for index in range(1326):
        assert (win[index], tie[index], loss[index]) == expected.get(index, (0, 0, 0))


def test_strengths_of_random_boards_by_ranks() -> None:
    """Against a plain comparison of `board_ranks`, with all pairs of hands that share no card."""
    shares = (HOLES[:, np.newaxis, :, np.newaxis] == HOLES[np.newaxis, :, np.newaxis, :]).any(
        (2, 3)
    )
    boards = random_hands(8, 5, seed=7)
    win, tie, loss = boards_strength(boards)
    for row, board in enumerate(boards.tolist()):
        ranks = board_ranks(board).astype(np.int64)
        live = ranks > 0
        against = live[:, np.newaxis] & live[np.newaxis, :] & ~shares
        assert (win[row] == ((ranks[:, np.newaxis] > ranks) & against).sum(axis=1)).all()
        assert (tie[row] == ((ranks[:, np.newaxis] == ranks) & against).sum(axis=1)).all()
        assert (loss[row] == ((ranks[:, np.newaxis] < ranks) & against).sum(axis=1)).all()


def test_a_royal_flush_on_the_board_ties_everyone() -> None:
    _, tie, _ = board_strength([32, 36, 40, 44, 48])
    assert sorted(set(tie.tolist())) == [0, 990]


@pytest.mark.parametrize("hands", [[[0, 1]], [0, 1, 2, 3, 4], [[0.5] * 7], [[0, 1, 2, 3, 52]]])
def test_what_is_not_a_batch_is_refused(hands: list[object]) -> None:
    with pytest.raises(DoyleError):
        evaluate(hands)  # type: ignore[arg-type]


@pytest.mark.parametrize("board", [(0, 1), (0, 0, 1, 2, 3), (0, 1, 2, 3, 99), tuple(range(6))])
def test_what_is_not_a_board_is_refused(board: tuple[int, ...]) -> None:
    with pytest.raises(DoyleError):
        board_strength(board)
