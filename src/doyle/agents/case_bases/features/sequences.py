"""Betting sequences as text: who acted, how often each seat raised, and what a state reads as.

Level 1 and level 2 of the stepped similarity (section 5.3.2) compare raises by seat in the rounds
before the active one; the seats that count are those that have not folded.
"""

from __future__ import annotations

from dataclasses import dataclass

from doyle.agents.case_bases.domains import (
    ALL_IN,
    BET_LETTERS,
    FOLD_LETTER,
    RAISE_LETTER,
    ROUND_MARK,
    Domain,
)
from doyle.base.errors import ParseError

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
