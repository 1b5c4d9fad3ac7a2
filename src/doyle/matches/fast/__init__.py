"""Fast matches: hands of policies played by kernels, the same as hand by hand through `act`.

Which agents kernels can play: `doyle.agents.compiled`.

In reading order:

`plan`  the real histories that the players have reached, with all steps of translation
`play`  batches of deals played along the plans of all seatings
`dice`  the keys of many deals at once

Compiled loops: `_play_kernels` (a hand along a plan) and `_dice_kernels` (BLAKE2b, NumPy's seeding and
PCG64, bit for bit).
"""

from doyle.matches.fast.play import FastPlayers, FastRunner, play_fast_batch

__all__ = ["FastPlayers", "FastRunner", "play_fast_batch"]
