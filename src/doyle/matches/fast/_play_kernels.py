"""Compiled play: dealt hands walked along a plan of real histories, without Python objects.

A hand is played as `StrategyAgent.act` and `doyle.strategy.translation.walk` play it, number by number: weights
are added in the same order, branches without weight are dropped, and dice come from the same
generators, so that every action is the same. Rows of tables are normalised as `TableStrategy`,
`Thresholded` and `Purified` do it. Case-based agents draw a letter from the answer to the hand.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from doyle.base._numba import kernel
from doyle.matches.fast._dice_kernels import first_word, uniform

Array: TypeAlias = NDArray[Any]

MOST_SEATS = 3
"""Columns that a plan has for the players of a hand; with fewer players the last are not used."""

# Columns of `Plan.nodes`, and the kinds of nodes.
KIND, ACTOR, STREAM, BOARD_ROUND, FIRST_EDGE, EDGES, FIRST_BRANCH, FACTS, SLOTS = range(9)
NODE_WIDTH = SLOTS + MOST_SEATS  # SLOTS: branches of the player in each seat
OVER, BY_TABLE, BY_SCRIPT, BY_VALUE, BY_CASES, ASK = range(6)

# At a node of a case-based agent: where the answers of its hands begin, and the edge of each letter.
FIRST_ANSWER, FIRST_LETTER = FIRST_BRANCH, FACTS

# Columns of `Plan.edges`.
ACTION, CHILD, NEXT_EDGE, STEPS = range(4)
EDGE_WIDTH = STEPS + MOST_SEATS  # STEPS: where those of the player in each seat begin

# Columns of `Plan.branches`.
ROUND, COLUMN, COUNT, FIRST_CHOICE, IN_TWO_SIZES = range(5)
BRANCH_WIDTH = 5

# Columns of `Plan.facts`, for players that value actions.
POT, TO_CALL, LARGEST, LEAST_RAISE, MOST_RAISE, CAN_FOLD, OPPONENTS = range(7)
FACT_WIDTH = 7

# Columns of `Plan.choices`.
EDGE, ACTION_KIND = range(2)
CALL_KIND = 0

AS_IT_IS, PURIFIED, THRESHOLDED = range(3)

NONE_REMOVED = -1.0
"""Minimum action probability that removes no action."""

FOLD, CALL = 0, 1
MOST_ROUNDS = 4
UNKNOWN = -1
"""Marks a hand that reached an action or an answer that the plan does not contain yet."""


class PlanArrays(NamedTuple):
    """The plan as far as it has grown; rows from `node_count` and `edge_count` on are not read.

    nodes int32[n, 11], edges int64[e, 6], branches int32[b, 5], choices int32[c, 2]: the edge of each action
    of a branch, or of each letter, counted from the node's first, and what kind of action it is, counted at the
    node. offsets int32: for each branch of a node, where its steps begin, and one more. steps int32[s, 2]: column
    of the strategy's row (below 0: waits) and branch after it; shares float64[s]. facts int64[f, 7].

    By seat, of case-based agents: answers int32[a] is the row of `letters` float64[r, letters] that answers a
    hand; those below 0, or from `letter_rows` int64[seats] on, are not known yet.
    """

    nodes: Array
    edges: Array
    branches: Array
    choices: Array
    offsets: Array
    steps: Array
    shares: Array
    facts: Array
    answers: tuple[Array, ...]
    letters: tuple[Array, ...]
    letter_rows: Array
    node_count: int
    edge_count: int
    most_branches: int
    most_actions: int


class SeatArrays(NamedTuple):
    """The arrays of the seats for a block of deals, besides the plan.

    tables: float32[buckets, columns] of seat 0 in four rounds, then of seat 1, ... reading int64[seats] is one
    of `AS_IT_IS`, `PURIFIED`, `THRESHOLDED`, by `thresholds` float64[seats]. least float64[seats]: the
    probability below which actions are pseudo-dominated, or `NONE_REMOVED`. buckets int32[deals, seats, rounds],
    equities float64[deals, seats, rounds], keys uint32[seats, deals, 8]. good uint8[deals, seats, rounds]: with
    an action in two sizes, which of them the hand makes.
    """

    tables: tuple[Array, ...]
    reading: Array
    thresholds: Array
    least: Array
    buckets: Array
    equities: Array
    keys: Array
    good: Array


@kernel
def total_of(row: Array, count: int) -> Any:
    """The sum of row[:count] in the order in which NumPy adds a short row."""
    if count < 8:
        total = 0.0
        for column in range(count):
            total += row[column]
        return total
    a, b, c, d = row[0], row[1], row[2], row[3]
    e, f, g, h = row[4], row[5], row[6], row[7]
    whole = count - count % 8
    for start in range(8, whole, 8):
        a += row[start]
        b += row[start + 1]
        c += row[start + 2]
        d += row[start + 3]
        e += row[start + 4]
        f += row[start + 5]
        g += row[start + 6]
        h += row[start + 7]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for column in range(whole, count):
        total += row[column]
    return total


@kernel
def read_row(
    table: Array, bucket: int, start: int, count: int, reading: int, threshold: float, out: Array
) -> None:
    """Write the probabilities of `count` actions into out, as the strategy's view reports them."""
    for column in range(count):
        out[column] = np.float64(table[np.uint64(bucket), np.uint64(start + column)])
    total = total_of(out, count)
    for column in range(count):
        out[column] = out[column] / total if total > 0 else 1.0 / count
    if reading == AS_IT_IS:
        return
    largest = out[0]
    for column in range(1, count):
        largest = max(largest, out[column])
    if reading == THRESHOLDED and largest >= threshold:
        for column in range(count):
            if out[column] < threshold:
                out[column] = 0.0
        total = total_of(out, count)
        for column in range(count):
            out[column] /= total
        return
    best = 0
    for column in range(count):
        best += out[column] == largest
    for column in range(count):
        out[column] = 1.0 / best if out[column] == largest else 0.0


