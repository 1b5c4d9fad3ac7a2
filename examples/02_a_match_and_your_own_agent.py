"""An agent is anything with a name and `act(view)`; a match says how well it does, and how surely."""

import doyle
from doyle.games import CALL, FOLD, Action


class Suited:
    """Raises the minimum with suited cards, calls small bets, folds to large ones."""

    name = "suited"

    def act(self, view: doyle.View) -> Action:
        state = view.state
        suited = view.hole[0] % 4 == view.hole[1] % 4
        if suited and state.max_raise_to and not state.betting[-1]:
            return state.min_raise_to
        if state.to_call > state.pot and state.can_fold:
            return FOLD
        return CALL


result = doyle.play_match("holdem-nl-100bb", [Suited(), "random"], hands=2000, seed=7)
for player, name in enumerate(result.names):
    print(f"{name:<8} {result.mbb_per_hand(player):.0f} mbb/h")
assert result.mbb_per_hand(0).mean == -result.mbb_per_hand(1).mean
