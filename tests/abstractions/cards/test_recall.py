"""From notation to tables: sizes, refinement, nesting, public buckets, partial recall."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.abstractions.cards.abstraction import BucketTables, count_river_strengths
from doyle.abstractions.cards.methods.recall import (
    BASE_BUCKETS,
    base_buckets,
    build_notation,
    memory_of,
    public_flops,
    public_turns,
    transition_tables,
)
from doyle.abstractions.cards.notation import Notation
from doyle.abstractions.cards.strength.atlas import FULL_STRENGTH, largest_sum
from doyle.base.errors import DoyleError
from doyle.cards.suits.boards import HOLE_MAPS, boards, flop_turns
from tests.abstractions.cards.small_atlas import FLOPS, small_atlas

ROUNDS_OF_PARTS = st.sampled_from(["2", "3hs", "2hs2x2hs", "u4hs", "ir3", "ir5hs3"])
PUBLIC = "ir169.dir-pub2x3hs2x2hs-pub2x1.dir-pub3x4hs2x2hs-pub3x1.5"


@cache
def made(spec: str) -> BucketTables:
    return build_notation(Notation.parse(spec), atlas=small_atlas(), seed=1)


def live_rows(tables: BucketTables, round: int) -> np.ndarray:
    """The buckets of the small atlas's hands on flop or turn, in one row."""
    if round == 1:
        table = tables.flop[list(FLOPS)]
    else:
        atlas = small_atlas()
        table = tables.turn[atlas.sequence_rows if tables.by_sequence else atlas.turn_rows]
    return table[table >= 0]


@pytest.mark.parametrize(
    ("spec", "sequences"),
    [
        ("8.8.8.8", (8, 64, 512, 4096)),
        ("ir169.64.8.8", (169, 64, 512, 4096)),
        ("ir169.ir20.ir30.40", (169, 20, 30, 40)),
        (PUBLIC, (169, 12, 48, 30)),
    ],
)
def test_every_round_has_the_sequences_of_its_notation(
    spec: str, sequences: tuple[int, ...]
) -> None:
    tables = made(spec)
    assert tables.counts == sequences
    assert tables.preflop.max() == sequences[0] - 1
    for round in (1, 2):
        found = np.unique(live_rows(tables, round))
        assert found[0] >= 0
        assert found[-1] < sequences[round]
    assert [len(masses) for masses in tables.masses] == list(sequences)
    weights = boards(3).weights[list(FLOPS)]
    assert tables.masses[1].sum() == weights.sum() * 1176


def test_lossless_preflop_buckets_are_the_169_hands() -> None:
    masses = made("ir169.ir20.ir30.40").masses[0]
    assert sorted(set(masses.tolist())) == [4, 6, 12]
    assert (np.bincount(masses)[[4, 6, 12]] == [78, 13, 78]).all()


def refined(tables: BucketTables) -> None:
    """Where a round has parents, each hand's bucket descends from its bucket before."""
    numbered, atlas = flop_turns(), small_atlas()
    if tables.parents[1] is not None:
        for row in FLOPS:
            live = tables.flop[row] >= 0
            assert (tables.parents[1][tables.flop[row][live]] == tables.preflop[live]).all()
    if tables.parents[2] is not None and tables.by_sequence:
        for row in atlas.sequence_rows[::7]:
            live = tables.turn[row] >= 0
            before = tables.flop[numbered.flop_row[row]][live]
            assert (tables.parents[2][tables.turn[row][live]] == before).all()
    if tables.parents[3] is not None:
        for bucket, memory in enumerate(tables.turn_memory):
            assert (tables.parents[3][tables.river_by_strength[memory]] == bucket).all()


@settings(max_examples=15)
@given(
    st.sampled_from(["2", "3hs", "ir169", "u4hs"]),
    ROUNDS_OF_PARTS,
    ROUNDS_OF_PARTS,
    st.integers(1, 4),
)
def test_perfect_recall_refines(first: str, second: str, third: str, last: int) -> None:
    notation = Notation.parse(f"{first}.{second}.{third}.{last}")
    tables = build_notation(notation, atlas=small_atlas(), seed=0)
    assert tables.counts == notation.bucket_totals
    remembered = [first, second, third]
    for round in (1, 2, 3):
        has_parents = not remembered[round - 1].startswith("ir") and all(
            not text.startswith("ir") for text in remembered[: round - 1]
        )
        assert (tables.parents[round] is not None) >= has_parents
    refined(tables)
    totals = [int(masses.sum()) for masses in tables.masses]
    assert totals[0] == 1326
    assert all(total > 0 for total in totals)


