"""The papers' claims in words about their played tables, as rows that can fail.

`deciding`   numbers with intervals, claims made of them, and the finding for one
`thesis`, `ijcai2013`, `tartanian`, `sartre`, `beyond`   the claims by table
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.claims import beyond, ijcai2013, sartre, tartanian, thesis
from doyle.experiments.papers.claims.deciding import Claim, Decided, View

CLAIMS: Mapping[str, tuple[Claim, ...]] = {
    **thesis.CLAIMS,
    **ijcai2013.CLAIMS,
    **tartanian.CLAIMS,
    **sartre.CLAIMS,
    **beyond.CLAIMS,
}
"""By the name of the table."""


def decided_claims(name: str, tables: Mapping[str, Sequence[Cell]]) -> list[Decided]:
    """The claims of a table, decided from the cells of all `tables`, of which some compare it with another."""
    return [claim.decide(View(name, tables)) for claim in CLAIMS.get(name, ())]
