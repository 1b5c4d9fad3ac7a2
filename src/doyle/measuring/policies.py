"""Policies as profiles: asking a policy at every public history of a small game.

A policy may tell every card apart, so the game it is measured in does too (`lossless=False`). The
answers give one profile, from which follow its exact value, best responses and exploitability.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np

from doyle.errors import DoyleError
from doyle.games import Deal, Game, Policy, State
from doyle.public_games.private_states import Floats
from doyle.solving.exploitability import Exploitability, exploitability
from doyle.solving.games.poker import SmallGame, small_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.small_deck_buckets import policy_row


def policy_profile(
    small: SmallGame, policies: tuple[Policy, Policy], form: SequenceForm | None = None
) -> Profile:
    """What two policies, one per seat, do at every decision of a game."""
    game_form = form or SequenceForm(small.public_game)
    behaviours = (game_form.uniform_behaviour(0), game_form.uniform_behaviour(1))
    tree = small.public_game.tree
    for node in tree.decisions.tolist():
        seat = int(tree.actor[node])
        table = _table(small, node, policies[seat])
        game_form.put_table(node, table, behaviours[seat])
    return Profile.of_behaviours(game_form, behaviours)


def policy_exploitability(
    game: Game, policies: tuple[Policy, Policy], *, value: float | None = None
) -> Exploitability:
    """The exact exploitability of two policies in the whole of a small game."""
    profile = policy_profile(small_game(game, lossless=False), policies)
    return exploitability(profile, value=value)


def _table(small: SmallGame, node: int, policy: Policy) -> Floats:
    """Probabilities[state, action] at a decision, asked board by board."""
    round = int(small.betting.round[node])
    actions = [int(action) for action in small.betting.actions_of(node)]
    path = small.betting.path(node)
    keys = small.cards.keys[round]
    rows: list[Floats] = []
    for board, group in groupby(keys, key=lambda key: key[1:]):
        cards = tuple(card for part in board for card in part)
        answers = _ask(small.cards.game, path, cards, policy, actions)
        rows.extend(answers[policy_row(small.cards.game, key[0])] for key in group)
    return np.array(rows)


def _ask(
    game: Game, path: tuple[int, ...], board: tuple[int, ...], policy: Policy, actions: list[int]
) -> Floats:
    """The policy's rows, with columns in the order of the tree's actions."""
    state = State.start(game, Deal(hole=((),) * game.players, board=board))
    for action in path:
        state = state.apply(action)
    offered, probabilities = policy.probabilities(state)
    result = np.zeros((len(probabilities), len(actions)))
    for column, action in enumerate(offered):
        if action in actions:
            result[:, actions.index(action)] = probabilities[:, column]
        elif np.any(probabilities[:, column] > 0):
            raise DoyleError(
                f"{game.name}: the policy plays {action} after {path}, which the tree does not have"
            )
    return result
