"""Published tables and figures, computed again beside the printed numbers.

Printed numbers are data (`published/`, one file per table with its source); a function computes ours;
a result holds both, cell by cell, and says which agree. A digit that does not come out stands beside
ours with the reason. `doyle papers list` names what there is.

In reading order:

`result`           what a run computed, beside what the paper prints
`registry`         tables and figures by name, with the function that computes each
`figures`          curves drawn the same on every run
`ijcai2013`        action translation: tables 1 to 5, figures, appendix and footnotes
`one_street`       the one-street games behind them
`desiderata`       section 4, claim by claim, on exact rationals
`uniqueness`       every equilibrium of no-limit Kuhn bets 0.4 of the pot
`ijcai2013_leduc`  table 6, with `equilibria` (many of one game) and `full_game`
`thesis_leduc`     the Leduc cells of tables 3.4, 3.5, 4.4 and 4.7 of the thesis
`cover_games`      its cover set of abstract games
`cover_player`     its switching player, and table 5.1; `switching` does the same in Kuhn
`boundaries`       table 4.1: how fast a translation boundary is learnt
`bet_sizes`        beyond the papers: which bet sizes a translated player should know
"""
