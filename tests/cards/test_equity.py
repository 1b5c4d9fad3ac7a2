"""Equity: plain enumeration, published values, and two methods that must agree."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.cards import equity, hole_index, parse_cards, parse_range
from doyle.cards._strength_kernels import (
    board_scratch,
    compare_ranges_on_boards,
    count_showdowns,
    showdown_scratch,
)
from doyle.cards.equities import _shares_by_boards, _shares_by_deals
from doyle.cards.ranking import rank_tables
from tests.reference import cards_equity as reference


@pytest.mark.parametrize(
    ("hands", "board"),
    [
        (["AsKd", "QhQc"], "Qd7c2d"),
        (["AsKd", "QhQc", "7h7d"], "Qd7c2d"),
        (["2c3d", "2d3c"], "AsKsQd"),
        (["2c3d", "2d3c", "4h4s", "AhKh"], "AsKsQdJc"),
        (["2c3d", "9d9c", "2s3s"], "AsKsQsJsTs"),
    ],
)
def test_showdown_kernel_agrees_with_the_twin(hands: list[str], board: str) -> None:
    holes = np.array([parse_cards(hand) for hand in hands], dtype=np.uint8)
    cards = np.array(parse_cards(board), dtype=np.uint8)
    counts = np.zeros((len(hands), len(hands) + 1), dtype=np.int64)
    count_showdowns(rank_tables(7), holes, cards, showdown_scratch(len(hands)), counts)
    assert (counts == reference.showdowns(holes.tolist(), cards.tolist())).all()


@pytest.mark.parametrize("board", ["AsKsQsJsTs", "2c7dTh9s3c", "2c2dThTsTc"])
def test_range_kernel_agrees_with_the_twin(board: str) -> None:
    generator = np.random.default_rng(1)
    first = generator.integers(0, 5, 1326) * (generator.random(1326) < 0.03) / 4
    second = generator.integers(0, 5, 1326) / 4
    cards = parse_cards(board)
    totals = np.zeros(3)
    compare_ranges_on_boards(
        rank_tables(7),
        np.array([cards], dtype=np.uint8),
        np.ones(1),
        np.array([[first, second]]),
        board_scratch(),
        np.zeros(104),
        totals,
    )
    assert tuple(totals) == reference.compare(first, second, cards)


def test_aces_against_kings() -> None:
    """Hand against hand before the flop: all 1,712,304 boards."""
    result = equity(["AsAh", "KcKd"])
    assert result.total == math.comb(48, 5) == 1_712_304
    first, second = result.players
    assert (first.win, first.tie, first.loss) == (second.loss, second.tie, second.win)
    assert result.equities[0] == pytest.approx(0.8125548968, abs=1e-10)
    assert isinstance(first.win, int)


def test_aces_against_a_random_hand() -> None:
    """The published 85.2037% over 2,097,572,400 showdowns, for any two aces."""
    result = equity(["AA", "random"], workers=Workers(2))
    assert result.total == 6 * 2_097_572_400
    assert result.players[0].win == 6 * 1_781_508_418
    assert result.players[0].tie == 6 * 11_402_312


def test_three_players_add_up() -> None:
    result = equity(["AsAh", "KcKd", "7h6h"])
    assert result.total == math.comb(46, 5)
    assert sum(result.equities) == pytest.approx(1.0, abs=1e-12)
    for player in result.players:
        assert player.win + player.tie + player.loss == result.total


def test_ways_of_giving_a_hand() -> None:
    weights = np.zeros(1326)
    weights[hole_index(51, 50)] = 1.0
    board = "Qd7c2d"
    same = [equity([hand, "KcKd"], board) for hand in ("AsAh", (50, 51), weights)]
    assert same[0] == same[1] == same[2]
    assert equity(["AsAh", "KcKd"], parse_cards(board)) == same[0]


@pytest.mark.parametrize("board", ["Qd7c2d", "Qd7c2d2s", "Qd7c2d2sAs"])
def test_ranges_are_the_sum_of_their_hands(board: str) -> None:
    first, second = "AsKs,7d7h:0.5,KcKh", "QQ,AhKd:0.25"
    totals = np.zeros(3)
    left, right = parse_range(first), parse_range(second)
    dead = set(parse_cards(board))
    for i, j in itertools.product(np.flatnonzero(left), np.flatnonzero(right)):
        holes = [_cards(int(i)), _cards(int(j))]
        if len({*holes[0], *holes[1]} | dead) == 4 + len(dead):
            counts = reference.showdowns(holes, parse_cards(board))[0]
            totals += left[i] * right[j] * counts[[1, 2, 0]]
    player = equity([first, second], board).players[0]
    assert (player.win, player.tie, player.loss) == tuple(totals)


def _cards(index: int) -> tuple[int, int]:
    high = next(b for b in range(1, 52) if b * (b + 1) // 2 > index)
    return index - high * (high - 1) // 2, high


@pytest.mark.parametrize("board", ["Qd7c2d", "Qd7c2d2s", "Qd7c2d2sAs"])
def test_both_methods_give_the_same_counts(board: str) -> None:
    cards = parse_cards(board)
    ranges = [parse_range("AsKs,7h7s:0.5,KcKh,JTs"), parse_range("QQ,AhKd:0.25,88")]
    for weights in ranges:
        for index in np.flatnonzero(weights):
            if set(_cards(int(index))) & set(cards):
                weights[index] = 0.0
    assert (
        _shares_by_boards(ranges, cards, None, None) == _shares_by_deals(ranges, cards, None, None)
    ).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second"),
    [("AKs:0.5,QcQd", "77,AcKd,KcKh:0.25"), ("AcKc", "JTs"), ("QQ", "AK"), ("2c3d", "9h9s")],
)
def test_both_methods_agree_before_the_flop(first: str, second: str) -> None:
    ranges = [parse_range(first), parse_range(second)]
    workers = Workers(2)
    assert (
        _shares_by_boards(ranges, (), workers, None) == _shares_by_deals(ranges, (), workers, None)
    ).all()


@pytest.mark.slow
def test_random_against_random_before_the_flop() -> None:
    """All 2,781,381,002,400 showdowns; nobody is ahead."""
    result = equity(["random", "random"], workers=Workers(2))
    assert result.total == 1326 * 1225 * 1_712_304
    assert result.equities == (0.5, 0.5)


def test_progress_is_reported_and_workers_change_nothing() -> None:
    seen: list[tuple[str, int, int]] = []

    def progress(label: str, done: int, total: int) -> None:
        seen.append((label, done, total))

    result = equity(["AKs", "QQ"], "Jh7c2d", workers=Workers(2), progress=progress)
    assert result == equity(["AKs", "QQ"], "Jh7c2d")
    assert seen
    assert seen[-1][1] == seen[-1][2]


@pytest.mark.parametrize(
    ("hands", "board", "message"),
    [
        (["AsAh"], "", "2 to 10 hands"),
        (["AsAh", "KsKh"], "QdQc", "0, 3, 4 or 5 cards"),
        (["AsAh", "KsKh"], "AsQdQc", "hand 1: no hand"),
        (["AsAh", "AsKh"], "", "share cards"),
        (["random"] * 3, "", "narrow the ranges"),
        (["22+,AT+"] * 3, "", "too long"),
        ([np.ones(3), "AA"], "", "1326 weights"),
    ],
)
def test_what_cannot_be_compared_is_refused(hands: list[str], board: str, message: str) -> None:
    with pytest.raises(DoyleError, match=message):
        equity(hands, board)
