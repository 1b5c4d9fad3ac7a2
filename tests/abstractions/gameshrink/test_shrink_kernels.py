"""The kernels of GameShrink for Hold'em against their plain twins."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.gameshrink import _kinds_kernels as kind_kernels
from doyle.abstractions.gameshrink import _shrink_kernels as kernels
from doyle.abstractions.gameshrink.holdem_classes import HoldemSignals, ListedClasses
from doyle.abstractions.gameshrink.holdem_lossless import FlopWalk, Refinement, mixed
from doyle.abstractions.gameshrink.isomorphism_classes import opponents
from doyle.cards.ranking import rank_tables
from doyle.cards.suits.boards import Deck
from tests.reference import shrink_twin as twin

DECKS = [(Deck(5, 2), 3), (Deck(4, 3), 4), (Deck(4, 4), 5)]


def random_board(deck: Deck, count: int, seed: int) -> np.ndarray:
    return np.sort(np.random.default_rng(seed).choice(deck.size, count, replace=False))


def test_mix() -> None:
    words = np.random.default_rng(0).integers(0, 1 << 63, 20).astype(np.uint64)
    expected = [twin.mix(int(word)) for word in words]
    assert [int(kernels.mix(word)) for word in words] == expected
    assert mixed(words).tolist() == expected


@pytest.mark.parametrize(("deck", "count"), DECKS)
def test_codes_count_wins_and_losses(deck: Deck, count: int) -> None:
    boards = np.stack([random_board(deck, count, seed) for seed in range(3)]).astype(np.int8)
    codes = np.empty((3, len(deck.holes)), np.uint32)
    kernels.board_codes(
        rank_tables(count + 2), deck.cards, boards, np.arange(3), opponents(deck, count),
        kernels.sort_scratch(len(deck.holes)), codes,
    )  # fmt: skip
    for board, row in zip(boards.tolist(), codes, strict=True):
        expected = np.full(len(deck.holes), kernels.NO_CODE)
        for hole, results in twin.showdowns(deck.cards.tolist(), board).items():
            expected[twin.hole_index(hole)] = twin.code_of(list(results.values()))
        assert np.array_equal(row, expected)


@pytest.mark.parametrize(("deck", "count"), DECKS)
def test_hashes_of_meetings(deck: Deck, count: int) -> None:
    holes = len(deck.holes)
    board = random_board(deck, count, 5)
    parents = np.random.default_rng(1).integers(0, 5, holes).astype(np.uint64)
    found = np.empty(holes, np.uint64)
    kernels.hash_last(
        rank_tables(count + 2), deck.cards, board, opponents(deck, count), parents, 2,
        kernels.sort_scratch(holes), found,
    )  # fmt: skip
    expected = twin.hash_last(deck.cards.tolist(), board.tolist(), parents.tolist(), 2)
    by_index = {twin.hole_index(hole): value for hole, value in expected.items()}
    assert found.tolist() == [by_index.get(index, 0) for index in range(holes)]


def test_walk_of_one_flop() -> None:
    """Hashes and counts under a flop, child by child, from the twin's hashes of all rivers."""
    deck = Deck(5, 2)
    signals = HoldemSignals(deck, (0, 3, 4, 5))
    holes, row = len(deck.holes), 7
    rng = np.random.default_rng(2)
    shape = (len(deck.sequences), holes)
    classes = deck.hands(3).index % 3
    listed = ListedClasses(
        np.zeros(holes, np.int32), classes.astype(np.int32), np.zeros(3, np.int32),
        np.ones((3, 2), np.int64),
    )  # fmt: skip
    children = rng.integers(0, 4, shape).astype(np.uint8)
    walk = FlopWalk(signals, Refinement(listed, children, children, 1), row, passes=2)
    cards, flop = deck.cards.tolist(), deck.boards(3).boards[row].tolist()
    turns: dict[int, dict[int, tuple[int, int]]] = {}
    for number in range(walk.sequences.start, walk.sequences.stop):
        turn = int(deck.sequences.turn_card[number])
        parents = [
            max(0, int(classes[row, hole])) << 6 | int(children[number, hole])
            for hole in range(holes)
        ]
        rivers: dict[int, list[int]] = {}
        for river in set(range(deck.size)) - {*flop, turn}:
            for pair, value in twin.hash_last(cards, [*flop, turn, river], parents, 2).items():
                rivers.setdefault(twin.hole_index(pair), []).append(value)
        turns[number] = {
            hole: (sum(map(twin.mix, values)) % twin.WORD, len(set(values)))
            for hole, values in rivers.items()
        }
    for hole in np.flatnonzero(deck.hands(3).index[row] >= 0).tolist():
        below: dict[int, tuple[int, int]] = {}
        for code in deck.sequences.table[row][deck.sequences.table[row] >= 0].tolist():
            found = turns[code >> 5].get(int(deck.hole_maps[code & 31, hole]))
            if found is not None:
                below.setdefault(code, found)
        by_kind = dict(below.values())
        kinds = [kind for kind, _ in below.values()]
        assert int(walk.kinds[hole]) == sum(map(twin.mix, kinds)) % twin.WORD
        assert walk.counts[hole].tolist() == [len(by_kind), sum(by_kind.values())]
        for number, found_turns in turns.items():
            if hole in found_turns:
                kind, count = found_turns[hole]
                place = number - walk.sequences.start
                assert walk.children[place, hole] == sorted(by_kind).index(kind)
                assert walk.rivers[place, hole] == count


