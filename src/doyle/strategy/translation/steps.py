"""In-steps and out-steps: one real action read in the tree, one tree action converted to a real
one.

A `Translation` is a mapping with the thesis's options. Its in-step reads a real raise at an abstract
node as a weighted set of abstract actions (Schnizlein 2009, definitions 9 and 13); its out-step
turns an abstract action into a legal real one (definition 11).

The abstract game may run ahead of the real one: a small raise read as a call can end the abstract
round, or an all-in read and called can end the abstract hand, while the real round continues. Then the
player waits: it calls until the real game has caught up, and the opponent's actions meanwhile are
not read. It may fall behind when a bet is read as no action (ExtendCall); then calls are
filled in when the real round ends.

Sources: Schnizlein 2009, sections 3.3, 3.4, 4.2 and 4.4; Rubin and Watson 2012, section 6.3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from doyle.abstractions.betting import DECISION, BettingTree
from doyle.base.errors import DoyleError
from doyle.games import CALL, FOLD, Action, State
from doyle.strategy.translation.mappings import Mapping, read_chips

Measure = Literal["abstract", "real", "chips", "contributed"]
"""The compared quantity: chips beyond the abstract bet (AbstractActions), fractions of the real
pot, chips beyond the real bet (no fix), or chips the action puts in (Tartanian)."""

SmallBets = Literal["raise", "check", "call", "extend-call"]
"""Whether a raise may be read as a call: never; by the mapping if nothing was bet before it, a check
being a bet of 0 (IJCAI 2013); by the mapping always; or as the fix ExtendCall has it, a call being a
bet of one chip."""

Defend = Literal["never", "last-round", "every-round"]
"""Where a small bet is answered by the order of the hands instead of by lot."""


@dataclass(frozen=True)
class Reading:
    """One way to read a real action: the abstract node it leads to, and how likely it is.

    `if_last` is what ExtendCall makes of a raise that turns out to be the last of its round: the
    node after a call instead, and the probability of that reading.
    """

    node: int
    weight: Fraction = Fraction(1)
    if_last: tuple[int, Fraction] | None = None


@dataclass(frozen=True)
class Translation:
    """The reading of real bets and the conversion of tree bets to real ones.

    `call_is_call` is the thesis's CallIsCall; without it a call is enlarged to mend the pot.
    `correct_pot`: raises aim at the abstract total instead of the abstract number of chips.
    `remember`: own actions are known, not read again from the real actions.
    `least_probability`: if set, actions below it are pseudo-dominated and removed (soft-ND).
    `defend`: in which rounds the worst hands fold first to a bet read partly as a check (`defence`).
    """

    mapping: Mapping
    measure: Measure = "abstract"
    small_bets: SmallBets = "raise"
    call_is_call: bool = True
    correct_pot: bool = True
    remember: bool = True
    least_probability: float | None = None
    defend: Defend = "never"

    def __post_init__(self) -> None:
        if self.least_probability is not None and not 0 <= self.least_probability < 1:
            raise DoyleError(
                f"translation: the least probability must be from 0 to below 1, "
                f"not {self.least_probability}"
            )
        if self.defend != "never" and self.least_probability is not None:
            raise DoyleError(
                "translation: soft-ND cannot be combined with +defend; both change folds"
            )

    def defends(self, state: State) -> bool:
        """Whether the worst hands fold first in the round of `state`."""
        last = state.round == state.game.rounds - 1
        return self.defend == "every-round" or (self.defend == "last-round" and last)

    # Reading ----------------------------------------------------------------------------------

    def in_step(
        self, tree: BettingTree, node: int, *, state: State, action: Action
    ) -> tuple[Reading, ...]:
        """How the actor's real `action` in `state` is read at abstract `node`; weights sum to 1."""
        if waiting(tree, node, state):
            return (Reading(node),)
        if action == FOLD:
            below = _child(tree, node, FOLD)
            return (Reading(node if below is None else below),)
        after_call = tree.child(node, CALL)
        if action == CALL:
            return (Reading(after_call),)
        weights = self._weights(tree, node, state, action)
        raises = [reading for reading in weights if reading.node != after_call]
        down = sum((r.weight for r in weights if r.node == after_call), Fraction(0))
        if self.small_bets != "extend-call" or not down:
            return tuple(weights)
        return _extended(tree, node, state, raises, down, after_call)

    def _weights(
        self, tree: BettingTree, node: int, state: State, raise_to: Action
    ) -> list[Reading]:
        """The abstract calls and raises a real raise may be, by the mapping alone."""
        actions = tree.actions_of(node).tolist()
        children = dict(zip(actions, tree.children_of(node).tolist(), strict=True))
        known = [child for action, child in children.items() if action > CALL]
        if not known:
            return [Reading(children[CALL])]
        sizes, size, pot = self._sizes(tree, node, state, raise_to)
        if self.small_bets != "raise" and not (self.small_bets == "check" and state.to_call):
            least = self._one_chip(tree, node) if self.small_bets == "extend-call" else 0
            # A bet the tree knows is never a call, however small.
            if sizes[0] > least:
                sizes, known = [least, *sizes], [children[CALL], *known]
        while len(sizes) > 1 and sizes[-2] >= sizes[-1]:
            del sizes[-2], known[-2]
        return [
            Reading(known[index], weight)
            for index, weight in read_chips(self.mapping, sizes, max(size, 0), pot=pot)
        ]

    def _sizes(
        self, tree: BettingTree, node: int, state: State, raise_to: Action
    ) -> tuple[list[int], int, int]:
        """The known raises ascending, the raise seen, and the pot, in one whole-number unit."""
        actor, stack = state.actor, state.game.stacks[state.actor]
        spent: list[int] = tree.spent[node].tolist()
        bet = max(spent)
        pot = sum(spent) + bet - spent[int(tree.actor[node])]
        totals = [total for total in tree.actions_of(node).tolist() if total > CALL]
        if self.measure == "abstract":
            return [total - bet for total in totals], raise_to - bet, pot
        if self.measure == "chips":
            return [total - bet for total in totals], raise_to - state.largest, pot
        if self.measure == "contributed":
            mine = spent[int(tree.actor[node])]
            return [total - mine for total in totals], raise_to - state.spent[actor], pot
        real_pot = state.pot + state.to_call
        sizes = [
            (stack - state.largest) * pot if total >= stack else (total - bet) * real_pot
            for total in totals
        ]
        return sizes, (raise_to - state.largest) * pot, real_pot * pot

    def _one_chip(self, tree: BettingTree, node: int) -> int:
        """ExtendCall's check, a bet of one chip, in the unit of `_sizes`."""
        if self.measure != "real":
            return 1
        spent: list[int] = tree.spent[node].tolist()
        return sum(spent) + max(spent) - spent[int(tree.actor[node])]

    # Speaking ---------------------------------------------------------------------------------

    def out_step(
        self,
        tree: BettingTree,
        node: int,
        action: Action,
        *,
        state: State,
    ) -> Action:
        """The legal real action for abstract `action` at `node`."""
        if waiting(tree, node, state) or action == CALL:
            return self._call(tree, node, state)
        if action == FOLD:
            return FOLD if state.can_fold else CALL
        return self._raise(tree, node, action, state)

    def _call(self, tree: BettingTree, node: int, state: State) -> Action:
        """A call; without CallIsCall a raise that matches the pot of the tree, if legal."""
        if self.call_is_call or not self.correct_pot or waiting(tree, node, state):
            return CALL
        wanted = int(tree.spent[node].max())
        return wanted if wanted > state.largest and state.is_legal(wanted) else CALL

    def _raise(
        self,
        tree: BettingTree,
        node: int,
        action: Action,
        state: State,
    ) -> Action:
        stack = state.game.stacks[state.actor]
        spent: list[int] = tree.spent[node].tolist()
        bet = max(spent)
        if action >= stack:
            return state.nearest_legal(stack)
        if self.measure == "real":
            pot = sum(spent) + bet - spent[int(tree.actor[node])]
            wanted = state.largest + round(
                Fraction((action - bet) * (state.pot + state.to_call), pot)
            )
        elif self.correct_pot:
            wanted = action
        else:
            wanted = state.largest + action - bet
        # A raise below the least stays a raise: only sizes are mended, not the kind of action.
        return state.nearest_legal(max(wanted, 2))


