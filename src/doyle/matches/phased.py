"""Many matches of an agent that remembers, played by kernels between its moments of decision.

A `PhasedAgent` plays one technique for a run of hands and selects the next technique between runs
from its observations. Techniques are players of fast matches, so that whole runs are played by
kernels. Match m plays the deals from m times its length on, each in one seating, which changes from
deal to deal as the ACPC's dealer does; memories are reset before each. `play_phased_duplicate` is a
duplicate match instead: all deals in the first seating, then, with its memory reset, all of them in
the second. The hands equal those of play through `act`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from doyle.agents.compiled import NotCompilable
from doyle.base.statistics import Estimate
from doyle.base.workers import Progress
from doyle.games import Agent, Game, State
from doyle.games.histories import parse_state_line
from doyle.matches.chance import Chance, Deals
from doyle.matches.fast import FastPlayers, FastRunner
from doyle.matches.match import DEFAULT_TIME_LIMIT, Match, MatchResult
from doyle.matches.play import Batch, Played, chip_unit, rotation, seatings
from doyle.matches.seats import resolved_agent


class PhasedAgent(Agent, Protocol):
    """A stateful agent that reports its technique."""

    explored: int

    def start(self, game: Game, rng: np.random.Generator) -> None: ...

    def technique(self, hand: int) -> str:
        """The technique of the hand of that number; called in order, after all earlier hands were
        observed."""
        ...

    def player(self, technique: str) -> Agent:
        """The player of a technique."""
        ...

    def observe(self, hand: int, state: State, seat: int) -> None:
        """See a hand of the exploration."""
        ...


@dataclass(frozen=True, eq=False)
class PhasedResult:
    """The agent's winnings in each match."""

    game: Game
    hands: int
    units: npt.NDArray[np.int64]
    """[matches]: chips in parts of `chip_unit`."""
    played: tuple[str, ...]
    """The technique after the exploration in each match; "" if the match ended before."""

    @property
    def techniques(self) -> Counter[str]:
        """In how many matches each technique was played."""
        return Counter(filter(None, self.played))

    def mean_with(self, technique: str) -> float | None:
        """Thousandths of a big blind per hand over the matches with a technique; None if there are
        no such matches."""
        found = [
            won
            for won, one in zip(self.units.tolist(), self.played, strict=True)
            if one == technique
        ]
        if not found:
            return None
        chips = float(sum(found)) / (len(found) * chip_unit(self.game) * self.hands)
        return float(1000.0 * chips / self.game.big_blind)

    @property
    def mbb_per_hand(self) -> Estimate:
        """The mean over matches with its interval, each match being one observation."""
        per_hand = Estimate.of(self.units, unit=chip_unit(self.game) * self.hands)
        return per_hand.in_mbb(self.game.big_blind)


def play_phased(
    game: Game,
    agent: PhasedAgent,
    opponent: Agent,
    *,
    matches: int,
    hands: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> PhasedResult:
    """Play independent matches of `hands` hands each."""
    table = _Table(game, agent, opponent, Chance.repeatable(seed), hands, matches)
    won = np.zeros(matches, np.int64)
    techniques = [""] * matches
    for match in range(matches):
        agent.start(game, np.random.default_rng((seed, match)))
        for technique, first, last in table.runs():
            played = table.play(match, technique, first, last)
            won[match] += int(played.units[:, 0].sum())
            if first >= agent.explored:
                techniques[match] = technique
        if progress is not None:
            progress("matches", match + 1, matches)
    return PhasedResult(game, hands, won, tuple(techniques))


def play_phased_duplicate(
    match: Match, place: int, *, progress: Progress | None = None
) -> MatchResult | None:
    """A duplicate match of a `PhasedAgent` at `place` and a stateless agent.

    None if kernels cannot play it.
    """
    game, hands = match.game, match.hands
    agents = [resolved_agent(one, game) if isinstance(one, str) else one for one in match.agents]
    agent = cast(PhasedAgent, agents[place])
    table = _Table(game, agent, agents[1 - place], match.chance, hands, 1, place=place)
    units = np.zeros((hands, 2), np.int64)
    for seating in range(2):
        table.seating = seating
        agent.start(game, np.random.default_rng(0))
        for technique, first, last in table.runs():
            try:
                units[first:last] += table.play(0, technique, first, last).units
            except NotCompilable:
                return None
        if progress is not None:
            progress("seatings", seating + 1, 2)
    return MatchResult(
        game=game,
        names=match.names,
        chance=match.chance,
        duplicate=True,
        units=units,
        illegal_actions=(0, 0),
        forfeits=(),
    )


class _Table:
    def __init__(
        self,
        game: Game,
        agent: PhasedAgent,
        opponent: Agent,
        chance: Chance,
        hands: int,
        matches: int,
        *,
        place: int = 0,
    ) -> None:
        self.game, self.agent, self.opponent, self.hands = game, agent, opponent, hands
        self.place = place
        self.seating: int | None = None
        """Of a duplicate match, or None if seats change from deal to deal."""
        self.dice = chance.dice(game)
        self.deals: Deals = chance.dealer(game).draw(hands * matches)
        self._runners: dict[str, FastRunner] = {}

    def runs(self) -> Iterator[tuple[str, int, int]]:
        """Techniques with their first hand and the one past their last."""
        first = 0
        while first < self.hands:
            technique, last = self.agent.technique(first), first + 1
            exploring = first < self.agent.explored
            if not exploring:
                last = self.hands
            while last < min(self.hands, self.agent.explored):
                if self.agent.technique(last) != technique:
                    break
                last += 1
            yield technique, first, last
            first = last

    def play(self, match: int, technique: str, first: int, last: int) -> Played:
        start = match * self.hands + first
        exploring = first < self.agent.explored
        player = self.agent.player(technique)
        batch = Batch(
            game=self.game,
            agents=(player, self.opponent) if self.place == 0 else (self.opponent, player),
            dice=self.dice,
            first_deal=start,
            deals=self.deals[start : start + last - first],
            match_deals=len(self.deals),
            duplicate=self.seating is not None,
            seating=self.seating,
            time_limit=DEFAULT_TIME_LIMIT,
            log_names=("agent", "opponent") if exploring else (),
        )
        runner = self._runners.get(technique)
        if runner is None:
            pair = FastPlayers.of(self.game, batch.agents)  # type: ignore[arg-type]
            runner = self._runners[technique] = pair.runner()
        played = runner.play(batch)
        if exploring:
            for number, line in enumerate(played.log.splitlines()):
                seat = self._order(start + number).index(self.place)
                hand = parse_state_line(self.game, line)
                self.agent.observe(first + number, hand.state, seat)
        return played

    def _order(self, deal: int) -> tuple[int, ...]:
        return rotation(2, deal) if self.seating is None else seatings(2)[self.seating]
