"""Indexed retrieval gives the answer of the linear scan, ties included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from doyle.agents.case_bases import Architecture, CaseBase, Query, Retriever
from tests.agents.case_bases.synthetic import BUCKETS, bucket_base, category_base
from tests.reference.case_scan import LinearScan


def random_queries(base: CaseBase, count: int, seed: int) -> Iterator[Query]:
    """Situations with the betting of other hands, so that many sequences are not in the base."""
    other = bucket_base(base.architecture, hands=60, seed=seed + 1000)
    rng = np.random.default_rng(seed)
    sequences = [
        sorted({*base.rounds[round_].sequences, *other.rounds[round_].sequences})
        for round_ in range(4)
    ]
    for _ in range(count):
        round_ = int(rng.integers(4))
        size = 169 if round_ == 0 else base.architecture.buckets
        commitment = int(rng.integers(4)) if round_ and base.architecture.has_commitment else 0
        yield Query(
            round_,
            sequences[round_][int(rng.integers(len(sequences[round_])))],
            int(rng.integers(size)),
            int(rng.integers(9)) if round_ else 0,
            commitment,
        )


def check_queries(architecture: Architecture, *, hands: int, queries: int, most: int) -> int:
    base = bucket_base(architecture, hands=hands, seed=5)
    scan, retriever = LinearScan(base), Retriever(base)
    for query in random_queries(base, queries, 6):
        expected = tuple(scan.nearest(query, most))
        assert retriever.index(query.round).nearest(query, most) == expected, query
    return base.cases


@pytest.mark.parametrize("most", [1, 7])
@pytest.mark.parametrize("domain", list(BUCKETS))
def test_the_index_agrees_with_the_scan(domain: str, most: int) -> None:
    check_queries(BUCKETS[domain], hands=120, queries=150, most=most)


@pytest.mark.parametrize("points", [{}, {"retrieve": 3}, {"retrieve": 0}], ids=str)
@pytest.mark.parametrize("domain", list(BUCKETS))
def test_several_hands_are_answered_as_one_by_one(domain: str, points: dict[str, int]) -> None:
    base = bucket_base(BUCKETS[domain].with_points(**points), hands=120, seed=5)
    retriever = Retriever(base)
    for query in random_queries(base, 40, 7):
        hands = np.unique(np.random.default_rng(query.hand).integers(50, size=12))
        counts, outcomes = retriever.solutions_of_hands(
            query.round, query.sequence, hands, query.texture, query.commitment
        )
        for hand, count, outcome in zip(hands.tolist(), counts, outcomes, strict=True):
            expected = retriever.retrieve(replace(query, hand=hand))
            assert count.tolist() == expected.counts.tolist(), query
            assert outcome.tolist() == expected.outcomes.tolist(), query


@pytest.mark.parametrize("domain", list(BUCKETS))
def test_the_index_agrees_all_or_nothing(domain: str) -> None:
    architecture = BUCKETS[domain].with_points(
        betting_metric="all-or-nothing",
        strength_metric="all-or-nothing",
        texture_metric="all-or-nothing",
        commitment_metric="all-or-nothing",
    )
    check_queries(architecture, hands=60, queries=60, most=3)


@pytest.mark.slow
@pytest.mark.parametrize("domain", list(BUCKETS))
def test_the_index_agrees_on_many_queries(domain: str) -> None:
    check_queries(BUCKETS[domain], hands=200, queries=100_000, most=1)


def test_variable_k_collects_identical_cases_only() -> None:
    base = category_base("limit").with_points(retrieve=0)
    cases, retriever = base.rounds[1], Retriever(base)
    known = Query(
        1, cases.sequences[int(cases.sequence[3])], int(cases.hand[3]), int(cases.texture[3])
    )
    found = retriever.retrieve(known)
    assert [neighbour.case for neighbour in found.neighbours] == [3]
    assert found.counts.tolist() == cases.counts[3].tolist()
    strange = Query(1, "rrrrrrrr", 0, 0)
    assert retriever.retrieve(strange).neighbours == ()
    assert not retriever.retrieve(strange).counts.any()


def test_of_the_single_representation_k_counts_decisions() -> None:
    base = bucket_base(
        BUCKETS["limit"].with_points(solution="single", retrieve=3), hands=200, seed=2
    )
    retriever = Retriever(base)
    cases = base.rounds[0]
    common = int(np.argmax(cases.support))
    query = Query(0, cases.sequences[int(cases.sequence[common])], int(cases.hand[common]))
    found = retriever.retrieve(query)
    assert found.counts.sum() == 3
    assert cases.members is not None
    first = int(cases.member_starts[common])
    expected = np.bincount(cases.members[0][first : first + 3], minlength=3)
    assert found.counts.tolist() == expected.tolist()


def test_all_neighbours_of_a_small_base_may_be_asked_for() -> None:
    base = bucket_base(BUCKETS["limit"], hands=5, seed=3)
    size = len(base.rounds[0])
    query = Query(0, "", 0)
    found = Retriever(base).index(0).nearest(query, 10 * size)
    assert sorted(neighbour.case for neighbour in found) == list(range(size))
    assert Retriever(CaseBase.empty(base.architecture, base.game)).retrieve(query).neighbours == ()
