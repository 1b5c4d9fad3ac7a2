"""GS1: lossy GameShrink as a card abstraction."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.abstractions.cards import registry
from doyle.abstractions.cards.methods.topdown import _topdown_kernels as kernels
from doyle.abstractions.cards.methods.topdown.gs1 import Threshold
from doyle.abstractions.gameshrink.holdem import shrink_game
from doyle.base.errors import DoyleError
from doyle.games import Game


@given(
    counts=st.lists(st.lists(st.integers(0, 2), min_size=9, max_size=9), min_size=1, max_size=4),
    longest=st.integers(0, 9),
)
def test_intervals_are_first_fit_merging_on_a_line(counts: list[list[int]], longest: int) -> None:
    table = np.array(counts, np.int64)
    rule, starts = np.empty(table.shape, np.int32), np.empty(len(table) + 1, np.int64)
    kernels.greedy_intervals(table, longest, rule, starts)
    following = 0
    for row, numbers, start in zip(table, rule, starts, strict=False):
        assert start == following
        firsts: list[int] = []  # the first value of each class, as GameShrink takes siblings
        for value in np.flatnonzero(row).tolist():
            near = [place for place, first in enumerate(firsts) if value - first <= longest]
            if not near:
                firsts.append(value)
                near = [len(firsts) - 1]
            assert numbers[value] == start + near[0]
        following += max(1, len(firsts))
    assert starts[-1] == following


def test_names() -> None:
    assert registry.kept_name("gs1-0.250") == "gs1-0.25"
    assert Threshold.parse("gs1-2").value == 2.0
    for wrong in ("gs1-0", "gs1-2.5", "gs1-x", "gs1-", "gs1--1", "gs1-1e-3"):
        with pytest.raises(DoyleError, match="threshold above 0"):
            registry.describe(wrong)


@pytest.mark.slow
def test_buckets_are_the_classes_of_gameshrink() -> None:
    """Up to the turn the buckets of random hands are the classes that GameShrink finds by itself."""
    cards = registry.build("gs1-0.6")
    classes = shrink_game(Game.named("holdem-limit-2p"), 0.6, relation="matching")
    assert tuple(cards.bucket_count(number) for number in range(3)) == classes.counts[:3]
    rng = np.random.default_rng(5)
    seen: list[dict[int, int]] = [{}, {}, {}]
    for deal in range(60):
        dealt = [int(card) for card in rng.permutation(52)[:7]]
        # Finding a turn class merges all hands below its flop class again: seconds for each.
        for number, shown in enumerate((0, 3, 4) if deal < 4 else (0, 3)):
            board = tuple(dealt[2 : 2 + shown])
            ours = cards.bucket(number, tuple(dealt[:2]), board)
            theirs = classes.find(tuple(dealt[:2]), board)
            assert seen[number].setdefault(ours, theirs) == theirs
    for round_ in (1, 2, 3):  # perfect recall: a bucket knows its parent
        parents = cards.parents(round_)
        assert parents is not None
        assert (np.diff(np.asarray(parents, np.int64)) >= 0).all()
