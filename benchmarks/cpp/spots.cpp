// C++ twin of an iteration of the vector solver (src/doyle/solving/vector/_kernels.py and
// _traversal_kernels.py, src/doyle/solving/games/_evaluator_kernels.py): the same tables, buffers and
// order of operations, all given by the caller. No locks, hands of two cards, single precision.
#include <cstdint>

enum { WIDTH = 16, LANES = 32, DECK = 52, SHOWN = WIDTH * LANES, BOTH = 3 };
typedef float Vector __attribute__((vector_size(64), aligned(4)));
typedef int32_t Choice __attribute__((vector_size(64)));

struct Side {
    const int64_t *tiles;
    const int32_t *entries, *slots, *decision_start, *parent, *first, *actions, *exit_start, *exits;
    const int64_t *table_start;
    const int32_t *order, *places, *fill_start, *fill_to, *fill_from;
    const uint16_t *rows;
    const int32_t *block_start;
    const uint32_t *lane_slot;
    const int32_t *shows, *folds, *leaf_start, *leaf_own, *leaf_source;
    const double *leaf_amount;
};

struct Boards {
    const int64_t *level;
    const int32_t *parent;
    const double *weight;
    const int32_t *copy_start, *copies;
    const int32_t *permutations[2];
};

struct Evaluator {
    int64_t groups;  // the most on any board
    const int32_t *width, *counts;
    const uint16_t *rows[2];
    const uint8_t *cards[2];
    const uint16_t *same[2];
    const int32_t *card_start[2];
    const uint16_t *card_rows[2];
    const int32_t *group_count;
    const int16_t *group_end[2];
};

struct Scratch {
    const int64_t *start;
    float *plan, *values, *reach, *show, *fold, *sums, *columns;
    int64_t *open;
    const float *ranges[2];
};

struct Solve {
    const Boards *boards;
    const Side *sides[2];
    const Evaluator *evaluator;
    float *regrets[2], *averages[2];
    const int64_t *part_start;
    int64_t parts;
    float *sums;
    const Scratch *root, *scratch;
};

static inline Vector load(const float *from) { return *(const Vector *)from; }
static inline void store(float *to, Vector value) { *(Vector *)to = value; }
static inline Vector filled(float number) { return Vector{} + number; }
static inline Vector larger(Vector left, Vector right) { return left > right ? left : right; }
static inline Vector where_positive(Vector test, Vector yes, Vector no) {
    return test > Vector{} ? yes : no;
}

static inline Vector positive_sum(const float *table, int count) {
    Vector total = larger(load(table), Vector{});
    for (int action = 1; action < count; ++action)
        total += larger(load(table + WIDTH * action), Vector{});
    return total;
}

static inline void push_reach(const Side &side, int64_t board, int64_t level, const float *regrets,
                              float *averages, double decay, const Scratch &scratch,
                              const float *reach) {
    float *plan = scratch.plan;
    const int64_t slots = side.slots[level], entries = side.entries[level];
    const int64_t per_tile = (slots - entries) * WIDTH;
    const Vector shrink = filled(float(decay));
    int32_t fill = side.fill_start[board];
    for (int64_t tile = 0; tile < side.tiles[board]; ++tile) {
        float *here = plan + scratch.start[level] + tile * slots * WIDTH;
        if (level == 0) {
            store(here, load(reach + tile * WIDTH));
        } else {
            const float *above = plan + scratch.start[level - 1] + tile * WIDTH * side.slots[level - 1];
            const int32_t *exits = side.exits + side.exit_start[level - 1];
            for (int64_t entry = 0; entry < entries; ++entry)
                store(here + entry * WIDTH, load(above + int64_t(exits[entry]) * WIDTH));
            for (; fill < side.fill_start[board + 1] && side.fill_to[fill] / WIDTH == tile; ++fill) {
                const int64_t row = side.fill_from[fill], to = side.fill_to[fill] % WIDTH;
                const float *source = plan + scratch.start[level - 1]
                    + row / WIDTH * side.slots[level - 1] * WIDTH + row % WIDTH;
                for (int64_t entry = 0; entry < entries; ++entry)
                    here[entry * WIDTH + to] = source[int64_t(exits[entry]) * WIDTH];
            }
        }
        const int64_t table = side.table_start[board] + tile * per_tile;
        for (int64_t k = side.decision_start[level]; k < side.decision_start[level + 1]; ++k) {
            const int count = side.actions[k];
            const int64_t first = side.first[k], at = table + (first - entries) * WIDTH;
            float *to = here + first * WIDTH;
            const Vector share = load(here + int64_t(side.parent[k]) * WIDTH);
            const Vector total = positive_sum(regrets + at, count);
            const Vector part = where_positive(total, share / total, Vector{});
            const Vector rest = where_positive(total, Vector{}, share * filled(float(1.0 / count)));
            for (int action = 0; action < count; ++action) {
                const int step = WIDTH * action;
                const Vector own = larger(load(regrets + at + step), Vector{}) * part + rest;
                __builtin_prefetch(regrets + at + step + per_tile, 0);
                __builtin_prefetch(averages + at + step + per_tile, 1);
                store(to + step, own);
                store(averages + at + step, load(averages + at + step) * shrink + own);
            }
        }
    }
}