@kernel
def best_by_value(facts: Array, row: int, equity: float) -> Any:
    """The action of `ev` with an equity against one hand, as `agents.expected_value.best_action` has it."""
    chance = equity ** np.float64(facts[row, OPPONENTS])
    pot, cost = np.float64(facts[row, POT]), np.float64(facts[row, TO_CALL])
    called = pot + cost
    best, value = (FOLD, 0.0) if facts[row, CAN_FOLD] else (CALL, chance * pot)
    worth = chance * called - cost
    if worth > value:
        best, value = CALL, worth
    most = facts[row, MOST_RAISE]
    if most == 0:
        return best
    largest = np.float64(facts[row, LARGEST])
    wanted = np.float64(most)
    if chance <= 0.5:
        wanted = min(largest, wanted)
    elif chance < 1:
        wanted = min(largest + (called / np.sqrt(2 * (1 - chance)) - called), wanted)
    size = max(np.int64(facts[row, LEAST_RAISE]), np.int64(np.rint(wanted)))
    added = size - largest
    folds = added / (called + added)
    worth = max(0.0, chance - folds) * (called + 2 * added) - cost
    return size if worth > value else best


@kernel
def play_hands(
    plan: PlanArrays, seats: SeatArrays, hands: Array, ends: Array, stops: Array
) -> None:
    """Play the deals hands int64[h]; writes ends int32[deals] and stops int64[deals, 2] of these.

    ends is the node where the hand is over, or needs a decision outside the kernel; or UNKNOWN,
    with the node in stops, and the action, or -1 - bucket if the answer to a bucket is not known.
    """
    players = seats.buckets.shape[1]
    width = max(plan.most_branches, 1)
    actions = max(plan.most_actions, 1)
    # By seat: how many branches have weight, which they are in order, and their weights.
    count = np.zeros(players, np.int64)
    order = np.zeros((players, width), np.int64)
    weight = np.zeros((players, width), np.float64)
    rows = np.zeros((width, actions), np.float64)
    joint = np.zeros(actions, np.float64)
    new_order = np.zeros(width, np.int64)
    new_weight = np.zeros(width, np.float64)
    place_of = np.zeros(width, np.int64)
    entropy, pool, seeds = np.empty(10, np.uint32), np.empty(4, np.uint32), np.empty(4, np.uint64)
    for index in range(len(hands)):
        deal = hands[index]
        node = 0
        for seat in range(players):
            count[seat], order[seat, 0], weight[seat, 0] = 1, 0, 1.0
        while True:
            kind = plan.nodes[node, KIND]
            if kind in (OVER, ASK):
                ends[deal] = node
                break
            seat = plan.nodes[node, ACTOR]
            edge = np.int64(plan.nodes[node, FIRST_EDGE])
            if kind == BY_TABLE:
                edge = drawn_edge(
                    plan, seats, node, deal, seat, count[seat], order[seat], weight[seat],
                    rows, joint, entropy, pool, seeds,
                )  # fmt: skip
            elif kind == BY_VALUE:
                facts = plan.nodes[node, FACTS]
                equity = seats.equities[deal, seat, plan.nodes[node, BOARD_ROUND]]
                action = best_by_value(plan.facts, facts, equity)
                while 0 <= edge < plan.edge_count and plan.edges[edge, ACTION] != action:
                    edge = np.int64(plan.edges[edge, NEXT_EDGE])
                if edge < 0 or edge >= plan.edge_count:
                    ends[deal], stops[deal, 0], stops[deal, 1] = UNKNOWN, node, action
                    break
            elif kind == BY_CASES:
                bucket = seats.buckets[deal, seat, plan.nodes[node, BOARD_ROUND]]
                place = plan.nodes[node, FIRST_ANSWER] + bucket
                answers = plan.answers[seat]
                answer = answers[place] if place < len(answers) else np.int32(-1)
                if answer < 0 or answer >= plan.letter_rows[seat]:
                    ends[deal], stops[deal, 0], stops[deal, 1] = UNKNOWN, node, -1 - bucket
                    break
                letter = drawn_letter(
                    plan.letters[seat][answer], seats.keys[seat, deal], seat,
                    plan.nodes[node, STREAM], entropy, pool, seeds,
                )  # fmt: skip
                edge += plan.choices[plan.nodes[node, FIRST_LETTER] + letter, EDGE]
            child = plan.edges[edge, CHILD]
            if child < 0 or child >= plan.node_count:
                ends[deal], stops[deal, 0] = UNKNOWN, node
                stops[deal, 1] = plan.edges[edge, ACTION]
                break
            for other in range(players):
                offset = plan.edges[edge, STEPS + other]
                if offset >= 0:
                    for place in range(plan.nodes[child, SLOTS + other]):
                        place_of[place] = -1
                    count[other] = carried(
                        plan, offset, other == seat, count[other], order[other], weight[other],
                        rows, place_of, new_order, new_weight,
                    )  # fmt: skip
            node = child


