"""Kernels of a model's betting: what a seat may do, what follows, and every sequence, depth-first.

A tree is counted without walking it: states with the same future are one. A layer holds the decisions
after a given number of actions, each state once, with the number of sequences that lead to it. States are
rows, reduced to what the further betting depends on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from doyle.base._numba import Array, kernel

KIND_POT, KIND_LIMIT, KIND_FULL = 0, 1, 2
# The reference server's room for actions in a round, as in `doyle.games.state`.
MAX_ACTIONS_PER_ROUND = 64
NODE_DECISION, NODE_FOLD, NODE_SHOWDOWN = 0, 1, 2

# Columns of a row: a state of the betting (from ROUND on) and an action that a seat takes in it.
ACTION, BET, ROUND, ACTOR, RAISES, CALLED, LEAST, FOLDED, USED, MADE, SPENT = range(11)
# Columns of a decision on the way from the root to where an enumeration is.
NODE, NEXT, WIDTH = range(3)


class Rules(NamedTuple):
    """What the kernel needs of a game and a model; what the model says is by seat.

    kind, raise_cap (-1: none), cap_stops_all_in, all_in, committed_numerator, committed_denominator
    and sizes (how many the seat has) int64[seats]; the six about a size int64[seats, most sizes].
    """

    players: int
    rounds: int
    stacks: Array
    blinds: Array
    big_blind: int
    first_players: Array
    max_raises: Array
    raise_sizes: Array
    kind: Array
    raise_cap: Array
    cap_stops_all_in: Array
    all_in: Array
    committed_numerator: Array
    committed_denominator: Array
    sizes: Array
    numerators: Array
    denominators: Array
    once: Array
    round_masks: Array
    least_raises: Array
    most_raises: Array


class Arrays(NamedTuple):
    """The arrays of a tree, all of one length but `children` (one less) and `spent` [n, players]."""

    kind: Array
    round: Array
    actor: Array
    parent: Array
    action: Array
    child_start: Array
    child_count: Array
    children: Array
    spent: Array
    folded: Array


@kernel
def rounded_fraction(numerator: int, denominator: int, amount: int) -> int:
    """`amount * numerator / denominator` rounded half to even, in exact integers."""
    whole = (amount * numerator) // denominator
    twice = 2 * (amount * numerator - whole * denominator)
    if twice > denominator or (twice == denominator and whole % 2 == 1):
        whole += 1
    return whole


@kernel
def acting_players(rules: Rules, row: Array) -> int:
    """How many seats have neither folded nor put in their whole stack."""
    count = 0
    for seat in range(rules.players):
        if (row[FOLDED] >> seat) & 1 == 0 and row[SPENT + seat] < rules.stacks[seat]:
            count += 1
    return count


@kernel
def next_actor(rules: Rules, row: Array, seat: int) -> int:
    """The first seat from `seat` on, going round, that can still act; -1 if none can."""
    for step in range(rules.players):
        candidate = (seat + step) % rules.players
        if (row[FOLDED] >> candidate) & 1 == 0 and row[SPENT + candidate] < rules.stacks[candidate]:
            return candidate
    return -1


@kernel
def largest(row: Array, players: int) -> int:
    """The most chips any seat has put in."""
    most: int = row[SPENT]
    for seat in range(1, players):
        most = max(most, row[SPENT + seat])
    return most


@kernel
def take(rules: Rules, row: Array) -> int:
    """Apply row's action to row's state in place; return the kind of the node it leads to."""
    seat = row[ACTOR]
    action = row[ACTION]
    row[MADE] += 1
    most = largest(row, rules.players)
    if action == 0:
        row[FOLDED] |= 1 << seat
        standing = 0
        for other in range(rules.players):
            standing += 1 - ((row[FOLDED] >> other) & 1)
        if standing == 1:
            row[ACTOR] = -1
            return NODE_FOLD
    elif action == 1:
        row[SPENT + seat] = min(most, rules.stacks[seat])
        if row[SPENT + seat] < rules.stacks[seat]:
            row[CALLED] += 1
    else:
        row[SPENT + seat] = action
        row[LEAST] = max(row[LEAST], 2 * action - most)
        row[CALLED] = 1 if action < rules.stacks[seat] else 0
        row[RAISES] += 1
        if row[BET] >= 0 and rules.once[seat, row[BET]]:
            row[USED] |= 1 << (seat * rules.once.shape[1] + row[BET])
    acting = acting_players(rules, row)
    if row[CALLED] < acting:
        row[ACTOR] = next_actor(rules, row, seat + 1)
        return NODE_DECISION
    if acting <= 1 or row[ROUND] + 1 == rules.rounds:
        row[ACTOR] = -1
        return NODE_SHOWDOWN
    row[ROUND] += 1
    row[RAISES] = 0
    row[CALLED] = 0
    row[MADE] = 0
    row[USED] = 0
    row[LEAST] = largest(row, rules.players) + rules.big_blind
    row[ACTOR] = next_actor(rules, row, rules.first_players[row[ROUND]])
    return NODE_DECISION


@kernel
def allowed_raises(rules: Rules, row: Array, totals: Array, bets: Array) -> int:
    """Write the model's raise-to totals, ascending, and the bet each stands for; return how many.

    Without limit (`full`) nothing is written: the totals are all from the least to the stack.
    """
    seat = row[ACTOR]
    most = largest(row, rules.players)
    stack = rules.stacks[seat]
    raises = row[RAISES]
    if raises >= rules.max_raises[row[ROUND]] or most >= stack or acting_players(rules, row) <= 1:
        return 0
    if row[MADE] + rules.players > MAX_ACTIONS_PER_ROUND:
        return 0
    if rules.kind[seat] == KIND_LIMIT:
        totals[0] = min(most + rules.raise_sizes[row[ROUND]], stack)
        bets[0] = -1
        return 1
    least = min(row[LEAST], stack)
    if rules.kind[seat] == KIND_FULL:
        return int(stack - least + 1)
    capped = rules.raise_cap[seat] >= 0 and raises >= rules.raise_cap[seat]
    count = 0
    if rules.all_in[seat] and not (capped and rules.cap_stops_all_in[seat]):
        totals[0] = stack
        bets[0] = -1
        count = 1
    if capped:
        return count
    pot = most - row[SPENT + seat]
    for other in range(rules.players):
        pot += row[SPENT + other]
    once = rules.once[seat]
    for bet in range(rules.sizes[seat]):
        if (rules.round_masks[seat, bet] >> row[ROUND]) & 1 == 0:
            continue
        if raises < rules.least_raises[seat, bet] or raises > rules.most_raises[seat, bet]:
            continue
        if once[bet] and (row[ROUND] == 0 or (row[USED] >> (seat * once.size + bet)) & 1 == 1):
            continue
        share = rounded_fraction(rules.numerators[seat, bet], rules.denominators[seat, bet], pot)
        total = most + share
        if total * rules.committed_denominator[seat] > rules.committed_numerator[seat] * stack:
            continue
        total = min(total, stack)
        if total < least:
            continue
        count = insert(totals, bets, count, total, bet, once)
    return count


@kernel
def insert(totals: Array, bets: Array, count: int, total: int, bet: int, once: Array) -> int:
    """Keep `totals` ascending without duplicates; an unrestricted bet takes a duplicate's place."""
    place = count
    while place > 0 and totals[place - 1] > total:
        place -= 1
    if place > 0 and totals[place - 1] == total:
        if bets[place - 1] >= 0 and once[bets[place - 1]] and not once[bet]:
            bets[place - 1] = bet
        return count
    for i in range(count, place, -1):
        totals[i] = totals[i - 1]
        bets[i] = bets[i - 1]
    totals[place] = total
    bets[place] = bet
    return count + 1


