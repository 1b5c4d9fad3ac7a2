"""The thesis's strategy-switching player over a cover set.

At every decision the player redraws one of its games, reads the history there (all bets but
all-ins are the game's bet b) and plays that game's strategy. With the full cover it picks evenly
among the games that match the ratios of pot, stack and bet; with a part of it, by how closely they
match (Schnizlein 2009, section 5.4). It does not remember previous draws, so its play at a decision
is the weighted mean of its games' strategies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import LabelledTree, TreeBuilder
from doyle.agents.switching.cover_games import CoverGame
from doyle.games import CALL, FOLD, Action, Game, State
from doyle.solving.games import MatrixGame, PrivateStates
from doyle.solving.games.matrix_game import Floats
from doyle.solving.methods.cfr import RegretSolver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.run import Limits, Run
from doyle.solving.solvers import VARIANTS

TARGET = 1e-3
"""Exploitability of the games' strategies, antes per hand."""

MOST_ITERATIONS = 20_000


def cover_tree(game: CoverGame) -> LabelledTree:
    """Two rounds of fold, call, bet and all-in; labels f, c, b and a. Bets have no least size."""
    builder = TreeBuilder()
    antes = game.ante

    def grow(
        parent: int, label: str, round: int, actor: int, spent: list[int], checks: int
    ) -> None:
        node = builder.decision(parent, round=round, actor=actor, label=label)
        other = 1 - actor
        facing = spent[other] - spent[actor]
        if facing:
            lost = -spent[0] if actor == 0 else spent[1]
            builder.fold(node, round=round, amount=lost / antes, label="f")
        matched = [max(spent)] * 2
        if facing or checks:
            if matched[0] == game.stack or round == 1:
                builder.showdown(node, round=round, amount=matched[0] / antes, label="c")
            else:
                grow(node, "c", 1, 0, matched, 0)
        else:
            grow(node, "c", round, other, spent, 1)
        if spent[other] == game.stack:
            return
        pot = 2 * matched[0]
        bet = pot * game.fraction.numerator // game.fraction.denominator
        for label_of, total in (("b", matched[0] + bet), ("a", game.stack)):
            if matched[0] < total < game.stack or label_of == "a":
                raised = list(spent)
                raised[actor] = total
                grow(node, label_of, round, other, raised, 1)

    grow(-1, "", 0, 0, [antes, antes], 0)
    return builder.finish()


@dataclass(frozen=True)
class CoverStrategy:
    """A solved game of the cover; `nodes` finds a node by its labels."""

    game: CoverGame
    tree: LabelledTree
    profile: Profile
    nodes: dict[str, int]


def solve_cover_game(item: tuple[CoverGame, tuple[PrivateStates, ...]]) -> CoverStrategy:
    """An equilibrium of a game of the cover."""
    game, rounds = item
    tree = cover_tree(game)
    form = SequenceForm(MatrixGame("cover", tree, rounds))
    profile = (
        Run(RegretSolver(form, VARIANTS["cfr+"], name="cfr+"))
        .until(Limits(target=TARGET, iterations=MOST_ITERATIONS))
        .profile()
    )
    return CoverStrategy(game, tree, profile, _names(tree))


def cover_strategy(
    game: CoverGame, rounds: tuple[PrivateStates, ...], plans: Sequence[Floats]
) -> CoverStrategy:
    """A game of the cover with the plans of both seats that were found before."""
    tree = cover_tree(game)
    form = SequenceForm(MatrixGame("cover", tree, rounds))
    return CoverStrategy(game, tree, Profile(form, (plans[0], plans[1])), _names(tree))


def _names(tree: LabelledTree) -> dict[str, int]:
    """Decisions by their labels."""
    names = [""] * len(tree)
    for node in range(1, len(tree)):
        names[node] = names[int(tree.parent[node])] + tree.labels[node]
    return {names[node]: node for node in tree.decisions.tolist()}


@dataclass(frozen=True)
class CoverPlace:
    """A public history as the cover reads it: bets made, the bet faced, and labels of the actions."""

    state: State
    states: int
    bets: int = 0
    faced: Fraction | None = None
    labels: str = ""


@dataclass(frozen=True)
class CoverPlayer:
    """The switching player: all its strategies, and whether ratios must match exactly."""

    game: Game
    strategies: tuple[CoverStrategy, ...]
    exact: bool

    def start(self, states: int) -> CoverPlace:
        return CoverPlace(State.start(self.game), states)

    def after(
        self,
        place: CoverPlace,
        action: Action,
        *,
        own: bool,
        parents: npt.NDArray[np.integer[Any]] | None,
    ) -> CoverPlace:
        """The same for both seats: previous draws are not remembered."""
        state = place.state
        after, states = state.apply(action), place.states if parents is None else len(parents)
        if action == CALL:
            return CoverPlace(after, states, place.bets, None, place.labels + "c")
        if action == max(self.game.stacks):
            return CoverPlace(after, states, place.bets, None, place.labels + "a")
        seen = Fraction(action - state.largest, state.pot + state.to_call)
        return CoverPlace(after, states, place.bets + 1, seen, place.labels + "b")

    def probabilities(self, place: CoverPlace) -> tuple[tuple[Action, ...], Floats]:
        actions = place.state.legal_actions()
        table = np.zeros((place.states, len(actions)))
        for action, joint in self.joint(place).items():
            table[:, actions.index(action)] = joint
        return actions, table / table.sum(axis=1, keepdims=True)

    def weights(self, place: CoverPlace) -> list[float]:
        """How much each strategy counts at a decision; they are not normalised."""
        state, faced = place.state, place.faced
        pot = state.pot - (state.largest - state.spent[state.actor])
        wanted = Fraction(max(state.game.stacks), pot)
        before = place.bets - (1 if faced is not None else 0)
        result, matches = [], []
        for strategy in self.strategies:
            game = strategy.game
            ratio = Fraction(game.stack, game.pot_after(before))
            close = float(min(ratio, wanted) / max(ratio, wanted))
            if faced is not None:
                close *= float(min(faced, game.fraction) / max(faced, game.fraction))
            result.append(close)
            matches.append(1.0 if close == 1.0 else 0.0)
        return matches if self.exact and any(matches) else result

    def joint(self, place: CoverPlace) -> dict[Action, Floats]:
        """Real actions with their joint weights over the private states."""
        state, result = place.state, dict[Action, Floats]()
        none = np.zeros(place.states)
        for strategy, weight in zip(self.strategies, self.weights(place), strict=True):
            if weight <= 0:
                continue
            node = strategy.nodes.get(place.labels)
            tree = strategy.tree
            if node is None or tree.round[node] != state.round:
                # This game's betting has ended already: the only action is a call.
                result[CALL] = result.get(CALL, none) + weight
                continue
            rows = strategy.profile.probabilities(node)
            for column, child in enumerate(tree.children_of(node).tolist()):
                real = _spoken(tree.labels[child], strategy.game.fraction, state)
                result[real] = result.get(real, none) + weight * rows[:, column]
        return result


def _spoken(label: str, fraction: Fraction, state: State) -> int:
    """The real action for a label: the bet is that fraction of the real pot."""
    if label == "f":
        return FOLD if state.can_fold else CALL
    if label == "c":
        return CALL
    if label == "a":
        return state.nearest_legal(max(state.game.stacks))
    bet = round(fraction * (state.pot + state.to_call))
    return state.nearest_legal(max(2, state.largest + bet))
