// C++ twins of the sampling solvers' loops (src/doyle/solving/_sampling_kernels.py and
// _public_kernels.py): the same tree, deals and boards, the same order of operations, the same
// buffers, all given by the caller.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

enum NodeColumn { KIND, ACTOR, ROUND, FIRST_CHILD, CHILDREN, OFFSET, AMOUNT, NODE_WIDTH = 8 };
enum NodeKind { DECISION, FOLD_LEAF, SHOWDOWN_LEAF };

struct Tree {
    const int32_t *nodes, *children;
    const int64_t *base, *width;
};

// External sampling -------------------------------------------------------------------------------

enum { LANES = 12 };

struct Lane { int64_t turn, node, row, depth, prunes, unused[3]; };
struct Open { int64_t node, action, row, skipped, chosen, unused[3]; };

struct Frames {
    Lane *lanes;
    Open *opened;
    double *values;
    int64_t widest;
};

static inline double next_uniform(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return double((z ^ (z >> 31)) >> 11) * (1.0 / 9007199254740992.0);
}

static inline int draw_action(const float *regret, float *average, int count, uint64_t *state) {
    double total = 0;
    for (int action = 0; action < count; ++action) total += regret[action] > 0 ? regret[action] : 0;
    const double scale = total > 0 ? 1 / total : 0, even = total > 0 ? 0 : 1.0 / count;
    const double threshold = next_uniform(state);
    double cumulative = 0;
    int drawn = 0;
    for (int action = 0; action < count; ++action) {
        const double probability = (regret[action] > 0 ? regret[action] : 0) * scale + even;
        cumulative += probability;
        drawn += threshold >= cumulative;
        average[action] += float(probability);
    }
    return drawn < count - 1 ? drawn : count - 1;
}

static inline double mean_value(const float *regret, int count, const double *values) {
    double total = 0, weighted = 0, plain = 0;
    for (int action = 0; action < count; ++action) {
        const double positive = regret[action] > 0 ? regret[action] : 0;
        total += positive;
        weighted += positive * values[action];
        plain += values[action];
    }
    return total > 0 ? weighted * (1 / total) : plain * (1.0 / count);
}

// From a visited decision to the next one, by way of any leaves; -1 where the traversal ends.
static inline int64_t next_decision(const Tree &t, float *regret, float *average, int number,
                                    int sign, const Frames &f, uint64_t *state, int64_t &visited) {
    Lane &lane = f.lanes[number];
    const int traverser = lane.turn & 1;
    const int32_t *entry = t.nodes + lane.node * NODE_WIDTH;
    int64_t node;
    ++visited;
    if (entry[ACTOR] != traverser) {
        const int action =
            draw_action(regret + lane.row, average + lane.row, entry[CHILDREN], state);
        node = t.children[entry[FIRST_CHILD] + action];
    } else {
        Open &open = f.opened[lane.depth++ * LANES + number];
        open.node = lane.node;
        open.row = lane.row;
        open.action = 0;
        node = t.children[entry[FIRST_CHILD]];
    }
    while (true) {
        entry = t.nodes + node * NODE_WIDTH;
        if (entry[KIND] == DECISION) return node;
        ++visited;
        double value = traverser == 0 ? entry[AMOUNT] : -entry[AMOUNT];
        if (entry[KIND] == SHOWDOWN_LEAF) value *= sign;
        node = -1;
        while (lane.depth > 0) {
            const int64_t frame = (lane.depth - 1) * LANES + number;
            Open &open = f.opened[frame];
            const int32_t *parent = t.nodes + open.node * NODE_WIDTH;
            double *values = f.values + frame * f.widest;
            const int count = parent[CHILDREN];
            values[open.action] = value;
            if (++open.action < count) {
                node = t.children[parent[FIRST_CHILD] + open.action];
                break;
            }
            value = mean_value(regret + open.row, count, values);
            for (int action = 0; action < count; ++action)
                regret[open.row + action] += float(values[action] - value);
            --lane.depth;
        }
        if (node < 0) return node;
    }
}

