"""Sampling CFR, for abstractions too large to walk.

In reading order: `deals` (where chance events come from), `batches` (iterations into given tables),
`shards` (batches into copies of the tables, here or on a cluster), `solver` (external sampling, pure CFR
and public chance sampling),
`response` (restricted Nash responses to given tables).
"""
