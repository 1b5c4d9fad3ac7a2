"""The benchmark: frozen opponents, seeds and probes, and one versioned score card of any agent.

Two score cards of the same version and game compare, whenever and wherever they were made: nothing in
them follows the presets. A change of anything that decides a number is a new version.

In reading order:

`version_1`   what is frozen: opponents, the reference strategy and its checksum, seeds, the probe's bets
`probes`      a player that bets every size now and then, what is answered, and where the answers change
`score_card`  `ScoreCard`: all of it measured
`page`        the card as one HTML page
"""
