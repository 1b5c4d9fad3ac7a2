"""What a betting model costs: decisions of the tree it spans."""

import doyle

for game in ("holdem-nl-100bb", "holdem-nl-200bb-small", "doyle-500bb"):
    base = doyle.BettingTree.build("fcpta", game).decision_count
    half = doyle.BettingTree.build("fchpta/h", game).decision_count
    print(f"{game:<22} fcpta {base:>6,}   fchpta/h {half:>7,}   {half / base:5.2f} times as many")