#define PICK(left, right, ...) __builtin_shufflevector(left, right, __VA_ARGS__)
#define LANES_OF(a, b, c, d) a, b, c, d, a + 4, b + 4, c + 4, d + 4, a + 8, b + 8, c + 8, d + 8, \
    a + 12, b + 12, c + 12, d + 12
#define QUARTERS(a, b, c, d) 4 * a, 4 * a + 1, 4 * a + 2, 4 * a + 3, 4 * b, 4 * b + 1, 4 * b + 2, \
    4 * b + 3, 4 * c, 4 * c + 1, 4 * c + 2, 4 * c + 3, 4 * d, 4 * d + 1, 4 * d + 2, 4 * d + 3

// The columns of sixteen rows, in place: singles, then pairs are interleaved within quarters of 128
// bits, then quarters are exchanged.
static inline __attribute__((always_inline)) void transpose(Vector *rows) {
    Vector pairs[WIDTH], halves[WIDTH];
    for (int row = 0; row < WIDTH; row += 4) {
        const Vector a = PICK(rows[row], rows[row + 1], LANES_OF(0, 16, 1, 17));
        const Vector b = PICK(rows[row], rows[row + 1], LANES_OF(2, 18, 3, 19));
        const Vector c = PICK(rows[row + 2], rows[row + 3], LANES_OF(0, 16, 1, 17));
        const Vector d = PICK(rows[row + 2], rows[row + 3], LANES_OF(2, 18, 3, 19));
        pairs[row] = PICK(a, c, LANES_OF(0, 1, 16, 17));
        pairs[row + 1] = PICK(a, c, LANES_OF(2, 3, 18, 19));
        pairs[row + 2] = PICK(b, d, LANES_OF(0, 1, 16, 17));
        pairs[row + 3] = PICK(b, d, LANES_OF(2, 3, 18, 19));
    }
    for (int half = 0; half < 2; ++half)
        for (int k = 0; k < 4; ++k) {
            const Vector low = pairs[8 * half + k], high = pairs[8 * half + 4 + k];
            halves[8 * half + k] = PICK(low, high, QUARTERS(0, 2, 4, 6));
            halves[8 * half + 4 + k] = PICK(low, high, QUARTERS(1, 3, 5, 7));
        }
    for (int k = 0; k < 8; ++k) {
        rows[k] = PICK(halves[k], halves[8 + k], QUARTERS(0, 2, 4, 6));
        rows[8 + k] = PICK(halves[k], halves[8 + k], QUARTERS(1, 3, 5, 7));
    }
}

static inline __attribute__((always_inline)) void scatter_rows(const float *source, const uint32_t *columns, float *target,
                                const uint16_t *rows) {
    Vector tile[WIDTH];
    for (int k = 0; k < WIDTH; ++k) tile[k] = load(source + int64_t(columns[k]) * WIDTH);
    transpose(tile);
    for (int k = 0; k < WIDTH; ++k) store(target + int64_t(rows[k]) * LANES, tile[k]);
}

