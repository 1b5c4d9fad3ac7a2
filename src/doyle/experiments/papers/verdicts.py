"""The word of a printed value beside ours, decided here and nowhere else, by rules that are fixed in advance.

A value that is exact is compared by its printed digits. One that is sampled reproduces the print only in the paper's
own experiment, if the printed value lies within our 95% interval and 0 does not: an interval that holds 0 is too wide
to tell. What is not reproduced is compared by its sign, which is decided if the interval excludes 0; a printed 0 has
none, so beside it nothing is decided. Agents that we build from the paper's description repeat its experiment: their
signs are compared, but they reproduce nothing. Behind a label (other agents, other logs, smaller games) a value is not
comparable, whatever it is; its sign is compared all the same and shown beside the label.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Value = float | str

Uncounted = Literal["mirrored", "itself", "recomputed"]
"""Why a printed value is no evidence: another cell with its sign turned or once more, an agent against itself, or a
number that follows from the print alone."""

_ROUNDING_SLACK = 1e-9


class Word(StrEnum):
    """All words that there are."""

    REPRODUCED = "reproduced"
    SAME_SIGN = "same sign, decided"
    OPPOSITE = "opposite, decided"
    UNDECIDED = "undecided"
    NOT_COMPARABLE = "not comparable"


@dataclass(frozen=True)
class Compared:
    """A printed value with ours and all that decides its word."""

    published: str
    ours: Value
    ci95: float | None = None
    """Half the width of the 95% interval; None of what is exact, and of what is sampled without one."""
    is_exact: bool = True
    is_own: bool = True
    """Whether it is the paper's own experiment, and not one repeated by agents that we built."""
    label: str | None = None
    """Why it is another quantity than the printed one; None if it is the same."""
    uncounted: Uncounted | None = None
    digits: int | None = None
    """To how many digits the print is known, if to more than it shows."""

    @property
    def word(self) -> Word | None:
        """The word; None of what does not count.

        >>> Compared("0.23", 0.225).word.value, Compared("0.22", 0.2251).word.value
        ('reproduced', 'same sign, decided')
        >>> sampled = Compared("28", -28.0, ci95=10.0, is_exact=False, is_own=False)
        >>> sampled.word.value
        'opposite, decided'
        """
        if self.uncounted is not None:
            return None
        if self.label is not None:
            return Word.NOT_COMPARABLE
        return Word.REPRODUCED if self.is_reproduced else self.sign

    @property
    def sign(self) -> Word:
        """Whether the signs are the same, opposite or undecided, label or not."""
        if isinstance(self.ours, str):
            return Word.SAME_SIGN if self.ours == self.published else Word.OPPOSITE
        product = self.ours * float(self.published)
        if product == 0.0 or not self._excludes_zero(self.ours):
            return Word.UNDECIDED
        return Word.SAME_SIGN if product > 0 else Word.OPPOSITE

    @property
    def ratio(self) -> tuple[float, float] | None:
        """Ours by the printed value, and half the width of its interval; None if the sign is undecided."""
        if isinstance(self.ours, str) or self.sign is Word.UNDECIDED:
            return None
        printed = float(self.published)
        return self.ours / printed, (self.ci95 or 0.0) / abs(printed)

    @property
    def is_reproduced(self) -> bool:
        """Whether ours is what is printed, whether or not that counts."""
        if isinstance(self.ours, str):
            return self.ours == self.published
        if self.is_exact:
            return rounds_to(self.published, self.ours, digits=self.digits)
        apart = abs(self.ours - float(self.published))
        within = self.ci95 is not None and apart <= self.ci95
        return self.is_own and within and self._excludes_zero(self.ours)

    def _excludes_zero(self, ours: float) -> bool:
        return self.is_exact or (self.ci95 is not None and abs(ours) > self.ci95)


def rounds_to(published: str, ours: float, *, digits: int | None = None) -> bool:
    """Whether `ours` rounds to `published` at its printed digits, or at `digits` if these are more.

    A value exactly between two roundings rounds to both.

    >>> rounds_to("0.23", 0.225), rounds_to("0.22", 0.225), rounds_to("0.22", 0.2251)
    (True, True, False)
    """
    places = max(len(published.partition(".")[2]), digits or 0)
    return bool(abs(ours - float(published)) <= 0.5 * 10.0**-places + _ROUNDING_SLACK)


NULLS: dict[str, Callable[[float], float]] = {"zero": lambda _: 0.0, "turned": lambda ours: -ours}
"""What a table is compared with instead of ours, intervals kept: verdicts that also pass these are no evidence."""
