"""`BettingModel`: which bets a model of a game allows at every point of the betting.

Fold and call are always there. A bet of fraction x of the pot raises to `call + x * (pot after the
call)`, rounded half to even; equal totals are one action; totals at or above the stack are all-in;
totals below the least legal raise are left out. (No published count tells leaving out from raising
to the least legal total: every fraction of at least a half is legal in the published games.)

The seats may have models of their own: large bets that the opponent may make and we do not defend
against him (Ganzfried and Sandholm 2013, section 9.2). Single bets may be added where they were made.

Sources: Schnizlein 2009, sections 2.3.3 and 3.2.1 (letters, restrictions); Gilpin, Sandholm and
Sørensen 2008, section 4.1 (`tartanian`); Ganzfried and Sandholm 2012 (`tartanian5`, whose sizes are
published and whose places are assumed here); Rubin and Watson 2012, table 9 (Sartre's letters).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from doyle.base.errors import DoyleError
from doyle.games import Game

if TYPE_CHECKING:
    from doyle.abstractions.betting.bml.document import BmlDocument

Alphabet = Literal["thesis", "sartre"]
Kind = Literal["pot", "limit", "full", "bml"]
BML_PREFIX = "bml:"
"""What the text of a model begins with whose bets are in a BML document; its identity follows."""

HALF = Fraction(1, 2)
ALPHABETS: dict[Alphabet, dict[str, Fraction]] = {
    "thesis": {
        "h": HALF,
        "q": Fraction(3, 4),
        "p": Fraction(1),
        "w": Fraction(3, 2),
        "d": Fraction(2),
        "t": Fraction(10),
        "e": Fraction(11),
    },
    "sartre": {
        "q": Fraction(1, 4),
        "h": HALF,
        "i": Fraction(3, 4),
        "p": Fraction(1),
        "d": Fraction(2),
        "v": Fraction(5),
        "t": Fraction(10),
    },
}


@dataclass(frozen=True)
class BetSize:
    """A fraction of the pot and where a player may bet it.

    `once`: at most once per round and player and never in the first round. `rounds`: only there.
    `most_raises`: only while at most that many raises were made in the round (0: as opening bet).
    `least_raises`: only from that many on.
    """

    symbol: str
    fraction: Fraction
    once: bool = False
    rounds: tuple[int, ...] | None = None
    least_raises: int = 0
    most_raises: int | None = None


@dataclass(frozen=True, order=True)
class AddedBet:
    """One bet more than a model has: `raise_to` after the betting `history`, as in `betting_text`."""

    history: str
    raise_to: int

    def __str__(self) -> str:
        return f"{self.history}:r{self.raise_to}"


@dataclass(frozen=True)
class BettingModel:
    """A set of allowed bets; `str` gives the notation that `parse` reads.

    The fields up to `name` are of both seats, or of seat 0 alone if `second` is the model of seat 1.

    >>> model = BettingModel.parse("fchpta/h")
    >>> [(bet.symbol, str(bet.fraction), bet.once) for bet in model.bets]
    [('h', '1/2', True), ('p', '1', False), ('t', '10', False)]
    >>> str(BettingModel.parse("fcap@3"))
    'fcpa@3'
    >>> [len(BettingModel.parse("fcpa|fcpta").of_seat(seat).bets) for seat in (0, 1)]
    [1, 2]
    """

    bets: tuple[BetSize, ...] = ()
    all_in: bool = True
    raise_cap: int | None = None
    cap_stops_all_in: bool = True
    committed_share: Fraction | None = None
    kind: Kind = "pot"
    alphabet: Alphabet = "thesis"
    name: str = ""
    second: BettingModel | None = None
    """What seat 1 may bet; None if both seats have the same model."""
    added: tuple[AddedBet, ...] = ()
    """Bets that one seat may make at one place, beside those of its model; sorted."""

    document: BmlDocument | None = field(default=None, compare=False, repr=False)
    """The tree itself, of the kind `bml`; the name is its identity."""

    def __post_init__(self) -> None:
        # One form for one meaning: equal models are one model, bets are sorted.
        if self.second is not None and self.second == self.of_seat(0):
            object.__setattr__(self, "second", None)
        object.__setattr__(self, "added", tuple(sorted(set(self.added), key=_by_place)))

    @classmethod
    def parse(cls, text: str, alphabet: Alphabet = "thesis") -> BettingModel:
        """Read letters, numbers (percent of the pot), a restriction, a cap, or a model's name.

        The text of a BML document is read too, so that whoever keeps a model as text can keep any.
        """
        if text.startswith("<"):
            from doyle.abstractions.betting.bml.models import parse_model

            return parse_model(text.encode(errors="replace"), "betting model")
        from doyle.abstractions.betting.notation import parse

        return parse(text, alphabet)

    @classmethod
    def named(cls, text: str) -> BettingModel:
        """The model that a command means: notation, or a file whose name ends in .bml."""
        if text.endswith(".bml"):
            from doyle.abstractions.betting.bml.models import read_model

            return read_model(Path(text))
        return cls.parse(text)

    def __str__(self) -> str:
        from doyle.abstractions.betting.notation import to_text

        return to_text(self)

    def of_seat(self, seat: int) -> BettingModel:
        """What one seat may bet, without the bets added at single places."""
        if seat == 1 and self.second is not None:
            return self.second
        if self.second is None and not self.added:
            return self
        return replace(self, second=None, added=())

    def with_cap(self, raise_cap: int | None, *, stops_all_in: bool = True) -> BettingModel:
        """The same model with at most `raise_cap` bets a round (None: any number) for each seat."""
        if self.kind != "pot":
            raise DoyleError(
                f"betting model {self.name}: its raises follow the game; it takes no cap"
            )
        stops = stops_all_in or raise_cap is None
        second = self.second and self.second.with_cap(raise_cap, stops_all_in=stops_all_in)
        return replace(self, raise_cap=raise_cap, cap_stops_all_in=stops, second=second)

    def check(self, game: Game) -> None:
        """Refuse a game this model cannot be played in."""
        if self.second is not None:
            self.of_seat(0).check(game)
            self.second.check(game)
            if game.players != 2:
                raise DoyleError(
                    f"betting model {self}: a model for each of two seats, but game {game.name} has "
                    f"{game.players} players"
                )
        if self.kind == "pot" and game.betting == "limit":
            raise DoyleError(
                f"betting model {self}: game {game.name} has fixed bets; use the model `limit`"
            )
        if self.kind == "limit" and game.betting != "limit":
            raise DoyleError(
                f"betting model limit: game {game.name} is no-limit; use letters such as fcpa, or `full`"
            )
        if self.kind == "bml" and game.players != 2:
            raise DoyleError(
                f"betting model {self}: game {game.name} has {game.players} players; BML is for two"
            )
        if self.kind == "pot" and game.players > 2:
            raise DoyleError(
                f"betting model {self}: game {game.name} has {game.players} players; "
                "no-limit trees are for two"
            )


def _by_place(bet: AddedBet) -> tuple[int, str, int]:
    """Shorter histories first: a bet may follow another that is added too."""
    return len(bet.history), bet.history, bet.raise_to


def _tartanian(name: str, *, half_pot: bool, raise_cap: int | None) -> BettingModel:
    """Section 4.1 of Gilpin et al. 2008; footnote 5 for the version that played, without half-pot.

    Rule 1, "the players always have the option of going all-in", stands above rule 5, at most three
    bets a round: so all-ins pass the cap (`@3+a`; the other reading is `@3`). Footnote 4's 15% more
    for any number of bets fits this reading of the model without half-pot bets (15.8%).

    The version that played has no cap: listing 1, "a snippet of the BML file used by our player",
    numbers its sequences as the model without half-pot bets and without a cap does.
    """
    opening = (BetSize("h", HALF, most_raises=0),) if half_pot else ()
    return BettingModel(
        bets=(*opening, BetSize("p", Fraction(1))),
        raise_cap=raise_cap,
        cap_stops_all_in=raise_cap is None,
        committed_share=HALF,
        name=name,
    )


def _tartanian5() -> BettingModel:
    """The five published sizes; where each may be bet is assumed: small ones early, large ones late.

    Opening bets: a half or the whole pot in the first two rounds, 2/3 or 1.5 pot on the turn, 2/3 or
    2 pot on the river; any raise after a bet is of the pot.
    """
    two_thirds = Fraction(2, 3)
    return BettingModel(
        bets=(
            BetSize("h", HALF, rounds=(0, 1), most_raises=0),
            BetSize("2/3", two_thirds, rounds=(2, 3), most_raises=0),
            BetSize("p", Fraction(1), rounds=(0, 1), most_raises=0),
            BetSize("p", Fraction(1), least_raises=1),
            BetSize("w", Fraction(3, 2), rounds=(2,), most_raises=0),
            BetSize("d", Fraction(2), rounds=(3,), most_raises=0),
        ),
        name="tartanian5",
    )


NAMED_MODELS: dict[str, BettingModel] = {
    "tartanian": _tartanian("tartanian", half_pot=True, raise_cap=3),
    "tartanian-2007": _tartanian("tartanian-2007", half_pot=False, raise_cap=None),
    "tartanian5": _tartanian5(),
    "limit": BettingModel(kind="limit", all_in=False, name="limit"),
    "full": BettingModel(kind="full", name="full"),
}

SEVERAL_CAPS = frozenset({"tartanian", "tartanian-2007"})
"""Names whose cap is a matter of reading; printed with it, so that a text never changes its meaning."""
