"""Commands that measure what an agent is worth.

In reading order:

`lbr`        `doyle lbr`: what the local best response wins, a lower bound on exploitability
`late_response`  `doyle late-response`: what an exact best response from the river or turn on wins
`exploit`    `doyle exploit`: responses to a known opponent that bound what they may lose
`evaluate`   `doyle evaluate`: what a player of a log won, by AIVAT, DIVAT or importance sampling
`report`     `doyle report`: the report card of an agent, as text, JSON and an HTML page
`benchmark`  `doyle benchmark`: the versioned score card of any agent

They call `doyle.measuring` and `doyle.measuring.reports`. Exploitability is a property of a strategy and is measured by `doyle exploitability` in `doyle.apps.cli.strategies`.
"""