@kernel
def drawn_edge(
    plan: PlanArrays,
    seats: SeatArrays,
    node: int,
    deal: int,
    seat: int,
    count: int,
    order: Array,
    weight: Array,
    rows: Array,
    joint: Array,
    entropy: Array,
    pool: Array,
    seeds: Array,
) -> Any:
    """The edge that a strategy draws at a node; rows float64[branches, actions] is kept for `carried`."""
    first, edge_count = plan.nodes[node, FIRST_EDGE], plan.nodes[node, EDGES]
    for place in range(count):
        branch = plan.nodes[node, FIRST_BRANCH] + order[place]
        round_, columns = plan.branches[branch, ROUND], plan.branches[branch, COUNT]
        if round_ < 0:
            continue
        read_row(
            seats.tables[seat * MOST_ROUNDS + round_],
            seats.buckets[deal, seat, round_],
            plan.branches[branch, COLUMN],
            columns,
            seats.reading[seat],
            seats.thresholds[seat],
            rows[place],
        )
        if plan.branches[branch, IN_TWO_SIZES]:  # as good hands bet, then as the others do
            good = seats.good[deal, seat, round_]
            for column in range(columns):
                rows[place, columns + column] = 0.0 if good else rows[place, column]
                if not good:
                    rows[place, column] = 0.0
    if seats.least[seat] >= 0:
        remove_dominated(plan, node, seats.least[seat], count, order, weight, rows, joint)
    for edge in range(edge_count):
        joint[edge] = 0.0
    for place in range(count):
        branch = plan.nodes[node, FIRST_BRANCH] + order[place]
        columns, choice = plan.branches[branch, COUNT], plan.branches[branch, FIRST_CHOICE]
        if plan.branches[branch, ROUND] < 0:  # the branch waits for the real game
            joint[plan.choices[choice, EDGE]] += weight[place]
            continue
        if plan.branches[branch, IN_TWO_SIZES]:
            columns *= 2
        for column in range(columns):
            joint[plan.choices[choice + column, EDGE]] += weight[place] * rows[place, column]
    possible, last, total = 0, -1, 0.0
    for edge in range(edge_count):
        if joint[edge] > 0:
            possible += 1
            last = edge
            total += joint[edge]
    if possible == 0:  # zero reach: a call
        for edge in range(edge_count):
            if plan.edges[first + edge, ACTION] == CALL:
                return np.int64(first + edge)
    if possible > 1:
        word = first_word(
            seats.keys[seat, deal], seat, plan.nodes[node, STREAM], entropy, pool, seeds
        )
        left = uniform(word) * total
        for edge in range(edge_count):
            if joint[edge] > 0:
                left -= joint[edge]
                if left < 0:
                    return np.int64(first + edge)
    return np.int64(first + last)


