"""A river from two ranges: what is played, by action and by hand, and what a mistake costs."""

from functools import partial

import doyle

river = partial(
    doyle.spot,
    board="Ks7h4d2cJs",
    ranges=("AA,KK,QJs,T9s", "KQ,JJ,AJs"),
    pot=200,
    stacks=400,
    betting="fcpa",
    target_percent=0.1,
)
solved = river()
print(f"value {solved.value:.2f} chips for the first to act, ", end="")
print(f"exploitability {solved.exploitability_percent_of_pot:.2f}% of the pot")
for action, share in zip(solved.root.names, solved.root.frequencies, strict=True):
    print(f"  {action:<12} {100 * share:5.1f}%")

# If the second seat never folded to a bet of the pot, the first would gain:
locked = river(locks=["r300=c"])
print(f"against a seat that never folds to it: {locked.value:.2f} chips")
assert locked.value > solved.value
