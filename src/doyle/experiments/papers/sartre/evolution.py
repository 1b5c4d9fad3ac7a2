"""The evolution of Sartre: its limit agents in one league, and its no-limit agents in another.

The competitions of three years had other opponents each; here the agents of all years meet the same pool.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from doyle.agents.case_bases import CaseBase
from doyle.agents.case_bases.snapshot import load_snapshot
from doyle.agents.cases.named import named_cases
from doyle.base.statistics import Estimate
from doyle.building import load_or_build_strategy
from doyle.experiments.laboratory import kept_exact_hands
from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.sartre.setting import EXPERT, Setting
from doyle.experiments.papers.table import Result
from doyle.experiments.training.presets import train
from doyle.games import Agent, Game
from doyle.matches.league import LeagueResult
from doyle.matches.match import MatchResult

LIMIT = {"sartre-2009": "0.097", "sartre-2010": "0.203", "sartre-2011": "0.281"}
LATEST = "sartre-2011"
LIMIT_POOL = ("limit-2p-small", "gs2-limit-small", "gs3-limit-small")
SEVERAL = LIMIT_POOL
"""The experts of 2011 at small scale: the pool is made of them."""

NO_LIMIT = {"sartre-nl-2010": "0.537", "sartre-nl-2011": "1.302"}
NO_LIMIT_POOL = ("hyperborean09-eqm-small@holdem-nl-200bb", "ev")
NO_LIMIT_GAME = "holdem-nl-200bb"
BOARDS = {"small": 40, "published": 400}
LEAST_STAKE = 0.02
"""In big blinds per hand: histories with less at stake are followed at random."""

Floats = npt.NDArray[np.float64]


def limit_evolution(options: Options) -> Result:
    """2009, 2010 and 2011 with their experts in one league, small bets per hand."""
    setting = Setting(options, 10_000, 10_000, 20_000, 9_000)
    players: dict[str, Agent] = {}
    for name in LIMIT:
        players[name] = setting.imitator(name, _bases(name, options))
    for name in LIMIT_POOL:
        players[name] = setting.expert(name)
    names = tuple(players)
    matches: dict[tuple[int, ...], MatchResult] = {
        pair: setting.match(*(players[names[number]] for number in pair))
        for pair in options.each(combinations(range(len(names)), 2), "league")
    }
    league = LeagueResult(names, dict(matches))
    totals = {name: _bets(league.bankroll(name)) for name in names}
    steps = {
        f"{later} less {earlier}": _bets(league.compare(later, earlier).difference)
        for earlier, later in pairwise(LIMIT)
    }

    # Whether 2011 is held back by its further experts, or by voting.
    first_base = next(base for base in _bases(LATEST, options) if base.name == EXPERT)
    architecture = load_snapshot(LATEST).architecture
    equal = [setting.base(architecture, seed=seed) for seed in (1, 2, 3)]
    variants: dict[str, CaseBase | list[CaseBase]] = {
        f"2011 with the base of {EXPERT} only": first_base,
        f"2011 with one base of {EXPERT} against itself": equal[0],
        f"2011 with votes of three bases of {EXPERT} against itself": equal,
    }
    others = [number for number, name in enumerate(names) if name != LATEST]
    for place, bases in enumerate(variants.values(), start=len(names)):
        agent = setting.imitator("instead", bases)
        for number in others:
            matches[place, number] = setting.match(agent, players[names[number]])
    whole = LeagueResult((*names, *variants), matches)
    pool = [names[number] for number in others]
    cells = [
        measured(name, "bankroll", _bets(whole.bankroll(name, [name, *pool]))) for name in variants
    ]
    alone, one, three = variants
    less_experts, votes = (
        _bets(whole.compare(better, worse, [better, worse, *pool]).difference)
        for better, worse in ((alone, LATEST), (three, one))
    )
    cells += [
        measured(f"{names[i]} - {names[j]}", "won by the first", match.small_bets_per_hand(0))
        for (i, j), match in league.matches.items()
    ]
    return _result(
        LIMIT,
        totals,
        steps,
        cells,
        (
            f"{setting.deals:,} duplicate deals a match, the same for all; 2011 votes by the bases of "
            f"{', '.join(SEVERAL)}.",
            f"In the place of 2011 its base of {EXPERT} alone wins {less_experts:.4f} more, paired: that is what "
            f"the votes of the other two experts cost. Votes as such: three bases of {EXPERT} win {votes:.4f} "
            "more than one.",
            f"Orders: {', '.join(league.total_bankroll.names)} by total bankroll, "
            f"{', '.join(league.instant_runoff.names)} by instant run-off.",
            setting.note(*LIMIT_POOL),
        ),
    )


def _bets(won: Estimate) -> Estimate:
    """Thousandths of a big blind as small bets."""
    return won.scaled(Fraction(1, 1000))


def no_limit_evolution(options: Options) -> Result:
    """2010 and 2011 against each other, their expert and `ev`, big blinds per hand.

    Every pair meets with all pairs of hands on the same boards; readings and sizes of bets are drawn. The
    expert and `ev` do not meet, since their bankrolls are not needed.
    """
    game = Game.named(NO_LIMIT_GAME)
    boards = options.hands or BOARDS[options.scale]
    for name in NO_LIMIT:
        _bases(name, options)
    load_or_build_strategy(NO_LIMIT_POOL[0], workers=options.workers, progress=options.progress)
    names = [*NO_LIMIT, *NO_LIMIT_POOL]
    texts = {name: f"{name}-small" if name in NO_LIMIT else name for name in names}
    won: dict[tuple[str, str], Floats] = {}
    pairs = [pair for pair in combinations(names, 2) if pair[0] in NO_LIMIT]
    for first, second in options.each(pairs, "league"):
        found = kept_exact_hands(
            game, (texts[first], texts[second]), boards=boards, seed=options.seed,
            least_stake=LEAST_STAKE * game.big_blind, workers=options.workers,
        )  # fmt: skip
        won[first, second] = found.values / game.big_blind

    def bankroll(name: str) -> Floats:
        """A player's winnings per hand on each board, over its matches."""
        own = [
            values if name == pair[0] else -values for pair, values in won.items() if name in pair
        ]
        return np.asarray(np.mean(own, axis=0))

    earlier, later = NO_LIMIT
    cells = [
        measured(f"{first} - {second}", "won by the first", Estimate.of_strata(values))
        for (first, second), values in won.items()
    ]
    return _result(
        NO_LIMIT,
        {name: Estimate.of_strata(bankroll(name)) for name in NO_LIMIT},
        {f"{later} less {earlier}": Estimate.of_strata(bankroll(later) - bankroll(earlier))},
        cells,
        (
            f"All pairs of hands on {boards:,} boards, the same for every match; one size of every bet and "
            "one reading are drawn at each history, and histories with less than "
            f"{LEAST_STAKE} big blinds a hand at stake are followed at random, which leaves the means as they "
            "are. Boards are the observations.",
            f"The expert and opponent {NO_LIMIT_POOL[0]} has "
            f"{load_or_build_strategy(NO_LIMIT_POOL[0]).info.iterations or 0:,} iterations.",
        ),
    )


def _bases(name: str, options: Options) -> list[CaseBase]:
    """The case bases of a preset at small scale, trained if they are missing."""
    train(load_snapshot(name), scale="small", workers=options.workers, progress=options.progress)
    found = named_cases(f"{name}-small")
    assert found is not None
    return found.bases()


def _result(
    published: dict[str, str],
    totals: dict[str, Estimate],
    steps: dict[str, Estimate],
    further: list[Cell],
    notes: tuple[str, ...],
) -> Result:
    cells = [
        measured(
            agent, "bankroll", won, published.get(agent),
            other="other opponents" if agent in published else None,
        )
        for agent, won in totals.items()
    ]  # fmt: skip
    cells += [measured(name, "bankroll", gained) for name, gained in steps.items()]
    return Result((*cells, *further), notes=notes)
