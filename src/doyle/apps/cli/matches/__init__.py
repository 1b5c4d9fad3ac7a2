"""Commands that let agents play, here or over the network.

In reading order:

`agents`   `doyle agents list`: every name of an agent
`match`    `doyle match` and `doyle league`: agents against each other over dealt hands
`results`  `doyle results`: every hand of a match, shown or written for other programs
`acpc`     `doyle acpc`: our agents at other dealers, other bots at ours
`serve`    `doyle serve`: the table and the explorer in the browser
`verify`   `doyle verify`: whether a deck is the one that was promised
`review`   `doyle review`: the losses of decisions in recorded hands

They call `doyle.agents`, `doyle.matches`, `doyle.matches.network`, `doyle.measuring.reviewing` and `doyle.apps.web`.
"""