@kernel
def begin(rules: Rules, row: Array) -> None:
    """Fill `row` (zeros) with the state in which the blinds are posted."""
    row[LEAST] = rules.blinds.max() + rules.big_blind
    for seat in range(rules.players):
        row[SPENT + seat] = rules.blinds[seat]
    row[ACTOR] = next_actor(rules, row, rules.first_players[0])


@kernel
def can_fold(rules: Rules, row: Array) -> int:
    """1 if the seat to act owes chips, else 0."""
    return 1 if row[SPENT + row[ACTOR]] < largest(row, rules.players) else 0


@kernel
def choose(rules: Rules, row: Array, slot: int, totals: Array, bets: Array) -> None:
    """Set row's action to number `slot` of its state: fold if that is possible, call, raises."""
    folds = can_fold(rules, row)
    row[BET] = -1
    if slot <= folds:
        row[ACTION] = slot + 1 - folds
        return
    raised = slot - folds - 1
    if rules.kind[row[ACTOR]] == KIND_FULL:
        row[ACTION] = min(row[LEAST], rules.stacks[row[ACTOR]]) + raised
    else:
        row[ACTION] = totals[raised]
        row[BET] = bets[raised]


@kernel
def follow(rules: Rules, row: Array, action: int, totals: Array, bets: Array) -> None:
    """Apply a real action, which the model may not have, to row's state in place."""
    row[ACTION] = action
    row[BET] = -1
    for place in range(allowed_raises(rules, row, totals, bets)):
        if rules.kind[row[ACTOR]] != KIND_FULL and totals[place] == action:
            row[BET] = bets[place]
    take(rules, row)


