"""Suits: boards and hands that differ only by a relabelling of suits are one.

In reading order: `relabelling` (what a relabelling makes of cards, and orbits), `isomorphism`
(indices of hands with a board, up to suits), `boards` (every flop, turn and river board as a row with
the permutation that leads to it), `hands` (hands on those boards, numbered without gaps), `decks` (the
same for any deck). `_board_kernels` and `_isomorphism_kernels` are their compiled loops.
"""
