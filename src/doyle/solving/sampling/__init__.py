"""Sampling CFR, for abstractions too large to walk.

In reading order: `deals` (where chance events come from), `solver` (external sampling, pure CFR and
public chance sampling), `sampled` (a solve by sampling, measured where that is possible).
"""
