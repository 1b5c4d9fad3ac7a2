"""The inter-domain mapping: a three-player sequence as two-player ones (section 7.1.1, figure 9).

When one of three players has folded before the flop, the two who remain are mapped by who acts last
after the flop: the dealer to the dealer, the small blind to the non-dealer, the big blind to the
non-dealer if the small blind folded and to the dealer if the dealer folded. A two-player sequence fits
if each player has made as many preflop raises; later rounds are taken as they are. While the betting
before the flop goes on, the seat to act and whether it may fold must be the same too (ours).
"""

from __future__ import annotations

from functools import cache

from doyle.agents.case_bases.domains import LIMIT_3P, ROUND_MARK, default_game, domain_named
from doyle.agents.case_bases.features.bets import BettingSequence
from doyle.games import State
from doyle.games.histories import format_betting

SMALL_BLIND, BIG_BLIND, DEALER = 0, 1, 2
NON_DEALER, HEADS_UP_DEALER = 0, 1


def player_mapping(folded: tuple[bool, ...]) -> dict[int, int] | None:
    """The two-player seat of each of the two who remain; None if not exactly one has folded.

    >>> player_mapping((False, False, True)), player_mapping((True, False, False))
    ({0: 0, 1: 1}, {1: 0, 2: 1})
    """
    if folded.count(True) != 1:
        return None
    first, last = (seat for seat in range(3) if not folded[seat])
    return {first: NON_DEALER, last: HEADS_UP_DEALER}


def heads_up_sequences(text: str) -> tuple[str, ...]:
    """The two-player sequences that a three-player one maps to; none without a preflop fold.

    >>> heads_up_sequences("frc-r")
    ('crc-r',)
    """
    sequence = BettingSequence.parse(LIMIT_3P, text)
    before = BettingSequence.parse(LIMIT_3P, sequence.rounds[0])
    mapping = player_mapping(before.folded)
    if mapping is None or before.folded != sequence.folded:
        return ()
    raises = [0, 0]
    for seat, place in mapping.items():
        raises[place] = sequence.raises[0][seat]
    if len(sequence.rounds) > 1:
        later = ROUND_MARK + ROUND_MARK.join(sequence.rounds[1:])
        return tuple(start + later for start in _finished().get(tuple(raises), ()))
    state = _three_player_state(text)
    key = (tuple(raises), mapping[state.actor], state.can_fold)
    return _open().get(key, ())


def _three_player_state(text: str) -> State:
    """The state after the preflop actions of a three-player sequence."""
    state = State.start(default_game(LIMIT_3P))
    for letter in text:
        state = state.apply({"f": 0, "c": 1}.get(letter, state.max_raise_to))
    return state


@cache
def _finished() -> dict[tuple[int, ...], tuple[str, ...]]:
    """The two-player sequences that lead to the flop, by raises of the non-dealer and the dealer."""
    found: dict[tuple[int, ...], tuple[str, ...]] = {}
    for state, raises in _preflop_states():
        if state.round == 1:
            text = format_betting(state).rstrip("/")
            found[raises] = (*found.get(raises, ()), text)
    return found


@cache
def _open() -> dict[tuple[tuple[int, ...], int, bool], tuple[str, ...]]:
    """Two-player preflop sequences by raises, the seat to act, and whether it may fold."""
    found: dict[tuple[tuple[int, ...], int, bool], tuple[str, ...]] = {}
    for state, raises in _preflop_states():
        if state.round == 0:
            key = (raises, state.actor, state.can_fold)
            found[key] = (*found.get(key, ()), format_betting(state))
    return found


def _preflop_states() -> list[tuple[State, tuple[int, ...]]]:
    """All states before the flop and at its start, without folds, with the raises by seat."""
    found: list[tuple[State, tuple[int, ...]]] = []
    waiting = [(State.start(default_game(domain_named("limit"))), (0, 0))]
    while waiting:
        state, raises = waiting.pop(0)
        found.append((state, raises))
        if state.round == 0:
            waiting.append((state.apply(1), raises))
            if state.max_raise_to:
                more = list(raises)
                more[state.actor] += 1
                waiting.append((state.apply(state.max_raise_to), (more[0], more[1])))
    return found
