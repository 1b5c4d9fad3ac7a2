"""What a betting model costs: decisions of the tree it spans."""

from doyle.betting import BettingModel, BettingTree
from doyle.games import Game

for game in ("holdem-nl-100bb", "holdem-nl-200bb-small", "doyle-500bb"):
    base = BettingTree.build(BettingModel.parse("fcpta"), Game.named(game)).decision_count
    half = BettingTree.build(BettingModel.parse("fchpta/h"), Game.named(game)).decision_count
    print(f"{game:<22} fcpta {base:>6,}   fchpta/h {half:>7,}   {half / base:5.2f} times as many")
