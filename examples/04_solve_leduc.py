"""Solve Leduc Hold'em three ways and compare the values."""

from doyle.solving.exploitability import exploitability, value_of_first_actor
from doyle.solving.games.named_games import named_tree_game
from doyle.solving.methods.by_name import make_solver
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.run import Limits, Run

form = SequenceForm(named_tree_game("leduc"))
values = {}
for name, target in (("lp", 0.0), ("pcfr+", 1e-5), ("egt", 1e-3)):
    profile = Run(make_solver(name, form)).until(Limits(target=target)).profile()
    values[name] = value_of_first_actor(profile)
    total = exploitability(profile).total
    print(f"{name:<6} value {values[name]:.6f}   exploitability {total:.2g}")
assert abs(values["lp"] - values["pcfr+"]) < 1e-4
