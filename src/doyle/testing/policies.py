"""`check_policy`, `check_play` and `check_suits`: the contract of policies.

- Probabilities are of legal actions in ascending order, one row per private state, and sum to 1.
- They depend on what is public alone: not on the hands that were dealt.
- Reach is the product of the policy's probabilities of the seat's actions, at every moment: at
  decisions, before the cards of a new round are known, and when the hand is over.
- Equal queries have equal answers, independent of earlier queries.
- A policy that plays (`act`) takes its actions with the reported probabilities.
- Where it is claimed: renaming suits has no effect.

Each check plays hands against itself with any bets and raises ContractError at the first place where a
policy does not keep to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.games import CALL, Action, Agent, Deal, Game, Policy, State
from doyle.games.policies import policy_row, policy_rows, walked_reach
from doyle.testing.contract import ContractError, random_deal

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]
ROUNDING = 1e-9
"""Tolerance of sums and products of probabilities."""
MOST_ACTIONS = 6
"""How many of the actions offered at a state are tried."""


def check_policy(policy: Policy, game: Game | str | Path, *, hands: int = 10, seed: int = 0) -> int:
    """Check probabilities, reach and independence of earlier queries; return the number of queried
    states."""
    game = Game.of(game)
    states = [state for hand in histories(policy, game, hands=hands, seed=seed) for state in hand]
    answers = [_answers(policy, state) for state in states]
    for state, (offered, reaches) in zip(states, answers, strict=True):
        if offered is not None:
            _check_probabilities(state, *offered)
            _check_each_action(policy, state, offered, reaches[state.actor])
        _check_reach(policy, state, reaches)
    for number in np.random.default_rng(seed).permutation(len(states)).tolist():
        again = _answers(policy, states[number].public())
        _require(_same(again, answers[number]), states[number], "another answer when asked again")
    return len(states)


def check_play(
    agent: Any, game: Game | str | Path, *, hands: int = 3, tries: int = 300, seed: int = 0
) -> int:
    """Check that `act` takes actions with the frequencies of `probabilities`; return the number of
    decisions tested."""
    game = Game.of(game)
    _require(isinstance(agent, Agent) and isinstance(agent, Policy), None, "not agent and policy")
    decisions = 0
    for hand in histories(agent, game, hands=hands, seed=seed):
        for state in hand:
            if state.actor < 0:
                continue
            actions, shares = agent.probabilities(state)
            expected = shares[policy_row(game, _hole(state))]
            views = (state.view(state.actor, dice_key=b"%d" % dice) for dice in range(tries))
            _check_frequencies(state, actions, expected, [agent.act(view) for view in views])
            decisions += 1
    return decisions


def check_suits(policy: Policy, game: Game | str | Path, *, hands: int = 3, seed: int = 0) -> int:
    """Check that renaming suits only renames rows; return the number of queried states."""
    game = Game.of(game)
    names = sorted({card % 4 for card in game.deck})
    states = 0
    for hand in histories(policy, game, hands=hands, seed=seed):
        for renamed in list(permutations(names))[-3:]:
            suits = dict(zip(names, renamed, strict=True))
            rows = _renamed_rows(game, suits)
            for state in hand:
                other = state.with_deal(Deal(((),) * game.players, _renamed(state.board, suits)))
                offered, reaches = _answers(policy, state)
                offered_other, reaches_other = _answers(policy, other)
                possible = possible_rows(game, state.board)
                moved = rows[possible]
                message = f"suits {renamed} for {tuple(names)} change what it does"
                for before, after in zip(reaches, reaches_other, strict=True):
                    close = np.allclose(before[possible], after[moved], rtol=0, atol=ROUNDING)
                    _require(close, state, message)
                if offered is not None and offered_other is not None:
                    alike = _alike(offered, offered_other, np.flatnonzero(possible), moved)
                    _require(alike, state, message)
                states += 1
    return states


def histories(policy: Policy, game: Game, *, hands: int, seed: int) -> Iterator[list[State]]:
    """The states of some hands from the blinds to the end: half of the actions are the policy's own,
    the others calls, folds and raises of any size."""
    rng = np.random.default_rng(seed)
    for _ in range(hands):
        states = [State.start(game, random_deal(game, rng))]
        while states[-1].actor >= 0:
            states.append(states[-1].apply(_next_action(policy, states[-1], rng)))
        yield states


def possible_rows(game: Game, board: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """The rows of a policy whose hands share no card with the board."""
    possible = np.zeros(policy_rows(game), bool)
    rest = [card for card in game.deck if card not in board]
    for place, card in enumerate(rest):
        for other in [()] if game.hole_cards == 1 else [(other,) for other in rest[:place]]:
            possible[policy_row(game, (*other, card))] = True
    return possible


def _hole(state: State) -> tuple[int, ...]:
    """The cards of the seat to act."""
    assert state.deal is not None
    return state.deal.hole[state.actor]


def _next_action(policy: Policy, state: State, rng: np.random.Generator) -> Action:
    if rng.random() < 0.5:
        actions, shares = policy.probabilities(state)
        _check_probabilities(state, actions, shares)
        row = shares[policy_row(state.game, _hole(state))]
        return actions[int(rng.choice(len(actions), p=row / row.sum()))]
    if not state.max_raise_to or rng.random() < 0.5:
        return state.legal_actions()[0] if rng.random() < 0.1 else CALL
    share = rng.random()
    size = round(state.min_raise_to ** (1 - share) * state.max_raise_to**share)
    return state.nearest_legal(size)


Offered = tuple[tuple[Action, ...], Floats]
Answers = tuple[Offered | None, list[Floats]]


def _answers(policy: Policy, state: State) -> Answers:
    """All answers of a policy at a state; no probabilities when the hand is over."""
    offered = policy.probabilities(state) if state.actor >= 0 else None
    return offered, [policy.reach(state, seat) for seat in range(state.game.players)]


def _same(first: Answers, second: Answers) -> bool:
    (offered, reaches), (other, other_reaches) = first, second
    if offered is None or other is None:
        return offered is other and all(map(np.array_equal, reaches, other_reaches))
    if offered[0] != other[0] or not np.array_equal(offered[1], other[1]):
        return False
    return all(map(np.array_equal, reaches, other_reaches))


def _check_probabilities(state: State, actions: tuple[Action, ...], shares: Floats) -> None:
    _require(isinstance(actions, tuple), state, "the actions are no tuple")
    for action in actions:
        legal = type(action) is int and state.is_legal(action)
        _require(legal, state, f"offers {action!r}, which is illegal")
    _require(list(actions) == sorted(set(actions)), state, "the actions do not ascend")
    shape = policy_rows(state.game), len(actions)
    _require(shares.shape == shape, state, f"probabilities of shape {shares.shape}, not {shape}")
    rows = _different_rows(shares)
    _require(bool((rows >= 0).all()), state, "a probability is negative or no number")
    off = float(np.abs(rows.sum(axis=1) - 1).max())
    _require(off <= ROUNDING, state, f"the rows sum to 1 but for {off:.2g}")


def _check_reach(policy: Policy, state: State, reaches: list[Floats]) -> None:
    ends = state.game.board_ends
    possible = possible_rows(state.game, state.board)
    for seat, reach in enumerate(reaches):
        shape = (policy_rows(state.game),)
        _require(reach.shape == shape, state, f"reach of shape {reach.shape}, not {shape}")
        off = float(np.abs(reach - walked_reach(policy, state, seat))[possible].max())
        message = f"reach of seat {seat} differs by {off:.2g} from the product of probabilities"
        _require(off <= ROUNDING, state, message)
        if state.actor >= 0 and not state.betting[-1] and state.round:
            # The moment before the cards of this round are dealt.
            board = state.board[: ends[state.round - 1]]
            assert state.deal is not None
            before = state.with_deal(Deal(state.deal.hole, board))
            same = np.array_equal(policy.reach(before, seat), reach)
            _require(same, state, f"reach of seat {seat} depends on cards to come")


def _check_each_action(policy: Policy, state: State, offered: Offered, reach: Floats) -> None:
    """Reach after an action is reach before it times its probability, be it played or not."""
    actions, shares = offered
    possible = possible_rows(state.game, state.board)
    for column, action in enumerate(actions[:MOST_ACTIONS]):
        after = policy.reach(state.apply(action), state.actor)
        off = float(np.abs(after - reach * shares[:, column])[possible].max())
        message = f"reach after {action} differs by {off:.2g} from reach times probability"
        _require(off <= ROUNDING, state, message)


def _check_frequencies(
    state: State, actions: tuple[Action, ...], expected: Floats, taken: list[Action]
) -> None:
    """Within five standard deviations; actions that are hardly ever taken are counted together."""
    shares = dict(zip(actions, expected.tolist(), strict=True))
    for action in set(taken):
        _require(shares.get(action, 0) > 0, state, f"plays {action}, which has no probability")
    often = [action for action, share in shares.items() if share >= 0.01]
    tries = len(taken)
    groups = [(shares[action], taken.count(action), str(action)) for action in often]
    rest = sum(share for action, share in shares.items() if action not in often)
    counted = sum(action not in often for action in taken)
    for share, count, what in [*groups, (rest, counted, "others")]:
        spread = 5 * (tries * share * max(0.0, 1 - share)) ** 0.5
        message = f"plays {what} {count} times in {tries}, with probability {share:.3g}"
        _require(abs(count - tries * share) <= spread + ROUNDING * tries, state, message)


def _different_rows(shares: Floats) -> Floats:
    """The rows to look at: one if all are the same row of memory, of thousands of actions maybe."""
    return shares[:1] if shares.strides[0] == 0 else shares


def _alike(first: Offered, second: Offered, rows: Integers, others: Integers) -> bool:
    """Whether `rows` of one answer are `others` of another; actions of probability 0 are
    ignored."""
    if all(len(_different_rows(shares)) == 1 for _, shares in (first, second)):
        rows = others = np.zeros(1, np.intp)
    taken = [
        {action: shares[places, column] for column, action in enumerate(actions)}
        for (actions, shares), places in ((first, rows), (second, others))
    ]
    none = np.zeros(len(rows))
    return all(
        float(np.abs(taken[0].get(action, none) - taken[1].get(action, none)).max()) <= ROUNDING
        for action in {*taken[0], *taken[1]}
    )


def _renamed(cards: tuple[int, ...], suits: dict[int, int]) -> tuple[int, ...]:
    return tuple(card - card % 4 + suits[card % 4] for card in cards)


def _renamed_rows(game: Game, suits: dict[int, int]) -> npt.NDArray[np.intp]:
    """The row of every hand after its suits are renamed."""
    rows = np.zeros(policy_rows(game), np.intp)
    for place, card in enumerate(game.deck):
        for other in [()] if game.hole_cards == 1 else [(other,) for other in game.deck[:place]]:
            hole = (*other, card)
            rows[policy_row(game, hole)] = policy_row(game, _renamed(hole, suits))
    return rows


def _require(kept: bool, state: State | None, message: str) -> None:
    if not kept:
        where = "" if state is None else f" at betting {state.betting}, board {state.board}"
        raise ContractError(f"policy{where}: {message}")
