"""`Advice`: one sentence on an agent's strength, and one on how to improve it.

Read from the numbers of a report card by the rules below, with reproducible yardsticks. A result is
significant if its 95% interval excludes zero.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from doyle.base.statistics import Estimate
from doyle.games import Game

KNOWN_200BB = {
    "pot-and-all-in-small": 2015.0,
    "hyperborean07-small": 2225.0,
    "tartanian-small": 15446.0,
}
"""Winnings of 56 sizes in all rounds, 800 hands of seed 5, small builds at 200 big blinds,
2026-11-17."""

WIDEST = ("56", "all")


@dataclass(frozen=True)
class Advice:
    """Two halves of a sentence."""

    how_good: str
    better: str

    @property
    def sentence(self) -> str:
        return f"{self.how_good}; {self.better}."

    @classmethod
    def of(
        cls,
        game: Game,
        *,
        exact: float | None,
        lbr: dict[tuple[str, str], Estimate],
        matches: Mapping[str, Estimate],
        late: Sequence[Estimate] = (),
    ) -> Advice:
        """`lbr` are local best responses by actions and rounds, `late` exact responses from a late street."""
        won = sum(1 for result in matches.values() if sign(result) > 0)
        lost = [name.partition("@")[0] for name, result in matches.items() if sign(result) < 0]
        good = f"It beats {won} of {len(matches)} opponents beyond doubt"
        if lost:
            good += f", loses to {_listed(lost)}"
        good += f", and {_bound(game, exact, lbr, late)}"
        return cls(good, _better(None if game.is_holdem else exact, lbr, lost))


def folding(game: Game) -> float:
    """The winnings against a player who folds every hand: half of the blinds.

    >>> folding(Game.named("holdem-nl-200bb"))
    750.0
    """
    return 500.0 * sum(game.blinds) / game.big_blind


def _bound(
    game: Game, exact: float | None, lbr: dict[tuple[str, str], Estimate], late: Sequence[Estimate]
) -> str:
    """The winnings of an opponent who knows the agent."""
    if exact is not None:
        limits = " and keeps to its bet sizes" if game.is_holdem else ""
        return f"an opponent who knows it{limits} wins {exact:,.1f} mbb/h and no more"
    if game.players != 2:
        return "what a clever opponent wins is only known of games of two players"
    if not lbr:
        return (
            "as it does not give its probabilities, nothing is known of what a clever opponent wins"
        )
    # The largest, which is the least flattering; of several it is too high on average.
    largest = largest_bound([*lbr.values(), *late])
    if largest is None:
        return "a local best response finds nothing to win, which proves little"
    text = f"an opponent who knows it wins at least {largest:,.0f} mbb/h"
    if game.name == "holdem-nl-200bb" and largest == lbr.get(WIDEST):
        return f"{text}, {_beside_known(largest)}"
    return f"{text}, {_beside(largest, 'a player who always folds', folding(game))}"


def largest_bound(results: Sequence[Estimate]) -> Estimate | None:
    """The largest significant estimate; None if absent.

    >>> f"{largest_bound([Estimate(5.0, 4.0), Estimate(9.0, 10.0), Estimate(7.0, 2.0)]):.1f}"
    '7.0 ± 2.0'
    """
    return max(
        (result for result in results if sign(result) > 0),
        key=lambda result: result.mean,
        default=None,
    )


def _beside_known(result: Estimate) -> str:
    """A comparison with the known preset of the nearest figure."""
    name = min(KNOWN_200BB, key=lambda one: abs(math.log(result.mean / KNOWN_200BB[one])))
    return _beside(result, name, KNOWN_200BB[name])


def _beside(result: Estimate, whom: str, known: float) -> str:
    """A result compared with the winnings against another agent."""
    won, width = float(result.mean), result.ci95
    if abs(won - known) <= max(width or 0.0, 1e-6):
        return f"{'about ' if width else ''}as much as from {whom} ({known:,.0f})"
    return f"{'more' if won > known else 'less'} than from {whom} ({known:,.0f})"


def _better(exact: float | None, lbr: dict[tuple[str, str], Estimate], lost: list[str]) -> str:
    """The improvement suggested by the largest loss; `exact` is of a whole game."""
    if exact is not None and exact < 1.0:
        return "in its game there is next to nothing left to gain"
    wide, narrow, late = lbr.get(WIDEST), lbr.get(("fcpa", "all")), lbr.get(("fcpa", "late"))
    if wide and narrow:
        more = float(wide.mean - narrow.mean)
        if more > math.hypot(wide.ci95 or 0.0, narrow.ci95 or 0.0):
            return (
                f"sizes beside the pot and all-in win {more:,.0f} mbb/h more than these two "
                "alone, so more bet sizes or another translation would help first"
            )
    if narrow and late and sign(narrow) > 0:
        if late.mean > narrow.mean / 2:
            return (
                "raises on the turn and river alone win more than half of what raises in all rounds "
                "do, so more buckets in these two rounds would help first"
            )
        return (
            "most is lost to raises before the turn, so a longer solve and more buckets on the flop "
            "would help first"
        )
    if lost:
        return f"how it plays against {lost[0]} is where to look first"
    if any(sign(result) > 0 for result in lbr.values()):
        return "a longer solve or a finer abstraction would help first"
    return "a longer measurement or an exact one would tell more than another solve"


def sign(result: Estimate) -> int:
    """1 or -1 if the result is beyond doubt, else 0; exact results below 1e-6 are rounding.

    >>> sign(Estimate(5.0, 4.0)), sign(Estimate(-5.0, 6.0)), sign(Estimate(1e-12, 0.0))
    (1, 0, 0)
    """
    if not result.is_significant or abs(float(result.mean)) <= 1e-6:
        return 0
    return 1 if result.mean > 0 else -1


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
