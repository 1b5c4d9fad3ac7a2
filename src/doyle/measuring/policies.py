"""Policies as profiles: asking a policy at every public history of a small game.

A policy may tell every card apart, so the game it is measured in does too (`lossless=False`). The
answers give one profile, from which follow its exact value, best responses and exploitability. Boards
are asked one after the other and histories depth-first, so that a policy which resumes its walks makes
one step for each.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np

from doyle.abstractions.betting import BettingTree
from doyle.base.errors import DoyleError
from doyle.games import Action, Deal, Game, Policy, State
from doyle.games.policies import policy_row
from doyle.solving.games.matrix_game import Floats
from doyle.solving.games.small_games import SmallGame, small_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Exploitability, Profile, exploitability


def policy_profile(
    small: SmallGame, policies: tuple[Policy, Policy], form: SequenceForm | None = None
) -> Profile:
    """What two policies, one per seat, do at every decision of a game."""
    game_form = form or SequenceForm(small)
    behaviours = (game_form.uniform_behaviour(0), game_form.uniform_behaviour(1))
    for node, table in _tables(small, policies).items():
        game_form.put_table(node, table, behaviours[int(small.tree.actor[node])])
    return Profile.of_behaviours(game_form, behaviours)


def policy_exploitability(
    game: Game, policies: tuple[Policy, Policy], *, value: float | None = None
) -> Exploitability:
    """The exact exploitability of two policies in the whole of a small game."""
    profile = policy_profile(small_game(game, lossless=False), policies)
    return exploitability(profile, value=value)


def _tables(small: SmallGame, policies: tuple[Policy, Policy]) -> dict[int, Floats]:
    """Probabilities[private state, action] at every decision."""
    tree, game = small.tree, small.cards.game
    states = _states(tree)
    tables = {
        node: np.zeros((len(small.cards.keys[state.round]), int(tree.child_count[node])))
        for node, state in states.items()
    }
    for round_, keys in enumerate(small.cards.keys):
        here = [(node, state) for node, state in states.items() if state.round == round_]
        first = 0
        for board, group in groupby(keys, key=lambda key: key[1:]):
            rows = [policy_row(game, key[0]) for key in group]
            deal = Deal(
                hole=((),) * game.players, board=tuple(card for part in board for card in part)
            )
            for node, state in here:
                answers = _ask(tree, node, state.with_deal(deal), policies[state.actor])
                tables[node][first : first + len(rows)] = answers[rows]
            first += len(rows)
    return tables


def _states(tree: BettingTree) -> dict[int, State]:
    """The betting at every decision, depth-first."""
    states = {0: State.start(tree.game)}
    for node in tree.decisions[1:].tolist():
        states[node] = states[int(tree.parent[node])].apply(int(tree.action[node]))
    return states


def _ask(tree: BettingTree, node: int, state: State, policy: Policy) -> Floats:
    """The policy's rows, with columns in the order of the tree's actions."""
    actions: list[Action] = tree.actions_of(node).tolist()
    offered, probabilities = policy.probabilities(state)
    result = np.zeros((len(probabilities), len(actions)))
    for column, action in enumerate(offered):
        if action in actions:
            result[:, actions.index(action)] = probabilities[:, column]
        elif np.any(probabilities[:, column] > 0):
            raise DoyleError(
                f"{tree.game.name}: the policy plays {action} after {tree.path(node)}, "
                "which the tree does not have"
            )
    return result