def waiting(tree: BettingTree, node: int, state: State) -> bool:
    """Whether the abstract game at `node` is over or in a later round than the real one."""
    return bool(tree.kind[node] != DECISION or tree.round[node] > state.round)


def caught_up(tree: BettingTree, node: int, state: State) -> int:
    """The node after the calls that advance the abstract game to the real round."""
    while tree.kind[node] == DECISION and tree.round[node] < state.round:
        node = tree.child(node, CALL)
    return node


def _child(tree: BettingTree, node: int, action: Action) -> int | None:
    for child in tree.children_of(node):
        if tree.action[child] == action:
            return int(child)
    return None


def _extended(
    tree: BettingTree,
    node: int,
    state: State,
    raises: list[Reading],
    down: Fraction,
    after_call: int,
) -> tuple[Reading, ...]:
    """ExtendCall: where in the round a small bet may vanish (section 3.3.2)."""
    made = state.betting[-1]
    parent = int(tree.parent[node])
    if not made:
        return (Reading(after_call, down), *raises)  # /b becomes /c
    opened = (
        made == (CALL,)
        and parent >= 0
        and tree.action[node] == CALL
        and tree.round[parent] == tree.round[node]
    )
    if opened:
        return (Reading(parent, down), *raises)  # /cb becomes /
    # Elsewhere it is a raise for now, and a call without a further raise: /...bc becomes /...c.
    smallest = next((child for child in tree.children_of(node).tolist() if child > after_call), -1)
    if smallest < 0:
        return (Reading(after_call),)
    total = sum((reading.weight for reading in raises), Fraction(0))
    now = raises if total else [Reading(smallest, Fraction(1))]
    return tuple(
        Reading(reading.node, reading.weight / (total or 1), (after_call, down)) for reading in now
    )
