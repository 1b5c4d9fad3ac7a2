"""Results of running matches: in memory by deal, or in folders by hand."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from doyle.matches.play import Played
from doyle.matches.results.files import Recorder, recorded_result, recording
from doyle.matches.running import Beginning, Part

if TYPE_CHECKING:
    from doyle.matches.match import Match, MatchResult


class Collected(AbstractContextManager["Collected"]):
    """Collects the batches of matches as they are played; `folders` has one for each match, or is
    None.

    With `resume`, hands that interrupted runs left in the folders are not played again.
    """

    def __init__(
        self, matches: Sequence[Match], folders: Sequence[Path] | None, *, resume: bool = True
    ) -> None:
        self.matches = matches
        self.folders = folders
        self.totals = [[0] * match.game.players for match in matches]
        """Winnings of each player of each match over the added batches, in units."""
        self._resume = resume
        self._played: list[list[Played]] = [[] for _ in matches]
        self._recorders: list[Recorder | None] = []
        self._stack = ExitStack()

    def __enter__(self) -> Collected:
        for match, folder in zip(self.matches, self.folders or (), strict=False):
            context = recording(folder, match, resume=self._resume)
            self._recorders.append(self._stack.enter_context(context))
        return self

    def __exit__(self, *error: object) -> bool | None:
        return self._stack.__exit__(*error)  # type: ignore[arg-type]

    @property
    def keeps_hands(self) -> bool:
        return self.folders is not None

    @property
    def beginnings(self) -> list[Beginning]:
        """Hands already in the folders, by match."""
        if self.folders is None:
            return [Beginning() for _ in self.matches]
        return [
            Beginning(match.hands) if recorder is None else recorder.beginning
            for match, recorder in zip(self.matches, self._recorders, strict=True)
        ]

    def add(self, part: Part) -> None:
        """Keep a part; the parts of a match come in order."""
        won = part.played.units.sum(axis=0).tolist()
        totals = self.totals[part.match]
        self.totals[part.match] = [before + now for before, now in zip(totals, won, strict=True)]
        if self.folders is None:
            self._played[part.match].append(replace(part.played, log=""))
            return
        recorder = self._recorders[part.match]
        assert recorder is not None
        recorder.add(part)

    def results(self) -> list[MatchResult]:
        """The results of all matches, when everything has been added and the folders are closed."""
        if self.folders is None:
            return [m.result(played) for m, played in zip(self.matches, self._played, strict=True)]
        return [
            recorded_result(folder, match)
            for folder, match in zip(self.folders, self.matches, strict=True)
        ]
