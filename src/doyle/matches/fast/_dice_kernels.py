"""Compiled dice: the keys and generators of a match, bit for bit as hashlib and NumPy make them.

A position's key in a deal is a keyed BLAKE2b digest (RFC 7693); a decision's generator is NumPy's
`default_rng((key, seat, stream))`: `SeedSequence` (O'Neill's seed_seq) makes four words of 64 bits from
the key, the seat and the stream, and they seed a PCG64 generator (XSL-RR on 128 bits). A strategy draws
one number, the first.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from doyle.base._numba import kernel

Array: TypeAlias = NDArray[Any]

KEY_WORDS = 8
"""Words of 32 bits in a key."""

BLAKE2B_START = np.array(
    [
        0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
        0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
    ],
    np.uint64,
)  # fmt: skip
_BLAKE2B_ORDER = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ],
    np.uint8,
)
_BLAKE2B_LANES = np.array(
    [
        [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
        [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
    ],
    np.uint8,
)  # fmt: skip
_ROUNDS = 12

_POOL = 4
_INIT_A = np.uint32(0x43B0D7E5)
_MULTIPLIER_A = np.uint32(0x931E8875)
_INIT_B = np.uint32(0x8B51F9DD)
_MULTIPLIER_B = np.uint32(0x58F38DED)
_MIX_LEFT = np.uint32(0xCA01F9DD)
_MIX_RIGHT = np.uint32(0x4973F715)
_HALF = np.uint32(16)

_PCG_HIGH = np.uint64(2549297995355413924)
_PCG_LOW = np.uint64(4865540595714422341)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_WORD = np.uint64(32)
_ONE = np.uint64(1)


@kernel
def rotated(word: Any, bits: Any) -> Any:
    """`word` rotated right by `bits` (uint64 both, 1 to 63)."""
    return (word >> np.uint64(bits)) | (word << np.uint64(64 - bits))


@kernel
def compress(state: Array, block: Array, length: Any, last: bool) -> None:
    """Compress block uint64[16] into state uint64[8] in place; `length` bytes have been taken in all."""
    work = np.empty(16, np.uint64)
    for place in range(8):
        work[place] = state[place]
        work[place + 8] = BLAKE2B_START[place]
    work[12] ^= np.uint64(length)
    if last:
        work[14] = ~work[14]
    for number in range(_ROUNDS):
        order = number % 10
        for lane in range(8):
            a = np.uint64(_BLAKE2B_LANES[lane, 0])
            b = np.uint64(_BLAKE2B_LANES[lane, 1])
            c = np.uint64(_BLAKE2B_LANES[lane, 2])
            d = np.uint64(_BLAKE2B_LANES[lane, 3])
            first = block[np.uint64(_BLAKE2B_ORDER[order, 2 * lane])]
            second = block[np.uint64(_BLAKE2B_ORDER[order, 2 * lane + 1])]
            work[a] = work[a] + work[b] + first
            work[d] = rotated(work[d] ^ work[a], 32)
            work[c] = work[c] + work[d]
            work[b] = rotated(work[b] ^ work[c], 24)
            work[a] = work[a] + work[b] + second
            work[d] = rotated(work[d] ^ work[a], 16)
            work[c] = work[c] + work[d]
            work[b] = rotated(work[b] ^ work[c], 63)
    for place in range(8):
        state[place] ^= work[place] ^ work[place + 8]


@kernel
def hand_keys(after_key: Array, seating: int, first_deal: int, out: Array) -> None:
    """Write the keys of deals from `first_deal` on into out uint32[deals, 8], least word first.

    after_key uint64[8] is the state of BLAKE2b after the block of the position's own key. The message
    is the seating in four bytes and the deal in eight, most significant byte first.
    """
    state = np.empty(8, np.uint64)
    block = np.zeros(16, np.uint64)
    for row in range(len(out)):
        for place in range(8):
            state[place] = after_key[place]
        deal = swapped64(np.uint64(first_deal + row))
        block[0] = np.uint64(swapped32(np.uint32(seating))) | ((deal & _LOW_HALF) << _WORD)
        block[1] = deal >> _WORD
        compress(state, block, 128 + 12, True)
        for place in range(4):
            # The digest, read as one number with the most significant byte first.
            word = swapped64(state[3 - place])
            out[row, 2 * place] = np.uint32(word & _LOW_HALF)
            out[row, 2 * place + 1] = np.uint32(word >> _WORD)


@kernel
def swapped32(word: Any) -> Any:
    """A word of 32 bits with its bytes in the opposite order."""
    value = np.uint32(word)
    low = ((value & np.uint32(0xFF)) << np.uint32(24)) | (
        (value & np.uint32(0xFF00)) << np.uint32(8)
    )
    return np.uint32(
        low
        | ((value >> np.uint32(8)) & np.uint32(0xFF00))
        | ((value >> np.uint32(24)) & np.uint32(0xFF))
    )


@kernel
def swapped64(word: Any) -> Any:
    """A word of 64 bits with its bytes in the opposite order."""
    low = np.uint64(swapped32(np.uint32(word & _LOW_HALF)))
    high = np.uint64(swapped32(np.uint32(word >> _WORD)))
    return (low << _WORD) | high


@kernel
def hashed(word: Any, constant: Any, multiplier: Any) -> Any:
    """(hash of a word, next constant): `hashmix` of NumPy's SeedSequence."""
    value = np.uint32(word) ^ np.uint32(constant)
    following = np.uint32(np.uint32(constant) * np.uint32(multiplier))
    value = np.uint32(value * following)
    return np.uint32(value ^ (value >> _HALF)), following


