"""The benchmark: frozen opponents, seeds and probes, and one versioned report card of any agent.

Two cards of the same version and game compare, whenever and wherever they were made: nothing in
them follows the presets. A change of anything that decides a number is a new version.

In reading order:

`version_1`   what is frozen: opponents, the reference strategy and its checksum, seeds, the probe's bets
`probes`      a player that bets every size now and then, what is answered, and where the answers change
`score_card`  a `ReportCard` by this protocol
"""
