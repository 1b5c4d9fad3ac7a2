"""The ACPC client: an agent of doyle's that plays at a dealer on the other side of a connection.

Every state that the dealer sends is read by the rules of the game; at the agent's own turn the answer
is that state, letter by letter, and its action, clamped to legality. Other states, such as those of
hands that it has folded, are skipped; at the end of a hand agents that remember receive its result.
The match is over when the dealer closes the connection.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, TextIO, cast

from doyle.agents.search import SearchAgent
from doyle.base.errors import DoyleError, ParseError
from doyle.games import CALL, Agent, Game, remembers
from doyle.games.histories import (
    Hand,
    MatchState,
    format_action,
    format_score_line,
    format_state_line,
    parse_matchstate,
)
from doyle.games.histories.lines import Chips
from doyle.games.histories.logs import Totals
from doyle.matches.apart import AgentFailed
from doyle.matches.chance import generator_of
from doyle.matches.log import log_name
from doyle.matches.network.connections import Connection, Disconnected
from doyle.matches.network.keys import HandKeys, OwnKeys
from doyle.matches.network.protocol import VERSION_LINE, is_comment
from doyle.matches.play import as_number
from doyle.matches.seats import seated_agents

DEFAULT_GAME = "holdem-nl-200bb"
SEARCH_SHARE = 0.7
"""Share of the time limit that a searching agent may use for a decision; the rest is its margin."""


@dataclass
class PlayedMatch:
    """A match as a client saw it."""

    name: str
    game: Game
    hands: int = 0
    """Hands that ended."""
    decisions: int = 0
    illegal_actions: int = 0
    """Actions of the agent that were clamped, or became calls."""
    chips: Chips = 0
    """Won in all."""
    interrupted: bool = False
    """Whether the dealer closed the connection in the middle of a hand."""
    totals: Totals = field(default_factory=Totals)
    search: dict[str, float] | None = None
    """Counts of a searching agent: solves, solves cut short, decisions by its blueprint."""

    def document(self) -> dict[str, Any]:
        mean = None if not self.hands else 1000 * Fraction(self.chips) / self.hands
        return {
            "agent": self.name,
            "game": self.game.name,
            "hands": self.hands,
            "decisions": self.decisions,
            "illegal_actions": self.illegal_actions,
            "chips": float(self.chips),
            "mbb_per_hand": None if mean is None else float(mean / self.game.big_blind),
            "interrupted": self.interrupted,
            "search": self.search,
        }


@contextmanager
def ready_agent(agent: str | Agent, game: Game, *, time_limit: float) -> Iterator[Agent]:
    """An agent made ready to play: loaded, practised, and apart if it is not doyle's own."""
    with ExitStack() as stack:
        found = seated_agents([agent], game, absent=(), time_limit=time_limit, stack=stack)[0]
        if isinstance(found, SearchAgent):
            found.limit = SEARCH_SHARE * time_limit
        yield found


def play(
    agent: Agent,
    game: Game,
    connection: Connection,
    *,
    keys: HandKeys | None = None,
    log: TextIO | None = None,
) -> PlayedMatch:
    """Play at a dealer until it closes the connection; `log` gets the hands as this seat saw them."""
    player = _Player(agent, game, keys or OwnKeys(game), log)
    connection.send(VERSION_LINE)
    number = 0
    while True:
        try:
            line = connection.receive()
        except Disconnected:
            break
        number += 1
        if is_comment(line.text) or not line.text:
            continue
        if line.too_long:
            raise DoyleError(f"line {number} of the dealer: is longer than 4,096 bytes")
        answer = player.answer(line.text, where=f"line {number} of the dealer")
        if answer is not None:
            connection.send(answer)
    return player.finish()


class _Player:
    """The agent at its seat, line by line."""

    def __init__(self, agent: Agent, game: Game, keys: HandKeys, log: TextIO | None) -> None:
        self.agent = cast(Any, agent)
        self.game = game
        self.keys = keys
        self.log = log
        self.match = PlayedMatch(agent.name, game)
        self._remembers = remembers(self.agent)
        self._hand: int | None = None
        self._last_over: int | None = None
        if self._remembers:
            self._asked(lambda: self.agent.start(self.game, generator_of(self.keys.match_key)))

    def answer(self, text: str, *, where: str) -> str | None:
        """The line to answer with, at the agent's own turn."""
        try:
            seen = parse_matchstate(self.game, text, what=where)
        except ParseError as error:
            raise DoyleError(f"{error}; is its game not {self.game.name}?") from None
        self._hand = seen.number
        if seen.state.is_over:
            self._hand_over(seen)
            return None
        if seen.state.actor != seen.seat:
            return None
        key = self.keys.hand_key(seen.number, position=seen.seat)
        view = seen.state.view(seen.seat, dice_key=key)
        wanted = as_number(self._asked(lambda: self.agent.act(view)))
        action = CALL if wanted is None else seen.state.nearest_legal(wanted)
        self.match.decisions += 1
        self.match.illegal_actions += action != wanted
        return f"{text}:{format_action(self.game, action)}"

    def finish(self) -> PlayedMatch:
        """The match after the dealer has closed the connection."""
        self.match.interrupted = self._hand != self._last_over
        if isinstance(self.agent, SearchAgent):
            self.match.search = asdict(self.agent.counts)
        if self.log is not None and self.match.totals.by_player and not self.match.interrupted:
            self.log.write(format_score_line(self.match.totals.score()) + "\n")
        return self.match

    def _hand_over(self, seen: MatchState) -> None:
        if seen.number == self._last_over:
            return  # its last state was sent twice
        self._last_over = seen.number
        payoffs = seen.state.payoffs()
        hand = Hand(seen.number, seen.state, self._names(seen.seat), payoffs)
        self.match.hands += 1
        self.match.chips += payoffs[seen.seat]
        self.match.totals.add(hand)
        if self.log is not None:
            self.log.write(format_state_line(hand) + "\n")
        if self._remembers:
            key = self.keys.hand_key(seen.number, position=seen.seat)
            self._asked(lambda: self.agent.hand_over(seen.state.view(seen.seat, dice_key=key)))

    def _names(self, seat: int) -> tuple[str, ...]:
        """Ourselves and the others by position; they keep their order around the table."""
        players = self.game.players
        names = [log_name(self.agent.name), *(f"opponent{n}" for n in range(1, players))]
        return tuple(names[(other - seat) % players] for other in range(players))

    def _asked(self, call: Any) -> Any:
        try:
            return call()
        except AgentFailed as failed:
            reason = failed.reason
        except DoyleError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
        where = "" if self._hand is None else f" in hand {self._hand}"
        raise DoyleError(f"agent {self.agent.name!r} failed{where}: {reason}")
