"""Solve Leduc Hold'em three ways, compare the values, and play the result."""

import doyle

values = {}
for solver, target in (("lp", 0.0), ("egt", 1e-3), ("pcfr+", 1e-5)):
    solved = doyle.solve("leduc", solver=solver, target=target)
    values[solver] = solved.value
    print(f"{solver:<6} value {solved.value:.6f}   exploitability {solved.exploitability:.2g}")
assert abs(values["lp"] - values["pcfr+"]) < 1e-4

# The strategy is an agent: look into it, measure it again, let it play.
print(solved.agent.at("r"))
print(f"measured again: {doyle.exploitability(solved).total:.2g} chips per hand")
match = doyle.play_match("leduc", [solved.agent, "always-raise"], hands=1000, seed=1)
print(f"against always-raise: {match.mbb_per_hand(0):.0f} mbb/h")
