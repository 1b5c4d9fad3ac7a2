"""A BML document as a betting model: the tree of a game that the document describes.

Everything that takes a betting model takes a document: a decision of the tree is a decision of the
document, with the actions that stand there. Raises are named by size in a document, not by chips;
what a raise is to follows from the leaves below it. Every leaf must pay what the game pays, and every
decision has a call, and a fold where there is a bet, as in all betting models.

A document's identity is what it allows and pays: not its file, its name or its numbers.

Source: Gilpin, Sandholm and Sørensen 2008, section 6.1: the equilibrium program is made from the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np

from doyle.abstractions.betting import _tree_kernels as kernels
from doyle.abstractions.betting.bml.checker import chips_put_in
from doyle.abstractions.betting.bml.document import BmlDecision, BmlDocument, BmlLeaf, bml_lines
from doyle.abstractions.betting.bml.reader import parse_bml, read_bml
from doyle.abstractions.betting.model import BML_PREFIX, BettingModel
from doyle.abstractions.betting.public_tree import edges
from doyle.base.errors import DoyleError
from doyle.games import CALL, State


def read_model(path: Path) -> BettingModel:
    """The betting model of a BML file."""
    return model_of(read_bml(path))


def parse_model(data: bytes, where: str) -> BettingModel:
    """The betting model of the content of a BML file; `where` names it in messages."""
    return model_of(parse_bml(data, where))


def model_of(document: BmlDocument) -> BettingModel:
    """The betting model of a document."""
    return BettingModel(kind="bml", name=BML_PREFIX + _digest(document), document=document)


def document_text(model: BettingModel) -> str | None:
    """What a file must hold beside `str(model)` to give the model again; None for letters."""
    return None if model.document is None else "".join(bml_lines(model.document))


def _digest(document: BmlDocument) -> str:
    """The same for documents that allow and pay the same."""
    content = [f"{document.rounds} rounds"]
    content += sorted(
        f"{one.sequence}: {' '.join(sorted(action.name for action in one.actions))}"
        for one in document.decisions
    )
    content += sorted(f"{leaf.sequence} {leaf.kind} {leaf.amount!r}" for leaf in document.leaves)
    return hashlib.blake2b("\n".join(content).encode(), digest_size=16).hexdigest()


@dataclass
class _Rows:
    """The arrays of a tree while they grow, depth first."""

    kind: list[int] = field(default_factory=list)
    round: list[int] = field(default_factory=list)
    actor: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    action: list[int] = field(default_factory=list)
    spent: list[tuple[int, ...]] = field(default_factory=list)
    folded: list[int] = field(default_factory=list)

    def add(self, state: State, parent: int, action: int) -> int:
        """Append a node; returns its number."""
        self.kind.append(0 if not state.is_over else 2 if state.is_showdown else 1)
        ended = max((r for r, made in enumerate(state.betting) if made), default=0)
        self.round.append(ended if state.is_over else state.round)
        self.actor.append(state.actor)
        self.parent.append(parent)
        self.action.append(action)
        self.spent.append(state.spent)
        self.folded.append(sum(1 << seat for seat, out in enumerate(state.folded) if out))
        return len(self.kind) - 1

    def arrays(self) -> kernels.Arrays:
        parent = np.array(self.parent, np.int32)
        starts, counts, children = edges(parent)
        return kernels.Arrays(
            kind=np.array(self.kind, np.int8),
            round=np.array(self.round, np.int8),
            actor=np.array(self.actor, np.int8),
            parent=parent,
            action=np.array(self.action, np.int32),
            child_start=starts,
            child_count=counts,
            children=children,
            spent=np.array(self.spent, np.int32),
            folded=np.array(self.folded, np.int16),
        )


def span_document(model: BettingModel, start: State, *, most_nodes: int) -> kernels.Arrays:
    """The arrays of the tree that the document of `model` is in the game of `start`."""
    document = model.document
    assert document is not None
    nodes = len(document.decisions) + len(document.leaves)
    if nodes > most_nodes:
        raise DoyleError(
            f"bml {document.name!r}: {nodes:,} decisions and leaves, more than {most_nodes:,} nodes; "
            "allow fewer sizes"
        )
    return _Spanner(document, start).span()


class _Spanner:
    def __init__(self, document: BmlDocument, start: State) -> None:
        self.document, self.start = document, start
        self.decisions = {one.sequence: one for one in document.decisions}
        self.leaves = {leaf.sequence: leaf for leaf in document.leaves}
        rounds = start.game.rounds - start.round
        if document.rounds != rounds:
            self.fail(f"it has {document.rounds} rounds, and there are {rounds}")
        self.chips = chips_put_in(document)

    def fail(self, problem: str) -> NoReturn:
        raise DoyleError(
            f"bml {self.document.name!r} is no tree of {self.start.game.name}: {problem}"
        )

    def span(self) -> kernels.Arrays:
        rows = _Rows()
        waiting = [("", self.start, -1, -1)]
        while waiting:
            sequence, state, parent, action = waiting.pop()
            node = rows.add(state, parent, action)
            if state.is_over:
                self._check_leaf(sequence, state)
                continue
            decision = self.decisions.get(sequence) or self.decisions.get(sequence + "/")
            if decision is None:
                self.fail(f"leaf {sequence!r}: the betting is not over")
            # The last one put in is taken first: fold, call, raises ascending.
            for taken, name in sorted(self._actions(decision, state), reverse=True):
                waiting.append((decision.sequence + name, state.apply(taken), node, taken))
        return rows.arrays()

    def _actions(self, decision: BmlDecision, state: State) -> Iterator[tuple[int, str]]:
        """The real action of each action of a decision, with its name."""
        what = f"decision {decision.sequence!r}"
        if state.actor != decision.player - 1:
            self.fail(f"{what}: player {decision.player} acts, but it is seat {state.actor}'s turn")
        known: dict[int, str] = {}
        for action in decision.actions:
            taken = self._action(what, decision.sequence, action.name, state)
            if taken in known:
                self.fail(f"{what}: {known[taken]!r} and {action.name!r} are both to {taken}")
            known[taken] = action.name
        if CALL not in known:
            self.fail(f"{what}: no call or check; every decision of a betting model has one")
        if state.can_fold and 0 not in known:
            self.fail(f"{what}: no fold, and there is a bet; every betting model has one there")
        return iter(known.items())

    def _action(self, what: str, sequence: str, name: str, state: State) -> int:
        letter = name[0].lower()
        if letter == "f":
            if not state.can_fold:
                self.fail(f"{what}: there is nothing to fold to")
            return 0
        if letter in "ck":
            return CALL
        total = state.max_raise_to
        if letter == "r":
            put_in = self.chips.get(sequence + name)
            if put_in is None:
                self.fail(f"{what}: no leaf says what {name!r} is to; let it be called or folded")
            total = int(put_in)
            if total != put_in:
                self.fail(f"{what}: {name!r} is to {put_in:g}, which is no whole number of chips")
        if not state.max_raise_to:
            self.fail(f"{what}: {name!r}, but nobody can raise here")
        if not state.min_raise_to <= total <= state.max_raise_to:
            self.fail(
                f"{what}: {name!r} is to {total}; a raise there is to {state.min_raise_to} at least "
                f"and {state.max_raise_to} at most"
            )
        return total

    def _check_leaf(self, sequence: str, state: State) -> None:
        leaf: BmlLeaf | None = self.leaves.get(sequence)
        if leaf is None:
            self.fail(f"decision {sequence + '/'!r}: the betting is over")
        kind = "showdown" if state.is_showdown else "fold"
        amount = min(state.spent) * (-1 if kind == "fold" and state.folded[0] else 1)
        if (leaf.kind, leaf.amount) != (kind, amount):
            self.fail(
                f"leaf {sequence!r} is a {leaf.kind} for {leaf.amount:g}; in the game it is a "
                f"{kind} for {amount}"
            )
