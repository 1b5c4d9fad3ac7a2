"""Commands that make strategies, and that show what a strategy plays and why.

In reading order:

`solve`     `doyle solve`: an equilibrium of a game, by any method, with its exploitability
`spot`      `doyle spot`: a river, turn or flop situation from two ranges, and `doyle spot show`;
            `spot_output` shows the result of `spot`
`build`     `doyle build`: an agent from a description, all the way to its report card
`plan`      `doyle plan`: what a build or a spot will take in memory, disk and time
`strategy`  `doyle strategy show`: what a strategy plays
`exploitability`  `doyle exploitability`: what it gives away
`explain`   `doyle explain`: one decision of an agent, step by step
`cases`     `doyle cases`: case bases from logs, what they hold and what they say of a situation

They call `doyle.solving`, `doyle.solving.spots`, `doyle.building.planning`, `doyle.building`, `doyle.agents.case_bases`, `doyle.strategy` and
`doyle.measuring.strategies`.
"""
