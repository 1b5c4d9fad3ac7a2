"""Public games that are solved from their start, as values of `doyle.public_games.PublicGame`.

In reading order: `poker` with `card_states` (games whose cards can be enumerated) or `shrunk` (after
GameShrink), `holdem` (buckets of Hold'em with their pairs counted), `clairvoyance` and `nolimit_kuhn`
(games without a definition file), found by name in `named_games`.
"""
