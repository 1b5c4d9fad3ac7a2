"""Warm starts: a solver that begins with what another one has learnt about the same or a similar game.

Regrets and averages are taken over for every decision, board and hand that both games have, found by
the betting before it, by its cards and by the hand's cards. In the very same game the solve resumes.
In another one the other solver's iterations count as `KEPT` at most in the average, so that new ones
soon outweigh what was right elsewhere; regrets are not made smaller, because small ones would let the
first new iterations swing between actions. Play that is fixed in either game is not taken over.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.solving.games import Hands, PublicGame
from doyle.solving.games.evaluators import WIDTH
from doyle.solving.vector.packing import Packed
from doyle.solving.vector.solver import VectorSolver

KEPT = 40
"""As how many iterations those of another game count."""

Ints = npt.NDArray[np.int64]


def start_from(solver: VectorSolver, other: VectorSolver) -> None:
    """Fill the tables of `solver`, which has not begun, from those of `other`."""
    if not any(table.any() for table in other.regrets):
        raise DoyleError("warm start: a result from a file has no regrets to begin with")
    same = solver.identity["game"] == other.identity["game"]
    iterations = other.iteration if same else min(other.iteration, KEPT)
    share = iterations / max(1, other.iteration)
    hands = [_matched(solver.game.hands[seat], other.game.hands[seat]) for seat in (0, 1)]
    boards = {cards: number for number, cards in enumerate(other.game.boards.cards)}
    decisions = list(_decisions(solver, other))
    for number, cards in enumerate(solver.game.boards.cards):
        if cards not in boards:
            continue
        level = int(solver.game.boards.level[number])
        for seat in (0, 1):
            columns = _columns(solver, other, decisions, seat, level)
            own, found = _rows(
                solver.packed, other.packed, hands[seat], seat, number, boards[cards]
            )
            for mine, theirs, factor in (
                (solver.regrets[seat], other.regrets[seat], 1.0),
                (solver.averages[seat], other.averages[seat], share),
            ):
                source = other.packed.tiles(theirs, seat, boards[cards], level)
                target = solver.packed.tiles(mine, seat, number, level)
                taken = source[found[:, None] // WIDTH, columns[:, 1], found[:, None] % WIDTH]
                target[own[:, None] // WIDTH, columns[:, 0], own[:, None] % WIDTH] = factor * taken
    solver.iteration = iterations


def _matched(mine: Hands, theirs: Hands) -> tuple[Ints, Ints]:
    """Numbers of the hands that both ranges have, in each."""
    _, own, found = np.intersect1d(mine.masks, theirs.masks, return_indices=True)
    return np.asarray(own, np.int64), np.asarray(found, np.int64)


def _rows(
    packed: Packed, other: Packed, hands: tuple[Ints, Ints], seat: int, board: int, there: int
) -> tuple[Ints, Ints]:
    """The rows of these hands on a board in both games, of those that share no card with it."""
    own, found = packed.places(seat, board)[hands[0]], other.places(seat, there)[hands[1]]
    return own[own >= 0], found[own >= 0]


def _decisions(solver: VectorSolver, other: VectorSolver) -> Iterator[tuple[int, int]]:
    """Nodes of decisions that both trees have, with as many actions, fixed in neither."""
    there = {_path(other.game, node): node for node in other.game.tree.decisions.tolist()}
    for node in solver.game.tree.decisions.tolist():
        match = there.get(_path(solver.game, node))
        if match is None:
            continue
        seat = int(solver.game.tree.actor[node])
        counts = solver.game.tree.child_count[node], other.game.tree.child_count[match]
        fixed = [
            one.locks[seat].start[one.packed.decision_of[at]] >= 0
            for one, at in ((solver, node), (other, match))
        ]
        if counts[0] == counts[1] and not any(fixed):
            yield node, match


def _path(game: PublicGame, node: int) -> tuple[int, ...]:
    """The places of the actions that lead to a node, among those of each decision."""
    tree = game.tree
    places = []
    while node > 0:
        parent = int(tree.parent[node])
        places.append(int(np.flatnonzero(tree.children_of(parent) == node)[0]))
        node = parent
    return tuple(reversed(places))


def _columns(
    solver: VectorSolver,
    other: VectorSolver,
    decisions: list[tuple[int, int]],
    seat: int,
    level: int,
) -> Ints:
    """Pairs of sequences, within the tables of a round, that stand for the same action."""
    pairs: list[tuple[int, int]] = []
    for nodes in decisions:
        tree = solver.game.tree
        if tree.actor[nodes[0]] != seat or tree.round[nodes[0]] - solver.game.first_level != level:
            continue
        first = [
            int(one.packed.sides[seat].first[one.packed.decision_of[node]])
            - int(one.packed.sides[seat].entries[level])
            for one, node in zip((solver, other), nodes, strict=True)
        ]
        count = int(tree.child_count[nodes[0]])
        pairs += [(first[0] + action, first[1] + action) for action in range(count)]
    return np.array(pairs, np.int64).reshape(-1, 2)
