// Twins of the evaluator and river kernels: the same algorithms on the same tables, for benchmarks.
#include <cstdint>
#include <cstring>

namespace {

constexpr uint64_t FLUSH_BITS = 0x8888ULL << 32;
constexpr uint64_t SUM_MASK = 0xffffffffULL;
constexpr int LIVE_HANDS = 1081;
constexpr int OPPONENTS = 990;

struct Tables {
    const uint64_t *keys;
    const uint32_t *offsets;
    const uint16_t *ranks;
    const uint16_t *flush;
};

inline uint64_t card_bit(uint64_t card) { return 1ULL << (((card & 3) << 4) + (card >> 2)); }

inline uint64_t flush_suit(uint64_t bits) {
    return (uint64_t)(__builtin_ctzll(bits) - 35) >> 2;
}

inline uint16_t plain_rank(const Tables &t, uint64_t key) {
    uint64_t sum = key & SUM_MASK;
    return t.ranks[t.offsets[sum >> 9] + (sum & 511)];
}

inline uint16_t rank_of(const Tables &t, uint64_t key, uint64_t mask) {
    uint64_t bits = key & FLUSH_BITS;
    if (__builtin_expect(bits != 0, 0)) return t.flush[(mask >> (flush_suit(bits) << 4)) & 0x1fff];
    return plain_rank(t, key);
}

}  // namespace

extern "C" {

void evaluate_sevens(const uint64_t *keys, const uint32_t *offsets, const uint16_t *ranks,
                     const uint16_t *flush, const uint8_t *hands, int64_t count, uint16_t *out) {
    Tables t{keys, offsets, ranks, flush};
    for (int64_t i = 0; i < count; ++i) {
        const uint8_t *hand = hands + 7 * i;
        uint64_t key = keys[52] + keys[hand[0]] + keys[hand[1]] + keys[hand[2]] + keys[hand[3]] +
                       keys[hand[4]] + keys[hand[5]] + keys[hand[6]];
        uint64_t bits = key & FLUSH_BITS;
        if (__builtin_expect(bits != 0, 0)) {
            uint64_t suit = flush_suit(bits), mask = 0;
            for (int j = 0; j < 7; ++j)
                if ((hand[j] & 3) == suit) mask |= 1ULL << (hand[j] >> 2);
            out[i] = flush[mask];
        } else {
            out[i] = plain_rank(t, key);
        }
    }
}

uint64_t sum_of_all_sevens(const uint64_t *keys, const uint32_t *offsets, const uint16_t *ranks,
                           const uint16_t *flush) {
    Tables t{keys, offsets, ranks, flush};
    uint64_t bits[52], total = 0;
    for (uint64_t c = 0; c < 52; ++c) bits[c] = card_bit(c);
    for (uint64_t a = 6; a < 52; ++a) {
        uint64_t key_a = keys[52] + keys[a];
        for (uint64_t b = 5; b < a; ++b) {
            uint64_t key_b = key_a + keys[b];
            for (uint64_t c = 4; c < b; ++c) {
                uint64_t key_c = key_b + keys[c];
                for (uint64_t d = 3; d < c; ++d) {
                    uint64_t key_d = key_c + keys[d];
                    uint64_t mask_d = bits[a] | bits[b] | bits[c] | bits[d];
                    for (uint64_t e = 2; e < d; ++e) {
                        uint64_t key_e = key_d + keys[e];
                        for (uint64_t f = 1; f < e; ++f) {
                            uint64_t key_f = key_e + keys[f];
                            uint64_t mask_f = mask_d | bits[e] | bits[f];
                            for (uint64_t g = 0; g < f; ++g)
                                total += rank_of(t, key_f + keys[g], mask_f | bits[g]);
                        }
                    }
                }
            }
        }
    }
    return total;
}

void strength_of_boards(const uint64_t *keys, const uint32_t *offsets, const uint16_t *ranks,
                        const uint16_t *flush, const uint8_t *boards, int64_t count, int32_t *win,
                        int32_t *tie, int32_t *loss) {
    Tables t{keys, offsets, ranks, flush};
    uint32_t entries[LIVE_HANDS], spare[LIVE_HANDS], histogram[256];
    int32_t held[52];
    for (int64_t n = 0; n < count; ++n, win += 1326, tie += 1326, loss += 1326) {
        const uint8_t *board = boards + 5 * n;
        uint64_t base = keys[52], base_mask = 0, dead = 0;
        for (int i = 0; i < 5; ++i) {
            base += keys[board[i]];
            base_mask |= card_bit(board[i]);
            dead |= 1ULL << board[i];
        }
        std::memset(histogram, 0, sizeof histogram);
        uint32_t live = 0;
        for (uint64_t high = 0; high < 52; ++high) {
            if ((dead >> high) & 1) continue;
            uint64_t key_high = base + keys[high], mask_high = base_mask | card_bit(high);
            for (uint64_t low = 0; low < high; ++low) {
                if ((dead >> low) & 1) continue;
                uint32_t rank = rank_of(t, key_high + keys[low], mask_high | card_bit(low));
                entries[live++] = rank << 12 | (uint32_t)high << 6 | (uint32_t)low;
                ++histogram[rank & 127];
                ++histogram[128 + (rank >> 7)];
            }
        }
        uint32_t low_total = 0, high_total = 0;
        for (int i = 0; i < 128; ++i) {
            uint32_t low_count = histogram[i], high_count = histogram[128 + i];
            histogram[i] = low_total;
            histogram[128 + i] = high_total;
            low_total += low_count;
            high_total += high_count;
        }
        for (int i = 0; i < LIVE_HANDS; ++i) spare[histogram[(entries[i] >> 12) & 127]++] = entries[i];
        for (int i = 0; i < LIVE_HANDS; ++i) entries[histogram[128 + (spare[i] >> 19)]++] = spare[i];
        std::memset(held, 0, sizeof held);
        int start = 0;
        while (start < LIVE_HANDS) {
            uint32_t rank = entries[start] >> 12;
            int stop = start;
            while (stop < LIVE_HANDS && entries[stop] >> 12 == rank) {
                uint32_t high = (entries[stop] >> 6) & 63, low = entries[stop] & 63;
                win[(high * (high - 1) >> 1) + low] = start - held[high] - held[low];
                ++stop;
            }
            for (int i = start; i < stop; ++i) {
                ++held[(entries[i] >> 6) & 63];
                ++held[entries[i] & 63];
            }
            for (int i = start; i < stop; ++i) {
                uint32_t high = (entries[i] >> 6) & 63, low = entries[i] & 63;
                uint32_t hole = (high * (high - 1) >> 1) + low;
                int32_t not_losing = stop + 1 - held[high] - held[low];
                tie[hole] = not_losing - win[hole];
                loss[hole] = OPPONENTS - not_losing;
            }
            start = stop;
        }
    }
}

}  // extern "C"