extern "C" int64_t run_deals(const Tree *tree, const Frames *frames, float *regret, float *average,
                             const int32_t *buckets, const int8_t *signs, int64_t deals,
                             int64_t rounds, uint64_t *state) {
    const Tree &t = *tree;
    int64_t visited = 0, begun = 0, ended = 0;
    for (int number = 0; number < LANES; ++number) frames->lanes[number].node = -1;
    while (ended < 2 * deals)
        for (int number = 0; number < LANES; ++number) {
            Lane &lane = frames->lanes[number];
            if (lane.node >= 0) {
                lane.node = next_decision(t, regret, average, number, signs[lane.turn >> 1],
                                          *frames, state, visited);
                ended += lane.node < 0;
            }
            if (lane.node < 0) {
                if (begun == 2 * deals) continue;
                lane.turn = begun++;
                lane.node = 0;
                lane.depth = 0;
            }
            const int32_t *entry = t.nodes + lane.node * NODE_WIDTH;
            const int64_t level = entry[ROUND], seat = entry[ACTOR];
            const int64_t bucket = buckets[((lane.turn >> 1) * 2 + seat) * rounds + level];
            lane.row = t.base[level] + bucket * t.width[level] + entry[OFFSET];
            const int64_t last = lane.row + entry[CHILDREN] - 1;
            if (seat == (lane.turn & 1)) {
                __builtin_prefetch(regret + lane.row, 1);
                __builtin_prefetch(regret + last, 1);
            } else {
                __builtin_prefetch(regret + lane.row, 0);
                __builtin_prefetch(regret + last, 0);
                __builtin_prefetch(average + lane.row, 1);
                __builtin_prefetch(average + last, 1);
            }
        }
    return visited;
}

// Public chance sampling --------------------------------------------------------------------------

struct Hands {
    const uint8_t *cards;
    const int32_t *group_end, *present, *counts, *local;
    int64_t hands, groups;
};

enum { AHEAD = 16 };

struct PublicFrames {
    int32_t *node, *child, *source;
    float *reach, *value, *sigma, *gain, *card_sum, *total;
    bool *summed;
    float *running, *result;
    int64_t widest, cards;
};

// The entries of a bucket that comes up soon.
static inline int64_t row_ahead(const Tree &t, const int32_t *entry, const Hands &h, int64_t place) {
    const int level = entry[ROUND];
    const int64_t last = h.counts[level] - 1, ahead = place + AHEAD < last ? place + AHEAD : last;
    const int64_t bucket = h.present[level * h.hands + ahead];
    return t.base[level] + entry[OFFSET] + bucket * t.width[level];
}

static void open_decision(const Tree &t, const float *regret, int node, int depth, const Hands &h,
                          const PublicFrames &f) {
    const int32_t *entry = t.nodes + int64_t(node) * NODE_WIDTH;
    const int level = entry[ROUND], count = entry[CHILDREN];
    f.node[depth] = node;
    f.child[depth] = -1;
    for (int64_t place = 0; place < h.counts[level]; ++place) {
        __builtin_prefetch(regret + row_ahead(t, entry, h, place), 0);
        const int64_t bucket = h.present[level * h.hands + place];
        const float *row = regret + t.base[level] + entry[OFFSET] + bucket * t.width[level];
        float *sigma = f.sigma + (depth * h.hands + place) * f.widest;
        float *gain = f.gain + (depth * h.hands + place) * f.widest;
        float total = 0;
        for (int action = 0; action < count; ++action) {
            const float value = row[action] > 0 ? row[action] : 0;
            sigma[action] = value;
            gain[action] = 0;
            total += value;
        }
        const float scale = 1 / (total > 0 ? total : 1);
        const float even = total > 0 ? 0 : 1 / float(count);
        for (int action = 0; action < count; ++action) sigma[action] = sigma[action] * scale + even;
    }
    for (int64_t hand = 0; hand < h.hands; ++hand) f.value[depth * h.hands + hand] = 0;
}

