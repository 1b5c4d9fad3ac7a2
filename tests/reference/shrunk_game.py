"""A small game whose cards were merged by GameShrink, as a public game.

The joint counts of two seats' classes in the last round give its matrices; earlier rounds follow by
adding up over child classes. Classes that can meet each other form the blocks: states are numbered
so that each block is contiguous.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.gameshrink.shrinking import Counts, Indices, SignalClasses
from doyle.abstractions.gameshrink.signals import Cards, SignalTree, disjoint
from doyle.games.payoffs import best_rank
from doyle.solving.games import BlockMatrix, MatrixGame, PrivateStates
from doyle.solving.games.matrix_game import Ints
from doyle.solving.games.small_games import bucket_game


@dataclass(frozen=True, eq=False)
class PublicBoards:
    """The boards of one round up to suits, and the class of every hole on each.

    `classes[board, hole]` is -1 where they share a card; `weight` counts the deals (of the board
    alone) that each stands for; `parent` is the board a round earlier.
    """

    boards: tuple[Cards, ...]
    weight: Counts
    parent: Indices
    classes: Indices


@dataclass(frozen=True, eq=False)
class JointClasses:
    """How often two seats hold each pair of classes in one round: deals of both holes and the board.

    In the last round `wins` and `ties` are those of the first seat; before it they are empty.
    """

    first: Indices
    second: Indices
    deals: Counts
    wins: Counts
    ties: Counts


def public_boards(classes: SignalClasses, round: int) -> PublicBoards:
    """The boards of a round up to suits with the class of every hole."""
    public = SignalTree.build_public(classes.game).rounds[round]
    boards = tuple(sum(signal[1:], ()) for signal in public.signals)
    signals = classes.tree.on_boards(round)
    found = np.where(signals >= 0, classes.class_of[round][signals], -1).astype(np.int32)
    return PublicBoards(boards, public.weight, public.parent, found)


def joint_classes(signals: SignalClasses, round: int) -> JointClasses:
    """The joint distribution of two seats' classes, as counts of deals."""
    public = public_boards(signals, round)
    last = round == signals.game.rounds - 1
    count = signals.counts[round]
    first, second = np.nonzero(disjoint(signals.holes))
    cells, deals, results = [], [], []
    for board, weight, classes in zip(public.boards, public.weight, public.classes, strict=True):
        possible = (classes[first] >= 0) & (classes[second] >= 0)
        a, b = first[possible], second[possible]
        cells.append(classes[a].astype(np.int64) * count + classes[b])
        deals.append(np.full(len(a), weight))
        if last:
            ranks = np.array(
                [best_rank(hole + board) if c >= 0 else -1
                 for hole, c in zip(signals.holes, classes, strict=True)]
            )  # fmt: skip
            results.append(np.sign(ranks[a] - ranks[b]))
    used, place = np.unique(np.concatenate(cells), return_inverse=True)
    weights = np.concatenate(deals)
    result = np.concatenate(results) if last else None

    def total(chosen: npt.NDArray[np.bool_] | None) -> Counts:
        # Sums of whole numbers below 2**53 are exact in floating point.
        kept = weights if chosen is None else weights * chosen
        return np.bincount(place, weights=kept, minlength=len(used)).astype(np.int64)

    empty = np.zeros(0, np.int64)
    return JointClasses(
        (used // count).astype(np.int32),
        (used % count).astype(np.int32),
        total(None),
        empty if result is None else total(result > 0),
        empty if result is None else total(result == 0),
    )


def shrunk_game(classes: SignalClasses, betting: BettingTree | None = None) -> MatrixGame:
    """The game over merged signals; all legal bets unless a betting tree is given."""
    game = classes.game
    tree = betting or BettingTree.build(BettingModel.parse("full"), game)
    return bucket_game(f"{game.name} {classes.relation}", tree, class_states(classes))


def class_states(classes: SignalClasses) -> tuple[PrivateStates, ...]:
    """Parents and matrices of every round."""
    last = len(classes.counts) - 1
    joint = joint_classes(classes, last)
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