@kernel
def drawn_letter(
    row: Array, key: Array, seat: int, stream: int, entropy: Array, pool: Array, seeds: Array
) -> Any:
    """The letter that a case-based agent draws from the probabilities row float64[letters]."""
    possible, last, total = 0, -1, 0.0
    for letter in range(len(row)):
        if row[letter] > 0:
            possible += 1
            last = letter
            total += row[letter]
    if possible > 1:
        left = uniform(first_word(key, seat, stream, entropy, pool, seeds)) * total
        for letter in range(len(row)):
            if row[letter] > 0:
                left -= row[letter]
                if left < 0:
                    return letter
    return last


@kernel
def remove_dominated(
    plan: PlanArrays,
    node: int,
    least: float,
    count: int,
    order: Array,
    weight: Array,
    rows: Array,
    removed: Array,
) -> None:
    """Set actions that some branch takes with less than `least` to 0; an empty row calls.

    `removed` float64[actions] is written over: by kind of action, 1 if it is removed.
    """
    total = 0.0
    for place in range(count):
        total += weight[place]
    for kind in range(len(removed)):
        removed[kind] = 0.0
    first = plan.nodes[node, FIRST_BRANCH]
    for place in range(count):
        branch = first + order[place]
        choice = plan.branches[branch, FIRST_CHOICE]
        if plan.branches[branch, ROUND] < 0 or not weight[place] > least * total:
            continue
        for column in range(plan.branches[branch, COUNT]):
            if rows[place, column] < least:
                removed[plan.choices[choice + column, ACTION_KIND]] = 1.0
    for place in range(count):
        branch = first + order[place]
        choice, columns = plan.branches[branch, FIRST_CHOICE], plan.branches[branch, COUNT]
        if plan.branches[branch, ROUND] < 0:
            continue
        for column in range(columns):
            if removed[plan.choices[choice + column, ACTION_KIND]] > 0:
                rows[place, column] = 0.0
        left = total_of(rows[place], columns)
        for column in range(columns):
            if left > 0:
                rows[place, column] /= left
            else:
                kind = plan.choices[choice + column, ACTION_KIND]
                rows[place, column] = 1.0 if kind == CALL_KIND else 0.0


@kernel
def carried(
    plan: PlanArrays,
    offset: int,
    own: bool,
    count: int,
    order: Array,
    weight: Array,
    rows: Array,
    place_of: Array,
    new_order: Array,
    new_weight: Array,
) -> Any:
    """Carry a player's weights over an edge, in place; returns how many branches have weight then."""
    reached = 0
    for place in range(count):
        source = order[place]
        for step in range(plan.offsets[offset + source], plan.offsets[offset + source + 1]):
            part, share = weight[place], plan.shares[step]
            if own:
                column = plan.steps[step, 0]
                if column >= 0:
                    part *= rows[place, column]
            if share != 1.0:
                part *= share
            if own and not part > 0:
                continue
            target = plan.steps[step, 1]
            if place_of[target] < 0:
                place_of[target] = reached
                new_order[reached], new_weight[reached] = target, part
                reached += 1
            else:
                new_weight[place_of[target]] += part
    for place in range(reached):
        order[place], weight[place] = new_order[place], new_weight[place]
    return reached
