"""Strength: exact numbers about hands, before anything is put into buckets.

In reading order: `atlas` (hand strength of every hand against a uniform opponent, kept as an
artifact; into which clusters of the next round a hand goes, and how often),
`inspection` (the numbers of one hand, a summary of one abstraction, two compared).
"""
