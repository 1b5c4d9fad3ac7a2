"""The case-based agent: plays what the nearest cases of a base say, as agent and policy.

A decision reads the betting as a sequence, retrieves the nearest cases of the hand, takes letters from
their action and outcome vectors by the re-use policy, and speaks a letter as a real bet. All hands of
a board share few feature values, so the probabilities of all of them cost one retrieval for each value.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.agents.case_bases import Architecture, CaseBase, Query, Retrieved, Retriever
from doyle.agents.case_bases.features.bets import spoken
from doyle.agents.case_bases.features.hands import HandFeatures
from doyle.agents.case_bases.features.situations import commitment_of, drawn_sequence, sequences_of
from doyle.agents.case_bases.reuse import decide, decide_all
from doyle.agents.compiled import CasePlayer, CompiledPlayer, NotCompilable
from doyle.base.errors import DoyleError
from doyle.games import Action, Game, State, View
from doyle.games.policies import ReachByWalking, check_decision

Floats = npt.NDArray[np.float64]
Row = tuple[float, ...]

_ROWS_KEPT = 1 << 16
_TEXTS_KEPT = 1 << 12


class LetterAgent(ReachByWalking):
    """Plays letters with the probabilities of `letter_row`, in the game of its cases."""

    name: str

    @property
    @abstractmethod
    def architecture(self) -> Architecture:
        """How the betting is read and how letters are spoken."""

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game that the cases are from."""

    @property
    @abstractmethod
    def features(self) -> HandFeatures:
        """What the hand of a situation is."""

    def compiled(self) -> CompiledPlayer:
        """Its answers in a limit game, for kernels."""
        if not self.architecture.game_domain.is_limit:
            raise NotCompilable(f"{self.name} plays no limit game")
        return CasePlayer(self)

    @abstractmethod
    def letter_row(self, query: Query) -> Row:
        """The probability of each letter of the architecture in a situation."""

    @property
    def spreads(self) -> bool:
        """Whether its bets have random sizes (equation 6) or bets are read at random (4 and 5)."""
        point = self.architecture
        return not point.game_domain.is_limit and (point.spread > 0 or point.reading == "soft")

    def act(self, view: View) -> Action:
        """Draw a reading, a letter and a bet."""
        state, architecture, rng = view.state, self.architecture, view.rng()
        text = drawn_sequence(state, architecture, rng)
        row = self.letter_row(self.query(state, text, view.hole))
        actions = spoken(state, architecture.letters[_draw(row, rng)], spread=architecture.spread)
        return actions[int(rng.integers(len(actions)))] if len(actions) > 1 else actions[0]

    def query(self, state: State, text: str, hole: tuple[int, ...]) -> Query:
        """The situation of a hand when the betting is read as `text`."""
        if len(hole) != 2:
            raise DoyleError("a case-based agent needs the hole cards of the seat to act")
        board = state.board
        return Query(
            state.round,
            text,
            self.features.of_hand(hole, board),
            self.features.texture(board),
            commitment_of(state, self.architecture),
        )

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """Real actions, ascending, and their probabilities [1326, actions]; needs the board."""
        return self._spoken(state, None)

    def drawn_probabilities(
        self, state: State, rng: np.random.Generator
    ) -> tuple[tuple[Action, ...], Floats]:
        """The same for one reading of the betting and one size of every letter, as `act` draws them."""
        return self._spoken(state, rng)

    def _spoken(
        self, state: State, rng: np.random.Generator | None
    ) -> tuple[tuple[Action, ...], Floats]:
        check_decision(state)
        letters = self.letters_of_all(state, rng)
        shares: dict[Action, Floats] = {}
        for place, letter in enumerate(self.architecture.letters):
            column = letters[:, place]
            if not column.any():
                continue
            actions = spoken(state, letter, spread=self.architecture.spread)
            if rng is not None and len(actions) > 1:
                actions = (actions[int(rng.integers(len(actions)))],)
            for action in actions:
                share = column / len(actions)
                shares[action] = shares[action] + share if action in shares else share
        found = tuple(sorted(shares))
        return found, np.stack([shares[action] for action in found], axis=1)

    def letters_of_all(self, state: State, rng: np.random.Generator | None = None) -> Floats:
        """The probability of every letter for all hands: [1326, letters]; of one reading with `rng`."""
        board = state.board
        values, place = np.unique(self.features.of_board(board), return_inverse=True)
        texture, commitment = self.features.texture(board), commitment_of(state, self.architecture)
        rows = np.zeros((len(values), len(self.architecture.letters)))
        readings = (
            sequences_of(state, self.architecture)
            if rng is None
            else ((drawn_sequence(state, self.architecture, rng), 1.0),)
        )
        for text, weight in readings:
            rows += weight * self.letter_rows(state.round, text, values, texture, commitment)
        return np.asarray(rows[place])

    def letter_rows(
        self, round_: int, text: str, hands: npt.NDArray[Any], texture: int, commitment: int
    ) -> Floats:
        """The probability of each letter for several hands [hands, letters]."""
        queries = (Query(round_, text, hand, texture, commitment) for hand in hands.tolist())
        return np.array([self.letter_row(query) for query in queries])


class CaseBasedAgent(LetterAgent):
    """Plays a case base by its architecture."""

    def __init__(self, name: str, base: CaseBase) -> None:
        self.name = name
        self.base = base
        self.retriever = Retriever(base)
        self._row = lru_cache(_ROWS_KEPT)(self._decided)
        self._rows = lru_cache(_TEXTS_KEPT)(self._decided_hands)

    def __reduce__(self) -> tuple[Any, ...]:
        """What is kept stays behind when an agent goes to another process."""
        return CaseBasedAgent, (self.name, self.base)

    @property
    def architecture(self) -> Architecture:
        return self.base.architecture

    @property
    def game(self) -> Game:
        return self.base.game

    @property
    def features(self) -> HandFeatures:
        return self.retriever.features

    def retrieve(self, query: Query) -> Retrieved:
        """The cases that a situation is decided by."""
        return self.retriever.retrieve(query)

    def letter_row(self, query: Query) -> Row:
        return self._row(query)

    def letter_rows(
        self, round_: int, text: str, hands: npt.NDArray[Any], texture: int, commitment: int
    ) -> Floats:
        return self._rows(round_, text, hands.astype(np.int64).tobytes(), texture, commitment)

    def forget(self) -> None:
        """Drop decisions that are kept, because the cases behind them have changed."""
        self._row.cache_clear()
        self._rows.cache_clear()

    def _decided(self, query: Query) -> Row:
        found = self.retrieve(query)
        return tuple(decide(found.counts, found.outcomes, self.architecture.reuse).tolist())

    def _decided_hands(
        self, round_: int, text: str, hands: bytes, texture: int, commitment: int
    ) -> Floats:
        counts, outcomes = self.retriever.solutions_of_hands(
            round_, text, np.frombuffer(hands, np.int64), texture, commitment
        )
        return decide_all(counts, outcomes, self.architecture.reuse)


def _draw(row: Row, rng: np.random.Generator) -> int:
    """A place drawn with the probabilities of a row."""
    possible = [place for place, share in enumerate(row) if share > 0]
    if len(possible) == 1:
        return possible[0]
    left = rng.random() * sum(row)
    for place in possible:
        left -= row[place]
        if left < 0:
            return place
    return possible[-1]
