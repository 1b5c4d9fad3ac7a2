"""A small game whose cards were merged by GameShrink, as a public game.

The joint counts of two seats' classes in the last round give its matrices; earlier rounds follow by
adding up over child classes. Classes that can meet each other form the blocks: states are numbered
so that each block is contiguous.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.gameshrink.shrinking import SignalClasses
from doyle.solving.games import BlockMatrix, MatrixGame, PrivateStates
from doyle.solving.games.matrix_game import Ints
from doyle.solving.games.small_games import bucket_game


def shrunk_game(classes: SignalClasses, betting: BettingTree | None = None) -> MatrixGame:
    """The game over merged signals; all legal bets unless a betting tree is given."""
    game = classes.game
    tree = betting or BettingTree.build(BettingModel.parse("full"), game)
    return bucket_game(f"{game.name} {classes.relation}", tree, class_states(classes))


def class_states(classes: SignalClasses) -> tuple[PrivateStates, ...]:
    """Parents and matrices of every round."""
    last = len(classes.counts) - 1
    joint = classes.joint(last)
    shape = (classes.counts[last], classes.counts[last])
    total = float(joint.deals.sum())
    losses = joint.deals - joint.wins - joint.ties
    where = (joint.first, joint.second)
    weight = coo_matrix((joint.deals / total, where), shape=shape).tocsr()
    sign = coo_matrix(((joint.wins - losses) / total, where), shape=shape).tocsr()
    rounds: list[tuple[Any, Any, Ints]] = []
    for number in range(last, -1, -1):
        parents = classes.parents(number)
        above = np.zeros(weight.shape[0], np.int64) if parents is None else np.asarray(parents)
        rounds.append((weight, sign, above))
        if number:
            gather = _gather(above, classes.counts[number - 1])
            weight, sign = gather @ weight @ gather.T, gather @ sign @ gather.T
    rounds.reverse()
    return _in_blocks(rounds)


def _gather(parents: Ints, count: int) -> csr_matrix:
    size = len(parents)
    return csr_matrix((np.ones(size), (parents, np.arange(size))), shape=(count, size))


def _in_blocks(rounds: list[tuple[Any, Any, Ints]]) -> tuple[PrivateStates, ...]:
    """Renumber the classes of each round block by block."""
    found: list[PrivateStates] = []
    new_number = np.zeros(1, np.int64)
    for weight, sign, parents in rounds:
        _, labels = connected_components(weight, directed=False)
        order = np.argsort(labels, kind="stable")
        up = new_number[parents[order]] if found else parents[order]
        ends = np.cumsum(np.bincount(labels))
        spans = list(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True))
        matrices = [
            BlockMatrix.of([_block(matrix, order[first:end]) for first, end in spans])
            for matrix in (weight, sign)
        ]
        found.append(PrivateStates((up, up), matrices[0], matrices[1]))
        new_number = np.argsort(order, kind="stable")
    return tuple(found)


def _block(matrix: Any, members: Ints) -> Any:
    return matrix[members][:, members].toarray()