static inline __attribute__((always_inline)) void gather_rows(const float *source, const uint16_t *rows, float *target) {
    Vector tile[WIDTH];
    for (int k = 0; k < WIDTH; ++k) tile[k] = load(source + int64_t(rows[k]) * LANES);
    transpose(tile);
    for (int k = 0; k < WIDTH; ++k) store(target + WIDTH * k, tile[k]);
}

static inline void sum_by_card(const Evaluator &game, int64_t board, int seat, const float *reach,
                               float *sums) {
    const int32_t *starts = game.card_start[seat] + board * (DECK + 1);
    const uint16_t *rows = game.card_rows[seat] + board * 2 * game.width[seat];
    Vector all_a{}, all_b{};
    for (int card = 0; card < DECK; ++card) {
        Vector sum_a{}, sum_b{}, odd_a{}, odd_b{};
        int32_t k = starts[card];
        for (; k + 1 < starts[card + 1]; k += 2) {
            const float *row = reach + int64_t(rows[k]) * LANES, *next = reach + int64_t(rows[k + 1]) * LANES;
            sum_a += load(row);
            sum_b += load(row + WIDTH);
            odd_a += load(next);
            odd_b += load(next + WIDTH);
        }
        if (k < starts[card + 1]) {
            const float *row = reach + int64_t(rows[k]) * LANES;
            sum_a += load(row);
            sum_b += load(row + WIDTH);
        }
        sum_a += odd_a;
        sum_b += odd_b;
        store(sums + card * LANES, sum_a);
        store(sums + card * LANES + WIDTH, sum_b);
        all_a += sum_a;
        all_b += sum_b;
    }
    store(sums + DECK * LANES, all_a * 0.5f);
    store(sums + DECK * LANES + WIDTH, all_b * 0.5f);
}

static inline void fold_rows(const Evaluator &game, int64_t board, int seat, const float *reach,
                             float *fold, const float *sums) {
    const int64_t base = board * game.width[seat];
    const uint8_t *cards = game.cards[seat] + 2 * base;
    const uint16_t *same = game.same[seat] + base;
    const Vector all_a = load(sums + DECK * LANES), all_b = load(sums + DECK * LANES + WIDTH);
    for (int64_t row = 0; row < game.counts[2 * board + seat]; ++row) {
        const float *first = sums + cards[2 * row] * LANES, *second = sums + cards[2 * row + 1] * LANES;
        const float *twin = reach + int64_t(same[row]) * LANES;
        store(fold + row * LANES, all_a - load(first) - load(second) + load(twin));
        store(fold + row * LANES + WIDTH,
              all_b - load(first + WIDTH) - load(second + WIDTH) + load(twin + WIDTH));
    }
}

static inline void show_rows(const Evaluator &game, int64_t board, int seat, const float *reach,
                             float *show, float *sums) {
    const int other = 1 - seat;
    const uint8_t *cards = game.cards[seat] + 2 * board * game.width[seat];
    const uint8_t *other_cards = game.cards[other] + 2 * board * game.width[other];
    const int16_t *ends = game.group_end[seat] + board * game.groups;
    const int16_t *other_ends = game.group_end[other] + board * game.groups;
    Vector passed_a = load(sums + DECK * LANES) * -0.5f;
    Vector passed_b = load(sums + DECK * LANES + WIDTH) * -0.5f;
    for (int k = 0; k < 2 * DECK; ++k) store(sums + k * WIDTH, load(sums + k * WIDTH) * 0.5f);
    int64_t begin = 0, other_begin = 0;
    for (int32_t group = 0; group < game.group_count[board]; ++group) {
        const int64_t end = ends[group], other_end = other_ends[group];
        for (int64_t row = begin; row < end; ++row) {
            const float *first = sums + cards[2 * row] * LANES, *second = sums + cards[2 * row + 1] * LANES;
            store(show + row * LANES, passed_a + load(first) + load(second));
            store(show + row * LANES + WIDTH, passed_b + load(first + WIDTH) + load(second + WIDTH));
        }
        for (int64_t row = other_begin; row < other_end; ++row) {
            float *first = sums + other_cards[2 * row] * LANES;
            float *second = sums + other_cards[2 * row + 1] * LANES;
            const Vector weight_a = load(reach + row * LANES), weight_b = load(reach + row * LANES + WIDTH);
            passed_a += weight_a;
            passed_b += weight_b;
            store(first, load(first) - weight_a);
            store(first + WIDTH, load(first + WIDTH) - weight_b);
            store(second, load(second) - weight_a);
            store(second + WIDTH, load(second + WIDTH) - weight_b);
        }
        for (int64_t row = begin; row < end; ++row) {
            const float *first = sums + cards[2 * row] * LANES, *second = sums + cards[2 * row + 1] * LANES;
            float *at = show + row * LANES;
            store(at, load(at) + (passed_a + load(first) + load(second)));
            store(at + WIDTH, load(at + WIDTH) + (passed_b + load(first + WIDTH) + load(second + WIDTH)));
        }
        begin = end;
        other_begin = other_end;
    }
}

