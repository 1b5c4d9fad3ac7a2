"""A match: agents over dealt hands, and a result that carries its interval.

In a duplicate match every deal is played in every seating (2 for two players, 6 for three), so each
player holds each hand; the mean over the seatings of a deal is one observation. Stacks are reset
before each hand. The result, the log included, depends on the game, the agents, the chance (a seed or
a sealed secret) and the number of deals, never on the number of workers.

If an agent remembers, all deals are played in the first seating, then, with memories reset, all of
them in the next (Tartanian 2008, section 7). Otherwise the seatings of a deal follow each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from doyle.agents import check_agent_text, is_foreign
from doyle.agents.registry import explores
from doyle.base.display import Shown, Text, TextTable, counted
from doyle.base.errors import DoyleError
from doyle.base.statistics import Estimate
from doyle.base.workers import Progress, Workers
from doyle.games import Agent, Game
from doyle.games.histories import Score, format_score_line
from doyle.games.histories.files import writing
from doyle.matches.apart import Apart, name_of
from doyle.matches.chance import Chance
from doyle.matches.log import footer, header, log_name
from doyle.matches.play import Batch, Forfeit, Played, chip_unit, seatings
from doyle.matches.results.collected import Collected
from doyle.matches.running import played_in_order
from doyle.matches.seats import clear_resolved, plays_in_order, resolved_agent

if TYPE_CHECKING:
    from doyle.matches.fast import FastPlayers

DEFAULT_TIME_LIMIT = 10.0
"""Seconds an agent may take over one action."""

LONGEST_TIME_LIMIT = 86_400.0

MOST_DEALS = 100_000_000
"""Limit of hands in one match; all cards are drawn before it begins and must fit into memory."""

LEAST_FAST_DEALS = 500
LEAST_SCRIPTED_DEALS = 10_000
"""A shorter match is over hand by hand before kernels are loaded; of scripts that look at no cards."""

Method = Literal["auto", "fast", "plain"]
"""How hands are played: by kernels where that is possible and worth it; by kernels; one by one through
the agents' `act`. The results are the same."""

BATCH_DEALS = 64
_SKIPPED = 1 << 16


def check_time_limit(seconds: float) -> None:
    """Refuse a time for one action that no match can have."""
    if not 0 < seconds <= LONGEST_TIME_LIMIT:
        raise DoyleError(
            f"the time limit must be above 0 and at most {LONGEST_TIME_LIMIT:g} seconds, "
            f"not {seconds:g}"
        )


