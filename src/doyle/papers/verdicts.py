"""Verdicts: one word for a printed value beside ours, `agrees`, `differs` or `explained`.

A table that is computed is compared by its printed digits (`Cell.agrees`). A table that is played with
agents of ours cannot be: there the sign and the order of magnitude are compared. A printed value of more
than `least` agrees with ours if our 95% interval reaches into the range from a square root of ten less to
a square root of ten more, of the same sign. A smaller one agrees if our interval reaches a magnitude of
`least` or less. What does not agree `differs`, or is `explained` if the table gives a reason.
"""

from __future__ import annotations

import math
from typing import Any

from doyle.papers.result import Cell

AGREES, DIFFERS, EXPLAINED = "agrees", "differs", "explained"

_HALF_ORDER = math.sqrt(10.0)


def verdict(
    published: str, ours: float, ci95: float, *, least: float, reason: str | None = None
) -> str:
    """The word for one printed value.

    >>> verdict("1053", 635.0, 82.0, least=100), verdict("1053", -635.0, 82.0, least=100)
    ('agrees', 'differs')
    >>> verdict("-30", 140.0, 50.0, least=100), verdict("-30", 190.0, 50.0, least=100)
    ('agrees', 'differs')
    """
    printed = float(published)
    if abs(printed) <= least:
        close = abs(ours) - ci95 <= least
    else:
        along = ours * math.copysign(1.0, printed)
        low, high = abs(printed) / _HALF_ORDER, abs(printed) * _HALF_ORDER
        close = along + ci95 >= low and along - ci95 <= high
    if close:
        return AGREES
    return DIFFERS if reason is None else EXPLAINED


def judged(
    row: str,
    column: str,
    published: str | None,
    ours: float,
    *,
    ci95: float,
    least: float,
    other: str,
    reason: str | None = None,
    more: dict[str, Any] | None = None,
) -> Cell:
    """A played cell with its interval and verdict; `other` says whose place our agents take.

    `reason` is kept only where the cell does not agree.
    """
    found: dict[str, Any] = {"ci95": ci95, **(more or {})}
    if published is not None:
        found["verdict"] = verdict(published, ours, ci95, least=least, reason=reason)
        if found["verdict"] == EXPLAINED:
            found["reason"] = reason
    return Cell(row, column, published, ours, other=other, more=found)


def verdict_of(cell: Cell) -> str | None:
    """The word for a cell of any table; None where there is nothing to compare."""
    given = cell.more.get("verdict")
    if given is not None:
        return str(given)
    if cell.agrees is None:
        return None
    if cell.agrees:
        return AGREES
    return EXPLAINED if cell.more.get("reason") else DIFFERS
