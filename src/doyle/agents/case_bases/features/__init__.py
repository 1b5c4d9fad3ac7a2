"""Features of cases: what a decision's moment looks like.

In reading order:

`bets`        betting sequences, raises by seat; no-limit bets as letters, letters as bets; from a state
              to the sequences that its betting may be read as
`hands`       nine textures of boards; starting hands, 296 categories (made hands and draws) or strength
              buckets of single hands and of millions
"""