static bool push_reach(const Tree &t, int node, int action, int depth, const Hands &h,
                       const PublicFrames &f) {
    const int64_t level = t.nodes[int64_t(node) * NODE_WIDTH + ROUND];
    const float *above = f.reach + f.source[depth] * h.hands;
    float *below = f.reach + (depth + 1) * h.hands;
    float *sigma = f.sigma + depth * h.hands * f.widest + action;
    float *gain = f.gain + depth * h.hands * f.widest + action;
    const int32_t *local = h.local + level * h.hands;
    f.source[depth + 1] = depth + 1;
    f.summed[depth + 1] = false;
    float largest = 0;
    for (int64_t hand = 0; hand < h.hands; ++hand) {
        const float weight = above[hand] * sigma[local[hand] * f.widest];
        below[hand] = weight;
        gain[local[hand] * f.widest] += weight;
        largest = weight > largest ? weight : largest;
    }
    return largest > 0;
}

static void take_value(const Tree &t, int node, int action, int depth, bool opponent_acts,
                       const Hands &h, const PublicFrames &f) {
    float *value = f.value + depth * h.hands;
    if (opponent_acts) {
        for (int64_t hand = 0; hand < h.hands; ++hand) value[hand] += f.result[hand];
        return;
    }
    const int64_t level = t.nodes[int64_t(node) * NODE_WIDTH + ROUND];
    const float *sigma = f.sigma + depth * h.hands * f.widest + action;
    float *gain = f.gain + depth * h.hands * f.widest + action;
    const int32_t *local = h.local + level * h.hands;
    for (int64_t hand = 0; hand < h.hands; ++hand) {
        value[hand] += sigma[local[hand] * f.widest] * f.result[hand];
        gain[local[hand] * f.widest] += f.result[hand];
    }
}

static void close_decision(const Tree &t, float *regret, float *average, int node, int depth,
                           bool opponent_acts, const Hands &h, const PublicFrames &f, float scale) {
    const int32_t *entry = t.nodes + int64_t(node) * NODE_WIDTH;
    const int level = entry[ROUND], count = entry[CHILDREN];
    for (int64_t place = 0; place < h.counts[level]; ++place) {
        __builtin_prefetch((opponent_acts ? average : regret) + row_ahead(t, entry, h, place), 1);
        const int64_t bucket = h.present[level * h.hands + place];
        const int64_t row = t.base[level] + entry[OFFSET] + bucket * t.width[level];
        const float *sigma = f.sigma + (depth * h.hands + place) * f.widest;
        const float *gain = f.gain + (depth * h.hands + place) * f.widest;
        if (opponent_acts) {
            for (int action = 0; action < count; ++action) average[row + action] += scale * gain[action];
            continue;
        }
        float mean = 0;
        for (int action = 0; action < count; ++action) mean += sigma[action] * gain[action];
        for (int action = 0; action < count; ++action)
            regret[row + action] += scale * (gain[action] - mean);
    }
    for (int64_t hand = 0; hand < h.hands; ++hand) f.result[hand] = f.value[depth * h.hands + hand];
}

