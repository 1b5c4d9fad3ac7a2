"""Suits: boards and hands that differ only by a relabelling of suits are one.

In reading order: `relabelling` (what a relabelling makes of cards, and orbits), `boards` (every flop,
turn and river board of a deck as a row with the permutation that leads to it, and hands on those
boards, numbered without gaps). `_board_kernels` are their compiled loops.
"""
