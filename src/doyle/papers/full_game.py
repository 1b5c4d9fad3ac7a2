"""Full-game strategies: an abstract strategy with its translation, as a plan of the whole small game.

The player's beliefs are carried down the tree of the unabstracted game, so randomised mappings are
treated exactly, not sampled; the exact best response to the plan is what it gives away.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from doyle.betting import DECISION, BettingModel, BettingTree
from doyle.games import Game, State
from doyle.solving.games.poker import SmallGame, small_game
from doyle.solving.games.tree_game import Floats
from doyle.solving.methods.cfr import RegretSolver
from doyle.solving.methods.discounting import VARIANTS
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.run import Limits, Run
from doyle.translation.beliefs import Beliefs, TranslatedStrategy
from doyle.translation.steps import Translation


@dataclass(frozen=True)
class SolvedAbstraction:
    """The betting tree of a model and a profile of its game."""

    betting: BettingTree
    profile: Profile


@dataclass(frozen=True)
class FullGame:
    """The unabstracted game with its sequence form."""

    small: SmallGame
    form: SequenceForm

    @classmethod
    def of(cls, game: Game) -> FullGame:
        """All legal bets of `game`."""
        small = small_game(game)
        return cls(small, SequenceForm(small.tree_game))

    def plan(self, seat: int, player: TranslatedStrategy) -> Floats:
        """The plan of `seat` when it plays as `player` does."""
        behaviour = self.form.uniform_behaviour(seat)
        tree = self.small.betting
        stack = [
            (
                0,
                State.start(tree.game),
                player.start(self.small.tree_game.states(0, seat)),
            )
        ]
        while stack:
            node, state, beliefs = stack.pop()
            if tree.kind[node] != DECISION or not beliefs:
                continue
            mine = state.actor == seat
            if mine:
                self._put(node, player, beliefs, state, behaviour)
            for child in tree.children_of(node).tolist():
                if tree.kind[child] != DECISION:
                    continue
                action = int(tree.action[child])
                step = player.act if mine else player.see
                after = step(beliefs, state, action)
                if tree.round[child] > tree.round[node]:
                    after = self._refined(after, seat, int(tree.round[child]))
                stack.append((child, state.apply(action), after))
        return self.form.realise(seat, behaviour)

    def _put(
        self,
        node: int,
        player: TranslatedStrategy,
        beliefs: Beliefs,
        state: State,
        behaviour: Floats,
    ) -> None:
        actions, probabilities = player.probabilities(beliefs, state)
        known = self.small.betting.actions_of(node).tolist()
        table = np.zeros((len(probabilities), len(known)))
        for column, action in enumerate(actions):
            table[:, known.index(action)] = probabilities[:, column]
        self.form.put_table(node, table, behaviour)

    def _refined(self, beliefs: Beliefs, seat: int, round: int) -> Beliefs:
        parents = self.small.tree_game.chances[round].parents[seat]
        return {branch: weights[parents] for branch, weights in beliefs.items()}

    def best_response(
        self, seat: int, solved: SolvedAbstraction, translation: Translation
    ) -> float:
        """What `seat` wins at most, chips per hand, against the other seat's translated strategy."""
        player = TranslatedStrategy(translation, solved.betting, solved.profile.probabilities)
        return self.form.best_response(seat, self.plan(1 - seat, player))[0]


def solve(
    game: Game, model: str, *, target: float = 1e-5, method: str = "cfr+"
) -> SolvedAbstraction:
    """An equilibrium of the abstract game with the bets of `model`."""
    betting = BettingTree.build(BettingModel.parse(model), game)
    form = SequenceForm(small_game(game, betting).tree_game)
    solver = RegretSolver(form, VARIANTS[method], name=method)
    return SolvedAbstraction(
        betting, Run(solver).until(Limits(target=target, iterations=200_000)).profile()
    )
