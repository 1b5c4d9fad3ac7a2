"""Play one hand by the rules, then ask what the cards were worth."""

from doyle.cards import equity, format_cards, parse_cards, rank_hand
from doyle.games import CALL, Deal, Game, State
from doyle.histories import format_betting

game = Game.named("holdem-nl-200bb")
deal = Deal(
    hole=(parse_cards("AsKs"), parse_cards("QhQd")),
    board=parse_cards("Kd7d2cQs3h"),
)

# Seat 1 is the small blind and acts first before the flop; raises are totals ("raise to").
state = State.start(game, deal)
for action in (300, 900, CALL, CALL, 1800, CALL, CALL, CALL, CALL, CALL):
    state = state.apply(action)

print(f"betting  {format_betting(state)}")
print(f"board    {format_cards(state.board)}")
print(f"payoffs  {state.payoffs()}")

ranks = [rank_hand((*hole, *deal.board)) for hole in deal.hole]
print(f"winner   seat {ranks.index(max(ranks))}")
assert sum(state.payoffs()) == 0

before = equity(["AsKs", "QhQd"])
print(f"AsKs against QhQd before the flop: {before.players[0].equity:.4f}")
