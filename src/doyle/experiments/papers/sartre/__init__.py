"""Rubin and Watson, Case-based strategies in computer poker (2012): its tables and its experiments.

In reading order:

`competitions`  tables 6 to 8, 12, 13 and 16: ranks and totals recomputed from their own cells
`setting`       experts, training and compiled matches of the two-player limit experiments
`merging`       table 2: cases merged and single
`usage`         figure 2: strength features with less and less of the base
`reuse`         table 3: re-use policies against each other
`imitation`     agreement with the expert on held-out hands, and head to head
`exploitation`  local best responses to imitators
`switching`     table 15: three players, with and without switching
`evolution`     the agents of all years in one league
"""
