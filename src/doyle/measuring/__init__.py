"""Exact measurement of policies and strategies.

`policies` measures any policy in a small game, `full_cards` with `full_run` a strategy over all cards
inside its betting tree, `strategies` a named strategy as it is played.
"""
