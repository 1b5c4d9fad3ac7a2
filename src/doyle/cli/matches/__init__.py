"""Commands that let agents play, here or over the network.

In reading order:

`agents`  `doyle agents list`: every name that stands for an agent
`match`   `doyle match` and `doyle league`: agents against each other over dealt hands
`acpc`    `doyle acpc`: our agents at other dealers, other bots at ours

They speak for `doyle.agents`, `doyle.matches` and `doyle.network`.
"""
