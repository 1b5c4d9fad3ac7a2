"""Betting strings of the ACPC protocol, such as `cr200c/cr600f`.

`f` folds, `c` calls or checks, `r` raises; in no-limit games the total that it raises to follows,
over all rounds. `/` separates rounds, also those an all-in runs through without action. Printing
what was read gives the same string.
"""

from __future__ import annotations

from doyle.base.errors import DoyleError, ParseError
from doyle.games import CALL, FOLD, Action, Deal, Game, State

# The server also reads the letters of older logs: k for check and b for bet.
_LETTERS = {"f": FOLD, "c": CALL, "k": CALL, "r": -1, "b": -1}
_MAX_DIGITS = 10


def format_action(game: Game, action: Action) -> str:
    """One action as in a betting string."""
    if action > CALL:
        return "r" if game.is_limit else f"r{action}"
    return "c" if action == CALL else "f"


def format_betting(state: State) -> str:
    """The betting of a hand so far.

    >>> game = Game.named("holdem-nl-200bb")
    >>> format_betting(State.start(game).apply(CALL).apply(300).apply(CALL))
    'cr300c/'
    """
    if state.game.is_limit:
        return "/".join(["".join(["fcr"[min(a, 2)] for a in actions]) for actions in state.betting])
    return "/".join(
        ["".join([f"r{a}" if a > 1 else "fc"[a] for a in actions]) for actions in state.betting]
    )


def parse_betting(
    game: Game, text: str, *, deal: Deal | None = None, what: str = "betting"
) -> State:
    """The state after the betting in `text`; a final `/` may be left out.

    >>> parse_betting(Game.named("holdem-nl-200bb"), "cr300c/").round
    1
    >>> parse_betting(Game.named("holdem-nl-200bb"), "cr300c/f")
    Traceback (most recent call last):
    doyle.base.errors.ParseError: betting 'cr300c/f': seat 0 folds with nothing to call at character 8
    """
    return read_betting(State.start(game, deal), text, 0, len(text), what=what)


def read_betting(state: State, text: str, start: int, end: int, *, what: str) -> State:
    """Apply the actions in `text[start:end]`; errors point into the whole `text`."""

    def refuse(problem: str, position: int) -> ParseError:
        return ParseError(problem, text=text, position=position, what=what)

    limit = state.game.is_limit
    slashes = 0
    position = start
    while position < end:
        letter = text[position]
        if letter == "/":
            slashes += 1
            if slashes > state.round:
                raise refuse("the betting round is not over", position)
            position += 1
            continue
        action = _LETTERS.get(letter.lower())
        if action is None:
            raise refuse(f"expected an action (f, c or r) or /, not {letter!r}", position)
        if state.actor < 0:
            raise refuse("the hand is over", position)
        if slashes < state.round:
            raise refuse("expected / before the next round", position)
        after = position + 1
        if action < 0:
            if limit:
                action = state.max_raise_to
                if not action:
                    raise refuse(f"seat {state.actor} raises, but no raise is allowed", position)
            else:
                while after < end and text[after] in "0123456789":
                    after += 1
                digits = text[position + 1 : after]
                if not digits or digits[0] == "0" or len(digits) > _MAX_DIGITS:
                    raise refuse("expected a raise-to total after r", position + 1)
                action = int(digits)
                if action <= CALL:
                    raise refuse(f"a raise to {action} is below every bet", position + 1)
        try:
            state = state.apply(action)
        except DoyleError:
            raise refuse(state.describe(action), position) from None
        position = after
    return state
