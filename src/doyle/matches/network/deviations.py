"""Deviations of a client from the protocol, counted by kind and recorded up to a limit.

Play continues after each of them, as at the reference dealer, except after those that end a client's
part in the match (a disconnect, a time-out), which are reported as its failure besides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from doyle.base.errors import printable, shortened

KINDS = {
    "version": "names another version",
    "too-long": "sends a line of more than 4,096 bytes, which is ignored",
    "unreadable": "sends a line that is no state, which is ignored",
    "unrequested": "answers a state that was not asked about, which is ignored",
    "echo": "repeats the state in other words",
    "action": "gives no action that can be read; a call is played",
    "illegal": "gives an illegal action",
    "rest": "writes more after the action, which is ignored",
    "half-line": "disconnects within a line",
    "reconnect": "disconnects and connects again",
}

MOST_KEPT = 1000
_SHOWN = 80


@dataclass(frozen=True)
class Deviation:
    """One departure: client, hand, kind, and the line or its interpretation."""

    name: str
    hand: int | None
    kind: str
    detail: str = ""

    def __str__(self) -> str:
        where = "" if self.hand is None else f", hand {self.hand}"
        detail = f": {self.detail}" if self.detail else ""
        return f"{self.name}{where}: {KINDS[self.kind]}{detail}"


class Deviations:
    """All departures of a match; `report` is called with each that is kept.

    A client can send lines without end, so the first `MOST_KEPT` are kept and the others counted.
    """

    def __init__(self, report: Callable[[Deviation], None] | None = None) -> None:
        self.kept: list[Deviation] = []
        self.counts: Counter[tuple[str, str]] = Counter()
        self._report = report

    def add(self, name: str, hand: int | None, kind: str, detail: str = "") -> None:
        self.counts[name, kind] += 1
        if len(self.kept) < MOST_KEPT:
            deviation = Deviation(name, hand, kind, printable(shortened(detail, _SHOWN)))
            self.kept.append(deviation)
            if self._report is not None:
                self._report(deviation)

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def document(self) -> dict[str, Any]:
        counted = [
            {"name": name, "kind": kind, "count": count}
            for (name, kind), count in sorted(self.counts.items())
        ]
        return {
            "total": self.total,
            "kinds": counted,
            "reported": [
                {
                    "hand_number" if key == "hand" else key: value
                    for key, value in asdict(one).items()
                }
                for one in self.kept
            ],
        }
