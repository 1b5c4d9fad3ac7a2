"""Equilibrium finding: from a game to plans and their distance from equilibrium.

In reading order: `games` (what is solved), `run` (what every solver is, and the one driver of
solves), `solver` and `methods` (those that walk the whole tree: CFR family, EGT, LP), `profile` and
`exploitability` (what was found and how good it is), `sampling` (sampling CFR), `vector` (the CFR
family over public games, all hands at once), `named_solve` (a solve from names to its description).
"""
