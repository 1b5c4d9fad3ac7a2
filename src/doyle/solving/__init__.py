"""Equilibrium finding: from a game to plans and their distance from equilibrium.

In reading order: `games` (what is solved), `solver` (what every solver is), `methods` (CFR family,
EGT, LP), `profile` and `exploitability` (what was found and how good it is), `sampling` (sampling CFR),
`vector` (the CFR family over public games, all hands at once).
"""
