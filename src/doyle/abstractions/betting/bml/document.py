"""BML, Tartanian's betting-model language: a two-player betting tree as an XML file.

A file has a `<round>` per betting round with the `<decision>`s made and the `<leaf>`s reached in it.
Player 1 is seat 0 and writes its actions in small letters, player 2 (seat 1) in capitals: f fold,
c call, k check, r1 r2 ... the raises by size, a all-in. `sequence` is the whole betting so far, with
a slash where a round ends. `number` is an action's place in its player's strategy vector; numbers of
one player and round form a range, those of a later round a later one. `parent` is the number of the
player's own last action, -1 before the first; likewise `seq1` and `seq2` at leaves. `payoff` is what
player 1 wins when somebody folds, `potshare` what each player has put in at a showdown.

Source: Gilpin, Sandholm and Sørensen 2008, section 6.1 and listing 1. The listing shows one round;
that numbers continue through the rounds, and the slash, are this project's choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Literal
from xml.sax.saxutils import quoteattr

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting.public_tree import DECISION, FOLD_LEAF, LabelledTree, TreeBuilder
from doyle.abstractions.betting.tree import BettingTree
from doyle.base.artifacts.files import replacing
from doyle.base.errors import DoyleError

EMPTY = -1
"""The number that stands for the empty sequence."""
LARGEST_DOCUMENT = 2_000_000
"""Nodes of a tree that is written as BML: a file of about 300 MB."""


@dataclass(frozen=True, slots=True)
class BmlAction:
    name: str
    number: int


@dataclass(frozen=True, slots=True)
class BmlDecision:
    round: int
    player: int
    sequence: str
    parent: int
    actions: tuple[BmlAction, ...]


@dataclass(frozen=True, slots=True)
class BmlLeaf:
    """`amount` is the payoff to player 1 of a fold, or the pot share of a showdown."""

    round: int
    sequence: str
    numbers: tuple[int, int]
    kind: Literal["fold", "showdown"]
    amount: float


@dataclass(frozen=True)
class BmlDocument:
    """The content of a BML file. Rounds count from 0 here and from 1 in the file, players from 1.

    >>> from doyle.abstractions.betting import BettingModel
    >>> from doyle.games import Game
    >>> document = document_of(BettingTree.build(BettingModel.parse("limit"), Game.named("kuhn")))
    >>> [decision.sequence for decision in document.decisions]
    ['', 'k', 'kR1', 'r1']
    >>> document.leaves[0]
    BmlLeaf(round=0, sequence='kK', numbers=(0, 0), kind='showdown', amount=1.0)
    """

    name: str
    rounds: int
    decisions: tuple[BmlDecision, ...]
    """By round, and within a round depth-first."""
    leaves: tuple[BmlLeaf, ...]


def document_of(tree: BettingTree) -> BmlDocument:
    """The BML document of a two-player tree."""
    if tree.game.players != 2:
        raise DoyleError(
            f"bml: game {tree.game.name} has {tree.game.players} players; BML is for two"
        )
    if tree.node_count > LARGEST_DOCUMENT:
        raise DoyleError(
            f"bml: betting model {tree.model} in {tree.game.name} has {tree.node_count:,} nodes, "
            f"more than the {LARGEST_DOCUMENT:,} of a BML file; allow fewer sizes"
        )
    # A tree from the middle of a hand begins in the first round of its document.
    rounds = tree.game.rounds - int(tree.round[0])
    decisions: list[list[BmlDecision]] = [[] for _ in range(rounds)]
    leaves: list[list[BmlLeaf]] = [[] for _ in range(rounds)]
    names = _action_names(tree)
    sequences = [""] * tree.node_count
    kind, actor = tree.kind.tolist(), tree.actor.tolist()
    round_ = (tree.round - tree.round[0]).tolist()
    start, count = tree.child_start.tolist(), tree.child_count.tolist()
    first, last = tree.first_sequence.tolist(), tree.last_sequence.tolist()
    children = tree.children.tolist()
    amounts = leaf_amounts(tree).tolist()
    for node in range(tree.node_count):
        here, number = sequences[node], round_[node]
        if kind[node] != DECISION:
            name: Literal["fold", "showdown"] = "fold" if kind[node] == FOLD_LEAF else "showdown"
            leaves[number].append(
                BmlLeaf(number, here, (last[node][0], last[node][1]), name, amounts[node])
            )
            continue
        below = children[start[node] : start[node] + count[node]]
        for child in below:
            goes_on = kind[child] == DECISION and round_[child] > number
            sequences[child] = here + names[child] + ("/" if goes_on else "")
        actions = tuple(BmlAction(names[child], first[node] + k) for k, child in enumerate(below))
        seat = actor[node]
        decisions[number].append(BmlDecision(number, seat + 1, here, last[node][seat], actions))
    name_of_tree = f"{tree.model} {tree.game.name}"
    return BmlDocument(name_of_tree, rounds, tuple(chain(*decisions)), tuple(chain(*leaves)))


def labelled_tree(document: BmlDocument) -> LabelledTree:
    """The public tree of a document, without a game; a node's label is its sequence of actions."""
    decisions = {one.sequence: one for one in document.decisions}
    leaves = {leaf.sequence: leaf for leaf in document.leaves}
    builder = TreeBuilder()
    waiting = [("", -1)]
    while waiting:
        sequence, parent = waiting.pop()
        leaf = leaves.get(sequence)
        if leaf is not None:
            add = builder.fold if leaf.kind == "fold" else builder.showdown
            add(parent, round=leaf.round, amount=leaf.amount, label=sequence)
            continue
        decision = decisions.get(sequence) or decisions[sequence + "/"]
        seat = decision.player - 1
        node = builder.decision(parent, round=decision.round, actor=seat, label=decision.sequence)
        # The last one put in is taken first.
        waiting += [(decision.sequence + one.name, node) for one in reversed(decision.actions)]
    return builder.finish()


