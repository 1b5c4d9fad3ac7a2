"""How an opponent is taken to read bets: a tree and a hard translation, and bets sized by them.

A bet that a bluff-catcher reads as pot-sized may be many pots. A `Reader` follows the betting as an
opponent with the betting model fcpa and a hard translation would, and finds the largest and the
smallest bet that it reads as the same (`doyle.agents.exploiters.sizes`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.agents.exploiters.sizes import large, small
from doyle.games import CALL, Action, Game, State
from doyle.strategy.translation.named_translations import named_translation
from doyle.strategy.translation.steps import Translation, waiting
from doyle.strategy.translation.walk import TranslationCache

READER_MODEL = "fcpa"
TRANSLATIONS = ("absolute", "relative", "polaris-hard+aa+cisc+ec", "det-pshar")
"""Hard translations that an opponent is taken to use: the boundaries differ by orders of magnitude."""


@dataclass(frozen=True)
class Reader:
    """An opponent's reading of bets, by the name of its translation."""

    game: Game
    translation_name: str

    @cached_property
    def tree(self) -> BettingTree:
        return BettingTree.build(BettingModel.parse(READER_MODEL), self.game)

    @cached_property
    def translation(self) -> Translation:
        return named_translation(self.translation_name)

    @cached_property
    def cache(self) -> TranslationCache:
        return TranslationCache(self.translation, self.tree)

    def node(self, state: State) -> int:
        """The node of the hand in the opponent's tree; its own bets are translated from it."""
        return self.cache.likeliest(state)

    def read(self, state: State, raise_to: Action) -> tuple[int, Action] | None:
        """The node and the bet of the tree that a raise is read as; None if it is not read as a
        bet."""
        node = self.node(state)
        if waiting(self.tree, node, state):
            return None
        reading = max(
            self.translation.in_step(self.tree, node, state=state, action=raise_to),
            key=lambda one: one.weight,
        )
        bet = int(self.tree.action[reading.node])
        return (node, bet) if reading.node > node and bet > CALL else None

    def largest(self, state: State, raise_to: Action) -> Action:
        """The largest raise that is read as `raise_to` is."""
        return self._end(state, raise_to, up=True)

    def smallest(self, state: State, raise_to: Action) -> Action:
        """The smallest raise that is read as `raise_to` is."""
        return self._end(state, raise_to, up=False)

    def _end(self, state: State, raise_to: Action, *, up: bool) -> Action:
        place = self.read(state, raise_to)
        if place is None:
            return raise_to
        find = large if up else small
        found = find(self.translation, self.tree, place[0], place[1], state=state)
        return raise_to if found is None else found

    def first_boundary(self) -> Action:
        """The largest first raise of a hand that is read as one of the pot."""
        state = State.start(self.game)
        node = self.node(state)
        pot = min(bet for bet in self.tree.actions_of(node).tolist() if bet > CALL)
        return self.largest(state, pot)


@dataclass(frozen=True)
class LargeWithGoodHands:
    """`size-tell` against a reader: bets that it reads as the same, large with good hands, small
    otherwise."""

    reader: Reader
    by_hand = True

    def sized(self, state: State, real: Action, *, good: bool) -> Action:
        return self.reader.largest(state, real) if good else self.reader.smallest(state, real)


@dataclass(frozen=True)
class FirstRaise:
    """A first raise of the hand to a size of one's own with good hands; everything else as it is."""

    raise_to: Action
    by_hand = True

    def sized(self, state: State, real: Action, *, good: bool) -> Action:
        return state.nearest_legal(self.raise_to) if good and is_first_raise(state) else real


def is_first_raise(state: State) -> bool:
    """Whether a raise at this state is the first of the hand."""
    return state.round == 0 and all(action <= CALL for action in state.betting[0])
