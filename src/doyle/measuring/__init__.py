"""Exact measurement of policies and strategies.

Nothing here deals hands: numbers are what a best response wins, with all hands at once. Games with a
small deck are measured whole, Hold'em in the strategy's buckets or over all cards inside its betting
tree. Strategies are measured as they are played, with purification and translation.

In reading order:

`strategies`  how exploitable a named strategy is, in one of three games
`policies`    a policy asked at every public history of a small game, as a profile
`full_cards`  the best response over all cards, flop by flop
`full_run`    a resumable run of it over all flops

`_full_card_kernels` is the best response on one river board.
"""
