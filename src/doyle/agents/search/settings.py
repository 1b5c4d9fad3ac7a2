"""`SearchSettings`: the options of a searching agent, and how they are written after its blueprint.

`search:default:rounds=turn,iterations=40,guard=resolve` searches from the turn on. Options that are not
of the search belong to the blueprint, so `search:default:purification=full` searches below a purified
`default`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from doyle.abstractions.betting import BettingModel
from doyle.base.errors import DoyleError, ParseError
from doyle.games import Game
from doyle.solving.spots.spot import STREETS, parse_street_models
from doyle.solving.vector import GUARDS, GuardName

ROUNDS = ("river", "turn", "flop")
LIMITED = frozenset({STREETS["flop"]})
"""The betting rounds whose solves end with the round."""
OPTIONS = (
    "rounds",
    "sizes",
    *ROUNDS,
    "guard",
    "iterations",
    "seconds",
    "runouts",
    "lean",
    "choose",
)
MOST_ITERATIONS = 1_000_000
MOST_RUNOUTS = 2352
"""All that a flop has."""
MOST_LEAN = 1e6
CHOOSERS = ("other", "both")
MOST_SECONDS = 3600.0


@dataclass(frozen=True)
class SearchSettings:
    """From which street on, with which bets, guard and work; the work is of every solve.

    `floor` is the least weight of a hand in a range, of the largest; it keeps all hands possible.
    """

    rounds: str = "river"
    sizes: tuple[str, ...] = ("fchpa", "fcpa", "fcpa")
    """Bets in solves that begin on the river, turn, flop; `parse_street_models` reads them."""
    guard: GuardName = "unsafe"
    iterations: tuple[int, ...] = (100, 80, 40)
    """Of solves that begin on the river, turn, flop; the last counts for rounds before, too."""
    seconds: float | None = None
    """Instead of iterations; what is played then depends on the machine."""
    floor: float = 1e-4
    runouts: int = 16
    """On how many cards to come the blueprint's play after a flop is walked."""
    lean: float = 10.0
    """How far a seat may lean there, hand by hand; 1: it goes on as the blueprint does."""
    choose: str = "other"
    """Who may lean: the other seat, each seat then having its own solution, or both."""
    text: str = ""
    """The options that differ from the defaults, as they are written."""

    @property
    def first_round(self) -> int:
        """The betting round from which on it searches."""
        return STREETS[self.rounds]

    def iterations_from(self, round_: int) -> int:
        """Iterations of a solve that begins in a betting round."""
        return self.iterations[min(max(0, STREETS["river"] - round_), len(self.iterations) - 1)]

    def models(self) -> dict[int, BettingModel]:
        """The bets of solves by the betting round in which they begin."""
        pairs = zip(ROUNDS, self.sizes, strict=True)
        return {
            STREETS[street]: parse_street_models(text, STREETS[street]) for street, text in pairs
        }


def split_options(text: str) -> tuple[str, str]:
    """The blueprint's text and the search options of what follows `search:`.

    >>> split_options("default:rounds=turn,purification=full,guard=resolve")
    ('default:purification=full', 'rounds=turn,guard=resolve')
    >>> split_options("ev")
    ('ev', '')
    """
    base, colon, rest = text.rpartition(":")
    if not colon or "=" not in rest:
        return text, ""
    items = rest.split(",")
    ours = [item for item in items if item.partition("=")[0] in OPTIONS]
    others = [item for item in items if item not in ours]
    return base + (":" + ",".join(others) if others else ""), ",".join(ours)


def parse_settings(text: str, options: str) -> SearchSettings:
    """The settings that options describe; errors name the agent's whole `text`."""
    found: dict[str, str] = {}
    for item in filter(None, options.split(",")):
        key, equals, value = item.partition("=")
        if not equals or not value:
            raise DoyleError(f"agent {text!r}: option {item!r}: expected {'=, '.join(OPTIONS)}=")
        if key in found:
            raise DoyleError(f"agent {text!r}: option {key!r} is given twice")
        found[key] = value
    settings = SearchSettings(text=options)
    if "rounds" in found:
        if found["rounds"] not in ROUNDS:
            raise _refused(text, "rounds", found["rounds"], ", ".join(ROUNDS))
        settings = replace(settings, rounds=found["rounds"])
    if "guard" in found:
        if found["guard"] not in GUARDS:
            raise _refused(text, "guard", found["guard"], ", ".join(GUARDS))
        settings = replace(settings, guard=found["guard"])
    if "iterations" in found and "seconds" in found:
        raise DoyleError(f"agent {text!r}: iterations and seconds are two limits; give one")
    if "iterations" in found:
        count = _whole(text, "iterations", found["iterations"], MOST_ITERATIONS)
        settings = replace(settings, iterations=(count,))
    if "seconds" in found:
        seconds = _number(text, "seconds", found["seconds"], 0.01, MOST_SECONDS)
        settings = replace(settings, seconds=seconds)
    if "runouts" in found:
        count = _whole(text, "runouts", found["runouts"], MOST_RUNOUTS)
        settings = replace(settings, runouts=count)
    if "lean" in found:
        settings = replace(settings, lean=_number(text, "lean", found["lean"], 1, MOST_LEAN))
    if "choose" in found:
        if found["choose"] not in CHOOSERS:
            raise _refused(text, "choose", found["choose"], " or ".join(CHOOSERS))
        settings = replace(settings, choose=found["choose"])
    if settings.first_round in LIMITED and settings.guard != "unsafe":
        raise DoyleError(f"agent {text!r}: guard {settings.guard!r}: not with rounds=flop")
    if settings.first_round not in LIMITED:
        for key in ("flop", "runouts", "lean", "choose"):
            if key in found:
                raise DoyleError(f"agent {text!r}: option {key!r} is for rounds=flop")
    return replace(settings, sizes=_sizes(text, found))


def _sizes(text: str, found: dict[str, str]) -> tuple[str, ...]:
    """The bets of solves that begin on each street."""
    chosen = [
        found.get(street, found.get("sizes", default))
        for street, default in zip(ROUNDS, SearchSettings.sizes, strict=True)
    ]
    settings = SearchSettings(sizes=tuple(chosen))
    try:
        settings.models()
    except ParseError as error:
        raise DoyleError(f"agent {text!r}: sizes: {error}") from None
    return settings.sizes


def _number(text: str, key: str, value: str, least: float, most: float) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not least <= number <= most:
        raise _refused(text, key, value, f"a number from {least:g} to {most:g}")
    return number


def _whole(text: str, key: str, value: str, most: int) -> int:
    count = _number(text, key, value, 1, most)
    if count != int(count):
        raise _refused(text, key, value, "a whole number")
    return int(count)


def _refused(text: str, key: str, value: str, expected: str) -> DoyleError:
    return DoyleError(f"agent {text!r}: {key} {value!r}: expected {expected}")


def can_search(game: Game) -> bool:
    """Whether rests of hands of a game can be solved: no-limit Hold'em for two."""
    return game.is_holdem and game.players == 2 and not game.is_limit


def check_search_game(text: str, game: Game) -> None:
    """Refuse a game that cannot be searched: all but no-limit Hold'em for two."""
    if not can_search(game):
        raise DoyleError(
            f"agent {text!r}: searches in no-limit Hold'em for two, not in {game.name}"
        )