@kernel
def mixed(left: Any, right: Any) -> Any:
    """Two words mixed: `mix` of NumPy's SeedSequence."""
    value = np.uint32(
        np.uint32(_MIX_LEFT * np.uint32(left)) - np.uint32(_MIX_RIGHT * np.uint32(right))
    )
    return np.uint32(value ^ (value >> _HALF))


@kernel
def first_word(
    key: Array, seat: int, stream: int, entropy: Array, pool: Array, seeds: Array
) -> Any:
    """The first 64 bits of `default_rng((key, seat, stream))`.

    key uint32[8], least word first; entropy uint32[10], pool uint32[4] and seeds uint64[4] are
    scratch. Seat and stream are below 2**32.
    """
    count = KEY_WORDS
    while count > 1 and key[count - 1] == 0:  # NumPy drops the leading zero words of a number
        count -= 1
    for place in range(count):
        entropy[place] = key[place]
    entropy[count] = np.uint32(seat)
    entropy[count + 1] = np.uint32(stream)
    count += 2
    constant = _INIT_A
    for place in range(_POOL):
        word = entropy[place] if place < count else np.uint32(0)
        pool[place], constant = hashed(word, constant, _MULTIPLIER_A)
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                word, constant = hashed(pool[source], constant, _MULTIPLIER_A)
                pool[target] = mixed(pool[target], word)
    for source in range(_POOL, count):
        for target in range(_POOL):
            word, constant = hashed(entropy[source], constant, _MULTIPLIER_A)
            pool[target] = mixed(pool[target], word)
    constant = _INIT_B
    for place in range(_POOL):
        low, constant = hashed(pool[(2 * place) % _POOL], constant, _MULTIPLIER_B)
        high, constant = hashed(pool[(2 * place + 1) % _POOL], constant, _MULTIPLIER_B)
        seeds[place] = np.uint64(low) | (np.uint64(high) << _WORD)
    return pcg64_first(seeds[0], seeds[1], seeds[2], seeds[3])


@kernel
def pcg64_first(state_high: Any, state_low: Any, stream_high: Any, stream_low: Any) -> Any:
    """The first 64 bits of a PCG64 seeded with (state, stream), each of 128 bits."""
    add_high = (stream_high << _ONE) | (stream_low >> np.uint64(63))
    add_low = (stream_low << _ONE) | _ONE
    # The first step from a zero state equals the increment.
    low = add_low + state_low
    high = add_high + state_high + np.uint64(low < add_low)
    high, low = pcg64_step(high, low, add_high, add_low)
    high, low = pcg64_step(high, low, add_high, add_low)
    value = high ^ low
    turn = high >> np.uint64(58)
    return (value >> turn) | (value << ((np.uint64(64) - turn) & np.uint64(63)))


@kernel
def pcg64_step(high: Any, low: Any, add_high: Any, add_low: Any) -> Any:
    """The next state (high, low) of the congruential generator on 128 bits."""
    product_high = multiplied_high(low, _PCG_LOW) + high * _PCG_LOW + low * _PCG_HIGH
    product_low = low * _PCG_LOW
    new_low = product_low + add_low
    return product_high + add_high + np.uint64(new_low < product_low), new_low


@kernel
def multiplied_high(left: Any, right: Any) -> Any:
    """The upper 64 bits of the product of two words of 64 bits."""
    left_low, left_high = left & _LOW_HALF, left >> _WORD
    right_low, right_high = right & _LOW_HALF, right >> _WORD
    lowest = left_low * right_low
    middle = left_high * right_low + (lowest >> _WORD)
    other = left_low * right_high + (middle & _LOW_HALF)
    return left_high * right_high + (middle >> _WORD) + (other >> _WORD)


@kernel
def uniform(word: Any) -> Any:
    """`Generator.random()` from 64 bits: the upper 53 of them, in [0, 1)."""
    return np.float64(word >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def first_uniforms(keys: Array, seats: Array, streams: Array, out: Array) -> None:
    """Write `default_rng((key, seat, stream)).random()` of keys uint32[n, 8] into out float64[n]."""
    entropy, pool, seeds = np.empty(10, np.uint32), np.empty(4, np.uint32), np.empty(4, np.uint64)
    for row in range(len(keys)):
        word = first_word(keys[row], seats[row], streams[row], entropy, pool, seeds)
        out[row] = uniform(word)
