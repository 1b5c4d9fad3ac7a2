"""The case-based agent: plays what the nearest cases of a base say, as agent and policy.

A decision reads the betting as a sequence, retrieves the nearest cases of the hand, takes letters from
their action and outcome vectors by the re-use policy, and speaks a letter as a real bet. All hands of
a board share few feature values, so the probabilities of all of them cost one retrieval for each value.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.cases import CaseBase, Query, Retrieved, Retriever
from doyle.cases.bets import spoken
from doyle.cases.reuse import decide
from doyle.cases.situations import commitment_of, drawn_sequence, sequences_of
from doyle.errors import DoyleError
from doyle.games import Action, Game, State, View
from doyle.games.policies import ReachByWalking, check_decision, policy_rows

Floats = npt.NDArray[np.float64]

_ROWS_KEPT = 1 << 16


class CaseBasedAgent(ReachByWalking):
    """Plays a case base in the game of its logs, by the architecture of the base."""

    def __init__(self, name: str, base: CaseBase, *, retriever: Retriever | None = None) -> None:
        self.name = name
        self.base = base
        self.retriever = retriever or Retriever(base)
        self.letter_row = lru_cache(_ROWS_KEPT)(self._letter_row)

    def __reduce__(self) -> tuple[Any, ...]:
        """What is kept stays behind when an agent goes to another process."""
        return CaseBasedAgent, (self.name, self.base)

    @property
    def game(self) -> Game:
        return self.base.game

    def act(self, view: View) -> Action:
        """Draw a reading, a letter and a bet."""
        state, architecture = view.state, self.base.architecture
        rng = view.rng()
        text = drawn_sequence(state, architecture, rng)
        row = self.letter_row(self.query(state, text, view.hole))
        letter = architecture.letters[_draw(row, rng)]
        actions = spoken(state, letter, spread=architecture.spread)
        return actions[int(rng.integers(len(actions)))] if len(actions) > 1 else actions[0]

    def query(self, state: State, text: str, hole: tuple[int, ...]) -> Query:
        """The situation of a hand when the betting is read as `text`."""
        if len(hole) != 2:
            raise DoyleError("a case-based agent needs the hole cards of the seat to act")
        features = self.retriever.features
        board = state.board
        return Query(
            state.round,
            text,
            features.of_hand(hole, board),
            features.texture(board),
            commitment_of(state, self.base.architecture),
        )

    def retrieve(self, query: Query) -> Retrieved:
        return self.retriever.retrieve(query)

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """Real actions and their probabilities [1326, actions]; the state needs its board."""
        check_decision(state)
        return spoken_probabilities(state, self.letters_of_all(state), self.base.architecture)

    def letters_of_all(self, state: State) -> Floats:
        """The probability of every letter for all hands: [1326, letters]."""
        architecture, features = self.base.architecture, self.retriever.features
        values, place = np.unique(features.of_board(state.board), return_inverse=True)
        texture, commitment = features.texture(state.board), commitment_of(state, architecture)
        rows = np.zeros((len(values), len(architecture.letters)))
        for text, weight in sequences_of(state, architecture):
            for number, value in enumerate(values.tolist()):
                query = Query(state.round, text, value, texture, commitment)
                rows[number] += weight * np.asarray(self.letter_row(query))
        return rows[place]

    def _letter_row(self, query: Query) -> tuple[float, ...]:
        found = self.retrieve(query)
        row = decide(found.counts, found.outcomes, self.base.architecture.reuse)
        return tuple(row.tolist())


def spoken_probabilities(
    state: State, letters: Floats, architecture: Any
) -> tuple[tuple[Action, ...], Floats]:
    """From letters [hands, letters] to real actions, ascending, and their probabilities."""
    shares: dict[Action, Floats] = {}
    for place, letter in enumerate(architecture.letters):
        column = letters[:, place]
        if column.any():
            actions = spoken(state, letter, spread=architecture.spread)
            for action in actions:
                share = column / len(actions)
                shares[action] = shares[action] + share if action in shares else share
    found = tuple(sorted(shares))
    table = np.stack([shares[action] for action in found], axis=1)
    assert len(table) == policy_rows(state.game)
    return found, table


def _draw(row: tuple[float, ...], rng: np.random.Generator) -> int:
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