@dataclass(frozen=True)
class Match:
    """The parameters that determine a match. `hands` counts deals."""

    game: Game
    agents: tuple[str | Agent, ...]
    hands: int
    chance: Chance
    duplicate: bool = True
    time_limit: float = DEFAULT_TIME_LIMIT
    method: Method = "auto"

    def __post_init__(self) -> None:
        players = self.game.players
        if len(self.agents) != players:
            raise DoyleError(
                f"game {self.game.name}: needs {players} agents, not {len(self.agents)}"
            )
        if not 1 <= self.hands <= MOST_DEALS:
            raise DoyleError(f"a match needs 1 to {MOST_DEALS:,} deals, not {self.hands:,}")
        check_time_limit(self.time_limit)
        for agent in self.agents:  # all of them, before the first is built
            if isinstance(agent, str):
                check_agent_text(agent, self.game)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names, made distinct."""
        return distinct_names([agent_name(agent, self.game) for agent in self.agents])

    @cached_property
    def in_order(self) -> bool:
        """Whether a seating is played from its first deal to its last by the same agents."""
        return any(plays_in_order(agent, self.game) for agent in self.agents)

    @cached_property
    def fast(self) -> FastPlayers | str:
        """The players if kernels play the match, or why its hands are played one by one."""
        found = self._fast()
        if isinstance(found, str) and self.method == "fast":
            raise DoyleError(f"match {' - '.join(self.names)}: kernels cannot play it: {found}")
        return found

    @property
    def phased(self) -> int | None:
        """The place of the phased agent among two, if kernels may play its phases."""
        short = self.method == "auto" and self.hands < LEAST_FAST_DEALS
        if self.method == "plain" or short or not self.duplicate or len(self.agents) != 2:
            return None
        if any(isinstance(agent, str) and is_foreign(agent) for agent in self.agents):
            return None
        found = [
            explores(agent) if isinstance(agent, str) else hasattr(agent, "technique")
            for agent in self.agents
        ]
        return found.index(True) if found.count(True) == 1 else None

    def _fast(self) -> FastPlayers | str:
        if self.method == "plain":
            return "asked for"
        if self.method == "auto" and self.hands < LEAST_FAST_DEALS:
            return f"fewer than {LEAST_FAST_DEALS} deals"
        if self.in_order:
            return "an agent remembers or plays apart"
        agents = [resolved_agent(a, self.game) if isinstance(a, str) else a for a in self.agents]
        scripted = not any(hasattr(agent, "compiled") for agent in agents)
        if self.method == "auto" and scripted and self.hands < LEAST_SCRIPTED_DEALS:
            return f"fewer than {LEAST_SCRIPTED_DEALS:,} deals without a strategy"
        # Imported here because it imports compiled code, which short matches do not need.
        from doyle.agents.compiled import NotCompilable
        from doyle.matches.fast import FastPlayers

        try:
            return FastPlayers.of(self.game, agents)
        except NotCompilable as error:
            return str(error)

    def batches(
        self,
        log_names: tuple[str, ...] = (),
        *,
        size: int | None = None,
        first_deal: int = 0,
        keep_hands: bool = False,
    ) -> Iterator[Batch]:
        """The work items of the match from a deal on; the same whatever the number of workers.

        `size` is the number of deals of each; ignored for matches that are played in order.
        """
        dealer = self.chance.dealer(self.game)
        size = size or (self.hands if self.in_order else BATCH_DEALS)
        for start in range(0, first_deal, _SKIPPED):
            dealer.draw(min(_SKIPPED, first_deal - start))
        for first in range(first_deal, self.hands, size):
            batch = Batch(
                game=self.game,
                agents=self.agents,
                dice=self.chance.dice(self.game),
                first_deal=first,
                deals=dealer.draw(min(size, self.hands - first)),
                match_deals=self.hands,
                duplicate=self.duplicate,
                time_limit=self.time_limit,
                log_names=log_names,
                keep_hands=keep_hands,
            )
            if self.in_order and self.duplicate:
                for seating in range(len(seatings(self.game.players))):
                    yield replace(batch, seating=seating)
            else:
                yield batch

    def result(self, played: Sequence[Played]) -> MatchResult:
        """The result from all batches in order."""
        illegal = zip(*(batch.illegal_actions for batch in played), strict=True)
        units = [batch.units for batch in played]
        return MatchResult(
            game=self.game,
            names=self.names,
            chance=self.chance,
            duplicate=self.duplicate,
            units=np.sum(units, axis=0) if self.in_order else np.concatenate(units),
            illegal_actions=tuple(map(sum, illegal)),
            forfeits=tuple(forfeit for batch in played for forfeit in batch.forfeits),
            plain_because=next((b.plain_because for b in played if b.plain_because), None),
        )


@dataclass(frozen=True)
class Verdict:
    """The leader, the margin, and whether the margin is statistically significant."""

    leader: str
    next_best: str | None
    """The player compared with the leader; None with two players."""
    lead: Estimate
    """The leader's winnings, or with three players its lead over the second; mbb/h, by deal."""

    @property
    def winner(self) -> str | None:
        """The leader, if the 95% interval of the lead excludes zero."""
        return self.leader if self.lead.is_significant else None

    @property
    def sentence(self) -> str:
        """The verdict for people."""
        wins = f"wins {self.lead:.1f} mbb/h"
        if self.next_best is not None:
            wins += f" more than {self.next_best}"
        if self.winner is not None:
            return f"{self.leader} is better: {wins}"
        if not self.lead.mean:
            return "not decided: nobody is ahead"
        text = f"not decided: {self.leader} {wins}"
        needed = self.lead.count_needed
        return (
            text if needed is None else f"{text}; about {needed:,} deals would decide such a lead"
        )

    def document(self) -> dict[str, Any]:
        """The verdict as a part of a document."""
        return {
            "winner": self.winner,
            "leader": self.leader,
            "lead_mbb_per_hand": float(self.lead.mean),
            "ci95": self.lead.ci95,
            "deals_needed": self.lead.count_needed,
        }