def leaf_amounts(tree: BettingTree) -> npt.NDArray[np.float64]:
    """For each leaf of a two-player tree player 1's payoff of a fold or the pot share; 0 elsewhere."""
    amounts: npt.NDArray[np.float64] = tree.spent.min(axis=1).astype(np.float64)
    amounts[tree.kind == DECISION] = 0.0
    amounts[(tree.kind == FOLD_LEAF) & (tree.folded & 1 == 1)] *= -1.0
    return amounts


def _action_names(tree: BettingTree) -> list[str]:
    """The name of the action that leads to each node, in the letter case of who takes it."""
    names = [""] * tree.node_count
    parent, action, actor = tree.parent.tolist(), tree.action.tolist(), tree.actor.tolist()
    own = tree.spent[np.arange(tree.node_count), np.maximum(tree.actor, 0)]
    facing = (own < tree.spent.max(axis=1)).tolist()
    raises = [0] * tree.node_count
    for node in range(1, tree.node_count):
        above = parent[node]
        seat = actor[above]
        if action[node] == 0:
            name = "f"
        elif action[node] == 1:
            name = "c" if facing[above] else "k"
        elif action[node] == tree.game.stacks[seat]:
            name = "a"
        else:
            raises[above] += 1
            name = f"r{raises[above]}"
        names[node] = name.upper() if seat == 1 else name
    return names


def bml_lines(document: BmlDocument) -> Iterator[str]:
    """The lines of the file, in the order and layout of the paper's listing."""
    yield f"<bml name={quoteattr(document.name)}>\n"
    decisions: list[list[BmlDecision]] = [[] for _ in range(document.rounds)]
    leaves: list[list[BmlLeaf]] = [[] for _ in range(document.rounds)]
    for decision in document.decisions:
        decisions[decision.round].append(decision)
    for leaf in document.leaves:
        leaves[leaf.round].append(leaf)
    for number in range(document.rounds):
        yield f"  <round number='{number + 1}'>\n    <decisions>\n"
        for decision in decisions[number]:
            yield (
                f"      <decision player='{decision.player}' sequence='{decision.sequence}' "
                f"parent='{decision.parent}'>\n"
            )
            for action in decision.actions:
                yield f"        <action name='{action.name}' number='{action.number}' />\n"
            yield "      </decision>\n"
        yield "    </decisions>\n    <leaves>\n"
        for leaf in leaves[number]:
            value = "payoff" if leaf.kind == "fold" else "potshare"
            yield (
                f"      <leaf seq1='{leaf.numbers[0]}' seq2='{leaf.numbers[1]}' type='{leaf.kind}' "
                f"sequence='{leaf.sequence}' {value}='{leaf.amount!r}' />\n"
            )
        yield "    </leaves>\n  </round>\n"
    yield "</bml>\n"


def write_bml(source: BettingTree | BmlDocument, path: Path) -> None:
    """Write a tree or a document to a BML file, whole or not at all."""
    document = source if isinstance(source, BmlDocument) else document_of(source)
    try:
        with replacing(path) as stream:
            _write(document, stream)
    except OSError as error:
        raise DoyleError(f"cannot write {path}: {error.strerror}") from error


def _write(document: BmlDocument, stream: IO[str]) -> None:
    stream.writelines(bml_lines(document))
