"""The thesis's tables of Hold'em: agents of ours in the places of the published ones.

The published agents cannot be had; agents of ours repeat the experiments, and signs are compared
(`doyle.experiments.papers.cell`). At small scale all agents have few buckets and a fixed number of iterations by one
thread, so that results depend on the seed alone; at published scale they are presets. Values are
the row player's winnings in thousandths of a big blind per hand, over all pairs of hands on sampled
boards. Finished cells are kept in the cache.

In reading order:

`size_ratios`  sections 3.2 and 3.3.3: how much larger abstractions get
`players`      the agents of all tables, in one place, and how they are measured
`trade_offs`   tables 3.1, 3.2 and 3.3: cards against betting, and recall
`exploited`    tables 4.2, 4.3, 4.5 and 4.6: translations against exploiters and other abstractions
`fixes`        tables 3.4 and 3.5 and the ten-pot bet of section 3.3.3
`boundary`     table 4.1 against a Hold'em agent
`coaches`      table 5.2: coaches that switch between two strategies
`pokeminn`     PokeMinn against the two roundings of Tartanian, from the paper of 2008
`preparation`  the players of several tables, built side by side first
"""
