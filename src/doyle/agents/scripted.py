"""Scripted agents: players that repeat one trick a paper tells of.

Each is a pure function of the view and plays any no-limit game.
"""

from __future__ import annotations

from doyle.games import CALL, FOLD, Action, View

POKEMINN_BIG_BLINDS = 72
"""144 chips at blinds of 1/2."""


class PokeMinn:
    """Puts in 72 big blinds before the flop, then moves all-in, whatever it holds.

    Gilpin, Sandholm and Sørensen 2008, section 7: "a common bet made by PokeMinn was putting in 144
    chips pre-flop" (blinds 1/2, stacks 1,000). Only that bet is from the paper; that it comes with
    every hand, the all-in at the next decision, and the fold when the opponent is all-in first, are
    the script.
    """

    name = "pokeminn-144"

    def act(self, view: View) -> Action:
        state = view.state
        if not state.max_raise_to:
            return FOLD if state.can_fold else CALL
        wanted = POKEMINN_BIG_BLINDS * state.game.big_blind
        if state.round == 0 and state.largest < wanted:
            return state.nearest_legal(wanted)
        return state.max_raise_to
