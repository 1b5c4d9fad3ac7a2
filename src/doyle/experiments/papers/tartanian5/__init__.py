"""Ganzfried and Sandholm, "Tartanian5: a heads-up no-limit Texas Hold'em poker-playing program", 2012.

The paper chose the size of its card abstraction, and full purification, by playing variants of its agent
against each other. The figures of its mappings are in `doyle.experiments.papers.ijcai2013`, which repeats them.

In reading order:

`solves`         abstract games of three sizes solved by `egt` down to the printed exploitabilities
`sizes`          the three sizes against each other, and their exploitabilities
`purification`   no purification, a threshold of 0.15 and full purification
`river_solving`  winnings of the best response of the river with rivers looked up, and with rivers
    solved
`safe_exploitation`  winnings of safe exploitation against fixed opponents of Kuhn and Leduc, and
    their minimum
`least_total`    the minimax over adaptive opponents behind the latter
`dbbr`           deviation-based best responses in limit Hold'em
"""