static void leaf_values(const Tree &t, int node, int depth, int traverser, const Hands &h,
                        const PublicFrames &f) {
    const int32_t *entry = t.nodes + int64_t(node) * NODE_WIDTH;
    const int64_t source = f.source[depth];
    const float *__restrict reach = f.reach + source * h.hands;
    float *__restrict sums = f.card_sum + source * f.cards;
    float *__restrict out = f.result;
    const uint8_t *__restrict cards = h.cards;
    if (!f.summed[source]) {
        float total = 0;
        for (int64_t card = 0; card < f.cards; ++card) sums[card] = 0;
        for (int64_t hand = 0; hand < h.hands; ++hand) {
            total += reach[hand];
            sums[cards[2 * hand]] += reach[hand];
            sums[cards[2 * hand + 1]] += reach[hand];
        }
        f.total[source] = total;
        f.summed[source] = true;
    }
    const float total = f.total[source], amount = float(entry[AMOUNT]);
    if (entry[KIND] == FOLD_LEAF) {
        const float scale = traverser == 0 ? amount : -amount;
        for (int64_t hand = 0; hand < h.hands; ++hand) {
            const float shared = sums[cards[2 * hand]] + sums[cards[2 * hand + 1]];
            out[hand] = scale * (total - shared + reach[hand]);
        }
        return;
    }
    float *__restrict running = f.running;
    for (int64_t card = 0; card < f.cards; ++card) running[card] = 0.5f * sums[card];
    float passed = -0.5f * total;
    int64_t begin = 0;
    for (int64_t group = 0; group < h.groups; ++group) {
        const int64_t end = h.group_end[group];
        for (int64_t hand = begin; hand < end; ++hand)
            out[hand] = passed + (running[cards[2 * hand]] + running[cards[2 * hand + 1]]);
        for (int64_t hand = begin; hand < end; ++hand) {
            passed += reach[hand];
            running[cards[2 * hand]] -= reach[hand];
            running[cards[2 * hand + 1]] -= reach[hand];
        }
        for (int64_t hand = begin; hand < end; ++hand) {
            const float apart = running[cards[2 * hand]] + running[cards[2 * hand + 1]];
            out[hand] = amount * (out[hand] + (passed + apart));
        }
        begin = end;
    }
}

extern "C" void run_board(const Tree *tree, const Hands *hands, const PublicFrames *frames,
                          float *regret, float *average, int64_t traverser, double weight) {
    const Tree &t = *tree;
    const Hands &h = *hands;
    const PublicFrames &f = *frames;
    for (int64_t hand = 0; hand < h.hands; ++hand) f.reach[hand] = 1;
    f.source[0] = 0;
    f.summed[0] = false;
    int depth = 0, node = 0;
    bool reached = true;
    while (true) {
        if (!reached) {
            for (int64_t hand = 0; hand < h.hands; ++hand) f.result[hand] = 0;
        } else if (t.nodes[int64_t(node) * NODE_WIDTH + KIND] == DECISION) {
            open_decision(t, regret, node, depth++, h, f);
        } else {
            leaf_values(t, node, depth, int(traverser), h, f);
        }
        bool descends = false;
        while (depth > 0 && !descends) {
            const int parent = f.node[depth - 1];
            const int32_t *entry = t.nodes + int64_t(parent) * NODE_WIDTH;
            const bool opponent_acts = entry[ACTOR] != traverser;
            if (f.child[depth - 1] >= 0)
                take_value(t, parent, f.child[depth - 1], depth - 1, opponent_acts, h, f);
            const int action = ++f.child[depth - 1];
            if (action < entry[CHILDREN]) {
                node = t.children[entry[FIRST_CHILD] + action];
                reached = true;
                f.source[depth] = f.source[depth - 1];
                if (opponent_acts) reached = push_reach(t, parent, action, depth - 1, h, f);
                descends = true;
            } else {
                close_decision(t, regret, average, parent, depth - 1, opponent_acts, h, f, float(weight));
                --depth;
            }
        }
        if (!descends) return;
    }
}

// Two cores -----------------------------------------------------------------------------------------

// Nanoseconds until a core has what another has just written.
extern "C" double passing_time(int64_t rounds) {
    alignas(128) static std::atomic<int64_t> ball;
    ball = 0;
    const auto play = [rounds](int64_t first) {
        for (int64_t number = first; number < 2 * rounds; number += 2) {
            while (ball.load(std::memory_order_acquire) != number) {}
            ball.store(number + 1, std::memory_order_release);
        }
    };
    const auto start = std::chrono::steady_clock::now();
    std::thread other(play, 1);
    play(0);
    other.join();
    const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - start;
    return passed.count() / double(2 * rounds);
}
