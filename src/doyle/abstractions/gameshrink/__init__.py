"""GameShrink: merging signals that a game cannot tell apart, lossless or within a threshold.

In reading order: `signals` (what one seat has seen), `shrinking` (the algorithm on games whose signals
can be listed), `isomorphism_classes` (what the matching sees of a hand), `holdem_classes` (classes that
are numbered without a list; up to suits, and the paper's matching), `holdem_lossless`, `holdem_lossy`,
all found by name in `holdem`, which keeps what it made in the artifact store. Source: Gilpin and
Sandholm 2007.
"""