def test_keep_different_and_count_different() -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(0, 6, (9, 40)).astype(np.uint64) * np.uint64(128)
    out = np.empty(40, np.uint8)
    slots = kernels.SLOTS
    kernels.count_different(values, np.empty(slots, np.uint64), np.empty(slots, np.int64), out)
    expected = [sorted(set(values[:, hole].tolist()) - {0}) for hole in range(40)]
    assert out.tolist() == [len(found) for found in expected]
    for hole in range(40):
        column = values[:, hole].copy()
        count = int(kernels.keep_different(column, np.uint64(9)))
        assert column[:count].tolist() == sorted(set(values[:, hole].tolist()))


def test_sorting_and_counting_bits() -> None:
    rng = np.random.default_rng(4)
    values = rng.integers(0, 100, 30).astype(np.int32)
    expected = [*sorted(values[:20].tolist()), *values[20:].tolist()]
    kind_kernels.sort_ids(values, 20)
    assert values.tolist() == expected
    for word in rng.integers(0, 1 << 63, 20).astype(np.uint64):
        assert int(kind_kernels.count_bits(word)) == int(word).bit_count()


def random_vectors(seed: int, kinds: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Vectors (wins, then losses) of kinds in the order of wins - losses, and their sums."""
    vectors = np.random.default_rng(seed).integers(0, 12, (kinds, 2 * width)).astype(np.int16)
    wins, losses = vectors[:, :width].sum(axis=1), vectors[:, width:].sum(axis=1)
    order = np.lexsort((wins, wins - losses))
    sums = np.stack([wins - losses, wins], axis=1)[order].astype(np.int64)
    return vectors[order], sums


@pytest.mark.parametrize("limit", [0, 7, 25, 1000])
def test_first_fit(limit: int) -> None:
    vectors, sums = random_vectors(0, 60, 3)
    siblings = np.flatnonzero(np.random.default_rng(1).random(60) < 0.7).astype(np.int32)
    classes, firsts = (np.empty(len(siblings), np.int32) for _ in range(2))
    none = np.empty((1, 0), np.int32)
    count = kind_kernels.fit_siblings(siblings, sums, vectors, none, limit, firsts, classes)
    expected = twin.fit_siblings(siblings.tolist(), vectors.tolist(), limit)
    assert (classes.tolist(), int(count)) == expected


@pytest.mark.parametrize("limit", [0, 40, 90])
def test_first_fit_by_children_and_nested_distances(limit: int) -> None:
    vectors, sums = random_vectors(2, 30, 2)
    children = np.sort(np.random.default_rng(3).integers(0, 30, (50, 4)), axis=1).astype(np.int32)
    flat = vectors[children].reshape(50, -1)
    totals = sums[children].sum(axis=1)
    order = np.lexsort((totals[:, 1], totals[:, 0]))
    children, flat, totals = children[order], flat[order], totals[order]
    siblings = np.arange(50, dtype=np.int32)
    classes, firsts = np.empty(50, np.int32), np.empty(50, np.int32)
    count = kind_kernels.fit_siblings(siblings, totals, vectors, children, limit, firsts, classes)
    assert (classes.tolist(), int(count)) == twin.fit_siblings(range(50), flat.tolist(), limit)
    first, second = (np.sort(np.random.default_rng(s).integers(0, 50, 9)) for s in (5, 6))
    expected = twin.vector_distance(flat[first].ravel().tolist(), flat[second].ravel().tolist())
    assert kind_kernels.nested_distance(vectors, children, first, second, 10**9) == expected
    one, other = children[3], children[40]
    expected = twin.vector_distance(flat[3].tolist(), flat[40].tolist())
    assert kind_kernels.list_distance(vectors, one, other, 10**9) == expected
    assert kind_kernels.list_distance(vectors, one, other, 3) > 3


def test_merging_below_flop_classes() -> None:
    river_vectors, river_sums = random_vectors(7, 40, 1)
    rng = np.random.default_rng(8)
    rivers = np.sort(rng.integers(0, 40, (30, 5)), axis=1).astype(np.uint16)
    wins_losses = river_vectors[rivers]
    sums = river_sums[rivers].sum(axis=1)
    order = np.lexsort((sums[:, 1], sums[:, 0]))
    rivers, sums = rivers[order], sums[order]
    vectors = wins_losses[order].transpose(0, 2, 1).reshape(30, -1)
    turns = np.sort(rng.integers(0, 30, (12, 6)), axis=1).astype(np.int32)
    starts, members = np.array([0, 2, 3, 7, 12]), rng.permutation(12).astype(np.int32)
    below = np.empty((4, 2), np.int64)
    kind_kernels.merge_below(
        starts, members, 0, 4, turns, sums, vectors, 20, rivers, river_sums, river_vectors, 3,
        np.empty((5, 12 * 6 + 1), np.int32), below,
    )  # fmt: skip
    for number in range(4):
        expected = twin.merge_below(
            members[starts[number] : starts[number + 1]].tolist(), turns.tolist(),
            vectors.tolist(), 20, rivers.tolist(), river_vectors.tolist(), 3,
        )  # fmt: skip
        assert tuple(below[number].tolist()) == expected
