"""Equilibrium finding: from a game to plans and their distance from equilibrium.

In reading order: `games` (public games that are solved from their start), `reach`, `expected_value` and
`best_response` (what play does and earns in any public game; `board_walk` is their loop), `vector` (the
CFR family over public games, all hands at once), `methods` (LP, EGT and the CFR family in the sequence
form; `bml_program` is a BML file as such a program), `profile` and `exploitability` (what was found and how good it is), `sampling` (sampling CFR), `run`
(the one driver) with `solver` and `named_solve`.
"""
