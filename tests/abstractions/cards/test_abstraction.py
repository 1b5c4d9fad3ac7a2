"""Lookups: against a plain twin, from files, from several processes; bad hands are refused."""

from __future__ import annotations

import multiprocessing
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.cards import CardAbstraction, Notation
from doyle.abstractions.cards.abstraction import BucketTables
from doyle.abstractions.cards.methods.recall import build_notation
from doyle.abstractions.cards.registry import describe, find_maker
from doyle.abstractions.cards.strength.inspection import (
    compare_round,
    current_strength,
    draw,
    examples,
    hand_values,
    preflop_grid,
)
from doyle.base.artifacts import Artifact, Builder, Description, Store
from doyle.base.errors import DoyleError, ParseError
from doyle.cards import parse_cards
from doyle.cards.ranges import hand_name
from doyle.cards.suits.boards import boards, flop_turns
from tests.abstractions.cards.small_atlas import small_atlas
from tests.contracts.test_abstractions import made, small_rivers
from tests.reference import card_abstraction_twin as twin


@cache
def twin_rows() -> twin.Rows:
    atlas, numbered = small_atlas(), flop_turns()
    flops = {(frozenset(boards(3).boards[row].tolist()),): int(row) for row in atlas.flop_rows}
    turns = {(frozenset(boards(4).boards[row].tolist()),): int(row) for row in atlas.turn_rows}
    pairs = {}
    for row in atlas.sequence_rows:
        cards = numbered.cards(int(row))
        pairs[frozenset(cards[:3]), frozenset(cards[3:])] = int(row)
    return twin.Rows(flops, turns, pairs)


@pytest.mark.parametrize("spec", ["8.8.8.8", "ir169.ir20.ir30.40"])
def test_buckets_are_those_of_trying_every_renaming(spec: str) -> None:
    abstraction = made(spec)
    for board in small_rivers(10, seed=3):
        left = [card for card in range(52) if card not in board]
        for hole in ((left[0], left[9]), (left[-1], left[3])):
            for round, size in enumerate((0, 3, 4, 5)):
                expected = twin.bucket(abstraction.tables, twin_rows(), hole, board[:size])
                assert abstraction.bucket(round, hole, board) == expected


def stored(folder: Path, spec: str) -> Artifact:
    tables = build_notation(Notation.parse(spec), atlas=small_atlas(), seed=1)
    return Store(folder).get(Description("cards", 1, {"spec": spec}), tables.save)


def test_tables_come_back_from_files_as_they_were(tmp_path: Path) -> None:
    spec = "8.8.8.8"
    loaded = CardAbstraction(spec, BucketTables.load(stored(tmp_path, spec)), small_atlas())
    for board in small_rivers(3, seed=9):
        for size in (0, 3, 4, 5):
            assert (loaded.buckets(board[:size]) == made(spec).buckets(board[:size])).all()
    for round in range(4):
        assert (loaded.masses(round) == made(spec).masses(round)).all()


def test_the_same_description_gives_the_same_bytes(tmp_path: Path) -> None:
    spec = "ir169.dir-pub2x3hs2x2hs-pub2x1.dir-pub3x4hs2x2hs-pub3x1.5"
    one, two = stored(tmp_path / "one", spec), stored(tmp_path / "two", spec)
    assert one.manifest == two.manifest


def test_an_interrupted_build_ends_as_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = "2.2.2.2"
    put, written = Builder.put, 0

    def stop_at_some_tables(self: Builder, name: str, values: np.ndarray) -> None:
        nonlocal written
        written += 1
        put(self, name, values if written not in (2, 6) else np.zeros_like(values))
        if written in (2, 6):
            raise KeyboardInterrupt

    whole = stored(tmp_path / "whole", spec)
    monkeypatch.setattr(Builder, "put", stop_at_some_tables)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            stored(tmp_path / "broken", spec)
    assert stored(tmp_path / "broken", spec).manifest == whole.manifest


def test_an_altered_table_is_named(tmp_path: Path) -> None:
    path = stored(tmp_path, "2.2.2.2").folder / "flop.bin"
    content = bytearray(path.read_bytes())
    content[-1] ^= 255
    path.write_bytes(content)
    with pytest.raises(DoyleError, match=f"{path}: contents do not match"):
        stored(tmp_path, "2.2.2.2")


