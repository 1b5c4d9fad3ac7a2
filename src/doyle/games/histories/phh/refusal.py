"""`RefusedHand`: why one hand of a file is not read, in words and as a reason that can be counted."""

from __future__ import annotations

from doyle.base.errors import DoyleError


class RefusedHand(DoyleError):
    """A hand that cannot be read; `reason` is the same text for all hands refused alike.

    >>> refused = RefusedHand("a.phhs, hand 3", "antes", "p2 alone posts 3", reason="unequal antes")
    >>> str(refused), refused.reason
    ('a.phhs, hand 3: antes: p2 alone posts 3', 'antes: unequal antes')
    """

    def __init__(self, where: str, field: str, problem: str, *, reason: str) -> None:
        super().__init__(f"{where}: {field}: {problem}")
        self.reason = f"{field.split('[', 1)[0]}: {reason}"
