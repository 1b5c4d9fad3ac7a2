"""Bucket pairs of abstract Hold'em against plain loops, and the games made of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.base.artifacts import Store
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.cards import HOLES, hole_index, rank_tables
from doyle.cards._strength_kernels import board_scratch, sort_board
from doyle.games import Game
from doyle.solving.games import _pair_kernels, holdem
from doyle.solving.games.matrix_game import marginal
from doyle.solving.games.small_games import bucket_game
from doyle.solving.methods.cfr import RegretSolver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import exploitability
from doyle.solving.solvers import VARIANTS
from tests.reference import solving_pairs

BUCKETS = 7


@pytest.mark.parametrize("board", [(0, 5, 17, 30, 51), (0, 4, 8, 12, 16)], ids=str)
def test_pairs_of_one_board_are_those_of_the_plain_twin(board: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    buckets = rng.integers(0, BUCKETS, 1326)
    scratch, sorted_hands = _pair_kernels.pair_scratch(BUCKETS), board_scratch()
    pairs, wins = np.zeros((2, BUCKETS, BUCKETS), np.int64)
    for weight in (1, 3):  # twice, so that clearing is tested too
        sort_board(rank_tables(7), np.array(board, np.uint8), sorted_hands)
        scratch.buckets[:] = buckets
        known = _pair_kernels.read_board(sorted_hands.entries, scratch, 0)
        _pair_kernels.add_all_pairs(scratch, known)
        _pair_kernels.remove_shared(scratch)
        _pair_kernels.flush(scratch, known, weight, pairs, wins)
    plain = solving_pairs.count_board(board, lambda hole: buckets[hole_index(*hole)], BUCKETS)
    assert pairs.sum() == 4 * 1081 * 990
    assert np.array_equal(pairs, 4 * plain[0])
    assert np.array_equal(wins, 4 * plain[1])


class Toy:
    """What `holdem` asks of a card abstraction, with made-up counts."""

    spec = "toy"

    def __init__(self, parents: list[Any]) -> None:
        self._parents = parents

    def parents(self, round: int) -> Any:
        return self._parents[round]

    def bucket_count(self, round: int) -> int:
        return (2, 2, 3, 4)[round]


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Counting replaced by random symmetric numbers per group; the list says which were counted."""
    seen: list[int] = []

    def count_group(_: Any, group: int, workers: Workers) -> Any:
        seen.append(group)
        rng = np.random.default_rng(group)
        pairs = rng.integers(2, 9, (4, 4))
        wins = rng.integers(0, 2, (4, 4))
        return np.stack([pairs + pairs.T, wins])

    monkeypatch.setattr(holdem, "count_group", count_group)
    monkeypatch.setenv("DOYLE_CACHE", str(tmp_path))
    return seen


PARENTS = [None, np.array([0, 1]), np.array([0, 1, 1]), np.array([0, 1, 2, 2])]


def test_rounds_are_sums_of_later_ones_and_a_game_can_be_solved(counted: list[int]) -> None:
    rounds = holdem.bucket_states(Toy(PARENTS))  # type: ignore[arg-type]
    assert counted == list(range(holdem.GROUPS))
    for earlier, later, parents in zip(rounds, rounds[1:], PARENTS[1:], strict=False):
        assert parents is not None
        for first in range(int(parents.max()) + 1):
            for second in range(int(parents.max()) + 1):
                own, other = parents == first, parents == second
                for what in ("joint", "showdown"):
                    part = getattr(later, what).dense()[np.ix_(own, other)]
                    whole = getattr(earlier, what).dense()[first, second]
                    assert whole == pytest.approx(part.sum(), abs=1e-15)
    assert np.allclose(rounds[0].showdown.dense(), -rounds[0].showdown.dense().T)
    assert rounds[3].showdown.dense().any()
    assert marginal(rounds[0].joint, 0).sum() == pytest.approx(1.0)
    game = Game.named("holdem-nl-100bb")
    tree = BettingTree.build(BettingModel.parse("fca"), game)
    form = SequenceForm(bucket_game("toy", tree, rounds))
    assert form.game.information_sets() == (22, 22)
    solver = RegretSolver(form, VARIANTS["cfr+"])
    before = exploitability(solver.profile()).total
    solver.advance(500)
    assert 0 <= exploitability(solver.profile()).total < before / 100


def test_an_interrupted_count_goes_on_with_the_group_it_was_at(
    counted: list[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    toy: Any = Toy(PARENTS)
    good = holdem.count_group

    def stops(abstraction: Any, group: int, workers: Workers) -> Any:
        if group == 10:
            raise KeyboardInterrupt
        return good(abstraction, group, workers)

    monkeypatch.setattr(holdem, "count_group", stops)
    with pytest.raises(KeyboardInterrupt):
        holdem.count_bucket_pairs(toy, store=Store(tmp_path / "one"))
    monkeypatch.setattr(holdem, "count_group", good)
    artifact = holdem.count_bucket_pairs(toy, store=Store(tmp_path / "one"))
    assert counted == list(range(holdem.GROUPS))  # none was counted twice
    whole = holdem.count_bucket_pairs(toy, store=Store(tmp_path / "two"))
    for name in ("pairs", "wins"):
        assert np.array_equal(artifact.array(name), whole.array(name))
    assert artifact.arrays() == ["pairs", "wins"]


def test_some_groups_of_flops_are_kept_apart_from_all(counted: list[int]) -> None:
    toy: Any = Toy(PARENTS)
    few = holdem.count_bucket_pairs(toy, groups=3)
    assert counted == [0, 1, 2]
    assert np.array_equal(
        few.array("pairs"),
        sum(holdem.count_group(toy, group, Workers(1))[0] for group in range(3)),
    )
    everything = holdem.count_bucket_pairs(toy)
    assert everything.folder != few.folder
    assert np.asarray(everything.array("pairs")).sum() > np.asarray(few.array("pairs")).sum()
    assert "groups" not in everything.parameters  # as they were kept before
    for wrong in (0, holdem.GROUPS + 1):
        with pytest.raises(ValueError, match="groups of flops"):
            holdem.count_bucket_pairs(toy, groups=wrong)


def test_imperfect_recall_is_refused() -> None:
    parents = [None, None, PARENTS[2], PARENTS[3]]
    with pytest.raises(DoyleError, match="imperfect recall"):
        holdem.bucket_states(Toy(parents))  # type: ignore[arg-type]


def test_only_holdem_takes_card_abstractions() -> None:
    with pytest.raises(DoyleError, match="full deck"):
        holdem.check_cards(Game.named("leduc"), "5.5.5.5")


def test_hole_numbers_of_sorted_hands_are_the_hole_indices() -> None:
    assert [hole_index(int(low), int(high)) for low, high in HOLES[:50]] == list(range(50))
