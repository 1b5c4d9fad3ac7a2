"""Commands that build strategies, and that show their play with reasons.

In reading order:

`solve`     `doyle solve`: an equilibrium of a game, by any method, with its exploitability
`spot`      `doyle spot`: a river, turn or flop situation from two ranges, and `doyle spot show`;
            `spot_output` shows the result of `spot`
`build`     `doyle build`: an agent from a description, all the way to its report card
`plan`      `doyle plan`: memory, disk and time of a build or a spot
`strategy`  `doyle strategy show`: what a strategy plays
`exploitability`  `doyle exploitability`: its losses to a best response
`explain`   `doyle explain`: one decision of an agent, step by step
`cases`     `doyle cases`: case bases from logs, their contents and their answers

They call `doyle.solving`, `doyle.solving.spots`, `doyle.building.planning`, `doyle.building`, `doyle.agents.case_bases`, `doyle.strategy` and
`doyle.measuring.strategies`.
"""
