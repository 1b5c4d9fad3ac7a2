"""The contracts that our own parts keep, run on parts of yours."""

from doyle.games import CALL, Action, View
from doyle.testing import ContractError, check_agent, check_game, check_mapping


class Impatient:
    """Goes all-in at once, also where it may not."""

    name = "impatient"

    def act(self, view: View) -> Action:
        return view.state.game.stacks[view.seat] if view.hole[0] % 2 else CALL


print(f"kuhn: {check_game('kuhn')} states keep the contract of games")
print(f"rand-pshar: {check_mapping('rand-pshar')} probabilities keep that of mappings")
print(f"always-call: {check_agent('always-call', 'leduc')} decisions keep that of agents")
try:
    check_agent(Impatient(), "holdem-nl-200bb")
except ContractError as problem:
    print(f"found: {problem}")
