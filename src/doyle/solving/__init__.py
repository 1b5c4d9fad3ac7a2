"""Equilibrium finding: a problem, a method and limits give a solution.

In reading order:

`solve`      `Problem`, `Method`, `Solution`: one solve, for commands, builds and the front door
`solvers`    solvers by name, and how the variants of the CFR family weigh iterations
`run`        `Run`, one solve under way: limits, measurements, time and checkpoints
`games`      the games solved: hands with ranges on boards, or private states with matrices
`methods`    LP, EGT and the CFR family in the sequence form
`board_walk`  values of public histories over all boards
`profile`    plans of both seats, their value and exploitability, as tables and back
`vector`     the CFR family over hands, all at once
`sampling`   sampling CFR for large abstractions
`board_walk`  what play leads to, and what it is worth over all boards
`policy_response`  best responses to a policy from a moment of a hand on
`bml_program`  a BML file as a program of the sequence form
`convergence`  exploitability against iterations and time, as CSV and as a plot
`spots`      situations of Hold'em: ranges, betting by street, locks, results that are walked
"""
