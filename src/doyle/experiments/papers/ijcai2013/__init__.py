"""Ganzfried and Sandholm, "Action translation in extensive-form games with large action spaces", IJCAI 2013.

The paper defines desirable properties of a mapping from real to abstract bets, proposes the
pseudo-harmonic mapping and compares it with six others by exploitability in small games. The
mappings themselves are in `doyle.strategy.translation.mappings`; here are the experiments.

In reading order:

`one_street`  games of one bet: the clairvoyance game and no-limit Kuhn, in closed form and exactly
`tables`      tables 1 to 5, figures 1 and 2, appendix A, footnotes 5 and 6; figures 2 and 3 of the
              Tartanian5 paper, which repeat two of them
`desiderata`  section 4, claim by claim, on a grid of exact rationals
`uniqueness`  section 9.2: every equilibrium of no-limit Kuhn bets 0.4 of the pot
`leduc`       table 6: no-limit Leduc with 12 chips, over many equilibria
`competition`  table 7 recomputed from its own cells
`analogous_experiment`  table 7 played again with our agents

Tables 2 to 5 measure the losses of a defence with few bets against an opponent with arbitrary bets:
the closed forms of `one_street` answer for every bet at once. Table 6 has several betting rounds and is
computed by exact best responses in the whole game (`doyle.experiments.papers.full_game`).
"""