@kernel
def enumerate_tree(
    rules: Rules,
    root: Array,
    arrays: Arrays,
    path: Array,
    states: Array,
    totals: Array,
    bets: Array,
) -> int:
    """Fill `arrays`; return the number of nodes, one more than `arrays` can hold if there are more.

    `root` is the state of the first node. Work space, zeros, with a row for every action that a
    sequence can have: `path` int64[depth, 3], `states` int64[depth, SPENT + players], `totals` and `bets` int64[depth, raises of a decision].
    """
    capacity = arrays.kind.size
    state = root.copy()
    height = 0
    nodes = 0
    edges = 0
    while nodes < capacity:
        node = nodes
        nodes += 1
        kind = NODE_DECISION if state[ACTOR] >= 0 else NODE_SHOWDOWN
        parent = -1
        slot = 0
        if height > 0:
            kind = take(rules, state)
            parent = path[height - 1, NODE]
            slot = path[height - 1, NEXT] - 1
            arrays.children[arrays.child_start[parent] + slot] = node
        arrays.kind[node] = kind
        arrays.round[node] = state[ROUND]
        arrays.actor[node] = state[ACTOR]
        arrays.parent[node] = parent
        arrays.action[node] = state[ACTION] if parent >= 0 else -1
        arrays.folded[node] = state[FOLDED]
        for seat in range(rules.players):
            arrays.spent[node, seat] = state[SPENT + seat]
        arrays.child_start[node] = edges
        arrays.child_count[node] = 0
        if kind == NODE_DECISION:
            raises = allowed_raises(rules, state, totals[height], bets[height])
            width = can_fold(rules, state) + 1 + raises
            arrays.child_count[node] = width
            edges += width
            states[height] = state
            path[height, NODE] = node
            path[height, NEXT] = 0
            path[height, WIDTH] = width
            height += 1
        while height > 0 and path[height - 1, NEXT] == path[height - 1, WIDTH]:
            height -= 1
        if height == 0:
            return nodes
        state[:] = states[height - 1]
        choose(rules, state, path[height - 1, NEXT], totals[height - 1], bets[height - 1])
        path[height - 1, NEXT] += 1
    return nodes + 1


@kernel
def trace_sequences(
    parent: Array, actor: Array, first_sequence: Array, taken: Array, last: Array
) -> None:
    """Fill `last` int32[n, players] from the root down; `taken` int32[n] starts at zero."""
    last[0] = -1
    for node in range(1, parent.size):
        above = parent[node]
        for seat in range(last.shape[1]):
            last[node, seat] = last[above, seat]
        last[node, actor[above]] = first_sequence[above] + taken[above]
        taken[above] += 1


FULL, DONE = -1, -2
"""What `next_layer` returns without room for another state, and `count_ahead` if it knows enough."""


class Reduction(NamedTuple):
    """What a game's betting never depends on.

    The pot if no seat bets a share of it, chips that cannot run out, actions that always fit.
    """

    pot: int
    chips: int
    actions: int


