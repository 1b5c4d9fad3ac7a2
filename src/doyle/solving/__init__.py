"""Equilibrium finding: from a game to plans and their distance from equilibrium.

In reading order: `tree_game` (what solvers see), `sequence_form` (plans and products), `solver`
(what every solver is), then the methods `cfr` with `discounting`, `egt` and `lp`, found by name in
`methods`. Games come from `poker` with `card_states` or `shrunk`, from `holdem`, `clairvoyance` and
`nolimit_kuhn`, found by name in `names`. `sampling` with `deals` is for abstractions too large to
walk.
"""
