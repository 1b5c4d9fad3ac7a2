"""The three games of case-based strategies (Rubin and Watson 2012), and their letters.

A betting sequence is text: one letter for each action, rounds divided by hyphens, so that `rc-cr`
is a preflop raise that was called and, on the flop, a check and a bet. Limit games have `f` (fold),
`c` (check or call) and `r` (bet or raise). No-limit bets are read as the pot shares of table 9:
quarter, half, three quarters, once, twice, five and ten times the pot, and all-in.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from doyle.base.errors import DoyleError
from doyle.games import Game

POT_SHARES = {"q": 0.25, "h": 0.5, "i": 0.75, "p": 1.0, "d": 2.0, "v": 5.0, "t": 10.0}
"""Table 9: what each letter bets, as a share of the pot after a call."""

BET_LETTERS = "".join(POT_SHARES)
"""Table 11: the bet discretisation string, along which distances of equation 7 are counted."""

ALL_IN = "a"
FOLD_LETTER, CALL_LETTER, RAISE_LETTER = "f", "c", "r"
ROUND_MARK = "-"
ROUND_NAMES = ("preflop", "flop", "turn", "river")


@dataclass(frozen=True)
class Domain:
    """One of the three games: how many players, and whether bets are fixed."""

    name: str
    players: int
    is_limit: bool

    @cached_property
    def letters(self) -> str:
        """All letters that a sequence may hold."""
        return "fcr" if self.is_limit else f"fc{BET_LETTERS}{ALL_IN}"

    def first_seat(self, round_: int) -> int:
        """The seat that acts first: the dealer before the flop, else the first from the dealer's left.

        Heads-up the dealer is seat 1 and posts the small blind; with three players he is seat 2.
        """
        return self.players - 1 if round_ == 0 else 0


LIMIT = Domain("limit", 2, is_limit=True)
NO_LIMIT = Domain("no-limit", 2, is_limit=False)
LIMIT_3P = Domain("limit-3p", 3, is_limit=True)

DOMAINS = {domain.name: domain for domain in (LIMIT, NO_LIMIT, LIMIT_3P)}

_DEFAULT_GAMES = {
    LIMIT: "holdem-limit-2p",
    NO_LIMIT: "holdem-nl-200bb",
    LIMIT_3P: "holdem-limit-3p",
}


def domain_named(name: str) -> Domain:
    """The domain of that name.

    >>> domain_named("limit-3p").players
    3
    """
    try:
        return DOMAINS[name]
    except KeyError:
        known = ", ".join(DOMAINS)
        raise DoyleError(f"domain {name!r}: expected one of {known}") from None


def domain_of(game: Game) -> Domain:
    """The domain that a game belongs to; case-based strategies exist for these three only."""
    for domain in DOMAINS.values():
        first = tuple(domain.first_seat(round_) for round_ in range(game.rounds))
        same_rules = domain.players == game.players and domain.is_limit == game.is_limit
        if same_rules and game.is_holdem and game.first_players == first:
            return domain
    raise DoyleError(
        f"game {game.name}: case bases are for Texas Hold'em with two players, or with three and "
        "fixed bets, where the dealer acts first before the flop and last after it"
    )


def default_game(domain: Domain) -> Game:
    """The bundled game of a domain."""
    return Game.named(_DEFAULT_GAMES[domain])
