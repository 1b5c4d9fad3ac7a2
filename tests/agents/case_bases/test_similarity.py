"""The published examples of similarity, and what every metric must hold."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.agents.case_bases import Architecture
from doyle.agents.case_bases.domains import LIMIT, LIMIT_3P, NO_LIMIT
from doyle.agents.case_bases.features.hands import HOLE_CLASS, texture_similarity
from doyle.agents.case_bases.similarity import (
    commitment_similarity,
    hand_table,
    sizes_similarity,
    stepped_similarity,
)
from doyle.agents.equity import equity
from doyle.base.errors import ParseError
from doyle.cards import hole_index, parse_cards
from doyle.games import Game
from tests.agents.case_bases.synthetic import BUCKETS, bucket_base


def test_published_examples() -> None:
    assert sizes_similarity("ihpc", "dqpc") == pytest.approx(0.85)
    assert stepped_similarity(LIMIT, "crrc-crrrrc-cr", "rrc-rrrrc-cr") == 0.9
    assert stepped_similarity(LIMIT, "rrc-cc-cc-rrr", "cc-rc-crc-rrr") == 0.8
    assert stepped_similarity(LIMIT, "rc-c", "rc-c") == 1.0
    assert stepped_similarity(LIMIT, "rc-c", "rc-r") == 0.0
    assert stepped_similarity(LIMIT, "rc-c", "crc-c") == 0.0  # the other player raised


def test_distances_of_table_11() -> None:
    assert sizes_similarity("h", "i", decay=0.1) == pytest.approx(0.9)
    assert sizes_similarity("q", "t", decay=0.1) == pytest.approx(0.4)
    assert sizes_similarity("qqqq", "tttt", decay=0.1) == 0.0


@pytest.mark.parametrize(
    ("first", "second"), [("pc", "pp"), ("pa", "pt"), ("pc-c", "pcc-"), ("pc", "pcc"), ("f", "c")]
)
def test_calls_all_ins_and_rounds_must_coincide(first: str, second: str) -> None:
    assert sizes_similarity(first, second) == sizes_similarity(second, first) == 0.0


def test_three_players_count_only_those_who_remain() -> None:
    # The dealer, who has folded on the flop, raised in one hand and not in the other.
    assert stepped_similarity(LIMIT_3P, "rcc-ccrff-", "rcc-ccrff-") == 1.0
    assert stepped_similarity(LIMIT_3P, "rcc-ccf-c", "ccc-ccf-c") == 0.9
    assert stepped_similarity(LIMIT_3P, "rcc-ccc-c", "ccc-ccc-c") == 0.0
    assert stepped_similarity(LIMIT_3P, "crcc-ccc-c", "ccc-rcc-c") == 0.8  # seat 0 raised once


def test_commitment() -> None:
    assert commitment_similarity(1, 1) == 1.0
    assert commitment_similarity(1, 3) == pytest.approx(math.exp(-2))


def test_textures_are_symmetric_and_graded() -> None:
    table = texture_similarity()
    assert table.shape == (9, 9)
    assert (table == table.T).all()
    assert (np.diag(table) == 1).all()
    assert 0 <= table.min() < table[0, 1] < 1


def test_letters_of_another_game_are_refused() -> None:
    with pytest.raises(ParseError, match="character 1"):
        stepped_similarity(LIMIT, "p", "c")
    with pytest.raises(ParseError, match="four rounds"):
        stepped_similarity(LIMIT, "cc-cc-cc-cc-c", "c")
    with pytest.raises(ParseError, match="over"):
        stepped_similarity(LIMIT, "fc", "c")


_TEXTS = sorted(
    {
        text
        for cases in bucket_base(BUCKETS["no-limit"], hands=40, seed=9).rounds
        for text in cases.sequences
    }
)


@given(first=st.sampled_from(_TEXTS), second=st.sampled_from(_TEXTS))
def test_sizes_are_symmetric(first: str, second: str) -> None:
    value = sizes_similarity(first, second)
    assert 0 <= value <= 1
    assert value == sizes_similarity(second, first)
    assert (value == 1) == (first == second)
    assert NO_LIMIT.letters == "fcqhipdvta"


def test_starting_hands_are_similar_by_their_equities() -> None:
    architecture = replace(Architecture(), hole_metric="equity", slope=1.5)
    table = hand_table(architecture, 0, 0)
    game = Game.named("holdem-limit-2p")
    hands = [parse_cards(text) for text in ("AsAh", "KsQs", "7c2d", "9h9d")]
    for first in hands:
        for second in hands:
            apart = abs(equity(game, tuple(first), ()) - equity(game, tuple(second), ()))
            places = (HOLE_CLASS[hole_index(*first)], HOLE_CLASS[hole_index(*second)])
            assert table[places] == pytest.approx(max(1.0 - 1.5 * apart, 0.0))
    steep = hand_table(replace(architecture, slope=100.0), 0, 0)
    assert steep.min() == 0.0
    assert np.array_equal(np.diag(steep), np.ones(len(steep)))


def test_strengths_are_similar_by_their_distance() -> None:
    architecture = replace(Architecture(), slope=1.5)
    table = hand_table(architecture, 1, 4)
    assert table[0].tolist() == [1.0, 1.0 - 1.5 / 4, 1.0 - 3.0 / 4, 0.0]
    alone = hand_table(replace(architecture, strength_metric="all-or-nothing"), 1, 4)
    assert np.array_equal(alone, np.eye(4))
