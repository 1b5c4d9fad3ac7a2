"""Schnizlein (2009), tables 2.1 to 2.3: how much less noise DIVAT and importance sampling leave.

The thesis evaluates matches of the 2008 competition, whose entrants are not available. In their
places play agents of ours, at small scale and by one thread, so that results depend on the seed
alone: the published values stand beside ours and are not compared with them. What compares is in
kind: duplicate play against single hands, DIVAT against money, importance sampling with more and
more options.

Standard deviations are of single hands in small bets (big blinds). The thesis calls the value of a
duplicate hand the sum of two hands, but its figures, two thirds of those of single hands, are those of
their mean: the sum of two independent hands would have 1.41 times the deviation of one.

Logs of matches are kept in the cache folder, so that an interrupted run continues with the next
match.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from doyle.agents.identity import identity
from doyle.base.artifacts import Description
from doyle.base.errors import DoyleError
from doyle.base.paths import cache_folder
from doyle.base.statistics import Estimate
from doyle.experiments.laboratory import built_strategy
from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Printed, Result, printed
from doyle.games import Game
from doyle.games.histories import Hand, read_hands
from doyle.matches import play_match
from doyle.measuring.variance_reduction.divat import Divat
from doyle.measuring.variance_reduction.records import chips_of, deals_of
from doyle.measuring.variance_reduction.sampling_run import divat_chips, run_importance_sampling

Floats = npt.NDArray[np.float64]

GAME = "doyle-500bb"
DEALS = 2000
"""Of a match, each played in both seatings."""
SAMPLED = 1000
"""Hands of which importance sampling is made."""
ITERATIONS = 1 << 20

STAND_INS = {
    "Hyperborean": "hyperborean08-small",
    "Tartanian": "tartanian2-small",
    "Bluffbot": "aggrobot-small@doyle-500bb",
    "fcpa.8.8.8.8": "hyperborean07-small",
    "Ballarat": "ev",
}
"""Substitutes of the published players."""

_OTHER = "other agents"
_KINDS = {"Basic": "basic", "GEA": "gea", "OC": "oc", "GEA.OC": "gea-oc"}


def deviation(values: Floats) -> Estimate:
    """The standard deviation of a sample; the interval by its fourth moment (asymptotic).

    >>> f"{deviation(np.random.default_rng(1).normal(size=10_000)):.3f}"
    '0.998 ± 0.014'
    """
    centred = values - values.mean()
    variance = float((centred**2).mean())
    if variance == 0.0:
        return Estimate.of_error(0.0, 0.0, len(values))
    fourth = float((centred**4).mean())
    error = math.sqrt(max(fourth - variance**2, 0.0) / (4.0 * variance * len(values)))
    return Estimate.of_error(math.sqrt(variance), error, len(values))


@dataclass(frozen=True)
class Played:
    """A match from its log."""

    hands: tuple[Hand, ...]
    names: tuple[str, str]
    """Of the two players, in the log."""

    def seats(self) -> list[int]:
        """The seats of the first player."""
        return [hand.players.index(self.names[0]) for hand in self.hands]


def stand_in(name: str) -> str:
    """The text of the agent that plays for an entrant, built first if need be."""
    return built_strategy(STAND_INS[name], iterations=ITERATIONS)


def played(first: str, second: str, options: Options) -> Played:
    """A duplicate match between stand-ins, from the cache if it has been played."""
    game, agents = Game.named(GAME), [stand_in(first), stand_in(second)]
    identities = [identity(agent, game) for agent in agents]
    key = {"agents": identities, "hands": DEALS, "seed": options.seed}
    folder = cache_folder() / "papers" / "thesis-evaluation"
    log = folder / f"{Description('log', 1, key).digest}.log"
    if not log.exists():
        folder.mkdir(parents=True, exist_ok=True)
        play_match(
            game, agents, hands=DEALS, seed=options.seed, log=log,
            workers=options.workers, progress=options.progress,
        )  # fmt: skip
    hands = tuple(read_hands(log, game))
    if len(hands) != 2 * DEALS:
        raise DoyleError(f"{log}: has {len(hands):,} hands, not {2 * DEALS:,}; remove it")
    names = sorted(set(hands[0].players), key=hands[0].players.index)
    # The first agent given has the first seat of the first hand.
    return Played(hands, (names[0], names[1]))


def table_2_1(options: Options) -> Result:
    """Money: single hands and duplicate hands."""

    def money(match: Played) -> Floats:
        return chips_of(list(match.hands), match.seats())

    return _matches(options, money)


def table_2_2(options: Options) -> Result:
    """The same by DIVAT with always-call as the baseline."""
    divat = Divat.of(Game.named(GAME))

    def scores(match: Played) -> Floats:
        return divat_chips(list(match.hands), match.seats(), divat)

    return _matches(options, scores)


def _matches(options: Options, value: Callable[[Played], Floats]) -> Result:
    table, unit = printed(options.name), 1.0 / Game.named(GAME).big_blind
    cells = []
    for row in options.each(table.row_names):
        first, _, second = row.partition(" vs ")
        match = played(first, second, options)
        won = value(match) * unit
        deals = deals_of(list(match.hands))
        pairs = np.bincount(deals, weights=won) / 2.0
        for column, ours in (
            ("Bankroll", Estimate.of_strata(pairs)),
            ("Std", deviation(won)),
            ("Duplicate Std", deviation(pairs)),
        ):
            cells.append(_cell(table, row, column, ours))
    return Result(cells, notes=_notes())


def _cell(table: Printed, row: str, column: str, ours: Estimate) -> Cell:
    printed, unsigned = table.text(row, column), column != "Bankroll"
    return measured(row, column, ours, printed, other=_OTHER, unsigned=unsigned)


def _notes() -> tuple[str, ...]:
    who = ", ".join(f"{name} is {text}" for name, text in STAND_INS.items())
    return (
        f"The entrants of 2008 cannot be had; in their places: {who}; {ITERATIONS:,} iterations each, "
        f"{DEALS:,} deals a match.",
        "A duplicate hand is the mean of its two hands, which is what the printed values fit.",
        "All-ins count as they fell in money, and as their mean over the cards to come in DIVAT.",
    )


def table_2_3(options: Options) -> Result:
    """Importance sampling: on-policy twice, and off-policy."""
    table, game = printed(options.name), Game.named(GAME)
    divat = Divat.of(game)
    own, other = stand_in("fcpa.8.8.8.8"), stand_in("Hyperborean")
    itself = played("fcpa.8.8.8.8", "fcpa.8.8.8.8", options)
    match = played("Bluffbot", "Hyperborean", options)
    columns = {
        "fcpa.8.8.8.8 (On)": (itself, itself.names[0], own, None),
        "Hyperborean (On)": (match, match.names[1], other, None),
        "fcpa.8.8.8.8 (Off)": (match, match.names[1], other, own),
    }
    cells, warnings = [], []
    for row in options.each(table.row_names):
        value, _, kind = row.partition("-")
        for column, (hands, player, policy, target) in columns.items():
            found = run_importance_sampling(
                game,
                list(hands.hands[:SAMPLED]),
                player,
                policy,
                target,
                kind=_KINDS[kind],
                divat=divat if value == "DIVAT" else None,
            )
            spread = deviation(found.values / found.game.big_blind)
            cells.append(_cell(table, row, column, spread))
            cells[-1].more["effective_hands"] = found.effective_hands
            if found.warning is not None:
                warnings.append(f"{row}, {column}: {found.warning}.")
    note = f"Of the first {SAMPLED:,} hands of each match."
    return Result(cells, notes=(note, *_notes(), *warnings))
