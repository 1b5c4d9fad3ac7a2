"""Commands that measure an agent's strength.

In reading order:

`lbr`        `doyle lbr`: winnings of the local best response, a lower bound on exploitability
`late_response`  `doyle late-response`: winnings of an exact best response from the river or turn on
`exploit`    `doyle exploit`: responses to a known opponent with bounded losses
`evaluate`   `doyle evaluate`: winnings of a player of a log, by AIVAT, DIVAT or importance sampling
`report`     `doyle report`: the report card of an agent, as text, JSON and an HTML page
`benchmark`  `doyle benchmark`: the versioned score card of any agent

They call `doyle.measuring` and `doyle.measuring.reports`. Exploitability is a property of a strategy and is measured by `doyle exploitability` in `doyle.apps.cli.strategies`.
"""
