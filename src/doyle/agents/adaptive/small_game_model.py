"""A model of the opponent in a game with a small deck, and the worst case of a hand that was played.

The model is a Dirichlet posterior: the equilibrium counts as `PRIOR` hands at every decision, and every
hand adds one (Ganzfried and Sandholm 2012 use such counts; the number is assumed). A hand that was not
shown counts for all hands the opponent may hold, by their probabilities under the model. Cards that play
alike share their counts.

The *worst case of a hand* is the least that our plan could have won in expectation against any strategy
that the hand does not rule out: the opponent holds one of its possible hands, and plays the
observed actions with it. Strategies distinguish every card, including irrelevant suits, because an
opponent may play by suits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations

import numpy as np
import numpy.typing as npt

from doyle.games import Action, Game, State, View
from doyle.solving.games.matrix_game import Floats
from doyle.solving.games.small_games import SmallGame, small_game
from doyle.solving.methods.restricted import ResponsePrograms
from doyle.solving.methods.sequence_form import SequenceForm

Cards = tuple[int, ...]

PRIOR = 5.0
"""Hands for which the equilibrium counts at every decision of the opponent."""

_RULED_OUT = -1e18


@dataclass(frozen=True, eq=False)
class PlayedHand:
    """A finished hand as one seat knows it: its cards, the betting, and the board."""

    seat: int
    hole: Cards
    board: Cards
    actions: tuple[Action, ...]
    shown: Cards | None
    """The opponent's cards if they were shown."""

    @classmethod
    def of(cls, view: View) -> PlayedHand:
        """The hand that has ended in a view."""
        shown = view.state.deal.hole[1 - view.seat] if view.state.deal else ()
        actions = tuple(chain.from_iterable(view.state.betting))
        return cls(view.seat, view.hole, view.state.board, actions, shown or None)


class SmallTable:
    """A small game with its programs; responses are made by cards up to suits, proofs by all cards."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.merged = small_game(game)
        self.programs = ResponsePrograms(SequenceForm(self.merged))

    @property
    def form(self) -> SequenceForm:
        """The sequence form in which responses and models are written."""
        return self.programs.form

    @cached_property
    def _apart(self) -> tuple[SmallGame, SequenceForm]:
        apart = small_game(self.game, lossless=False)
        return apart, SequenceForm(apart)

    @cached_property
    def _classes(self) -> tuple[npt.NDArray[np.int64], ...]:
        """By round: the merged state of every state with all cards distinguished."""
        return tuple(
            np.array([self.merged.cards.state(r, key[0], sum(key[1:], ())) for key in keys])
            for r, keys in enumerate(self._apart[0].cards.keys)
        )

    @cached_property
    def equilibrium(self) -> tuple[Floats, Floats]:
        """Behaviours of an equilibrium, of each seat."""
        plans = (self.programs.maximin(0).plan, self.programs.maximin(1).plan)
        return self.form.behaviour(0, plans[0]), self.form.behaviour(1, plans[1])

    def node(self, state: State) -> int:
        """The decision of the tree at a state."""
        return self.merged.tree.find(state.betting)

    def row(self, state: State, hole: Cards, behaviour: Floats) -> tuple[list[Action], Floats]:
        """Actions and their probabilities with these cards at a decision."""
        node = self.node(state)
        place = self.merged.cards.state(state.round, hole, state.board)
        return self.merged.tree.actions_of(node).tolist(), self.form.table(node, behaviour)[place]

    def policy_table(self, state: State, behaviour: Floats, holes: list[Cards]) -> Floats:
        """Probabilities [holes, actions] at a decision; holes that collide with the board call."""
        node, board = self.node(state), state.board
        actions = self.merged.tree.actions_of(node).tolist()
        table = self.form.table(node, behaviour)
        rows = np.zeros((len(holes), len(actions)))
        for number, hole in enumerate(holes):
            if set(hole) & set(board):
                rows[number, actions.index(1)] = 1.0
            else:
                rows[number] = table[self.merged.cards.state(state.round, hole, board)]
        return rows

    # Evidence of a hand -------------------------------------------------------------------------

    def counted(self, hand: PlayedHand, model: Floats) -> Floats:
        """The increments of a hand to the counts of every sequence of the opponent.

        `model` is the opponent's behaviour so far; it weighs its possible hands.
        """
        counts = np.zeros(self.form.sizes[1 - hand.seat])
        holes = self._holes(hand)
        weights, places = np.ones(len(holes)), list[list[int]]()
        for number, hole in enumerate(holes):
            own = [at for at, taken in self._sequences(hand, hole) if taken]
            places.append(own)
            weights[number] = np.prod(model[own]) if own else 1.0
        total = weights.sum()
        # A model in which the hand has probability 0 weighs all hands equally.
        weights = weights / total if total > 0 else np.full(len(holes), 1 / len(holes))
        for weight, own in zip(weights, places, strict=True):
            counts[own] += weight
        return counts

    def worst_case(self, hand: PlayedHand, behaviour: Floats) -> float:
        """The least that `behaviour` could have won in expectation, as the hand has shown."""
        small, form = self._apart
        seat, other = hand.seat, 1 - hand.seat
        spread = form.uniform_behaviour(seat)
        tree = self.merged.tree
        for node in tree.decisions[tree.actor[tree.decisions] == seat].tolist():
            table = self.form.table(node, behaviour)
            form.put_table(node, table[self._classes[int(tree.round[node])]], spread)
        earned = form.gradient(other, form.realise(seat, spread))
        most = -np.inf
        for hole in self._holes(hand):
            possible = earned.copy()
            for at, taken in self._sequences(hand, hole, small=small, form=form):
                if not taken:
                    possible[at] = _RULED_OUT
            most = max(most, form.best_against(other, possible))
        return -most

    def _holes(self, hand: PlayedHand) -> list[Cards]:
        """The hands that the opponent may hold."""
        if hand.shown is not None:
            return [hand.shown]
        rest = [card for card in self.game.deck if card not in (*hand.hole, *hand.board)]
        return list(combinations(rest, self.game.hole_cards))

    def _sequences(
        self,
        hand: PlayedHand,
        hole: Cards,
        *,
        small: SmallGame | None = None,
        form: SequenceForm | None = None,
    ) -> list[tuple[int, bool]]:
        """The opponent's sequences at the decisions of a hand, each with whether it was played."""
        small, form = small or self.merged, form or self.form
        tree, node, found = small.tree, 0, list[tuple[int, bool]]()
        for action in hand.actions:
            children = tree.children_of(node)
            if int(tree.actor[node]) != hand.seat:
                round_ = int(tree.round[node])
                place = small.cards.state(round_, hole, hand.board)
                states = small.states(round_, 1 - hand.seat)
                start = form.at(node).start
                found += [
                    (start + column * states + place, int(tree.action[child]) == action)
                    for column, child in enumerate(children.tolist())
                ]
            node = tree.child(node, action)
        return found