@dataclass(frozen=True)
class MatchResult(Shown):
    """Each player's winnings, by deal."""

    game: Game
    names: tuple[str, ...]
    chance: Chance
    duplicate: bool
    units: npt.NDArray[np.int64]
    """[deals, players]: chips won on each deal over all its seatings, in `chip_unit` parts."""
    illegal_actions: tuple[int, ...]
    forfeits: tuple[Forfeit, ...]
    plain_because: str | None = None
    """Why hands were played one by one, if some were for the whole of a batch."""

    @property
    def method(self) -> str:
        """`fast` if kernels played the match, `plain` if it was played hand by hand."""
        return "fast" if self.plain_because is None else "plain"

    @property
    def hands(self) -> int:
        """Deals; each was played `seatings_per_deal` times."""
        return len(self.units)

    @property
    def seatings_per_deal(self) -> int:
        return len(seatings(self.game.players)) if self.duplicate else 1

    def chips_per_hand(self, player: int) -> Estimate:
        """Chips won per hand played."""
        return Estimate.of(self.units[:, player], unit=self.unit)

    def mbb_per_hand(self, player: int) -> Estimate:
        """Thousandths of a big blind won per hand."""
        return self.chips_per_hand(player).in_mbb(self.game.big_blind)

    def small_bets_per_hand(self, player: int) -> Estimate:
        """Small bets won per hand: the big blind, or the ante in games that have antes.

        In limit Hold'em the small bet is as large as the big blind.
        """
        return self.chips_per_hand(player).scaled(Fraction(1, self.game.big_blind))

    @property
    def unit(self) -> int:
        """The divisor that converts an entry of `units` to chips per hand played."""
        return chip_unit(self.game) * self.seatings_per_deal

    @property
    def total_chips(self) -> tuple[Fraction, ...]:
        """Chips won in all."""
        sums = (sum(map(int, column)) for column in self.units.T)
        return tuple(Fraction(total, chip_unit(self.game)) for total in sums)

    @cached_property
    def verdict(self) -> Verdict:
        """Whether the player with the most is better than the next one, beyond doubt."""
        order = sorted(range(len(self.names)), key=lambda player: -int(self.units[:, player].sum()))
        first, second = order[:2]
        if len(order) == 2:
            return Verdict(self.names[first], None, self.mbb_per_hand(first))
        lead = Estimate.of(self.units[:, first] - self.units[:, second], unit=self.unit)
        lead = lead.in_mbb(self.game.big_blind)
        return Verdict(self.names[first], self.names[second], lead)

    def document(self) -> dict[str, Any]:
        """The result as one JSON document."""
        return {
            "game": self.game.name,
            "hands": self.hands,
            "duplicate": self.duplicate,
            "hands_played": self.hands * self.seatings_per_deal,
            "method": self.method,
            "plain_because": self.plain_because,
            **self.chance.document(),
            "comparison": self.verdict.document(),
            "players": [
                {
                    "name": name,
                    "mbb_per_hand": float(self.mbb_per_hand(player).mean),
                    "ci95": self.mbb_per_hand(player).ci95,
                    "small_bets_per_hand": float(self.small_bets_per_hand(player).mean),
                    "small_bets_ci95": self.small_bets_per_hand(player).ci95,
                    "illegal_actions": self.illegal_actions[player],
                }
                for player, name in enumerate(self.names)
            ],
            "forfeits": [
                {
                    "name": self.names[forfeit.player],
                    "hand_number": forfeit.hand,
                    "reason": forfeit.reason,
                }
                for forfeit in self.forfeits
            ],
        }

    def text(self) -> Text:
        """Each player's winnings, and the verdict."""
        yield self.table
        yield self.verdict.sentence
        yield from self.forfeited()
        yield from self.chance.revealed()

    @property
    def table(self) -> TextTable:
        """Each player's winnings."""
        how = f"each in {self.seatings_per_deal} seatings" if self.duplicate else "each once"
        rows = [
            [
                name,
                f"{self.mbb_per_hand(player):.1f}",
                f"{self.small_bets_per_hand(player):.4f}",
                str(self.illegal_actions[player]),
            ]
            for player, name in enumerate(self.names)
        ]
        return TextTable(
            ["player", "mean mbb/h", "mean small bets/h", "illegal actions"],
            rows,
            f"{self.game.name}: {counted(self.hands, 'deal')}, {how}, {self.chance}",
        )

    def forfeited(self) -> Iterator[str]:
        """Forfeits, with place and reason."""
        for forfeit in self.forfeits:
            where = f"{' - '.join(self.names)}, from hand {forfeit.hand:,} on"
            yield f"{self.names[forfeit.player]} forfeited: {where}: {forfeit.reason}"

    def conduct(self) -> Iterator[str]:
        """Warnings of agents that forfeited or acted illegally."""
        against = " - ".join(self.names)
        for forfeit in self.forfeits:
            name = self.names[forfeit.player]
            yield f"{name} forfeits {against}: from hand {forfeit.hand} on: {forfeit.reason}"
        for name, count in zip(self.names, self.illegal_actions, strict=True):
            if count:
                problem = f"{count} illegal actions were clamped or became calls"
                yield f"{name} in {against}: {problem}"


