"""Ganzfried and Sandholm, "Tartanian5: a heads-up no-limit Texas Hold'em poker-playing program", 2012.

The paper chose the size of its card abstraction, and full purification, by playing variants of its agent
against each other. The figures of its mappings are in `doyle.experiments.papers.ijcai2013`, which repeats them.

In reading order:

`solves`         abstract games of three sizes solved by `egt` down to the printed exploitabilities
`sizes`          the three sizes against each other, and their exploitabilities
`purification`   no purification, a threshold of 0.15 and full purification
`river_solving`  what the best response of the river wins if rivers are looked up, and if they are solved
`safe_exploitation`  what safe exploitation wins from fixed opponents of Kuhn and Leduc, and at least
`least_total`    the minimax over adaptive opponents behind the latter
`dbbr`           deviation-based best responses in limit Hold'em
"""