static inline void fold_half(const Evaluator &game, int64_t board, int seat, const float *reach,
                             float *fold, const float *sums) {
    const int64_t base = board * game.width[seat];
    const uint8_t *cards = game.cards[seat] + 2 * base;
    const uint16_t *same = game.same[seat] + base;
    const Vector all = load(sums + DECK * LANES);
    for (int64_t row = 0; row < game.counts[2 * board + seat]; ++row) {
        const float *first = sums + cards[2 * row] * LANES, *second = sums + cards[2 * row + 1] * LANES;
        const float *twin = reach + int64_t(same[row]) * LANES;
        store(fold + row * LANES, all - load(first) - load(second) + load(twin));
    }
}

static inline void show_half(const Evaluator &game, int64_t board, int seat, const float *reach,
                             float *show, float *sums) {
    const int other = 1 - seat;
    const uint8_t *cards = game.cards[seat] + 2 * board * game.width[seat];
    const uint8_t *other_cards = game.cards[other] + 2 * board * game.width[other];
    const int16_t *ends = game.group_end[seat] + board * game.groups;
    const int16_t *other_ends = game.group_end[other] + board * game.groups;
    Vector passed = load(sums + DECK * LANES) * -0.5f;
    for (int card = 0; card < DECK; ++card) store(sums + card * LANES, load(sums + card * LANES) * 0.5f);
    int64_t begin = 0, other_begin = 0;
    for (int32_t group = 0; group < game.group_count[board]; ++group) {
        const int64_t end = ends[group], other_end = other_ends[group];
        for (int64_t row = begin; row < end; ++row)
            store(show + row * LANES, passed + load(sums + cards[2 * row] * LANES) +
                                          load(sums + cards[2 * row + 1] * LANES));
        for (int64_t row = other_begin; row < other_end; ++row) {
            float *first = sums + other_cards[2 * row] * LANES;
            float *second = sums + other_cards[2 * row + 1] * LANES;
            const Vector weight = load(reach + row * LANES);
            passed += weight;
            store(first, load(first) - weight);
            store(second, load(second) - weight);
        }
        for (int64_t row = begin; row < end; ++row) {
            float *at = show + row * LANES;
            store(at, load(at) + (passed + load(sums + cards[2 * row] * LANES) +
                                  load(sums + cards[2 * row + 1] * LANES)));
        }
        begin = end;
        other_begin = other_end;
    }
}

