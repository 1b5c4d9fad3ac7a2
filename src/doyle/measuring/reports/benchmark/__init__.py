"""The benchmark: frozen opponents, seeds and probes, and one versioned report card of any agent.

Two cards of the same version and game are comparable regardless of time and machine: the protocol
does not depend on the presets. A change of anything that decides a number is a new version.

In reading order:

`version_1`   the frozen parameters: opponents, the reference strategy and its checksum, seeds, the
    probe's bets
`probes`      a player that occasionally bets every size, the answers, and their boundaries
`score_card`  a `ReportCard` by this protocol
"""
