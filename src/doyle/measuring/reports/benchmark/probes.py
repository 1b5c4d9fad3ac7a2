"""Probes: an agent's answers to bets of every size, and the boundaries of its answers.

`Prober` checks and calls, but after the first round it occasionally makes an opening bet of random
size, with any hand. From the log of a match against it the answers are counted by size. That needs
no more than play, so it works for any agent.

A bluff of x pots that always loses when it is not folded to wins f - (1 - f) x pots, where f is the
share of folds. Where that is above zero beyond doubt, any two cards make money by betting. Smaller
bets are probes of the defence against min-bets, larger ones of the reading of overbets.

An agent with hard translation changes its answers at one size. The boundary is looked for as in the
thesis on state translation (section 4.5), by the marginal likelihood of all sizes below it being
answered by one mix and all above it by another. It is compared with one mix for all sizes, and with a
mix for each size, as of an agent that reads bets softly or has many sizes of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.statistics import Estimate
from doyle.games import CALL, FOLD, Action, State, View
from doyle.games.histories import Hand
from doyle.strategy.translation.boundary import confidence, marginal_likelihoods, one_mix, own_mixes

ANSWERS = ("fold", "call", "raise")
HEADS = ["bet", "answers", "fold", "call", "raise", "a bluff wins, pots"]
_BETS = 0.5
"""How often the prober bets where it may."""


def size_name(pots: float) -> str:
    """A bet of the probe, in words.

    >>> size_name(0.0), size_name(1.0), size_name(2.5)
    ('least', '1 pot', '2.5 pots')
    """
    if not pots:
        return "least"
    return f"{pots:g} pot{'' if pots == 1 else 's'}"


@dataclass(frozen=True)
class Prober:
    """Bets sizes that are drawn by chance, in pots; 0 is the least legal bet."""

    pots: tuple[float, ...]
    name: str = "prober"

    def act(self, view: View) -> Action:
        state = view.state
        if not opens(state):
            return CALL
        rng = view.rng()
        if rng.random() >= _BETS:
            return CALL
        return state.nearest_legal(bet_of(state, self.pots[int(rng.integers(len(self.pots)))]))


def opens(state: State) -> bool:
    """Whether the player to act may make the first bet of a round after the first."""
    return state.round > 0 and state.to_call == 0 and state.max_raise_to > 0


def bet_of(state: State, pots: float) -> Action:
    """The raise that bets so many pots, or the least one if that is more."""
    return max(state.min_raise_to, state.largest + round(pots * state.pot))


@dataclass(frozen=True)
class Answers:
    """The answers to bets of one size."""

    pots: float
    """0: the least legal bet."""
    counts: tuple[int, int, int]
    """Folds, calls, raises."""
    bluff: Estimate | None
    """Winnings of a bluff that loses unless the opponent folds, in pots; None without
    observations."""

    def cells(self) -> list[str]:
        """Size, answers, shares of folds, calls and raises, and a bluff's winnings, under
        `HEADS`."""
        total = sum(self.counts)
        shares = [f"{100 * count / total:.1f}%" if total else "" for count in self.counts]
        bluff = "" if self.bluff is None else f"{self.bluff:+.3f}"
        return [size_name(self.pots), f"{total:,}", *shares, bluff]

    def document(self) -> dict[str, Any]:
        total = sum(self.counts)
        shares = [count / total if total else None for count in self.counts]
        return {
            "pots": self.pots,
            "answer_count": total,
            **dict(zip(ANSWERS, shares, strict=True)),
            "bluff_wins_pots": None if self.bluff is None else self.bluff.mean,
            "ci95": None if self.bluff is None else self.bluff.ci95,
        }


@dataclass(frozen=True)
class Boundary:
    """Between which two bets the answers change most, and how sure that is."""

    below: float
    above: float
    confidence: float
    """Of this boundary among all, if there is one."""
    over_none: float
    """Base-10 logarithm of the likelihood ratio of the answers, a boundary here against no
    boundary."""
    over_gradual: float
    """The same against a mix for every size."""

    @property
    def is_hard(self) -> bool:
        """Whether one boundary explains the answers best."""
        return self.over_none > 0 and self.over_gradual > 0

    def document(self) -> dict[str, float]:
        return {
            "below_pots": self.below,
            "above_pots": self.above,
            "confidence": self.confidence,
            "log10_over_none": self.over_none,
            "log10_over_gradual": self.over_gradual,
        }


@dataclass(frozen=True)
class ProbeResult:
    """Answers by size, in order, and where they change."""

    answers: tuple[Answers, ...]
    boundary: Boundary | None

    @property
    def sentence(self) -> str:
        """Where the answers change."""
        found = self.boundary
        if found is None:
            return "Too few answers to look for a boundary."
        where = f"between {size_name(found.below)} and {size_name(found.above)}"
        if found.over_none <= 0:
            return "The answers to all sizes look the same."
        if not found.is_hard:
            return (
                f"The answers change with the size, most {where}, and no single boundary explains them: "
                f"a mix for each size is 10^{-found.over_gradual:.0f} times as likely."
            )
        return (
            f"The answers change {where} and nowhere else, as hard translation does "
            f"({found.confidence:.0%} of the boundaries' likelihood)."
        )

    def cells(self) -> list[list[str]]:
        return [row.cells() for row in self.answers]

    def document(self) -> dict[str, Any]:
        return {
            "sizes": [row.document() for row in self.answers],
            "boundary": None if self.boundary is None else self.boundary.document(),
        }


def probe_result(hands: Iterable[Hand], prober: str, pots: Sequence[float]) -> ProbeResult:
    """Count the answers to the bets of the player called `prober`."""
    seen: list[list[tuple[int, float]]] = [[] for _ in pots]
    for hand in hands:
        for place, answer, size in _answers(hand, hand.players.index(prober), pots):
            seen[place].append((answer, size))
    rows = tuple(_row(pots[place], found) for place, found in enumerate(seen))
    counts = np.array([row.counts for row in rows], dtype=np.float64).T
    return ProbeResult(rows, find_boundary(counts, pots))


def _answers(hand: Hand, seat: int, pots: Sequence[float]) -> Iterator[tuple[int, int, float]]:
    """The place of each size bet, the answer to it, and its size in pots.

    Bets of other sizes, due to a smaller stack, are skipped.
    """
    now = State.start(hand.state.game)
    asked: tuple[int, float] | None = None
    for action in (action for actions in hand.state.betting for action in actions):
        if asked is not None:
            place, size = asked
            yield place, min(action, 2), size
            asked = None
        if now.actor == seat and action > CALL and opens(now):
            asked = _size(now, action, pots)
        now = now.apply(action)


def _size(state: State, action: Action, pots: Sequence[float]) -> tuple[int, float] | None:
    """The place of a bet among the sizes; the least legal bet is one only if it is no other size."""
    chips = action - state.largest
    places = [place for place, wanted in enumerate(pots) if chips == round(wanted * state.pot)]
    if not places and action == state.min_raise_to:
        places = [place for place, wanted in enumerate(pots) if wanted == 0]
    size = chips / state.pot
    return (min(places, key=lambda place: abs(pots[place] - size)), size) if places else None


def _row(pots: float, found: list[tuple[int, float]]) -> Answers:
    counts = tuple(sum(1 for answer, _ in found if answer == kind) for kind in range(3))
    won = np.array([1.0 if answer == FOLD else -size for answer, size in found])
    bluff = Estimate.of_strata(won) if len(won) else None
    return Answers(pots, (counts[0], counts[1], counts[2]), bluff)


def find_boundary(counts: npt.NDArray[np.float64], pots: Sequence[float]) -> Boundary | None:
    """From counts [answer, size]; None if fewer than two sizes were answered.

    >>> counts = np.array([[0, 0, 50, 50], [50, 50, 0, 0], [0, 0, 0, 0]], float)
    >>> find_boundary(counts, (0.5, 1, 2, 3)).below
    1
    """
    if (counts.sum(axis=0) > 0).sum() < 2:
        return None
    found = marginal_likelihoods(counts)
    best = int(np.argmax(found))
    likelihood, ten = float(found[best]), math.log(10.0)
    return Boundary(
        pots[best],
        pots[best + 1],
        float(confidence(found)[best]),
        (likelihood - one_mix(counts)) / ten,
        (likelihood - own_mixes(counts)) / ten,
    )
