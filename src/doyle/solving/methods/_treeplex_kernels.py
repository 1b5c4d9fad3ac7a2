"""Compiled loops over a treeplex: pushing plans down, pulling values up, evaluating leaves.

A plan is a flat vector: entry 0 is the empty sequence; a decision with S states and A actions owns
the A*S entries from `base`, action by action. Index arrays are unsigned, as compiled indexing likes.
Decisions come in depth-first order, so a forward loop sees parents first, a backward loop last.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from doyle.base._numba import kernel

Array: TypeAlias = np.ndarray
Index: TypeAlias = int | np.uint64

ZERO = np.uint64(0)
ONE = np.uint64(1)
LANES = np.uint64(64)
IDENTITY = np.uint64(0xFFFFFFFF)


class Treeplex(NamedTuple):
    """One seat's decisions: sizes, where their entries and their parent's entries start.

    `up` is where, in `ancestors`, the map from this decision's states to the parent sequence's
    states starts; IDENTITY when both are of one round.
    """

    states: Array
    actions: Array
    base: Array
    parent: Array
    up: Array
    ancestors: Array


class Leaves(NamedTuple):
    """Leaves as one seat sees them, in groups that share a matrix and the rounds of sequences.

    `own` and `other` are where each leaf's sequences start in the two plans; `amount` is signed
    for this seat. Group g has leaves group[g]:group[g+1] and blocks block[g]:block[g+1].
    """

    own: Array
    other: Array
    amount: Array
    group: Array
    own_up: Array
    other_up: Array
    block: Array
    row: Array
    rows: Array
    column: Array
    columns: Array
    value: Array
    values: Array
    own_ancestors: Array
    other_ancestors: Array


@kernel
def realise(treeplex: Treeplex, behaviour: Array, plan: Array) -> None:
    """Fill plan[n] with the product of behaviour[n] along each sequence."""
    plan[ZERO] = 1.0
    for k in range(np.uint64(treeplex.states.size)):
        states = np.uint64(treeplex.states[k])
        base = treeplex.base[k]
        parent = treeplex.parent[k]
        up = treeplex.up[k]
        if up == IDENTITY:
            for a in range(np.uint64(treeplex.actions[k])):
                at = base + a * states
                for s in range(states):
                    plan[at + s] = plan[parent + s] * behaviour[at + s]
        else:
            for a in range(np.uint64(treeplex.actions[k])):
                at = base + a * states
                for s in range(states):
                    above = parent + np.uint64(treeplex.ancestors[up + s])
                    plan[at + s] = plan[above] * behaviour[at + s]


@kernel
def accumulate(plan: Array, weight: float, total: Array) -> None:
    """total[n] += weight * plan[n], in place."""
    for i in range(np.uint64(plan.size)):
        total[i] += weight * plan[i]


@kernel
def behave(treeplex: Treeplex, plan: Array, behaviour: Array) -> None:
    """Fill behaviour[n] from plan[n]; uniform where a sequence has no weight."""
    for k in range(np.uint64(treeplex.states.size)):
        states = np.uint64(treeplex.states[k])
        actions = np.uint64(treeplex.actions[k])
        base = treeplex.base[k]
        for s in range(states):
            total = 0.0
            for a in range(actions):
                total += plan[base + a * states + s]
            for a in range(actions):
                at = base + a * states + s
                behaviour[at] = plan[at] / total if total > 0.0 else 1.0 / actions


@kernel
def evaluate_leaves(
    leaves: Leaves, plan: Array, gradient: Array, columns: Array, sums: Array
) -> None:
    """Add each leaf's value against `plan` to gradient[n] at this seat's last sequence there.

    Buffers: columns[largest block, LANES], sums[LANES].
    """
    for g in range(np.uint64(leaves.own_up.size)):
        for b in range(leaves.block[g], leaves.block[g + ONE]):
            first = leaves.group[g]
            end = leaves.group[g + ONE]
            while first < end:
                count = min(LANES, end - first)
                _gather(leaves, plan, g, b, first, count, columns)
                _multiply(leaves, gradient, g, b, first, count, columns, sums)
                first += count


@kernel
def _gather(
    leaves: Leaves,
    plan: Array,
    g: Index,
    b: Index,
    first: Index,
    count: Index,
    columns: Array,
) -> None:
    """columns[j, lane] = amount * plan of the other seat's state j at the lane's leaf."""
    column = np.uint64(leaves.column[b])
    up = leaves.other_up[g]
    for j in range(np.uint64(leaves.columns[b])):
        state = column + j
        if up != IDENTITY:
            state = np.uint64(leaves.other_ancestors[up + state])
        for lane in range(count):
            leaf = first + lane
            columns[j, lane] = leaves.amount[leaf] * plan[leaves.other[leaf] + state]


@kernel
def _multiply(
    leaves: Leaves,
    gradient: Array,
    g: Index,
    b: Index,
    first: Index,
    count: Index,
    columns: Array,
    sums: Array,
) -> None:
    """Multiply the gathered columns by block b and scatter the rows into the gradient."""
    row = np.uint64(leaves.row[b])
    width = np.uint64(leaves.columns[b])
    up = leaves.own_up[g]
    at = leaves.value[b]
    for i in range(np.uint64(leaves.rows[b])):
        state = row + i
        if up != IDENTITY:
            state = np.uint64(leaves.own_ancestors[up + state])
        for lane in range(count):
            sums[lane] = 0.0
        for j in range(width):
            factor = leaves.values[at + i * width + j]
            if factor != 0.0:
                for lane in range(count):
                    sums[lane] += factor * columns[j, lane]
        for lane in range(count):
            gradient[leaves.own[first + lane] + state] += sums[lane]


@kernel
def gather_rows(other: Array, amount: Array, states: Array, plan: Array, rows: Array) -> None:
    """rows[leaf, j] = amount[leaf] * plan[other[leaf] + states[j]]."""
    for leaf in range(np.uint64(other.size)):
        start, scale = other[leaf], amount[leaf]
        for j in range(np.uint64(states.size)):
            rows[leaf, j] = scale * plan[start + np.uint64(states[j])]


@kernel
def scatter_rows(own: Array, states: Array, rows: Array, gradient: Array) -> None:
    """gradient[own[leaf] + states[i]] += rows[leaf, i], in place."""
    for leaf in range(np.uint64(own.size)):
        start = own[leaf]
        for i in range(np.uint64(states.size)):
            gradient[start + np.uint64(states[i])] += rows[leaf, i]


@kernel
def mix(old: Array, new: Array, step: float, result: Array) -> None:
    """result[n] = (1 - step) * old[n] + step * new[n]."""
    kept = 1.0 - step
    for i in range(np.uint64(old.size)):
        result[i] = kept * old[i] + step * new[i]


@kernel
def lift(treeplex: Treeplex, k: Index, value: Array, gradient: Array) -> None:
    """Add value[s], the worth of decision k in state s, to the sequence that leads to it."""
    parent = treeplex.parent[k]
    up = treeplex.up[k]
    states = np.uint64(treeplex.states[k])
    if up == IDENTITY:
        for s in range(states):
            gradient[parent + s] += value[s]
    else:
        for s in range(states):
            gradient[parent + np.uint64(treeplex.ancestors[up + s])] += value[s]


@kernel
def update_regrets(
    treeplex: Treeplex,
    gradient: Array,
    regret: Array,
    behaviour: Array,
    factors: tuple[float, float, float],
    value: Array,
    total: Array,
) -> None:
    """One regret-matching step at every decision, bottom up: regret and behaviour in place.

    factors = (positive, negative, prediction); value[S] and total[S] are buffers. The update rule
    of every variant is the middle loop; gradient ends as the values of sequences.
    """
    positive, negative, prediction = factors
    count = np.uint64(treeplex.states.size)
    for done in range(count):
        k = count - ONE - done
        states = np.uint64(treeplex.states[k])
        actions = np.uint64(treeplex.actions[k])
        base = treeplex.base[k]
        for s in range(states):
            value[s] = 0.0
            total[s] = 0.0
        for a in range(actions):
            at = base + a * states
            for s in range(states):
                value[s] += behaviour[at + s] * gradient[at + s]
        for a in range(actions):
            at = base + a * states
            for s in range(states):
                now = gradient[at + s] - value[s]
                kept = regret[at + s] + now
                kept *= positive if kept > 0.0 else negative
                regret[at + s] = kept
                hope = max(kept + prediction * now, 0.0)
                behaviour[at + s] = hope
                total[s] += hope
        for a in range(actions):
            at = base + a * states
            for s in range(states):
                behaviour[at + s] = (
                    behaviour[at + s] / total[s] if total[s] > 0.0 else 1.0 / actions
                )
        lift(treeplex, k, value, gradient)


@kernel
def best_response(treeplex: Treeplex, gradient: Array, choice: Array, value: Array) -> None:
    """Pull maxima up, in place; choice[n] becomes 1 for the first best action, else 0.

    gradient[0] ends as the value of the best response; value[S] is a buffer.
    """
    count = np.uint64(treeplex.states.size)
    for done in range(count):
        k = count - ONE - done
        states = np.uint64(treeplex.states[k])
        actions = np.uint64(treeplex.actions[k])
        base = treeplex.base[k]
        for s in range(states):
            best: Index = ZERO
            value[s] = gradient[base + s]
            for a in range(actions):
                worth = gradient[base + a * states + s]
                choice[base + a * states + s] = 0.0
                if worth > value[s]:
                    value[s] = worth
                    best = a
            choice[base + best * states + s] = 1.0
        lift(treeplex, k, value, gradient)


@kernel
def iterate_cfr(
    treeplexes: tuple[Treeplex, Treeplex],
    leaves: tuple[Leaves, Leaves],
    regrets: tuple[Array, Array],
    behaviours: tuple[Array, Array],
    plans: tuple[Array, Array],
    averages: tuple[Array, Array],
    gradients: tuple[Array, Array],
    schedule: Array,
    work: tuple[Array, Array, Array, Array],
) -> None:
    """Run len(schedule) iterations with alternating updates; regrets to averages change in place.

    schedule[t] = (positive factor, negative factor, prediction, average weight); work holds the
    buffers (columns[largest, LANES], sums[LANES], value[S], total[S]).
    """
    columns, sums, value, total = work
    for t in range(np.uint64(schedule.shape[0])):
        factors = (schedule[t, 0], schedule[t, 1], schedule[t, 2])
        for seat in range(2):
            gradient = gradients[seat]
            gradient[:] = 0.0
            evaluate_leaves(leaves[seat], plans[1 - seat], gradient, columns, sums)
            if seat == 1:
                # Seat 0's new plan and seat 1's old one: the pair seat 1's regrets are about.
                accumulate(plans[0], schedule[t, 3], averages[0])
                accumulate(plans[1], schedule[t, 3], averages[1])
            update_regrets(
                treeplexes[seat], gradient, regrets[seat], behaviours[seat], factors, value, total
            )
            realise(treeplexes[seat], behaviours[seat], plans[seat])
