"""Fast matches: hands of policies played by kernels, the same as hand by hand through `act`.

In reading order:

`players`         which agents kernels can play, and what is read for their hands
`plan`            the real histories that two players have reached, with all steps of translation
`play`            batches of deals played along the plans of both seatings
`dice`            the keys of many deals at once

Compiled loops: `_play_kernels` (a hand along a plan) and `_dice_kernels` (BLAKE2b, NumPy's seeding and
PCG64, bit for bit).
"""

from doyle.matches.fast.play import FastPair, FastRunner, play_fast_batch
from doyle.matches.fast.players import PlainOnly

__all__ = ["FastPair", "FastRunner", "PlainOnly", "play_fast_batch"]
