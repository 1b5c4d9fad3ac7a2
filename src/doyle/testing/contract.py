"""Shared parts of contract tests: the error, and random hands of any game."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from doyle.games import CALL, FOLD, Action, Deal, Game, State


class ContractError(AssertionError):
    """A part does not keep its contract; the message says where and how."""


def require(kept: bool, problem: str) -> None:
    """Raise ContractError with `problem` unless the contract is kept."""
    if not kept:
        raise ContractError(problem)


def random_deal(game: Game, rng: np.random.Generator) -> Deal:
    """All cards of one hand."""
    needed = game.hole_cards * game.players + sum(game.board_cards)
    cards = [int(card) for card in rng.permutation(np.array(game.deck))[:needed]]
    ends = [game.hole_cards * (seat + 1) for seat in range(game.players)]
    hole = tuple(tuple(cards[end - game.hole_cards : end]) for end in ends)
    return Deal(hole, tuple(cards[ends[-1] :]))


def random_action(state: State, rng: np.random.Generator) -> Action:
    """Any legal action: folds are rare, and raises are small, large or in between."""
    low, high = state.min_raise_to, state.max_raise_to
    choice = rng.random()
    if state.can_fold and choice < 0.12:
        return FOLD
    if not high or choice < 0.55:
        return CALL
    share = float(rng.choice([0.0, rng.random() ** 3, rng.random(), 1.0]))
    wanted: int = round(low ** (1 - share) * high**share)
    return min(high, max(low, wanted))


def random_states(game: Game, *, hands: int, seed: int) -> Iterator[State]:
    """The states of random hands, from the blinds to the end of each."""
    rng = np.random.default_rng(seed)
    for _ in range(hands):
        state = State.start(game, random_deal(game, rng))
        yield state
        while not state.is_over:
            state = state.apply(random_action(state, rng))
            yield state
