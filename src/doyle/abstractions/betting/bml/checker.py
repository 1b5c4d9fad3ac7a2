"""Whether a BML document is a betting tree: numbers, turns, and chips that its leaves agree on.

- Every action leads to exactly one decision or leaf; parents and leaf numbers are those of the path;
  the numbers of a player and round form a later range than those of the rounds before. Numbers may
  have gaps, as after deleting an action by hand: entries of the strategy vector that nothing uses.
- Players take turns, and one of them opens each round. A bet is answered by a fold, a call or a raise,
  a check by a check or a bet; a call or the second check ends the round, except that the first action
  of the hand may call a blind. Nobody raises after an all-in, and no betting follows it.
- What a player has put in is the same at all leaves that depend on it: a fold loses what its player
  has put in, a showdown is for the last bet, a raise is above what it raises. Called all-ins, and
  showdowns before the last round, are for the whole stack, the largest amount in the file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NoReturn, Protocol

from doyle.abstractions.betting.bml.document import EMPTY, BmlDecision, BmlDocument, BmlLeaf
from doyle.base.errors import DoyleError

_TOLERANCE = 1e-9


class Fail(Protocol):
    def __call__(self, problem: str, line: int | None = None) -> NoReturn: ...


def check(
    rounds: int,
    decisions: Sequence[tuple[BmlDecision, int]],
    leaves: Sequence[tuple[BmlLeaf, int]],
    *,
    fail: Fail,
) -> None:
    """Call `fail` with the first problem found and its line; entries come with their lines."""
    _Checker(rounds, decisions, leaves, fail).check()


def chips_put_in(document: BmlDocument) -> dict[str, float]:
    """What the player has put in who took the last action of each sequence, where leaves say it."""

    def fail(problem: str, line: int | None = None) -> NoReturn:
        raise DoyleError(f"bml {document.name!r}: {problem}")

    entries = [(one, 0) for one in document.decisions], [(leaf, 0) for leaf in document.leaves]
    checker = _Checker(document.rounds, *entries, fail)
    checker.check()
    found = (
        (sequence, one.chips[one.player - 1].amount) for sequence, one in checker.children.items()
    )
    return {sequence: amount for sequence, amount in found if amount is not None}


@dataclass(eq=False)
class _Chips:
    """What somebody has put in at some point: more than `below`, known once a leaf says it."""

    below: _Chips | None = None
    amount: float | None = None
    leaf: str = ""

    def known_below(self) -> _Chips | None:
        lower = self.below
        while lower is not None and lower.amount is None:
            lower = lower.below
        return lower


@dataclass(frozen=True)
class _Child:
    """What an action leads to: who took it where, both players' last numbers, and their chips.

    `chips` are those of players 1 and 2; `actions` how many the round has had with this one.
    """

    round: int
    player: int
    name: str
    line: int
    numbers: tuple[int, int]
    chips: tuple[_Chips, _Chips]
    actions: int
    all_in: bool

    @property
    def ends_round(self) -> bool | None:
        """Whether this action ends the round; None if it may or may not (a call of a blind)."""
        action = self.name[:1].lower()
        if action == "c":
            return None if self.round == 0 and self.actions == 1 else True
        return action == "k" and self.actions > 1


class _Checker:
    def __init__(
        self,
        rounds: int,
        decisions: Sequence[tuple[BmlDecision, int]],
        leaves: Sequence[tuple[BmlLeaf, int]],
        fail: Fail,
    ) -> None:
        self.rounds, self.decisions, self.leaves, self.fail = rounds, decisions, leaves, fail
        self.children: dict[str, _Child] = {}
        self.seen: set[str] = set()
        self.openers: dict[int, tuple[int, str]] = {}

    def check(self) -> None:
        if not self.decisions or self.decisions[0][0].sequence:
            self.fail("the first decision must have the empty sequence ''", 1)
        self._check_numbers()
        # A parent's sequence is shorter than its child's, whatever their order in the file.
        for decision, line in sorted(self.decisions, key=lambda item: len(item[0].sequence)):
            self._check_decision(decision, line)
        for leaf, line in self.leaves:
            self._check_leaf(leaf, line)
        for sequence, child in self.children.items():
            if sequence not in self.seen and sequence + "/" not in self.seen:
                start = sequence[: len(sequence) - len(child.name)]
                self.fail(
                    f"decision {start!r}: action {child.name!r} leads to no decision or leaf",
                    child.line,
                )
        for leaf, line in self.leaves:
            self._note_chips(leaf, line)
        for leaf, line in self.leaves:
            self._check_raise(leaf, line)
        self._check_stack()

    def _check_numbers(self) -> None:
        """Numbers are each player's own, in one range per round."""
        owners: dict[tuple[int, int], str] = {}
        largest = {1: [-1] * self.rounds, 2: [-1] * self.rounds}
        for decision, line in self.decisions:
            for action in decision.actions:
                key = (decision.player, action.number)
                if key in owners:
                    self.fail(
                        f"decision {decision.sequence!r}: number {action.number} of action "
                        f"{action.name!r} is already used in decision {owners[key]!r}",
                        line,
                    )
                owners[key] = decision.sequence
                tops = largest[decision.player]
                tops[decision.round] = max(tops[decision.round], action.number)
        # What the rounds before each round use: running maxima, shifted by one round.
        before = {p: [-1, *accumulate(tops, max)] for p, tops in largest.items()}
        for decision, line in self.decisions:
            earlier = before[decision.player][decision.round]
            for action in decision.actions:
                if action.number <= earlier:
                    self.fail(
                        f"decision {decision.sequence!r}: number {action.number} of action "
                        f"{action.name!r} is not above {earlier}, which an earlier round uses",
                        line,
                    )

    def _root(self, decision: BmlDecision, line: int) -> _Child:
        """What leads to the first decision.

        Antes if it may check and nobody calls that, else blinds of two sizes; whoever may check
        has the larger one.
        """
        own = decision.player - 1
        check = "kK"[own]
        checks = any(action.name == check for action in decision.actions)
        answers = next((item.actions for item, _ in self.decisions if item.sequence == check), ())
        smaller = _Chips()
        larger = _Chips(below=smaller)
        if checks and not any(action.name in "cC" for action in answers):
            larger = smaller
        chips = (larger, smaller) if (own == 0) == checks else (smaller, larger)
        return _Child(0, 0, "", line, (EMPTY, EMPTY), chips, actions=0, all_in=False)

    def _arrive(self, sequence: str, what: str, line: int) -> _Child:
        if sequence in self.seen:
            self.fail(f"{what} is there twice", line)
        self.seen.add(sequence)
        child = self.children.get(sequence.removesuffix("/"))
        if child is None:
            self.fail(f"{what}: no action of a decision leads to it", line)
        return child

    def _check_decision(self, decision: BmlDecision, line: int) -> None:
        what = f"decision {decision.sequence!r}"
        if not decision.sequence:
            self.children[""] = self._root(decision, line)
        above = self._arrive(decision.sequence, what, line)
        opens = decision.sequence.endswith("/")
        if decision.round != above.round + opens:
            self.fail(
                f"{what} is in round {decision.round + 1}; its sequence ends in "
                f"{above.round + opens + 1}",
                line,
            )
        if above.name:
            self._check_turn(decision, above, line)
        expected = above.numbers[decision.player - 1]
        if decision.parent != expected:
            self.fail(
                f"{what}: parent {decision.parent}, but player {decision.player}'s last action on "
                f"the way has number {expected}",
                line,
            )
        self._check_names(decision, above, line)
        for action in decision.actions:
            self.children[decision.sequence + action.name] = _child(
                decision, above, action.name, action.number, line
            )

    def _check_turn(self, decision: BmlDecision, above: _Child, line: int) -> None:
        """Whether this player may act now."""
        what = f"decision {decision.sequence!r}"
        if above.name.lower() == "f":
            self.fail(f"{what}: a fold ends the betting", line)
        if decision.sequence.endswith("/"):
            if above.ends_round is False:
                self.fail(f"{what}: action {above.name!r} must be answered before the round", line)
            if above.all_in:
                self.fail(f"{what}: there is no more betting after an all-in", line)
            player, first = self.openers.setdefault(
                decision.round, (decision.player, decision.sequence)
            )
            if player != decision.player:
                self.fail(
                    f"{what}: player {decision.player} opens the round, but player {player} does in "
                    f"decision {first!r}",
                    line,
                )
        elif above.ends_round is True:
            self.fail(f"{what}: action {above.name!r} ends the round", line)
        elif decision.player == above.player:
            self.fail(f"{what}: player {decision.player} acts twice in a row", line)

    def _check_names(self, decision: BmlDecision, above: _Child, line: int) -> None:
        """Fold, call and check where there is a bet, or none; no raise after an all-in."""
        what = f"decision {decision.sequence!r}"
        names = {action.name[:1].lower(): action.name for action in decision.actions}
        if "c" in names and "k" in names:
            self.fail(f"{what}: both {names['c']!r} (call) and {names['k']!r} (check)", line)
        facing = above.chips[0] is not above.chips[1] and not (not above.name and "k" in names)
        for letter, meaning in (("f", "fold to"), ("c", "call")):
            if letter in names and not facing:
                self.fail(
                    f"{what}: action {names[letter]!r}, but there is no bet to {meaning}", line
                )
        if "k" in names and facing:
            self.fail(f"{what}: action {names['k']!r}, but there is a bet to answer", line)
        if above.all_in and ("r" in names or "a" in names):
            raised = names.get("r", names.get("a"))
            self.fail(f"{what}: action {raised!r}, but nobody can raise an all-in", line)

    def _check_leaf(self, leaf: BmlLeaf, line: int) -> None:
        what = f"leaf {leaf.sequence!r}"
        if leaf.sequence.endswith("/"):
            self.fail(
                f"{what}: a leaf belongs to the round of its last action; drop the slash", line
            )
        above = self._arrive(leaf.sequence, what, line)
        if leaf.sequence + "/" in self.seen:
            self.fail(f"{what}: the betting continues in decision {leaf.sequence + '/'!r}", line)
        if leaf.round != above.round:
            self.fail(
                f"{what} is in round {leaf.round + 1}; it belongs to round {above.round + 1}", line
            )
        for index, (number, expected) in enumerate(zip(leaf.numbers, above.numbers, strict=True)):
            if number != expected:
                self.fail(f"{what}: seq{index + 1} is {number}; the path has {expected}", line)
        if (leaf.kind == "fold") != (above.name.lower() == "f"):
            self.fail(f"{what}: type {leaf.kind}, but its last action is {above.name!r}", line)
        if leaf.kind == "showdown" and above.ends_round is False:
            self.fail(f"{what}: a showdown, but action {above.name!r} must be answered first", line)
        if leaf.kind == "fold" and leaf.amount * (1 if above.player == 2 else -1) < 0:
            self.fail(
                f"{what}: player {above.player} folds, so payoff {leaf.amount:g} has the wrong sign",
                line,
            )

    def _note_chips(self, leaf: BmlLeaf, line: int) -> None:
        """Leaves agree on what a player has put in."""
        above, chips, amount, what = self._paid(leaf)
        if chips.amount is None:
            chips.amount, chips.leaf = amount, leaf.sequence
        elif not math.isclose(amount, chips.amount, rel_tol=_TOLERANCE):
            self.fail(
                f"{what} {leaf.amount:g}, but by leaf {chips.leaf!r} player {above.player} has put "
                f"in {chips.amount:g}",
                line,
            )

    def _paid(self, leaf: BmlLeaf) -> tuple[_Child, _Chips, float, str]:
        """The last action, its player's chips, what the leaf says they are, and how to name it."""
        above = self.children[leaf.sequence]
        name = "payoff" if leaf.kind == "fold" else "potshare"
        what = f"leaf {leaf.sequence!r}: {name}"
        return above, above.chips[above.player - 1], abs(leaf.amount), what

    def _check_raise(self, leaf: BmlLeaf, line: int) -> None:
        """A raise is above what it raises."""
        above, chips, amount, what = self._paid(leaf)
        lower = chips.known_below()
        if lower is not None and lower.amount is not None and amount <= lower.amount:
            self.fail(
                f"{what} {leaf.amount:g} is not above {lower.amount:g}, which was put in before "
                f"(leaf {lower.leaf!r})",
                line,
            )
        if amount == 0 and not (chips.below is None and leaf.kind == "fold"):
            self.fail(f"{what} is 0, but player {above.player} has bet", line)

    def _check_stack(self) -> None:
        """Where betting ends before its time everything is in."""
        shows = [(leaf, line) for leaf, line in self.leaves if leaf.kind == "showdown"]
        stack = max((leaf.amount for leaf, _ in shows), default=0.0)
        for leaf, line in shows:
            early = leaf.round < self.rounds - 1 or self.children[leaf.sequence].all_in
            if early and not math.isclose(leaf.amount, stack, rel_tol=_TOLERANCE):
                reason = "an all-in" if leaf.round == self.rounds - 1 else "no more betting"
                self.fail(
                    f"leaf {leaf.sequence!r}: potshare {leaf.amount:g} after {reason}, but others "
                    f"put in {stack:g}",
                    line,
                )


def _child(decision: BmlDecision, above: _Child, name: str, number: int, line: int) -> _Child:
    """What an action of a decision leads to."""
    own, other = decision.player - 1, 2 - decision.player
    numbers, chips = list(above.numbers), list(above.chips)
    numbers[own] = number
    action = name[0].lower()
    if action == "c":
        chips[own] = chips[other]
    elif action in "ra":
        chips[own] = _Chips(below=chips[other])
    return _Child(
        decision.round,
        decision.player,
        name,
        line,
        (numbers[0], numbers[1]),
        (chips[0], chips[1]),
        actions=1 if decision.sequence.endswith("/") else above.actions + 1,
        all_in=above.all_in or action == "a",
    )
