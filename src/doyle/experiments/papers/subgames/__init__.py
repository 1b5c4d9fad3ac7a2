"""Beyond the papers: solving the rest of a hand while playing, in games whose best responses are exact.

The experiments of Brown and Sandholm ("Safe and nested subgame solving for imperfect-information games",
2017; "Superhuman AI for heads-up no-limit poker", Science 2018) in our own games.

In reading order:

`games`         no-limit Leduc and Hold'em of two and three rounds, with their blueprints
`solved_again`  a blueprint with the play from some round on solved again, as a profile of the whole game
`guards`        exploitability of the whole agent by guard
`depth_limit`   a round solved to a depth limit, and the next one again
`nested`        bets outside the tree: the seven translations against nested solving, in Leduc
"""
