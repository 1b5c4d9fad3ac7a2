"""The mapping of three-player sequences to two-player ones (section 7.1.1)."""

from __future__ import annotations

import pytest

from doyle.agents.case_bases.inter_domain import heads_up_sequences, player_mapping


def test_the_published_example() -> None:
    assert heads_up_sequences("frc-r") == ("crc-r",)  # and not rc-r


def test_players_are_mapped_by_who_acts_last() -> None:
    assert player_mapping((False, False, True)) == {0: 0, 1: 1}  # the dealer folded
    assert player_mapping((True, False, False)) == {1: 0, 2: 1}  # the small blind folded
    assert player_mapping((False, True, False)) == {0: 0, 2: 1}  # the big blind folded
    assert player_mapping((False, False, False)) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rfc-c", ("rc-c",)),  # dealer raised, small blind folded, big blind called
        ("cfc-cr", ("cc-cr",)),
        ("rrfc-", ("rrc-", "crrc-")),  # one raise each: two legal ways
        ("fr", ("cr",)),  # the big blind faces the small blind's raise
        ("f", ()),  # the small blind may fold, the non-dealer after a call may not
        ("ccc-rf", ()),  # the fold came after the flop
        ("ccc-c", ()),  # nobody has folded
    ],
)
def test_sequences(text: str, expected: tuple[str, ...]) -> None:
    assert sorted(heads_up_sequences(text)) == sorted(expected)
