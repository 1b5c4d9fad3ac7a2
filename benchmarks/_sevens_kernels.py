"""Every hand of seven cards ranked: the enumeration that is timed beside the one in C++."""

from __future__ import annotations

import numpy as np

from doyle.base._numba import kernel
from doyle.cards._ranking_kernels import (
    _COLUMN_BITS,
    _COLUMN_MASK,
    _FLUSH_BITS,
    _FOUR,
    _MASK13,
    _SUM_MASK,
    card_bit,
    flush_suit,
)
from doyle.cards.ranking import RankTables


@kernel
def sum_of_all_sevens(tables: RankTables) -> np.uint64:
    """The sum of the ranks of all 133,784,560 seven-card hands: the benchmark's enumeration."""
    keys = tables.keys
    flush = tables.flush
    offsets = tables.offsets
    ranks = tables.ranks
    bits = np.empty(52, np.uint64)
    for i in range(52):
        bits[i] = card_bit(np.uint64(i))
    suited = np.empty(52, np.uint64)
    total = np.uint64(0)
    for i in range(np.uint64(6), np.uint64(52)):
        a = np.uint64(i)
        key_a = keys[52] + keys[a]
        for j in range(np.uint64(5), a):
            b = np.uint64(j)
            key_b = key_a + keys[b]
            for k in range(np.uint64(4), b):
                c = np.uint64(k)
                key_c = key_b + keys[c]
                for m in range(np.uint64(3), c):
                    d = np.uint64(m)
                    key_d = key_c + keys[d]
                    mask_d = bits[a] | bits[b] | bits[c] | bits[d]
                    for n in range(np.uint64(2), d):
                        e = np.uint64(n)
                        key_e = key_d + keys[e]
                        for o in range(np.uint64(1), e):
                            f = np.uint64(o)
                            key_f = key_e + keys[f]
                            mask_f = mask_d | bits[e] | bits[f]
                            # Flushes are noted and ranked after the others: a loop over both
                            # is vectorised with gathers, which take a quarter longer.
                            noted = 0
                            for p in range(f):
                                g = np.uint64(p)
                                key = key_f + keys[g]
                                if key & _FLUSH_BITS:
                                    suited[noted] = g
                                    noted += 1
                                    continue
                                low = key & _SUM_MASK
                                row = np.uint64(offsets[low >> _COLUMN_BITS])
                                total += np.uint64(ranks[row + (low & _COLUMN_MASK)])
                            for p in range(noted):
                                g = suited[p]
                                suit = flush_suit((key_f + keys[g]) & _FLUSH_BITS) << _FOUR
                                total += np.uint64(flush[((mask_f | bits[g]) >> suit) & _MASK13])
    return total
