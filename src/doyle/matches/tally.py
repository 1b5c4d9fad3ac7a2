"""How many hands of a match have been played, counted while batches are still under way.

A batch that plays a whole seating may take long. It counts its hands in a small file, which the
process that waits for it reads now and then to report progress. No result depends on it.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from doyle.base.workers import Progress

_SECONDS_BETWEEN_READS = 0.25
_HANDS_BETWEEN_WRITES = 16
_WIDTH = 8


@dataclass
class Tally:
    """One batch's place in the file of counts."""

    path: Path
    place: int
    _hands: int = field(default=0, compare=False)

    def count(self) -> None:
        """One more hand has been played."""
        self._hands += 1
        if self._hands % _HANDS_BETWEEN_WRITES == 0:
            self._write()

    def _write(self) -> None:
        try:
            with self.path.open("r+b", buffering=0) as file:
                file.seek(self.place * _WIDTH)
                file.write(self._hands.to_bytes(_WIDTH, "little"))
        except OSError:
            pass  # only the progress bar misses it


class HandCounter(AbstractContextManager["HandCounter"]):
    """Reports hands played to a `Progress`: finished batches, and the tallies of running ones."""

    def __init__(
        self, progress: Progress | None, *, label: str, total: int, long_batches: int
    ) -> None:
        self._progress = progress
        self._label = label
        self._total = total
        self._places = long_batches if progress is not None else 0
        self._finished = 0
        self._finished_places: set[int] = set()
        self._path: Path | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> HandCounter:
        if self._places:
            handle, name = tempfile.mkstemp(prefix="doyle-hands-")
            self._path = Path(name)
            with os.fdopen(handle, "wb") as file:
                file.write(bytes(_WIDTH * self._places))
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._path is not None:
            self._done.set()
            self._thread.join()
            self._path.unlink(missing_ok=True)

    def tally(self, place: int) -> Tally | None:
        """The tally of the long batch number `place`; None if progress is not reported."""
        return None if self._path is None else Tally(self._path, place)

    def finish(self, hands: int, *, place: int | None = None) -> None:
        """A batch of that many hands is finished; `place` is that of its tally, if it has one."""
        if place is not None:
            self._finished_places.add(place)
        self._finished += hands
        self._report()

    def _watch(self) -> None:
        while not self._done.wait(_SECONDS_BETWEEN_READS):
            self._report()

    def _report(self) -> None:
        if self._progress is not None:
            under_way = sum(
                hands
                for place, hands in enumerate(self._tallied())
                if place not in self._finished_places
            )
            self._progress(self._label, min(self._total, self._finished + under_way), self._total)

    def _tallied(self) -> Iterator[int]:
        content = b"" if self._path is None else self._path.read_bytes()
        for start in range(0, len(content), _WIDTH):
            yield int.from_bytes(content[start : start + _WIDTH], "little")
