"""A two-player limit case base as tables: what it plays at every decision with every hand feature.

In two-player limit Hold'em a case-based agent looks at the betting (6,378 decisions), at a hand feature and
at the texture of the board (nine). So all it may ever retrieve fits into the tables of a strategy, and
matches between case bases, experts and each other are played by kernels: the same decisions, hundreds of
times faster than one retrieval after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.agents.strategy_agent import StrategyAgent
from doyle.betting import BettingModel, BettingTree
from doyle.cards import HOLES
from doyle.cases import Architecture, CaseBase, Retriever
from doyle.cases.case_base import RoundCases
from doyle.cases.domains import ROUND_MARK
from doyle.cases.features.bets import spoken
from doyle.cases.features.hands import HandFeatures
from doyle.cases.features.textures import TEXTURES
from doyle.cases.reuse import voted
from doyle.errors import DoyleError
from doyle.games import Game, State
from doyle.strategy import Layout, TableStrategy
from doyle.translation.named_translations import named_translation
from doyle.workers import Progress

Floats = npt.NDArray[np.float64]
Solutions = tuple[Floats, Floats]


def tabled_agent(
    name: str,
    bases: CaseBase | Sequence[CaseBase],
    *,
    tree: BettingTree | None = None,
    progress: Progress | None = None,
) -> StrategyAgent:
    """The agent of a two-player limit case base, from tables of all its answers.

    Several bases vote, as `doyle.agents.cases.VotingAgent` does.
    """
    members = [bases] if isinstance(bases, CaseBase) else list(bases)
    base = members[0]
    if base.architecture.domain != "limit":
        raise DoyleError(
            f"case base {name}: only two-player limit bases fit into tables, "
            f"not {base.architecture.domain}"
        )
    tree = tree or BettingTree.build(BettingModel.parse("limit"), base.game)
    answers = [
        _answers(member.rounds, member.architecture.with_points(reuse="probabilistic"), base.game)
        for member in members
    ]
    features = answers[0].retriever.features
    layout = Layout.of(tree)
    tables = [
        np.zeros((features.size(number) * _textures(number), width), np.float32)
        for number, width in enumerate(layout.widths)
    ]
    for done, (node, state, text) in enumerate(_decisions(tree)):
        rows = voted([one.solutions(state.round, text) for one in answers], base.architecture.reuse)
        start = int(layout.offset[node])
        actions = tree.actions_of(node).tolist()
        for place, letter in enumerate(base.architecture.letters):
            (action,) = spoken(state, letter)
            tables[state.round][:, start + actions.index(action)] += rows[:, place]
        if progress is not None and done % 256 == 0:
            progress("asking the case base", done, tree.decision_count)
    return StrategyAgent(
        name,
        TableStrategy(tree, tables),
        bucketing=TabledHands(features),
        translation=named_translation("det-pshar"),  # never used: every bet is in the tree
    )


@dataclass(frozen=True)
class TabledHands:
    """Which row of the tables a hand reads: its feature and, after the flop, the texture."""

    features: HandFeatures

    def buckets(self, board: tuple[int, ...]) -> npt.NDArray[np.int32]:
        """The rows of all holes on a board; below 0 where they share a card."""
        hands = self.features.of_board(board).astype(np.int32)
        rows = hands * _textures(len(board)) + self.features.texture(board)
        rows[np.isin(HOLES, board).any(axis=1)] = -1
        return rows

    def deal_buckets(
        self, holes: npt.NDArray[Any], boards: npt.NDArray[Any]
    ) -> npt.NDArray[np.int32]:
        """The rows int32[n, seats, 4] of holes[n, seats, 2] on boards[n, 5]."""
        found = np.empty((*holes.shape[:2], 4), np.int32)
        for seat in range(holes.shape[1]):
            hand, texture = self.features.of_deals(holes[:, seat], boards)
            found[:, seat] = hand.astype(np.int32) * len(TEXTURES) + texture
            found[:, seat, 0] = hand[:, 0]
        return found


class AllAnswers:
    """What a two-player limit base answers after one betting sequence, for every hand and texture."""

    def __init__(self, retriever: Retriever) -> None:
        self.retriever = retriever
        self._known: dict[tuple[int, bytes, bytes], npt.NDArray[np.int32]] = {}

    def solutions(self, round_: int, text: str) -> Solutions:
        """The retrieved counts and outcomes of every letter [hands * textures, letters]."""
        cases = self.retriever.index(round_).cases
        if self.retriever.architecture.retrieve == 1 and len(cases) and cases.members is None:
            nearest = self._nearest(round_, text)
            return cases.counts[nearest].astype(np.float64), cases.outcomes[nearest]
        hands = np.arange(self.retriever.features.size(round_))
        found = [
            self.retriever.solutions_of_hands(round_, text, hands, texture, 0)
            for texture in range(_textures(round_))
        ]
        counts, outcomes = (
            np.stack(parts, axis=1).reshape(-1, parts[0].shape[1])
            for parts in zip(*found, strict=True)
        )
        return counts, outcomes

    def _nearest(self, round_: int, text: str) -> npt.NDArray[np.int32]:
        """The nearest case of every (hand, texture); bettings as similar to the same cases share them."""
        index = self.retriever.index(round_)
        first, _, betting = index.groups(text)
        key = (round_, first.tobytes(), betting.tobytes())
        if key not in self._known:
            hands = np.arange(self.retriever.features.size(round_))
            nearest = [
                index.nearest_of_hands(text, hands, texture, 0)
                for texture in range(_textures(round_))
            ]
            self._known[key] = np.stack(nearest, axis=1).ravel().astype(np.int32)
        return self._known[key]


@lru_cache(maxsize=4)
def _answers(rounds: tuple[RoundCases, ...], architecture: Architecture, game: Game) -> AllAnswers:
    """The answers of a base, kept because its re-use policies share them."""
    return AllAnswers(Retriever(CaseBase(architecture, game, rounds)))


def _decisions(tree: BettingTree) -> Iterator[tuple[int, State, str]]:
    """Every decision with its state and its betting as a sequence of letters, depth first."""
    states: dict[int, tuple[State, str]] = {0: (State.start(tree.game), "")}
    for node in tree.decisions.tolist():
        state, text = states.pop(node)
        yield node, state, text
        for child in tree.children_of(node).tolist():
            action = int(tree.action[child])
            after = state.apply(action)
            if after.actor >= 0:
                letter = "fcr"[min(action, 2)] + ROUND_MARK * (after.round - state.round)
                states[child] = (after, text + letter)


def _textures(round_or_cards: int) -> int:
    """How many textures hands are told apart by: none before the flop, in round 0 on a board of 0 cards."""
    return len(TEXTURES) if round_or_cards else 1
