"""Play one hand by the rules, then ask what the cards were worth."""

import doyle
from doyle.cards import format_cards
from doyle.games import CALL, Deal
from doyle.games.histories import format_betting

deal = Deal(
    hole=(doyle.parse_cards("AsKs"), doyle.parse_cards("QhQd")),
    board=doyle.parse_cards("Kd7d2cQs3h"),
)

# Seat 1 is the small blind and acts first before the flop; raises are totals ("raise to").
state = doyle.State.start("holdem-nl-200bb", deal)
for action in (300, 900, CALL, CALL, 1800, CALL, CALL, CALL, CALL, CALL):
    state = state.apply(action)

print(f"betting  {format_betting(state)}")
print(f"board    {format_cards(state.board)}")
print(f"payoffs  {state.payoffs()}")

ranks = [doyle.rank_hand((*hole, *deal.board)) for hole in deal.hole]
print(f"winner   seat {ranks.index(max(ranks))}")
assert sum(state.payoffs()) == 0

before = doyle.equity(["AsKs", "QhQd"])
print(f"AsKs against QhQd before the flop: {before.players[0].equity:.4f}")
against = doyle.equity(["AsKs", doyle.Range.parse("QQ+, AKo")], "Qh7c2d")
print(f"AsKs against QQ+, AKo on Qh7c2d:   {against.players[0].equity:.4f}")
