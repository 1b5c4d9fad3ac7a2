"""Several imitators as one agent (section 5.4.3; Rubin and Watson 2011).

`VotingAgent`: each imitator votes for its action (`doyle.agents.case_bases.reuse.voted`).

`ChoosingAgent`: one imitator plays each hand, the one that has won most against this opponent so far,
by an upper confidence bound: mean + deviation * sqrt(2 ln hands / hands of the imitator), with the standard
deviation of all hands of the match (the paper's reference names UCB; this scale is assumed).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.agents.case_bases import Architecture, Query
from doyle.agents.case_bases.features.hands import HandFeatures
from doyle.agents.case_bases.reuse import voted
from doyle.agents.cases.agent import CaseBasedAgent, Floats, LetterAgent, Row
from doyle.base.errors import DoyleError
from doyle.games import Game, View

_ROWS_KEPT = 1 << 16


class _Members(LetterAgent):
    """Imitators with the same letters, features and game."""

    def __init__(self, name: str, members: Sequence[CaseBasedAgent]) -> None:
        if not members:
            raise DoyleError(f"agent {name!r}: no imitators to combine")
        first = members[0]
        for member in members[1:]:
            if member.game != first.game or (
                member.architecture.representation() != first.architecture.representation()
            ):
                raise DoyleError(f"agent {name!r}: {member.name} differs in game or features")
        self.name = name
        self.members = tuple(members)

    @property
    def architecture(self) -> Architecture:
        return self.members[0].architecture

    @property
    def game(self) -> Game:
        return self.members[0].game

    @property
    def features(self) -> HandFeatures:
        return self.members[0].features


class VotingAgent(_Members):
    """Plays what most of its imitators would."""

    def __init__(self, name: str, members: Sequence[CaseBasedAgent]) -> None:
        super().__init__(name, members)
        self._row = lru_cache(_ROWS_KEPT)(self._voted)

    def __reduce__(self) -> tuple[Any, ...]:
        return VotingAgent, (self.name, self.members)

    def letter_row(self, query: Query) -> Row:
        return self._row(query)

    def letter_rows(
        self, round_: int, text: str, hands: npt.NDArray[Any], texture: int, commitment: int
    ) -> Floats:
        values = hands.astype(np.int64)
        solutions = [
            member.retriever.solutions_of_hands(round_, text, values, texture, commitment)
            for member in self.members
        ]
        return voted(solutions, self.architecture.reuse)

    def _voted(self, query: Query) -> Row:
        found = [member.retrieve(query) for member in self.members]
        solutions = [(one.counts[None], one.outcomes[None]) for one in found]
        return tuple(voted(solutions, self.architecture.reuse)[0].tolist())


class ChoosingAgent(_Members):
    """Remembers what each imitator won in this match, and lets the most promising one play.

    Asked for probabilities, it answers for the imitator that would play the next hand.
    """

    def __init__(self, name: str, members: Sequence[CaseBasedAgent]) -> None:
        super().__init__(name, members)
        self._forget()

    def __reduce__(self) -> tuple[Any, ...]:
        return ChoosingAgent, (self.name, self.members)

    def _forget(self) -> None:
        self.hands = [0] * len(self.members)
        self.won = [0.0] * len(self.members)
        self._squares = 0.0
        self.playing = 0

    def start(self, game: Game, rng: np.random.Generator) -> None:
        """A match begins: nothing is known of the opponent."""
        self._forget()

    def hand_over(self, view: View) -> None:
        """Add what the imitator of this hand won, and choose the next one."""
        won = float(view.state.payoffs()[view.seat])
        self.hands[self.playing] += 1
        self.won[self.playing] += won
        self._squares += won * won
        self.playing = self._chosen()

    def _chosen(self) -> int:
        for place, hands in enumerate(self.hands):
            if not hands:
                return place
        total = sum(self.hands)
        mean = sum(self.won) / total
        deviation = math.sqrt(max(0.0, self._squares / total - mean * mean))

        def bound(place: int) -> float:
            hands = self.hands[place]
            return self.won[place] / hands + deviation * math.sqrt(2 * math.log(total) / hands)

        return max(range(len(self.members)), key=lambda place: (bound(place), -place))

    def letter_row(self, query: Query) -> Row:
        return self.members[self.playing].letter_row(query)
