"""Betting sequences, no-limit bets as letters and letters as bets (section 6.3.2).

A bet's share is what it raises beyond a call, over the pot after that call. It lies between the
letters x and y next to it, x <= share < y; an all-in stands at its own share. Hard reading takes the
geometrically nearer one (equation 3), soft reading gives each a probability (equations 4 and 5). A bet
below the smallest letter is read as that one (assumed), one above the largest as the largest.

Before an agent looks for cases, the real betting of a state is read as letters: one sequence with hard
reading, several with probabilities where bets lie between letters and reading is soft. Every decision
reads the whole history afresh, so that what is played is a function of the state alone and its
probabilities are those of a policy.

Sequences are text. Level 1 and level 2 of the stepped similarity (section 5.3.2) compare raises by seat
in the rounds before the active one; the seats that count are those that have not folded.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from doyle.agents.case_bases.architecture import Architecture
from doyle.agents.case_bases.domains import (
    ALL_IN,
    BET_LETTERS,
    CALL_LETTER,
    FOLD_LETTER,
    POT_SHARES,
    RAISE_LETTER,
    ROUND_MARK,
    Domain,
)
from doyle.base.errors import ParseError
from doyle.games import CALL, FOLD, Action, State

RAISES = frozenset(RAISE_LETTER + BET_LETTERS + ALL_IN)
_MOST_ROUNDS = 4


@dataclass(frozen=True)
class BettingSequence:
    """A sequence with its actors: the rounds as text, raises by round and seat, who has folded.

    >>> from doyle.agents.case_bases.domains import LIMIT
    >>> sequence = BettingSequence.parse(LIMIT, "crrc-crrrrc-cr")
    >>> sequence.raises, sequence.current
    (((1, 1), (2, 2), (0, 1)), 'cr')
    """

    text: str
    rounds: tuple[str, ...]
    raises: tuple[tuple[int, ...], ...]
    folded: tuple[bool, ...]

    @classmethod
    def parse(cls, domain: Domain, text: str, *, what: str = "betting sequence") -> BettingSequence:
        """Read a sequence; letters are checked, bet sizes and the number of raises are not."""
        rounds = tuple(text.split(ROUND_MARK))
        if len(rounds) > _MOST_ROUNDS:
            position = len(ROUND_MARK.join(rounds[:_MOST_ROUNDS]))
            raise ParseError("a hand has four rounds", text=text, position=position, what=what)
        folded = [False] * domain.players
        raises: list[tuple[int, ...]] = []
        position = 0
        for number, letters in enumerate(rounds):
            counts = [0] * domain.players
            seat = domain.first_seat(number)
            for letter in letters:
                if letter not in domain.letters:
                    expected = ", ".join(domain.letters)
                    raise ParseError(
                        f"expected {expected} or {ROUND_MARK}, not {letter!r}",
                        text=text,
                        position=position,
                        what=what,
                    )
                if folded.count(False) < 2:
                    raise ParseError("the hand is over", text=text, position=position, what=what)
                while folded[seat]:
                    seat = (seat + 1) % domain.players
                if letter in RAISES:
                    counts[seat] += 1
                folded[seat] = letter == FOLD_LETTER
                seat = (seat + 1) % domain.players
                position += 1
            raises.append(tuple(counts))
            position += 1
        return cls(text, rounds, tuple(raises), tuple(folded))

    @property
    def current(self) -> str:
        """The letters of the active round."""
        return self.rounds[-1]

    @property
    def raises_before(self) -> tuple[tuple[int, ...], ...]:
        """Raises of the seats that have not folded, in each round before the active one."""
        return tuple(
            tuple(-1 if gone else count for count, gone in zip(counts, self.folded, strict=True))
            for counts in self.raises[:-1]
        )

    @property
    def raises_in_all(self) -> tuple[int, ...]:
        """Raises of the seats that have not folded, over all rounds before the active one."""
        return tuple(
            -1 if gone else sum(counts[seat] for counts in self.raises[:-1])
            for seat, gone in enumerate(self.folded)
        )


Distance = Literal["ratio", "absolute"]

SPREAD_STEPS = 13
"""Amounts that equation 6 draws from: even steps over the whole spread, the exact bet in the middle."""


def pot_shares(letters: str) -> NDArray[np.float64]:
    """The shares of the bet letters of an abstraction, ascending, without all-in."""
    return np.array([POT_SHARES[letter] for letter in letters if letter in POT_SHARES])


def bet_share(state: State, raise_to: Action) -> float:
    """What a raise adds beyond the call, as a share of the pot after the call."""
    return (raise_to - state.largest) / (state.pot + state.largest - state.spent[state.actor])


def neighbours(share: float, all_in_share: float, letters: str) -> tuple[tuple[str, float], ...]:
    """The one or two letters next to a bet, with their shares, ascending.

    >>> neighbours(0.6, 30.0, "fcqhipdvta"), neighbours(0.1, 30.0, "fcqhipdvta")
    ((('h', 0.5), ('i', 0.75)), (('q', 0.25),))
    """
    has_all_in = letters.endswith(ALL_IN)
    if has_all_in and share >= all_in_share:
        return ((ALL_IN, all_in_share),)
    bets = [(letter, POT_SHARES[letter]) for letter in letters if letter in POT_SHARES]
    ladder = [bet for bet in bets if not has_all_in or bet[1] < all_in_share]
    if has_all_in:
        ladder.append((ALL_IN, all_in_share))
    below = [bet for bet in ladder if bet[1] <= share]
    if not below:
        return (bets[0],) if bets else (ladder[0],)
    if len(below) == len(ladder):
        return (ladder[-1],)
    return (below[-1], ladder[len(below)])


def read_hard(
    share: float, all_in_share: float, letters: str, *, distance: Distance = "ratio"
) -> str:
    """The letter that a bet is read as (equation 3); figure 6 goes by absolute distance instead.

    >>> [read_hard(bet / 20, 400 / 20, "fcpa", distance="absolute") for bet in (200, 220)]
    ['p', 'a']
    >>> read_hard(0.6, 30.0, "fcqhipdvta"), read_hard(0.62, 30.0, "fcqhipdvta")
    ('h', 'i')
    """
    found = neighbours(share, all_in_share, letters)
    if len(found) == 1:
        return found[0][0]
    (low, x), (high, y) = found
    if distance == "absolute":
        return low if share - x < y - share else high
    return low if x * y > share * share else high


def read_soft(share: float, all_in_share: float, letters: str) -> tuple[tuple[str, float], ...]:
    """The letters that a bet may be read as, with probabilities (equations 4 and 5, normalised).

    >>> read_soft(0.5, 30.0, "fcqhipdvta")
    (('h', 1.0),)
    """
    found = neighbours(share, all_in_share, letters)
    if len(found) == 1:
        return ((found[0][0], 1.0),)
    (low, x), (high, y) = found
    if share == x:
        return ((low, 1.0),)
    ratio = x / y
    to_low = (x / share - ratio) / (1 - ratio)
    to_high = (share / y - ratio) / (1 - ratio)
    total = to_low + to_high
    return ((low, to_low / total), (high, to_high / total))


def read_action(state: State, action: Action, letters: str) -> str:
    """The letter of an action at a state; bets are read hard."""
    if action == FOLD:
        return FOLD_LETTER
    if action == CALL:
        return CALL_LETTER
    if state.game.is_limit:
        return RAISE_LETTER
    return read_hard(bet_share(state, action), _all_in_share(state), letters)


def read_action_soft(state: State, action: Action, letters: str) -> tuple[tuple[str, float], ...]:
    """The letters that an action may be read as, with probabilities."""
    if action <= CALL or state.game.is_limit:
        return ((read_action(state, action, letters), 1.0),)
    return read_soft(bet_share(state, action), _all_in_share(state), letters)


def _all_in_share(state: State) -> float:
    return bet_share(state, state.game.stacks[state.actor])


def spoken(state: State, letter: str, *, spread: float = 0.0) -> tuple[Action, ...]:
    """The real actions that a letter stands for, equally likely; one that is illegal becomes legal.

    A bet of equation 6 is x' +- Delta x': one of an odd number of even steps over the spread
    (assumed uniform). All-in is never spread.
    """
    if letter == FOLD_LETTER:
        return (state.nearest_legal(FOLD),)
    if letter == CALL_LETTER or not state.max_raise_to:
        return (CALL,)
    if letter in (RAISE_LETTER, ALL_IN):
        return (state.max_raise_to,)
    pot = state.pot + state.largest - state.spent[state.actor]
    bet = POT_SHARES[letter] * pot
    steps = np.linspace(1 - spread, 1 + spread, SPREAD_STEPS) if spread else np.ones(1)
    return tuple(state.nearest_legal(state.largest + round(float(step * bet))) for step in steps)


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


def commitment_class(state: State, seat: int, classes: int) -> int:
    """How much of his stack a player has put in, in even classes from 0 (section 6.3.3)."""
    return min(classes - 1, state.spent[seat] * classes // state.game.stacks[seat])


def commitment_of(state: State, architecture: Architecture) -> int:
    """The commitment class of the seat to act; 0 where cases do not have one."""
    if state.round == 0 or not architecture.has_commitment:
        return 0
    return commitment_class(state, state.actor, architecture.commitment_classes)
