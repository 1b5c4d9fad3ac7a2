"""Decisions: what a player did, and what came of it, with the features of the moment.

A block of decisions is a set of arrays with one entry for each; sequences are numbers into a list of
texts. One hand is read here action by action, as agents do while they play; blocks of log lines are
read by `doyle.agents.case_bases.learning.reading` with the same result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.agents.case_bases.architecture import Architecture
from doyle.agents.case_bases.domains import ROUND_MARK
from doyle.agents.case_bases.features.bets import commitment_class, read_action
from doyle.agents.case_bases.features.hands import HandFeatures
from doyle.games import State
from doyle.games.histories import Hand

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Decisions:
    """Some decisions; `letter` counts in the architecture's letters, `outcome` is in chips."""

    sequences: tuple[str, ...]
    round: Integers
    sequence: Integers
    hand: Integers
    texture: Integers
    commitment: Integers
    letter: Integers
    outcome: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.round)

    def chosen(self, rows: Sequence[int]) -> Decisions:
        """Some of the decisions."""
        place = np.array(rows, np.int64)
        arrays = {field.name: getattr(self, field.name) for field in fields(self)[1:]}
        return replace(self, **{name: array[place] for name, array in arrays.items()})

    @classmethod
    def joined(cls, parts: Iterable[Decisions]) -> Decisions:
        """Several blocks as one, in their order."""
        blocks = list(parts)
        numbers: dict[str, int] = {}
        for place, block in enumerate(blocks):
            of_block = [numbers.setdefault(text, len(numbers)) for text in block.sequences]
            renumbered = np.array(of_block, np.int64)[block.sequence]
            blocks[place] = replace(block, sequence=renumbered)
        joined: dict[str, NDArray[Any]] = {}
        for field in fields(cls)[1:]:
            empty = np.empty(0, np.float64 if field.name == "outcome" else np.int64)
            joined[field.name] = np.concatenate([empty, *(getattr(b, field.name) for b in blocks)])
        return cls(tuple(numbers), **joined)


def unseen_seats(hand: Hand, seats: Collection[int]) -> list[int]:
    """Those of the seats that decided something with cards that the hand does not show."""
    deal = hand.state.deal
    hole = deal.hole if deal is not None else ((),) * hand.state.game.players
    acted = {seat for _, seat, _ in _walk(hand.state)}
    return [seat for seat in seats if seat in acted and not hole[seat]]


def hand_decisions(
    hand: Hand, seats: Collection[int], architecture: Architecture, features: HandFeatures
) -> Decisions:
    """The decisions of some seats, whose cards are known, in a finished hand."""
    state = hand.state
    deal = state.deal
    assert deal is not None
    payoffs = hand.payoffs or state.payoffs()
    letters = architecture.letters
    sequences: list[str] = []
    rows: list[tuple[int, ...]] = []
    outcomes: list[float] = []
    text, round_ = "", 0
    for now, seat, action in _walk(state):
        if now.round > round_:
            text, round_ = text + ROUND_MARK, now.round
        letter = read_action(now, action, letters)
        if seat in seats:
            board = now.board
            commitment = (
                commitment_class(now, seat, architecture.commitment_classes)
                if architecture.has_commitment and round_
                else 0
            )
            rows.append(
                (
                    round_,
                    len(sequences),
                    features.of_hand(deal.hole[seat], board),
                    features.texture(board),
                    commitment,
                    letters.index(letter),
                )
            )
            sequences.append(text)
            outcomes.append(float(payoffs[seat]))
        text += letter
    rounds, numbers, hands, textures, commitments, places = (
        np.array(rows, np.int64).reshape(-1, 6).T
    )
    won = np.array(outcomes)
    return Decisions(tuple(sequences), rounds, numbers, hands, textures, commitments, places, won)


def _walk(state: State) -> Iterable[tuple[State, int, int]]:
    """Every decision of a hand: the state, the seat and its action."""
    now = State.start(state.game, state.deal)
    for actions in state.betting:
        for action in actions:
            yield now, now.actor, action
            now = now.apply(action)
