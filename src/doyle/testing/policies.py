"""`check_policy`: what every policy must hold.

At every public state its actions are legal and ascending, and every hand that the board leaves has
probabilities that are not negative and sum to 1. Reach is 1 before a seat has acted, is multiplied by
the probability of each action of its own, and does not change by those of others. A policy that is
an agent too plays actions of positive probability only.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from doyle.cards import HOLES
from doyle.games import Action, Agent, Deal, Game, Policy, State
from doyle.histories import format_betting
from doyle.testing.contract import random_action, random_deal, require

TOLERANCE = 1e-9


def check_policy(policy: Policy, game: Game | str | Path, *, hands: int = 20, seed: int = 0) -> int:
    """Walk random hands, asking for all private states at once; return how many states were asked.

    In every other hand both seats play actions that the policy itself may take, so that the reach
    stays above zero deep into the hand.
    """
    rules = Game.of(game)
    rng = np.random.default_rng(seed)
    asked = 0
    for number in range(hands):
        deal = random_deal(rules, rng)
        state = State.start(rules, deal)
        expected = [np.ones(_rows(rules)) for _ in range(rules.players)]
        while not state.is_over:
            where = f"{rules.name}, board {state.board}, betting {format_betting(state)!r}"
            actions, shares = _asked(policy, state, where)
            _check_reach(policy, state, expected, where)
            _check_act(policy, state, actions, shares, where)
            asked += 1
            action = random_action(state, rng) if number % 2 else _likely(actions, shares, rng)
            column = actions.index(action) if action in actions else None
            taken = 0.0 if column is None else shares[:, column]
            expected[state.actor] = expected[state.actor] * taken
            state = state.apply(action)
    return asked


def _rows(game: Game) -> int:
    return len(game.deck) if game.hole_cards == 1 else len(HOLES)


def _left(state: State) -> npt.NDArray[np.bool_]:
    """The private states that share no card with the board."""
    if state.game.hole_cards == 1:
        return np.array([card not in state.board for card in state.game.deck])
    return np.asarray(
        ~np.isin(HOLES, state.board).any(axis=1)
        & np.isin(HOLES, np.array(state.game.deck)).all(axis=1)
    )


def _public(state: State) -> State:
    return state.with_deal(Deal(((),) * state.game.players, state.board))


def _asked(
    policy: Policy, state: State, where: str
) -> tuple[tuple[Action, ...], npt.NDArray[np.float64]]:
    actions, shares = policy.probabilities(_public(state))
    require(list(actions) == sorted(set(actions)), f"{where}: actions {actions} are not ascending")
    for action in actions:
        require(state.is_legal(action), f"{where}: offers {state.describe(action)}")
    wanted = (_rows(state.game), len(actions))
    require(shares.shape == wanted, f"{where}: probabilities of shape {shares.shape}, not {wanted}")
    rows = shares[_left(state)]
    require(bool((rows >= 0).all()), f"{where}: a probability is negative or no number")
    worst = float(np.abs(rows.sum(axis=1) - 1).max())
    require(worst <= TOLERANCE, f"{where}: probabilities of a hand sum to 1 but for {worst:.3g}")
    return actions, shares


def _check_reach(
    policy: Policy, state: State, expected: list[npt.NDArray[np.float64]], where: str
) -> None:
    left = _left(state)
    for seat, wanted in enumerate(expected):
        found = policy.reach(_public(state), seat)
        require(found.shape == wanted.shape, f"{where}: reach of shape {found.shape}")
        worst = float(np.abs(found - wanted)[left].max())
        require(
            worst <= TOLERANCE,
            f"{where}: the reach of seat {seat} is not the product of its probabilities, by "
            f"{worst:.3g}",
        )


def _check_act(
    policy: Policy,
    state: State,
    actions: tuple[Action, ...],
    shares: npt.NDArray[np.float64],
    where: str,
) -> None:
    if not isinstance(policy, Agent):
        return
    hole = state.deal.hole[state.actor] if state.deal is not None else ()
    row = _row(state.game, hole)
    for roll in range(3):
        action = policy.act(state.view(state.actor, dice_key=bytes([roll])))
        share = shares[row, actions.index(action)] if action in actions else 0.0
        require(share > 0, f"{where}: plays {action} with a hand that never does")


def _row(game: Game, hole: tuple[int, ...]) -> int:
    if game.hole_cards == 1:
        return game.deck.index(hole[0])
    low, high = sorted(hole)
    return high * (high - 1) // 2 + low


def _likely(
    actions: tuple[Action, ...], shares: npt.NDArray[np.float64], rng: np.random.Generator
) -> Action:
    """An action that some hand takes."""
    taken = [column for column in range(len(actions)) if (shares[:, column] > 0).any()]
    return actions[int(rng.choice(taken))]
