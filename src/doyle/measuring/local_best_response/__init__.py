"""Local best response: a lower bound on the exploitability of any policy, in the real game.

Lisy and Bowling (2017): an opponent keeps the range that the policy's actions so far imply, and at each of
its turns chooses the action that would win the most without later bets. That is far from a best
response, but its winnings are real, so they bound the exploitability from below, bets outside the
policy's tree included.

In reading order:

`response`  the rule: `Holding` (one hand against a range), `LocalBestResponse`, the sets of actions
`origins`   where the winnings come from, by the responder's first raise
`run`       sampled hands with an interval, or every deal of a small game

Win probabilities come from `doyle.measuring.hand_equity`, ranges from `Policy.probabilities`.
"""
