"""Fast matches: hands of policies played by kernels, the same as hand by hand through `act`.

In reading order:

`players`         which agents kernels can play, and what is read for their hands
`case_players`    case-based agents of limit games: their answers, found when they are asked for
`plan`            the real histories that the players have reached, with all steps of translation
`play`            batches of deals played along the plans of all seatings
`rows`            numbers that grow while kernels read them
`dice`            the keys of many deals at once

Compiled loops: `_play_kernels` (a hand along a plan) and `_dice_kernels` (BLAKE2b, NumPy's seeding and
PCG64, bit for bit).
"""

from doyle.matches.fast.play import FastPlayers, FastRunner, play_fast_batch
from doyle.matches.fast.players import PlainOnly

__all__ = ["FastPlayers", "FastRunner", "PlainOnly", "play_fast_batch"]
