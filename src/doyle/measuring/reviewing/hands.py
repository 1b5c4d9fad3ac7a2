"""Hands to review: read from files and folders, in the game that the agent plays, by player.

A file of another currency is the same game: blinds, stacks and bets are multiplied by a common
factor if that makes them the game's. Unreadable hands and hands of other games are counted by
reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from pathlib import Path

from doyle.base.errors import DoyleError
from doyle.games import CALL, Game, State
from doyle.games.histories import Hand
from doyle.games.histories.convert import Conversion, hands_of

OTHER_GAME = "of another game than the agent's"


@dataclass
class HandFile:
    """Hands of one game from one file or folder, and how many were refused, by reason."""

    hands: list[Hand] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    first_refusal: str | None = None

    def players(self) -> dict[str, int]:
        """How many hands each named player has."""
        found: dict[str, int] = {}
        for name in chain.from_iterable(hand.players for hand in self.hands):
            if name:
                found[name] = found.get(name, 0) + 1
        return found

    def player(self, wanted: str | None) -> str:
        """The requested player, or the only one in all hands; DoyleError if ambiguous."""
        known = self.players()
        if wanted is not None:
            if wanted not in known:
                raise DoyleError(f"no player is called {wanted!r}; there are {_list(known)}")
            return wanted
        always = [name for name, count in known.items() if count == len(self.hands)]
        if len(known) > 1 and len(always) == 1:
            return always[0]
        raise DoyleError(f"whose hands? there are {_list(known)}")


def read_hand_file(source: Path, game: Game, *, most_hands: int | None = None) -> HandFile:
    """The hands of a PHH file, an ACPC log or a folder of them that are of `game`."""
    result = Conversion(strict=source.is_file() and source.suffix == ".phh")
    found = HandFile()
    for hand in hands_of(source, game, result):
        if most_hands is not None and len(found.hands) >= most_hands:
            break
        try:
            found.hands.append(in_game(hand, game))
        except DoyleError as error:
            found.refused[OTHER_GAME] = found.refused.get(OTHER_GAME, 0) + 1
            found.first_refusal = found.first_refusal or f"hand {hand.number}: {error}"
    for reason, refused in result.reasons():
        found.refused[reason] = found.refused.get(reason, 0) + refused.hands
        found.first_refusal = found.first_refusal or refused.example
    if not found.hands:
        raise DoyleError(f"{source}: no hand of {game.name}" + _because(found))
    return found


def in_game(hand: Hand, game: Game) -> Hand:
    """The hand with the chips of `game`; DoyleError if no common factor makes it one of its hands."""
    own = hand.state.game
    if own == game:
        return hand
    factor = Fraction(game.big_blind, own.big_blind)
    for name in ("betting", "players", "first_players", "board_cards", "hole_cards"):
        if getattr(own, name) != getattr(game, name):
            raise DoyleError(f"{name} {getattr(own, name)}, not {getattr(game, name)}")
    for name in ("blinds", "stacks", "raise_sizes"):
        scaled = tuple(number * factor for number in getattr(own, name))
        if scaled != getattr(game, name):
            raise DoyleError(f"{name} {_numbers(scaled)}, not {_numbers(getattr(game, name))}")
    state = State.start(game, hand.state.deal)
    for action in chain.from_iterable(hand.state.betting):
        total = action if action <= CALL else action * factor
        state = state.apply(int(total))
    payoffs = tuple(Fraction(chips) * factor for chips in hand.payoffs)
    return Hand(hand.number, state, hand.players, payoffs, hand.unit / factor)


def seats_of(hand: Hand, player: str) -> Iterator[int]:
    """The seats of a player in a hand."""
    return (seat for seat, name in enumerate(hand.players) if name == player)


def _because(found: HandFile) -> str:
    if not found.refused:
        return ""
    count = sum(found.refused.values())
    more = f" (and {count - 1} more refused)" if count > 1 else ""
    return f": {found.first_refusal}{more}"


def _list(names: dict[str, int]) -> str:
    if not names:
        return "no names in the file"
    shown = sorted(names, key=lambda name: (-names[name], name))[:6]
    return ", ".join(repr(name) for name in shown) + (" ..." if len(names) > 6 else "")


def _numbers(values: tuple[Fraction | int, ...]) -> str:
    return ", ".join(str(value) for value in values)
