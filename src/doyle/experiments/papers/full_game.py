"""Full-game strategies: an abstract strategy with its translation, as a plan of the whole small game.

The player's beliefs are propagated down the tree of the unabstracted game, so randomised mappings
are treated exactly, not sampled; the exact best response to the plan measures its exploitability.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import DECISION, BettingModel, BettingTree
from doyle.games import Action, Game
from doyle.solving.games.matrix_game import Floats
from doyle.solving.games.small_games import SmallGame, small_game
from doyle.solving.methods.cfr import RegretSolver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.run import Limits, Run
from doyle.solving.solvers import VARIANTS
from doyle.strategy.translation.steps import Translation
from doyle.strategy.translation.walk import Position, TranslationCache, Walker, normalised

Integers: TypeAlias = npt.NDArray[np.integer]


@dataclass(frozen=True)
class SolvedAbstraction:
    """The betting tree of a model and a profile of its game."""

    betting: BettingTree
    profile: Profile


P = TypeVar("P")


class Player(Protocol[P]):
    """A player that can be walked through the full game; `P` is its state at a public history."""

    def start(self, states: int) -> P:
        """Before any action, in any of these private states."""
        ...

    def after(self, place: P, action: Action, *, own: bool, parents: Integers | None) -> P | None:
        """After an action of its own or of the opponent's; None at zero reach.

        `parents` are the parent states of a new round's private states.
        """
        ...

    def probabilities(self, place: P) -> tuple[tuple[Action, ...], Floats]:
        """Real actions and their probabilities [private states, actions]."""
        ...


@dataclass(frozen=True)
class TranslatedProfile:
    """A profile of an abstract game with a translation, as a player of the full game."""

    walker: Walker

    @classmethod
    def of(cls, solved: SolvedAbstraction, translation: Translation) -> TranslatedProfile:
        cache = TranslationCache(translation, solved.betting)
        return cls(Walker(cache, lambda node: solved.profile.probabilities(node).T))

    def start(self, states: int) -> Position:
        return self.walker.start(np.ones(states))

    def after(
        self, place: Position, action: Action, *, own: bool, parents: Integers | None
    ) -> Position | None:
        after = self.walker.after(place, action, own=own)
        if not after.beliefs or parents is None:
            return after if after.beliefs else None
        refined = {branch: weights[parents] for branch, weights in after.beliefs.items()}
        return Position(after.history, refined)

    def probabilities(self, place: Position) -> tuple[tuple[Action, ...], Floats]:
        return normalised(self.walker.joint(place), len(place.reach()))


@dataclass(frozen=True)
class FullGame:
    """The unabstracted game with its sequence form."""

    small: SmallGame
    form: SequenceForm

    @classmethod
    def of(cls, game: Game, betting: BettingTree | None = None) -> FullGame:
        """All legal bets of `game`, or those of a tree; it needs every bet that players make."""
        small = small_game(game, betting)
        return cls(small, SequenceForm(small))

    def plan(self, seat: int, player: Player[P]) -> Floats:
        """The plan of `seat` when it plays as `player` does."""
        behaviour = self.form.uniform_behaviour(seat)
        for node, table in self.tables(seat, player):
            self.form.put_table(node, table, behaviour)
        return self.form.realise(seat, behaviour)

    def tables(self, seat: int, player: Player[P]) -> Iterator[tuple[int, Floats]]:
        """The decisions of `seat` that its own play may reach: probabilities [states, actions]."""
        tree, rounds = self.small.tree, self.small.private_states
        stack = [(0, player.start(self.small.states(0, seat)))]
        while stack:
            node, place = stack.pop()
            own, children = int(tree.actor[node]) == seat, tree.children_of(node)
            if own:
                yield node, self._table(node, player.probabilities(place))
            for child in children[tree.kind[children] == DECISION].tolist():
                round_ = int(tree.round[child])
                deals = round_ > tree.round[node]
                after = player.after(
                    place,
                    int(tree.action[child]),
                    own=own,
                    parents=rounds[round_].parents[seat] if deals else None,
                )
                if after is not None:
                    stack.append((child, after))

    def _table(self, node: int, answer: tuple[tuple[Action, ...], Floats]) -> Floats:
        actions, probabilities = answer
        known = self.small.tree.actions_of(node).tolist()
        table = np.zeros((len(probabilities), len(known)))
        for column, action in enumerate(actions):
            table[:, known.index(action)] = probabilities[:, column]
        return table

    def best_response(
        self, seat: int, solved: SolvedAbstraction, translation: Translation
    ) -> float:
        """Maximal winnings of `seat`, chips per hand, against the other seat's translated
        strategy."""
        plan = self.plan(1 - seat, TranslatedProfile.of(solved, translation))
        return self.form.best_response(seat, plan)[0]


def solve(
    game: Game, model: BettingModel, *, target: float | None = None, iterations: int = 200_000
) -> SolvedAbstraction:
    """An equilibrium of the abstract game with the bets of a model, by CFR+."""
    betting = BettingTree.build(model, game)
    form = SequenceForm(small_game(game, betting))
    profile = solved_profile(form, method="cfr+", target=target, iterations=iterations)
    return SolvedAbstraction(betting, profile)


def solved_profile(
    form: SequenceForm, *, method: str = "pcfr+", target: float | None, iterations: int
) -> Profile:
    """An equilibrium of a game by a regret minimiser, to within `target`."""
    solver = RegretSolver(form, VARIANTS[method], name=method)
    return Run(solver).until(Limits(target=target, iterations=iterations)).profile()