@kernel
def reduce_state(rules: Rules, reduction: Reduction, row: Array) -> None:
    """Give states that only differ in what no longer matters the same row, in place."""
    row[ACTION] = 0
    row[BET] = 0
    if reduction.actions:
        row[MADE] = 0
    if not reduction.pot:
        return
    # Fixed and free raises depend on the largest total, not on the pot: of each seat it matters
    # whether it has folded, is all-in or owes something.
    most = largest(row, rules.players)
    for seat in range(rules.players):
        if (row[FOLDED] >> seat) & 1:
            row[SPENT + seat] = 0
        elif reduction.chips:
            row[SPENT + seat] = 1 if row[SPENT + seat] == most else 0
        elif row[SPENT + seat] < min(most, rules.stacks[seat]):
            row[SPENT + seat] = min(most, rules.stacks[seat]) - 1
    if rules.kind[0] == KIND_LIMIT:
        row[LEAST] = 0


@kernel
def width_of(rules: Rules, row: Array, totals: Array, bets: Array) -> int:
    """How many actions a decision has."""
    return can_fold(rules, row) + 1 + allowed_raises(rules, row, totals, bets)


@kernel
def count_ahead(
    rules: Rules, layer: Array, counts: Array, buffers: Array, nodes: Array, most_nodes: int
) -> int:
    """Add to `nodes[0]` the children of the decisions that follow this layer; DONE once it is clear
    that there are more than `most_nodes`, and `nodes[0]` is then above that.

    `nodes[1]` counts the actions looked at. `buffers` int64[4, raises of a decision].
    """
    totals, bets, totals_ahead, bets_ahead = buffers[0], buffers[1], buffers[2], buffers[3]
    row = np.empty(layer.shape[1], np.int64)
    further = 0
    for i in range(counts.size):
        state = layer[i]
        width = width_of(rules, state, totals, bets)
        for slot in range(width):
            row[:] = state
            choose(rules, row, slot, totals, bets)
            nodes[1] += 1
            if take(rules, row) != NODE_DECISION:
                continue
            raises = allowed_raises(rules, row, totals_ahead, bets_ahead)
            nodes[0] += counts[i] * (can_fold(rules, row) + 1 + raises)
            # Every raise is answered by a fold or a call at least.
            further += 2 * counts[i] * raises
            if nodes[0] + further > most_nodes:
                nodes[0] += further
                return DONE
    return 0


@kernel
def place_of(rows: Array, slots: Array, row: Array) -> int:
    """Where `row` is, or belongs, in the hash table `slots` of row numbers (-1: free)."""
    mixed = np.uint64(1469598103934665603)
    for column in range(row.size):
        mixed = (mixed ^ np.uint64(row[column])) * np.uint64(1099511628211)
        mixed ^= mixed >> np.uint64(29)
    mask = np.uint64(slots.size - 1)
    place = mixed & mask
    while slots[place] >= 0:
        known = rows[slots[place]]
        column = 0
        while column < row.size and known[column] == row[column]:
            column += 1
        if column == row.size:
            break
        place = (place + np.uint64(1)) & mask
    return int(place)


@kernel
def next_layer(
    rules: Rules,
    reduction: Reduction,
    layer: Array,
    counts: Array,
    buffers: Array,
    following: Array,
    following_counts: Array,
    slots: Array,
) -> int:
    """Fill `following` and its counts (zeros) with the decisions one action on; return how many.

    FULL if there are more than it can hold. `slots` int32[a power of two, more than twice as many],
    all -1.
    """
    totals, bets = buffers[0], buffers[1]
    row = np.empty(layer.shape[1], np.int64)
    size = 0
    for i in range(counts.size):
        state = layer[i]
        width = width_of(rules, state, totals, bets)
        for slot in range(width):
            row[:] = state
            choose(rules, row, slot, totals, bets)
            if take(rules, row) != NODE_DECISION:
                continue
            reduce_state(rules, reduction, row)
            place = place_of(following, slots, row)
            if slots[place] < 0:
                if size == following_counts.size:
                    return FULL
                following[size] = row
                slots[place] = size
                size += 1
            following_counts[slots[place]] += counts[i]
    return size
