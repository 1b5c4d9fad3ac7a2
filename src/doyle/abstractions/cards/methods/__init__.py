"""Methods: how hands come into buckets.

In reading order: `percentile` (equal mass by an exact value), `recall` (public buckets, which are
clusters of boards; the thesis's notation from these parts, with perfect, partial or imperfect recall),
`emd`, and `ochs` (clusters with imperfect recall), and the package `topdown` (GS2, GS3 and
potential-aware abstraction, in which each bucket is divided into children).
"""