def _sum_of_buckets(arguments: tuple[Path, tuple[int, ...]]) -> int:
    folder, board = arguments
    abstraction = CardAbstraction("3.3.3.3", BucketTables.load(Artifact(folder)), small_atlas())
    return int(abstraction.buckets(board).sum())


def test_several_processes_read_one_abstraction(tmp_path: Path) -> None:
    folder = stored(tmp_path, "3.3.3.3").folder
    work = [(folder, board[:4]) for board in small_rivers(4, seed=1)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_sum_of_buckets, work) == [_sum_of_buckets(item) for item in work]


@pytest.mark.parametrize(
    ("round", "hole", "board"),
    [(4, (0, 1), ()), (1, (0, 1), ()), (1, (0, 1), (1, 2, 3)), (0, (0,), ()), (0, (0, 52), ())],
)
def test_bad_hands_are_refused(round: int, hole: tuple[int, ...], board: tuple[int, ...]) -> None:
    with pytest.raises(DoyleError):
        made("8.8.8.8").bucket(round, hole, board)


def test_bad_boards_and_deals_are_refused() -> None:
    with pytest.raises(DoyleError, match="board of 2 cards"):
        made("8.8.8.8").buckets((1, 2))
    with pytest.raises(DoyleError, match="appears twice"):
        made("8.8.8.8").buckets((1, 1, 2))
    with pytest.raises(DoyleError, match="expected \\[n, seats, 2\\]"):
        made("8.8.8.8").deal_buckets(np.zeros((3, 2)), np.zeros((3, 5)))


def test_names_are_described_in_full() -> None:
    assert describe("8s").parameters == {"spec": "8.8.8.8", "seed": 0}
    assert describe("8.8.8.8", seed=5) == describe("8s")
    assert describe("ir169.pub2x3.2.2", seed=5).parameters["seed"] == 5
    assert find_maker("8.8.8.8") is None
    with pytest.raises(ParseError):
        describe("potentially")


def test_values_of_a_hand_on_each_round() -> None:
    board = small_rivers(1, seed=4)[0]
    left = [card for card in range(52) if card not in board]
    hole = (left[4], left[20])
    river = hand_values(hole, board, atlas=small_atlas())
    assert river.ehs2 == pytest.approx(river.hs**2)
    turn = hand_values(hole, board[:4], atlas=small_atlas())
    strengths = np.array(twin.strengths_by_board(hole, board[:4])) / 1980
    assert turn.ehs == pytest.approx(strengths.mean(), abs=1e-12)
    assert turn.ehs2 == pytest.approx((strengths**2).mean(), abs=1e-12)
    assert 0 <= turn.hs <= 1


def test_current_strength_counts_ties_as_half() -> None:
    quads = parse_cards("AsAd")
    assert current_strength(quads, parse_cards("AhAcKd")) == 1.0
    shared = current_strength(parse_cards("3s2d"), parse_cards("AsKsQsJsTs"))
    assert shared == 0.5


def test_examples_belong_to_their_buckets() -> None:
    abstraction = made("8.8.8.8")
    for bucket, hands in examples(abstraction, 0, each=2, seed=0).items():
        for hand in hands:
            assert abstraction.bucket(0, parse_cards(hand)) == bucket


def test_the_grid_has_suited_hands_above_the_diagonal() -> None:
    abstraction = made("ir169.ir20.ir30.40")
    grid = preflop_grid(abstraction)
    assert grid[0][1] == abstraction.bucket(0, parse_cards("AsKs"))
    assert grid[1][0] == abstraction.bucket(0, parse_cards("AsKd"))
    assert grid[12][12] == abstraction.bucket(0, parse_cards("2s2d"))
    assert (hand_name(0, 1), hand_name(1, 0), hand_name(12, 12)) == ("AKs", "AKo", "22")


def test_comparison_sees_that_lossless_refines() -> None:
    found = compare_round(made("ir169.ir20.ir30.40"), made("8.8.8.8"), 0, boards=1, seed=0)
    assert found.refines
    assert not found.is_refined_by
    assert found.hands == 1326
    assert found.shared_bits == pytest.approx(found.bits[1])


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_figures_are_the_same_every_time(tmp_path: Path, suffix: str) -> None:
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    draw(made("8.8.8.8"), first)
    draw(made("8.8.8.8"), second)
    assert first.read_bytes() == second.read_bytes()
    assert len(first.read_bytes()) > 10_000


def test_other_kinds_of_figures_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DoyleError, match="png or"):
        draw(made("8.8.8.8"), tmp_path / "a.gif")
