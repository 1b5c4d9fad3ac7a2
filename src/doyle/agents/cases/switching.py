"""Switching: a three-player agent that asks its two-player base once one player has folded.

The base of three players answers while nobody has folded, where no two-player sequence fits, and where
the fold came after the flop (section 7.1). `mapped` and `unmapped` count decisions after a fold.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from doyle.agents.case_bases import Architecture, CaseBase, Query, Retrieved, Retriever
from doyle.agents.case_bases.features.hands import HandFeatures
from doyle.agents.case_bases.inter_domain import heads_up_sequences
from doyle.agents.case_bases.reuse import decide
from doyle.agents.cases.agent import CaseBasedAgent, LetterAgent, Row
from doyle.base.errors import DoyleError
from doyle.games import Game

_ROWS_KEPT = 1 << 16
_TEXTS_KEPT = 1 << 16


class SwitchingAgent(LetterAgent):
    """Plays a three-player base, and a two-player one where the betting can be mapped to it."""

    def __init__(self, name: str, base: CaseBase, heads_up: CaseBase) -> None:
        if base.architecture.domain != "limit-3p" or heads_up.architecture.domain != "limit":
            raise DoyleError(
                f"agent {name!r}: switches from a three-player to a two-player limit base, not from "
                f"{base.architecture.domain} to {heads_up.architecture.domain}"
            )
        same = ("strength", "buckets")
        for point in same:
            if getattr(base.architecture, point) != getattr(heads_up.architecture, point):
                raise DoyleError(f"agent {name!r}: its two bases differ in {point}")
        self.name = name
        self.base = base
        self.heads_up = heads_up
        self.three_players = CaseBasedAgent(name, base)
        self.two_players = Retriever(heads_up, features=self.three_players.features)
        self._mapped = lru_cache(_TEXTS_KEPT)(heads_up_sequences)
        self._row = lru_cache(_ROWS_KEPT)(self._decided)
        self.mapped = self.unmapped = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return SwitchingAgent, (self.name, self.base, self.heads_up)

    @property
    def architecture(self) -> Architecture:
        return self.base.architecture

    @property
    def game(self) -> Game:
        return self.base.game

    @property
    def features(self) -> HandFeatures:
        return self.three_players.features

    def letter_row(self, query: Query) -> Row:
        row, switched = self._row(query)
        if switched is not None:
            self.mapped += switched
            self.unmapped += not switched
        return row

    def switched(self, query: Query) -> tuple[Query, Retrieved] | None:
        """The two-player situation that answers for a query, and its cases; None if none fits."""
        best: tuple[tuple[float, float], Query, Retrieved] | None = None
        for text in self._mapped(query.sequence):
            asked = Query(query.round, text, query.hand, query.texture)
            found = self.two_players.retrieve(asked)
            if found.neighbours:
                worth = (found.neighbours[0].similarity, float(found.counts.sum()))
                if best is None or worth > best[0]:
                    best = (worth, asked, found)
        return None if best is None else best[1:]

    def _decided(self, query: Query) -> tuple[Row, bool | None]:
        """The row of a query, and whether a fold was answered by the two-player base."""
        answer = self.switched(query) if "f" in query.sequence else None
        if answer is not None:
            found = answer[1]
            row = decide(found.counts, found.outcomes, self.architecture.reuse)
            return tuple(row.tolist()), True
        return self.three_players.letter_row(query), False if "f" in query.sequence else None