static inline void pay_leaves(const Solve &solve, int64_t board, int64_t level, int seat, const Scratch &scratch) {
    const Side &own = *solve.sides[seat], &other = *solve.sides[1 - seat];
    const Evaluator &game = *solve.evaluator;
    const int64_t base = scratch.start[level], slots = own.slots[level], other_slots = other.slots[level];
    const uint16_t *own_rows = own.rows + board * game.width[seat];
    const uint16_t *other_rows = other.rows + board * game.width[1 - seat];
    for (int64_t k = 0; k < own.tiles[board] * slots; ++k) store(scratch.values + base + k * WIDTH, Vector{});
    for (int32_t block = own.block_start[level]; block < own.block_start[level + 1]; ++block) {
        for (int64_t tile = 0; tile < other.tiles[board]; ++tile)
            for (int half = 0; half < 2; ++half)
                scatter_rows(scratch.plan + base + tile * other_slots * WIDTH,
                             own.lane_slot + int64_t(block) * LANES + WIDTH * half,
                             scratch.reach + WIDTH * half, other_rows + tile * WIDTH);
        const int shows = own.shows[block], folds = own.folds[block];
        sum_by_card(game, board, 1 - seat, scratch.reach, scratch.sums);
        const int fold_at = WIDTH * (folds >> 1), show_at = WIDTH * (shows >> 1);
        if (folds == BOTH)
            fold_rows(game, board, seat, scratch.reach, scratch.fold, scratch.sums);
        else if (folds)
            fold_half(game, board, seat, scratch.reach + fold_at, scratch.fold + fold_at,
                      scratch.sums + fold_at);
        if (shows == BOTH)
            show_rows(game, board, seat, scratch.reach, scratch.show, scratch.sums);
        else if (shows)
            show_half(game, board, seat, scratch.reach + show_at, scratch.show + show_at,
                      scratch.sums + show_at);
        for (int64_t tile = 0; tile < own.tiles[board]; ++tile) {
            float *here = scratch.values + base + tile * slots * WIDTH;
            for (int half = 0; half < 2; ++half) {
                const int shift = WIDTH * half;
                if ((shows >> half) & 1)
                    gather_rows(scratch.show + shift, own_rows + tile * WIDTH,
                                scratch.columns + SHOWN + shift * WIDTH);
                if ((folds >> half) & 1)
                    gather_rows(scratch.fold + shift, own_rows + tile * WIDTH,
                                scratch.columns + shift * WIDTH);
            }
            for (int32_t leaf = own.leaf_start[block]; leaf < own.leaf_start[block + 1]; ++leaf) {
                float *at = here + own.leaf_own[leaf];
                const Vector paid = filled(float(own.leaf_amount[leaf])) * load(scratch.columns + own.leaf_source[leaf]);
                store(at, load(at) + paid);
            }
        }
    }
}

static inline Vector mean_value(const float *table, int count, const float *values) {
    Vector weight = larger(load(table), Vector{}), value = load(values);
    Vector total = weight, weighted = weight * value, plain = value;
    for (int action = 1; action < count; ++action) {
        weight = larger(load(table + WIDTH * action), Vector{});
        value = load(values + WIDTH * action);
        total += weight;
        weighted += weight * value;
        plain += value;
    }
    return where_positive(total, weighted / total, plain * filled(float(1.0 / count)));
}

static inline void pull_values(const Side &side, int64_t board, int64_t level, float *regrets, double upper,
                               double lower, const Scratch &scratch) {
    const int64_t slots = side.slots[level], entries = side.entries[level];
    const int64_t per_tile = (slots - entries) * WIDTH;
    const Vector up = filled(float(upper)), down = filled(float(lower));
    for (int64_t tile = 0; tile < side.tiles[board]; ++tile) {
        float *here = scratch.values + scratch.start[level] + tile * slots * WIDTH;
        float *table = regrets + side.table_start[board] + tile * per_tile;
        for (int64_t k = side.decision_start[level + 1] - 1; k >= side.decision_start[level]; --k) {
            const int count = side.actions[k];
            const int64_t first = side.first[k];
            float *at = table + (first - entries) * WIDTH;
            const float *of = here + first * WIDTH;
            const Vector value = mean_value(at, count, of);
            for (int action = 0; action < count; ++action) {
                const int step = WIDTH * action;
                __builtin_prefetch(at + step + per_tile, 1);
                const Vector regret = load(at + step) + (load(of + step) - value);
                store(at + step, regret * where_positive(regret, up, down));
            }
            float *to = here + int64_t(side.parent[k]) * WIDTH;
            store(to, load(to) + value);
        }
    }
}