def play_match(
    game: Game | str | Path,
    agents: Sequence[str | Agent],
    *,
    hands: int,
    seed: int = 0,
    chance: Chance | None = None,
    duplicate: bool = True,
    workers: Workers | int | None = None,
    log: Path | None = None,
    results: Path | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
    method: Method = "auto",
    progress: Progress | None = None,
    say: Callable[[str], None] | None = None,
) -> MatchResult:
    """Play `hands` deals between agents, given as names or objects, one per player of the game.

    The game, too, may be given by its name.

    All chance follows from `seed`, unless `chance` says otherwise (`Chance.sealed()`). Objects are
    played as they are, inside the match; they must be picklable to play on more than one worker.
    `Apart(agent)` plays one in a process of its own. `results` is a folder for every hand; an
    interrupted match resumes there, and `say` is called with a line about it. `method` never
    changes results.

    >>> result = play_match("kuhn", ["always-fold", "always-raise"], hands=50, seed=1)
    >>> f"{result.mbb_per_hand(0):.0f}"
    '-1000 ± 0'
    """
    clear_resolved()  # files that agents are made from may have changed
    chance = chance or Chance.repeatable(seed)
    workers = Workers(workers) if isinstance(workers, int) else workers
    match = Match(Game.of(game), tuple(agents), hands, chance, duplicate, time_limit, method)
    folders = None if results is None else [results]
    if log is None and results is None and match.phased is not None:
        # Imported here because it imports compiled code, which other matches may not need.
        from doyle.matches.phased import play_phased_duplicate

        found = play_phased_duplicate(match, match.phased, progress=progress)
        if found is not None:
            return found
    if log is None:
        return play_matches(
            [match], workers=workers, progress=progress, label="match", folders=folders, say=say
        )[0]
    names = distinct_names([log_name(name) for name in match.names])
    # The log is written from its first hand on, so nothing is resumed.
    with Collected([match], folders, resume=False) as collected:
        parts = played_in_order(
            [match], workers, progress, "match", log_names=names, keep_hands=collected.keeps_hands
        )
        with closing(parts), writing(log) as stream:
            stream.write(header(match, names))
            for part in parts:
                stream.write(part.played.log)
                collected.add(part)
            stream.write(footer(match))
            totals = tuple(Fraction(won, chip_unit(match.game)) for won in collected.totals[0])
            stream.write(format_score_line(Score(totals, names)) + "\n")
    return collected.results()[0]


def play_matches(
    matches: Sequence[Match],
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
    label: str = "matches",
    folders: Sequence[Path] | None = None,
    say: Callable[[str], None] | None = None,
) -> list[MatchResult]:
    """Play several matches as one stream of work; `folders`, one for each, keep every hand."""
    with Collected(matches, folders) as collected:
        kept = sum(beginning.deals for beginning in collected.beginnings)
        deals = sum(match.hands for match in matches)
        if say is not None and 0 < kept < deals:
            say(f"resuming from {kept:,} of {deals:,} deals")
        parts = played_in_order(
            matches,
            workers,
            progress,
            label,
            keep_hands=collected.keeps_hands,
            beginnings=collected.beginnings,
        )
        with closing(parts):
            for part in parts:
                collected.add(part)
    return collected.results()


def agent_name(agent: str | Agent, game: Game) -> str:
    """The name of an agent; an agent text is instantiated to query it, in isolation if required."""
    if isinstance(agent, str):
        if is_foreign(agent):
            return name_of(Apart(agent), game)
        return resolved_agent(agent, game).name
    return agent.name


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names with a number at the second and later players of the same name.

    >>> distinct_names(["ev", "random", "ev"])
    ('ev', 'random', 'ev#2')
    """
    distinct: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in distinct:
            number += 1
            candidate = f"{name}#{number}"
        distinct.append(candidate)
    return tuple(distinct)
