"""Exploitability over all cards, inside the betting tree of a strategy.

The responder sees its two cards and the whole board; the strategy it meets is played through its buckets,
purified and thresholded as its agent plays. So this measures the loss due to a card abstraction,
which the exploitability inside the abstract game cannot show. It does not look outside the betting
tree.

In reading order:

`response`       `FullCardResponse`: best responses of both seats on one flop, and the strategy's
    self-play value
`run`            all flops: in parallel, resumable, kept under a digest of the strategy
`sampled_flops`  two bounds from a sample of flops, in minutes instead of hours

`_response_kernels` holds the compiled loops over one last-round board. The walk over boards and the rule
of the best response are those of every public game (`doyle.solving.board_walk`); this package holds
the parts specific to a strategy in buckets: which rows of its tables the hands of a board play.

The answer is exact: on reduced decks it equals brute force (`tests/measuring/full_cards`).
"""
