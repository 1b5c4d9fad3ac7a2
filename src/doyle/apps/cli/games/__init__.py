"""Commands about games, hands and their files; none of them needs a strategy.

In reading order:

`game`     `doyle game`: bundled games, their rules, how many moments a game has
`equity`   `doyle equity` and `doyle rank`: ranges against each other, and the order of hands
`convert`  `doyle convert`: hand histories between ACPC logs, PHH and text, with a count of refused
    hands

They call `doyle.games`, `doyle.cards` and `doyle.games.histories`.
"""
