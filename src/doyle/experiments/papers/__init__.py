"""Published tables and figures, computed again beside the printed numbers.

Printed numbers are data (`published/`, one file per table with its source); a function computes ours;
a result holds both, cell by cell, and marks agreement. A digit that is not reproduced is shown
beside ours with the reason. `doyle papers list` names the tables.

In reading order:

`cell`        a printed value beside ours, and the one place that decides its word
`table`       cells with their sections and figures, and printed tables as data
`registry`    tables and figures by name, with the function that computes each; parts that cannot be
    recomputed
`claims`      the papers' claims in words, as rows that can fail
`judgement`   conclusions from the cells of a table: words counted, null scores, claims, closest
    equilibria
`kept_results`  results kept as files, judged when they are read
`page`        all results as one page
`running`     one table, or several side by side, each kept as a file
`full_game`   abstract strategies with their translation, as plans of a whole small game
`equilibria`  many equilibria of one abstract game
`ijcai2013`   Ganzfried and Sandholm: action translation, in one-street games and in Leduc
`thesis`      Schnizlein: translation, boundaries and strategy switching, in Leduc and Kuhn
`cross_tables`  printed competitions recomputed from their own cells, both winner rules
`opponents`   agents of the museum as opponents of experiments
`tartanian5`  Ganzfried and Sandholm: sizes of abstraction, purification, safe exploitation and DBBR
`sartre`      Rubin and Watson: case-based strategies, competitions and experiments
`bet_sizes`   beyond the papers: which bet sizes a translated player should know
`holdem_bet_sizes`  the same in Hold'em by local best response, attack and defence apart
`subgames`  beyond the papers: the rest of a hand solved again while playing, in games with exact best responses

There is one package per paper. A new table gets a CSV file in `published/`, a function
`(options) -> Result` in its paper's package, a line in `tables.csv`, and a test in `tests/published`.
"""