static inline void close_board(const Side &side, const Boards &boards, int64_t board, int64_t level, int seat,
                               const Scratch &scratch) {
    if (level == 0) return;
    float *values = scratch.values;
    const int64_t slots = side.slots[level], above_slots = side.slots[level - 1];
    const int32_t *exits = side.exits + side.exit_start[level - 1];
    const double share = boards.weight[board];
    const int64_t base = scratch.start[level], above_base = scratch.start[level - 1];
    const int64_t width = WIDTH * side.tiles[0];
    const int32_t *order = side.order + board * width, *places = side.places + boards.parent[board] * width;
    for (int32_t copy = boards.copy_start[board] + 1; copy < boards.copy_start[board + 1]; ++copy) {
        const int32_t *images = boards.permutations[seat] + int64_t(boards.copies[copy]) * width;
        for (int64_t row = 0; row < WIDTH * side.tiles[board]; ++row) {
            const int64_t image = places[images[order[row]]];
            const float *here = values + base + (row / WIDTH) * slots * WIDTH + row % WIDTH;
            float *above = values + above_base + (image / WIDTH) * above_slots * WIDTH + image % WIDTH;
            for (int32_t entry = 0; entry < side.entries[level]; ++entry)
                above[exits[entry] * WIDTH] += float(share * here[entry * WIDTH]);
        }
    }
    for (int32_t fill = side.fill_start[board]; fill < side.fill_start[board + 1]; ++fill) {
        const int64_t row = side.fill_to[fill], image = side.fill_from[fill];
        float *here = values + base + (row / WIDTH) * slots * WIDTH + row % WIDTH;
        float *above = values + above_base + (image / WIDTH) * above_slots * WIDTH + image % WIDTH;
        for (int32_t entry = 0; entry < side.entries[level]; ++entry) {
            above[exits[entry] * WIDTH] += float(share * here[entry * WIDTH]);
            here[entry * WIDTH] = 0;
        }
    }
    for (int64_t tile = 0; tile < side.tiles[board]; ++tile)
        for (int32_t entry = 0; entry < side.entries[level]; ++entry) {
            float *to = values + above_base + (tile * above_slots + exits[entry]) * WIDTH;
            store(to, load(to) + load(values + base + (tile * slots + entry) * WIDTH) * filled(float(share)));
        }
}

struct Job { double seat, reach, values, upper, lower, decay, recorded; };

static void enter(const Solve &solve, const Job &job, int64_t board, int64_t level, const Scratch &scratch) {
    const int seat = int(job.seat), other = 1 - seat;
    push_reach(*solve.sides[other], board, level, solve.regrets[other], solve.averages[other], job.decay,
               scratch, scratch.ranges[other]);
    pay_leaves(solve, board, level, seat, scratch);
}

static void close(const Solve &solve, const Job &job, int64_t board, int64_t level, const Scratch &scratch) {
    const int seat = int(job.seat);
    pull_values(*solve.sides[seat], board, level, solve.regrets[seat], job.upper, job.lower, scratch);
    close_board(*solve.sides[seat], *solve.boards, board, level, seat, scratch);
}

static void walk_part(const Solve &solve, const Job &job, int64_t part) {
    const Scratch &scratch = *solve.scratch;
    const int64_t size = scratch.start[1], last = solve.part_start[part + 1];
    for (int64_t k = 0; k < size; ++k) scratch.plan[k] = solve.root->plan[k];
    for (int64_t k = 0; k < size; ++k) scratch.values[k] = 0;
    int64_t depth = 1;
    for (int64_t number = solve.part_start[part]; number <= last; ++number) {
        const int64_t level = number < last ? solve.boards->level[number] : 1;
        while (depth > level) {
            --depth;
            close(solve, job, scratch.open[depth], depth, scratch);
        }
        if (number < last) {
            enter(solve, job, number, level, scratch);
            scratch.open[level] = number;
            depth = level + 1;
        }
    }
    for (int64_t k = 0; k < size; ++k) solve.sums[part * size + k] = scratch.values[k];
}

extern "C" void run(const Solve *solve, const Job *jobs, int64_t count) {
    for (int64_t row = 0; row < count; ++row) {
        const Scratch &root = *solve->root;
        enter(*solve, jobs[row], 0, 0, root);
        for (int64_t part = 0; part < solve->parts; ++part) walk_part(*solve, jobs[row], part);
        const int64_t size = root.start[1];
        for (int64_t part = 0; part < solve->parts; ++part)
            for (int64_t k = 0; k < size; ++k) root.values[k] += solve->sums[part * size + k];
        close(*solve, jobs[row], 0, 0, root);
    }
}
