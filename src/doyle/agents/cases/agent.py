"""Case-based agents: play what the nearest cases of a base say, as agents and policies.

A decision reads the betting as a sequence, retrieves the nearest cases of the hand, takes letters from
their action and outcome vectors by the re-use policy, and speaks a letter as a real bet. All hands of
a board share few feature values, so the probabilities of all of them cost one retrieval for each value.

Several imitators may be one agent (section 5.4.3; Rubin and Watson 2011). In a `VotingAgent` each
imitator votes for its action (`doyle.agents.case_bases.reuse.voted`). In a `ChoosingAgent` one imitator plays each
hand, the one that has won most against this opponent so far, by an upper confidence bound: mean +
deviation * sqrt(2 ln hands / hands of the imitator), with the standard deviation of all hands of the
match (the paper's reference names UCB; this scale is assumed).

A `SwitchingAgent` plays with three and asks its two-player base once one player has folded. The base of
three players answers while nobody has folded, where no two-player sequence fits, and where
the fold came after the flop (section 7.1). `mapped` and `unmapped` count decisions after a fold.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.agents.case_bases import Architecture, CaseBase, Query, Retrieved, Retriever
from doyle.agents.case_bases.features.bets import (
    commitment_of,
    drawn_sequence,
    sequences_of,
    spoken,
)
from doyle.agents.case_bases.features.hands import HandFeatures
from doyle.agents.case_bases.inter_domain import heads_up_sequences
from doyle.agents.case_bases.reuse import decide, decide_all, voted
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

    def __init__(self, name: str, base: CaseBase, features: HandFeatures) -> None:
        self.name = name
        self.architecture: Architecture = base.architecture
        self.game: Game = base.game
        self.features = features

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
        self.retriever = Retriever(base)
        super().__init__(name, base, self.retriever.features)
        self.base = base
        self._row = lru_cache(_ROWS_KEPT)(self._decided)
        self._rows = lru_cache(_TEXTS_KEPT)(self._decided_hands)

    def __reduce__(self) -> tuple[Any, ...]:
        """What is kept stays behind when an agent goes to another process."""
        return CaseBasedAgent, (self.name, self.base)

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
        super().__init__(name, first.base, first.features)
        self.members = tuple(members)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.members)


class VotingAgent(_Members):
    """Plays what most of its imitators would."""

    def __init__(self, name: str, members: Sequence[CaseBasedAgent]) -> None:
        super().__init__(name, members)
        self._row = lru_cache(_ROWS_KEPT)(self._voted)

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


_SEQUENCES_KEPT = 1 << 16


class SwitchingAgent(LetterAgent):
    """Plays a three-player base, and a two-player one where the betting can be mapped to it."""

    def __init__(self, name: str, base: CaseBase, heads_up: CaseBase) -> None:
        if base.architecture.domain != "limit-3p" or heads_up.architecture.domain != "limit":
            raise DoyleError(
                f"agent {name!r}: switches from a three-player to a two-player limit base, not from "
                f"{base.architecture.domain} to {heads_up.architecture.domain}"
            )
        for point in ("strength", "buckets"):
            if getattr(base.architecture, point) != getattr(heads_up.architecture, point):
                raise DoyleError(f"agent {name!r}: its two bases differ in {point}")
        self.three_players = CaseBasedAgent(name, base)
        super().__init__(name, base, self.three_players.features)
        self.base, self.heads_up = base, heads_up
        self.two_players = Retriever(heads_up, features=self.features)
        self._mapped = lru_cache(_SEQUENCES_KEPT)(heads_up_sequences)
        self._row = lru_cache(_ROWS_KEPT)(self._decided)
        self.mapped = self.unmapped = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return SwitchingAgent, (self.name, self.base, self.heads_up)

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
