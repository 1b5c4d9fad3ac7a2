"""Situations: what a case-based agent makes of a state before it looks for cases.

The real betting is read as letters: one sequence with hard reading, several with probabilities where
bets lie between letters and reading is soft. Every decision reads the whole history afresh, so that
what is played is a function of the state alone and its probabilities are those of a policy.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from doyle.agents.case_bases.architecture import Architecture
from doyle.agents.case_bases.domains import ROUND_MARK
from doyle.agents.case_bases.features.bets import read_action, read_action_soft
from doyle.agents.case_bases.learning.decisions import commitment_class
from doyle.games import State

MOST_OPEN_BETS = 12
"""Bets of a hand whose reading is left to chance; of more, the earliest are read hard."""

Options = tuple[tuple[str, float], ...]
Sequences = tuple[tuple[str, float], ...]


def letter_options(state: State, architecture: Architecture) -> list[Options]:
    """What each action so far may be read as, with a round mark where a round began."""
    soft = architecture.reading == "soft"
    letters = architecture.letters
    options: list[Options] = []
    places: list[tuple[int, State, int]] = []
    now = State.start(state.game)
    for number, actions in enumerate(state.betting):
        if number:
            options.append(((ROUND_MARK, 1.0),))
        for action in actions:
            if soft:
                found = read_action_soft(now, action, letters)
                if len(found) > 1:
                    places.append((len(options), now, action))
            else:
                found = ((read_action(now, action, letters), 1.0),)
            options.append(found)
            now = now.apply(action)
    for place, before, action in places[:-MOST_OPEN_BETS]:
        options[place] = ((read_action(before, action, letters), 1.0),)
    return options


def sequences_of(state: State, architecture: Architecture) -> Sequences:
    """All readings of the betting so far with their probabilities, which sum to 1."""
    options = letter_options(state, architecture)
    found: dict[str, float] = {}
    for choice in product(*options):
        text = "".join(letter for letter, _ in choice)
        weight = 1.0
        for _, share in choice:
            weight *= share
        found[text] = found.get(text, 0.0) + weight
    return tuple(found.items())


def drawn_sequence(state: State, architecture: Architecture, rng: np.random.Generator) -> str:
    """One reading of the betting so far; the generator is used only where a bet is open."""
    text = ""
    for option in letter_options(state, architecture):
        chosen = option[0][0]
        if len(option) > 1 and rng.random() >= option[0][1]:
            chosen = option[1][0]
        text += chosen
    return text


def commitment_of(state: State, architecture: Architecture) -> int:
    """The commitment class of the seat to act; 0 where cases do not have one."""
    if state.round == 0 or not architecture.has_commitment:
        return 0
    return commitment_class(state, state.actor, architecture.commitment_classes)
