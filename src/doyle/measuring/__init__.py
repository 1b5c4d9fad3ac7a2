"""Exact measurement: best response and exploitability of profiles, policies and strategies.

`exploitability` measures profiles of tree games, `policies` any policy in a small game,
`full_cards` a strategy over all cards inside its betting tree.
"""
