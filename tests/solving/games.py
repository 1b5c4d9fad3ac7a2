"""Small games that several tests solve."""

from __future__ import annotations

from functools import cache

import numpy as np

from doyle.abstractions.betting import TreeBuilder
from doyle.games import Game
from doyle.solving.games import BlockMatrix, MatrixGame, PrivateStates
from doyle.solving.games.one_bet import clairvoyance, nolimit_kuhn
from doyle.solving.games.small_games import small_game
from doyle.solving.methods.sequence_form import SequenceForm

NAMES = ("kuhn", "leduc", "clairvoyance", "nolimit-kuhn", "lopsided")


@cache
def form(name: str) -> SequenceForm:
    return SequenceForm(game(name))


def game(name: str) -> MatrixGame:
    if name == "clairvoyance":
        return clairvoyance(1.0)
    if name == "nolimit-kuhn":
        return nolimit_kuhn(1.0)
    if name == "lopsided":
        return lopsided()
    return small_game(Game.named(name))


def lopsided() -> MatrixGame:
    """Three rounds, seats with different states, blocks that are not square, a silent round.

    Leaves come in round 1 before seat 1 has acted, and in round 3 with last actions of round 1.
    """
    rng = np.random.default_rng(3)
    last = [rng.random((3, 2)), rng.random((2, 4)), rng.random((1, 1))]
    total = sum(float(block.sum()) for block in last)
    last = [block / total for block in last]
    signs = [block * rng.uniform(-1, 1, block.shape) for block in last]
    parents = (np.array([0, 0, 1, 0, 1, 2]), np.array([0, 1, 0, 0, 1, 1, 2]))
    second = (
        _summed(parents, [3, 2, 1], [2, 4, 1], last),
        _summed(parents, [3, 2, 1], [2, 4, 1], signs),
    )
    firsts = (np.array([0, 0, 1]), np.array([0, 1, 1]))
    first = tuple(_summed(firsts, [3], [3], [matrix]) for matrix in second)
    rounds = (
        PrivateStates((np.zeros(2, int), np.zeros(2, int)), *(BlockMatrix.of([m]) for m in first)),
        PrivateStates(firsts, *(BlockMatrix.of([m]) for m in second)),
        PrivateStates(parents, BlockMatrix.of(last), BlockMatrix.of(signs)),
    )
    return MatrixGame("lopsided", _lopsided_tree(), rounds)


def _summed(parents, rows, columns, blocks):  # type: ignore[no-untyped-def]
    result = np.zeros((parents[0].max() + 1, parents[1].max() + 1))
    row = column = 0
    for height, width, block in zip(rows, columns, blocks, strict=True):
        up = np.ix_(parents[0][row : row + height], parents[1][column : column + width])
        np.add.at(result, up, block)
        row, column = row + height, column + width
    return result


def _lopsided_tree():  # type: ignore[no-untyped-def]
    tree = TreeBuilder()
    root = tree.decision(-1, round=0, actor=0)
    tree.fold(root, round=0, amount=-1.0)
    tree.showdown(root, round=2, amount=2.5)  # straight to the last round
    late = tree.decision(root, round=1, actor=1, label="a")
    tree.fold(late, round=1, amount=1.0)
    end = tree.decision(late, round=2, actor=0, label="b")
    tree.fold(end, round=2, amount=-2.0)
    tree.showdown(end, round=2, amount=3.0)
    tree.showdown(late, round=1, amount=1.5)
    soon = tree.decision(root, round=0, actor=1, label="c")
    tree.fold(soon, round=0, amount=0.5)
    again = tree.decision(soon, round=2, actor=1, label="d")
    tree.showdown(again, round=2, amount=4.0)
    tree.fold(again, round=2, amount=-0.5)
    return tree.finish()
