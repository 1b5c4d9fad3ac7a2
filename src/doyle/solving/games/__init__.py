"""Games as solvers see them.

In reading order: `tree_game` (public tree, private states, payoff matrices), `poker` with
`card_states` (games whose cards can be enumerated) or `shrunk` (after GameShrink), `holdem` (buckets
of Hold'em with their pairs counted), `clairvoyance` and `nolimit_kuhn` (games without a definition
file), found by name in `named_games`.
"""
