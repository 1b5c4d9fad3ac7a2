"""Compiled forms of case-based agents of limit games: their answers, computed on first use.

In limit Hold'em a case-based agent looks at the betting, at a feature of its hand and at the texture of the
board. A *bucket* is a pair of the last two, and the answer to a bucket after some betting is one row of
probabilities by letter. Equal rows are stored once. Answers do not depend on the seating, so that all plans of a
match share them; they are only ever added, under a lock.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from doyle.agents.case_bases import Query
from doyle.agents.case_bases.domains import CALL_LETTER, FOLD_LETTER, RAISE_LETTER, ROUND_MARK
from doyle.agents.case_bases.features.bets import spoken
from doyle.agents.case_bases.features.hands import TEXTURES
from doyle.agents.compiled.rows import Rows
from doyle.games import Action, Game, State

if TYPE_CHECKING:
    from doyle.agents.cases.agent import LetterAgent, Row

_UNKNOWN = -1
_LETTERS = FOLD_LETTER + CALL_LETTER + RAISE_LETTER


class Answers(NamedTuple):
    """The answers of a player as they are now; see `PlanArrays`."""

    answers: npt.NDArray[np.int32]
    letters: npt.NDArray[np.float64]
    letter_rows: int

    @classmethod
    def none(cls) -> Answers:
        """The empty arrays of a player without cases."""
        return cls(np.empty(0, np.int32), np.empty((0, len(_LETTERS))), 0)


class CasePlayer:
    """An agent that plays a limit game from cases."""

    def __init__(self, agent: LetterAgent) -> None:
        self.agent = agent
        self._lock = threading.Lock()
        self._first: dict[str, int] = {}
        self._answers = Rows(1)
        self._letters = Rows(len(_LETTERS), np.float64)
        self._row_of: dict[Row, int] = {}

    def arrays(self) -> Answers:
        """The answers that are known now."""
        with self._lock:
            return Answers(self._answers.values[:, 0], self._letters.values, self._letters.count)

    def buckets(self, game: Game, deals: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
        """The bucket of every seat's hand in every round: int32[deals, seats, rounds]."""
        holes = deals[:, : 2 * game.players].reshape(-1, game.players, 2)
        found = np.empty((*holes.shape[:2], game.rounds), np.int32)
        for seat in range(game.players):
            hand, texture = self.agent.features.of_deals(
                holes[:, seat], deals[:, 2 * game.players :]
            )
            found[:, seat] = hand.astype(np.int32) * len(TEXTURES) + texture
            found[:, seat, 0] = hand[:, 0]
        return found

    def spoken(self, state: State) -> list[Action]:
        """The action of each letter."""
        return [spoken(state, letter)[0] for letter in _LETTERS]

    def first_answer(self, state: State) -> int:
        """Where the answers to the buckets of a state begin."""
        text = betting_text(state)
        with self._lock:
            if text not in self._first:
                size = self.agent.features.size(state.round) * _textures(state.round)
                self._first[text] = self._answers.fill(size, _UNKNOWN)
            return self._first[text]

    def answer(self, state: State, bucket: int) -> None:
        """Find the answer to a bucket of a state that has a first answer."""
        text = betting_text(state)
        hand, texture = divmod(bucket, _textures(state.round))
        with self._lock:
            place = self._first[text] + bucket
            if self._answers.values[place, 0] != _UNKNOWN:
                return  # another plan or thread was first
            row = self.agent.letter_row(Query(state.round, text, hand, texture))
            if row not in self._row_of:
                self._row_of[row] = self._letters.add([row])
            self._answers.values[place, 0] = self._row_of[row]


def betting_text(state: State) -> str:
    """The betting of a limit game as a case-based agent reads it.

    >>> betting_text(State.start(Game.named("holdem-limit-2p")).apply(1).apply(1).apply(1))
    'cc-c'
    """
    return ROUND_MARK.join(
        "".join(_LETTERS[min(action, 2)] for action in actions) for actions in state.betting
    )


def _textures(round_: int) -> int:
    """The number of textures that distinguish hands: none before the flop."""
    return len(TEXTURES) if round_ else 1