def test_nested_parts_divide_each_bucket_by_the_next_metric() -> None:
    """`6hs2x2hs`: within a bucket of E[HS^2], the upper one has the larger E[HS]."""
    atlas, tables = small_atlas(), made("ir169.ir6hs2x2hs.3.3")
    rows = list(FLOPS)
    codes, first, second = tables.flop[rows], atlas.sums(1, 1)[rows], atlas.sums(1, 2)[rows]
    for bucket in range(6):
        low, high = codes == 2 * bucket, codes == 2 * bucket + 1
        assert first[low].max() < first[high].min()
        if bucket:
            assert second[low | high].min() > second[codes // 2 == bucket - 1].max()


def test_uniform_buckets_are_even_intervals_of_the_value() -> None:
    atlas, tables = small_atlas(), made("ir169.iru20hs.iru50hs2.u20hs")
    live = tables.flop[FLOPS[0]] >= 0
    values = atlas.sums(1, 1)[FLOPS[0]][live].astype(object)
    assert (tables.flop[FLOPS[0]][live] == [20 * int(v) // largest_sum(1, 1) for v in values]).all()
    row = int(atlas.turn_rows[5])
    live = tables.turn[row] >= 0
    squares = atlas.sums(2, 2)[row][live].astype(object)
    assert (tables.turn[row][live] == [50 * int(v) // largest_sum(2, 2) for v in squares]).all()
    strength = np.arange(FULL_STRENGTH + 1)
    assert (tables.river_by_strength[0] == np.minimum(20 * strength // FULL_STRENGTH, 19)).all()


def test_river_buckets_never_fall_with_strength() -> None:
    for spec in ("8.8.8.8", "ir169.ir20.ir30.40", PUBLIC):
        assert (np.diff(made(spec).river_by_strength.astype(int), axis=1) >= 0).all()


def test_river_counts_are_those_of_dealing_every_river() -> None:
    """Counting through shared matrices agrees with reading each river board's strengths."""
    atlas, tables = small_atlas(), made("8.8.8.8")
    groups = np.arange(tables.counts[2]) % 3
    found = count_river_strengths(atlas, tables.turn, groups=groups, count=3)
    expected = np.zeros_like(found)
    numbered = flop_turns()
    for row in atlas.sequence_rows:
        cards = numbered.cards(int(row))
        live = np.flatnonzero(tables.turn[row] >= 0)
        for card in set(range(52)) - set(cards):
            river, permutation = boards(5).find((*cards, card))
            strengths = atlas.river_strength[river][HOLE_MAPS[permutation][live]]
            fits = strengths < 65535
            cells = groups[tables.turn[row][live[fits]]] * 1981 + strengths[fits]
            weight = int(numbered.weights[row])
            expected += weight * np.bincount(cells, minlength=3 * 1981).reshape(3, 1981)
    assert (found == expected).all()


def test_rivers_that_cannot_fit_are_refused() -> None:
    with pytest.raises(DoyleError, match="the river would depend on"):
        count_river_strengths(small_atlas(), None, groups=None, count=1 << 20)


def test_memory_keeps_the_remembered_parts() -> None:
    """In `dir-2x3x2-2x1x2` the middle part is forgotten, and earlier memory stays."""
    round = Notation.parse("2.dir-2hs2x3hsx2hs3-2x1x2.2.2").rounds[1]
    codes = memory_of(round, 2)
    for code, (memory, a, b, c) in enumerate(product(range(2), range(2), range(3), range(2))):
        assert codes[code] == (memory * 2 + a) * 2 + c, (b, code)


def test_forgetting_a_round_keeps_what_came_before() -> None:
    tables = made("2.ir3.2.2")
    assert tables.counts == (2, 6, 4, 8)
    numbered = flop_turns()
    for row in small_atlas().sequence_rows[::11]:
        live = tables.turn[row] >= 0
        assert (tables.turn[row][live] // 2 == tables.preflop[live]).all()
        assert numbered.flop_row[row] in FLOPS


def test_public_buckets_depend_on_the_board_alone() -> None:
    tables = made(PUBLIC)
    for row in FLOPS:
        assert len(np.unique(tables.flop[row][tables.flop[row] >= 0] // 6)) == 1
    for row in small_atlas().sequence_rows:
        codes = tables.turn[row][tables.turn[row] >= 0]
        assert len(np.unique(codes // 8)) == 1
        flop = tables.flop[flop_turns().flop_row[row]]
        assert codes[0] // 24 == flop[flop >= 0][0] // 6


def test_public_turns_are_clustered_within_what_is_remembered() -> None:
    atlas = small_atlas()
    together = public_turns(atlas, within=np.zeros(2, np.int64), clusters=4, seed=0)
    apart = public_turns(atlas, within=np.arange(2), clusters=4, seed=0)
    first = flop_turns().flop_row[atlas.sequence_rows] == FLOPS[0]
    assert set(together.tolist()) == {0, 1, 2, 3}
    assert set(apart[first].tolist()) == set(apart[~first].tolist()) == {0, 1, 2, 3}
    assert set(public_flops(atlas, clusters=2, seed=0).tolist()) == {0, 1}


def test_transition_tables_are_shares_of_hands() -> None:
    atlas = small_atlas()
    before, after = base_buckets(atlas, 0), base_buckets(atlas, 1)
    rows = atlas.flop_rows
    found = transition_tables(before, np.zeros(2, np.int64), after, rows * 32).reshape(2, 8, 8)
    for place, row in enumerate(rows):
        for start, end in product(range(BASE_BUCKETS), repeat=2):
            leaving = (before[0] == start) & (after[row] >= 0)
            share = (after[row][leaving] == end).mean()
            assert found[place, start, end] == pytest.approx(share, abs=1e-15)


def test_clusterings_fill_rounds_like_other_parts() -> None:
    tables = made("ir169.irpub2xemd3.2hsxemd2.emd4")
    assert tables.counts == (169, 6, 4, 16)
    assert set(np.unique(live_rows(tables, 1))) <= set(range(6))
    assert (np.diff(tables.river_by_strength.astype(int), axis=1) >= 0).all()
