"""Games whose private states have given matrices: buckets, merged cards, win and lose.

The blocks of the matrices are the boards: a block of a round comes from one block of the round
before, because what is public is never forgotten. The root's board has all states of the first round.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from doyle.betting import PublicTree
from doyle.errors import DoyleError
from doyle.solving.games.chance import Boards
from doyle.solving.games.evaluators import BlockShowdown
from doyle.solving.games.private_states import Ints, PrivateStates, check_states
from doyle.solving.games.public_game import Hands, PublicGame

Place = tuple[int, int]
"""A round and a block of its matrices."""


def state_game(name: str, tree: PublicTree, rounds: Sequence[PrivateStates]) -> PublicGame:
    """The game of a public tree over private states by round.

    >>> from doyle.betting import TreeBuilder
    >>> tree = TreeBuilder()
    >>> _ = tree.showdown(tree.decision(-1, round=0, actor=0), round=0, amount=1.0)
    >>> from doyle.solving.games.private_states import BlockMatrix
    >>> matrix = BlockMatrix.of([np.full((1, 1), 1.0)])
    >>> states = PrivateStates((np.zeros(1, int), np.zeros(1, int)), matrix, matrix)
    >>> state_game("coin", tree.finish(), [states]).information_sets()
    (1, 0)
    """
    for number, states in enumerate(rounds):
        check_states(name, number, states, rounds[number - 1] if number else None)
    if tree.rounds > len(rounds):
        raise DoyleError(f"{name}: the tree has {tree.rounds} rounds, its states {len(rounds)}")
    above = [_blocks_above(name, rounds, number) for number in range(len(rounds))]
    places = _depth_first(above)
    boards = _boards(places, above)
    hands = [_states(rounds, places, seat) for seat in (0, 1)]
    return PublicGame(
        name, tree, boards, (hands[0], hands[1]), BlockShowdown(tuple(rounds), tuple(places))
    )


def _starts(rounds: Sequence[PrivateStates], number: int, seat: int) -> Ints:
    """Where the states of each board of a round begin; the first round is one board."""
    matrix = rounds[number].joint
    starts = matrix.row_start if seat == 0 else matrix.column_start
    return starts if number else starts[[0, -1]]


def _blocks_above(name: str, rounds: Sequence[PrivateStates], number: int) -> Ints:
    """For each board of a round the board of the round before that it follows."""
    if number == 0:
        return np.full(1, -1, np.int64)
    found = []
    for seat in (0, 1):
        before = _starts(rounds, number - 1, seat)
        home = np.searchsorted(before, rounds[number].parents[seat], side="right") - 1
        firsts = _starts(rounds, number, seat)
        lowest = np.minimum.reduceat(home, firsts[:-1])
        if (np.maximum.reduceat(home, firsts[:-1]) != lowest).any():
            raise DoyleError(f"{name}: round {number + 1}: states of one block come from two")
        found.append(lowest)
    if not np.array_equal(found[0], found[1]):
        raise DoyleError(
            f"{name}: round {number + 1}: the seats' states come from different blocks"
        )
    return np.asarray(found[0], np.int64)


def _depth_first(above: list[Ints]) -> list[Place]:
    below: dict[Place, list[Place]] = {}
    for number in range(1, len(above)):
        for block, home in enumerate(above[number].tolist()):
            below.setdefault((number - 1, home), []).append((number, block))
    places: list[Place] = []
    waiting: list[Place] = [(0, 0)]
    while waiting:
        place = waiting.pop()
        places.append(place)
        waiting.extend(reversed(below.get(place, [])))
    return places


def _boards(places: list[Place], above: list[Ints]) -> Boards:
    number_of = {place: number for number, place in enumerate(places)}
    parent = [
        number_of[level - 1, int(above[level][block])] if level else -1 for level, block in places
    ]
    return Boards.given(level=[level for level, _ in places], parent=parent)


def _states(rounds: Sequence[PrivateStates], places: list[Place], seat: int) -> Hands:
    starts = [_starts(rounds, number, seat) for number in range(len(rounds))]
    counts = np.array([starts[n][block + 1] - starts[n][block] for n, block in places], np.int32)
    most = int(counts.max())
    parents = np.zeros((len(places), most), np.int32)
    for board, (number, block) in enumerate(places):
        if number:
            first, end = starts[number][block : block + 2].tolist()
            ups = rounds[number].parents[seat][first:end]
            home = np.searchsorted(starts[number - 1], ups[:1], side="right") - 1
            parents[board, : end - first] = ups - starts[number - 1][home]
    weights = (np.arange(most) < counts[0]).astype(np.float64)
    return Hands(np.zeros((most, 0), np.int32), weights, counts, parents)
