"""Features of cases: what a decision's moment looks like.

In reading order:

`sequences`   betting sequences, raises by seat
`bets`        no-limit bets as letters, letters as bets
`textures`    nine textures of boards
`categories`  296 hand categories: made hands and draws
`hands`       starting hands, categories or strength buckets of single hands and of millions
`situations`  from a state to the sequences that its betting may be read as
"""
