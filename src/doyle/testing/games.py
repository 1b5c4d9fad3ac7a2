"""`check_game`: the contract of games.

Its definition is read back as the same game. In every state the legal actions are those that can be
applied, one more or less than a bound is refused, chips are conserved and no seat spends more than
its stack. A finished hand pays exactly the pot. A view shows only its seat's own cards and the
visible board, and states travel to other processes unchanged.
"""

from __future__ import annotations

import pickle
from pathlib import Path

from doyle.base.errors import DoyleError
from doyle.games import CALL, FOLD, Game, State
from doyle.games.histories import format_betting, parse_betting
from doyle.testing.contract import random_states, require


def check_game(game: Game | str | Path, *, hands: int = 100, seed: int = 0) -> int:
    """Play random hands of a game and check every state; return how many states there were.

    >>> check_game("kuhn", hands=5) > 10
    True
    """
    rules = Game.of(game)
    require(Game.parse(rules.to_text()) == rules, f"{rules.name}: its definition reads otherwise")
    count = 0
    for state in random_states(rules, hands=hands, seed=seed):
        where = f"{rules.name}, {state.deal}, betting {format_betting(state)!r}"
        _check_chips(state, where)
        _check_actions(state, where)
        _check_views(state, where)
        if state.is_over:
            payoffs = state.payoffs()
            require(sum(payoffs) == 0, f"{where}: payoffs {payoffs} do not sum to 0")
            for seat, chips in enumerate(payoffs):
                require(
                    chips >= -state.spent[seat], f"{where}: seat {seat} loses more than it put in"
                )
        again = parse_betting(rules, format_betting(state), deal=state.deal)
        require(again == state, f"{where}: its betting text gives another state")
        require(pickle.loads(pickle.dumps(state)) == state, f"{where}: a copy differs")
        count += 1
    return count


def _check_chips(state: State, where: str) -> None:
    game = state.game
    for seat, (spent, stack) in enumerate(zip(state.spent, game.stacks, strict=True)):
        require(game.blinds[seat] <= spent <= stack, f"{where}: seat {seat} has put in {spent}")
    require(state.pot == sum(state.spent), f"{where}: the pot is not what was put in")
    if not state.is_over:
        seat = state.actor
        able = not state.folded[seat] and state.spent[seat] < game.stacks[seat]
        require(able, f"{where}: seat {seat} is to act and cannot")


def _check_actions(state: State, where: str) -> None:
    if state.is_over:
        require(not state.legal_actions(), f"{where}: actions after the end")
        _check_refused(state, CALL, where)
        return
    low, high = state.min_raise_to, state.max_raise_to
    require(low <= high, f"{where}: raises from {low} to {high}")
    legal = [CALL, *([FOLD] if state.can_fold else []), *({low, (low + high) // 2, high} - {0})]
    for action in legal:
        require(state.is_legal(action), f"{where}: {action} is listed and not legal")
        after = state.apply(action)
        require(after.pot >= state.pot, f"{where}: {action} takes chips out of the pot")
        require(after.action_count == state.action_count + 1, f"{where}: {action} is not counted")
        if action == FOLD:
            require(after.folded[state.actor], f"{where}: seat {state.actor} folds and stays")
        elif action > CALL:
            require(after.largest == action, f"{where}: a raise to {action} is not the bet")
    refused = [-1, *([] if state.can_fold else [FOLD])]
    refused += [low - 1, high + 1] if high else [state.largest + game_bet(state)]
    for action in refused:
        if action not in legal and action != CALL:
            _check_refused(state, action, where)


def game_bet(state: State) -> int:
    """A raise by this much would be legal if raises were."""
    return state.game.raise_sizes[state.round] if state.game.is_limit else state.game.big_blind


def _check_refused(state: State, action: int, where: str) -> None:
    require(not state.is_legal(action), f"{where}: {action} must not be legal")
    try:
        state.apply(action)
    except DoyleError:
        return
    require(False, f"{where}: {action} is not legal and can be applied")


def _check_views(state: State, where: str) -> None:
    assert state.deal is not None
    for seat in range(state.game.players):
        view = state.view(seat)
        require(view.hole == state.deal.hole[seat], f"{where}: seat {seat} does not see its cards")
        require(view.board == state.board, f"{where}: seat {seat} sees the board {view.board}")
        seen = view.state.deal
        require(seen is not None, f"{where}: seat {seat} sees no cards at all")
        assert seen is not None
        require(seen.board == state.board, f"{where}: the view holds cards still to come")
        for other, cards in enumerate(seen.hole):
            shown = state.is_showdown and not state.folded[other]
            require(
                cards == (state.deal.hole[other] if shown else ()),
                f"{where}: seat {seat} sees {cards} of seat {other}",
            )
