"""Card abstractions: (round, hole cards, board) -> bucket, by the thesis's notation or by name.

An abstraction is a few memory-mapped tables over hands up to suits. It gives the bucket of one hand, of
all hands on a board, or of millions of deals, and for buckets with perfect recall each bucket's parent
on the round before. What is built is kept in the artifact store under its full name.

In reading order:

`notation`     the thesis's notation (`8.8.8.8`, `ir169.ir200.ir200.200`), read and printed
`abstraction`  `CardAbstraction`: buckets of hands, boards and deals; `BucketTables`: its arrays and files
`strength`     exact numbers about hands: the atlas, inspection of abstractions and their figure
`clustering`   k-means in the plane and on a line
`methods`      how hands come into buckets: percentiles, recall, public buckets, EMD, OCHS, GS2, GS3
`registry`     abstractions by name: built, kept and found again

`_lookup_kernels` reads the tables; solvers call it from their own kernels.
"""

from __future__ import annotations

from doyle.abstractions.cards.abstraction import BOARD_CARDS, CardAbstraction
from doyle.abstractions.cards.notation import Notation
from doyle.abstractions.cards.registry import build
from doyle.abstractions.cards.strength.atlas import Atlas

__all__ = ["BOARD_CARDS", "Atlas", "CardAbstraction", "Notation", "build"]
