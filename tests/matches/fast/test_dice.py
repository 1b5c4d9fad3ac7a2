"""The compiled dice against hashlib and NumPy, bit for bit."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.games import Game
from doyle.matches.chance import Chance, Dice
from doyle.matches.fast import _dice_kernels as kernels
from doyle.matches.fast.dice import hand_keys

LEDUC = Game.named("leduc")


def number_of(words: np.ndarray) -> int:
    return sum(int(word) << (32 * place) for place, word in enumerate(words))


def words_of(number: int) -> np.ndarray:
    return np.array([(number >> (32 * place)) & 0xFFFFFFFF for place in range(8)], np.uint32)


@settings(max_examples=100, deadline=None)
@given(
    key=st.one_of(
        st.integers(0, 2**256 - 1),
        st.integers(0, 2**40),
        st.sampled_from([0, 1, 2**32 - 1, 2**32, 2**128, 2**224 - 1, 2**224, 2**256 - 1]),
    ),
    seat=st.integers(0, 2**32 - 1),
    stream=st.integers(0, 2**32 - 1),
)
def test_first_number_of_a_generator(key: int, seat: int, stream: int) -> None:
    drawn = np.empty(1)
    places = np.array([seat]), np.array([stream])
    kernels.first_uniforms(words_of(key)[None], *places, drawn)
    assert drawn[0] == np.random.default_rng((key, seat, stream)).random()


@settings(max_examples=40, deadline=None)
@given(
    key=st.binary(min_size=32, max_size=32),
    deal=st.integers(0, 2**62),
    seating=st.integers(0, 2**32 - 1),
    by_seating=st.booleans(),
)
def test_key_of_a_hand(key: bytes, deal: int, seating: int, by_seating: bool) -> None:
    dice = Dice((bytes(32), key), by_seating)
    found = hand_keys(dice, 1, first_deal=deal, count=2, seating=seating)
    for row in range(2):
        wanted = dice.hand_key(1, deal=deal + row, seating=seating)
        assert number_of(found[row]) == int.from_bytes(wanted, "big")


@given(blocks=st.lists(st.binary(min_size=128, max_size=128), min_size=1, max_size=3))
@settings(max_examples=50, deadline=None)
def test_compression_is_that_of_blake2b(blocks: list[bytes]) -> None:
    state = kernels.BLAKE2B_START.copy()
    state[0] ^= np.uint64(0x0101_0040)  # no key, a digest of 64 bytes
    for number, block in enumerate(blocks, start=1):
        words = np.frombuffer(block, "<u8").astype(np.uint64)
        kernels.compress(state, words, 128 * number, number == len(blocks))
    assert state.astype("<u8").tobytes() == hashlib.blake2b(b"".join(blocks)).digest()


@pytest.mark.parametrize("chance", [Chance.repeatable(3), Chance.sealed(bytes(range(32)))])
def test_keys_of_a_match(chance: Chance) -> None:
    dice = chance.dice(LEDUC)
    for seating in range(2):
        found = hand_keys(dice, seating, first_deal=7, count=20, seating=seating)
        wanted = [dice.hand_key(seating, deal=7 + row, seating=seating) for row in range(20)]
        assert [number_of(row) for row in found] == [int.from_bytes(k, "big") for k in wanted]
