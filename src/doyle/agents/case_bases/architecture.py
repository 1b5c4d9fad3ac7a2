"""An architecture snapshot: the six points by which the paper describes an agent (figure 1).

1. feature representation, 2. similarity, 3. solution representation, 4. retrieval, 5. re-use and
6. training. The first three and the bet letters fix what a case base holds; the others only how it
is asked, so one base serves several agents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, get_args, get_origin, get_type_hints

from doyle.agents.case_bases.domains import ALL_IN, BET_LETTERS, Domain, domain_named
from doyle.base.errors import FieldError

Strength = Literal["categories", "hs", "hs2"]
HoleMetric = Literal["all-or-nothing", "equity"]
StrengthMetric = Literal["all-or-nothing", "euclidean"]
BettingMetric = Literal["all-or-nothing", "stepped", "sizes"]
TextureMetric = Literal["all-or-nothing", "matrix"]
CommitmentMetric = Literal["all-or-nothing", "exponential"]
Solution = Literal["vector", "single"]
Reuse = Literal["probabilistic", "max-frequency", "best-outcome"]
Reading = Literal["hard", "soft"]
Combination = Literal["vote", "choose"]

MOST_BUCKETS = 250


@dataclass(frozen=True)
class Architecture:
    """How an agent's cases are represented, compared, retrieved and re-used.

    `retrieve` is the number of neighbours; 0 stands for the variable number of 2009: all identical
    cases, and a call where there is none. `slope` is the k of equation 2, `decay` the alpha of
    equation 7 and `spread` the Delta of equation 6.

    >>> Architecture(domain="limit", strength="hs", buckets=20).cards
    'ir169.iru20hs.iru20hs.u20hs'
    """

    domain: str = "limit"
    strength: Strength = "hs2"
    buckets: int = 50
    letters: str = ""
    commitment_classes: int = 4
    hole_metric: HoleMetric = "all-or-nothing"
    strength_metric: StrengthMetric = "euclidean"
    slope: float = 1.0
    betting_metric: BettingMetric = "stepped"
    decay: float = 0.05
    texture_metric: TextureMetric = "matrix"
    commitment_metric: CommitmentMetric = "exponential"
    solution: Solution = "vector"
    retrieve: int = 1
    reuse: Reuse = "max-frequency"
    reading: Reading = "soft"
    spread: float = 0.3
    combine: Combination = "vote"
    switching: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            _check_choice(field.name, _HINTS.get(field.name), getattr(self, field.name))
        domain = self.game_domain
        if not self.letters:
            object.__setattr__(self, "letters", domain.letters)
        _check(self, domain)

    @cached_property
    def game_domain(self) -> Domain:
        return domain_named(self.domain)

    @property
    def cards(self) -> str:
        """The card abstraction of the strength feature; categories need the preflop classes only."""
        if self.strength == "categories":
            return "ir169.ir1.ir1.1"
        unit = f"u{self.buckets}{self.strength}"
        return f"ir169.ir{unit}.ir{unit}.{unit}"

    @property
    def has_commitment(self) -> bool:
        """Whether cases after the flop say how much of the stack is in the pot."""
        return not self.game_domain.is_limit

    def features(self, round_: int) -> tuple[str, ...]:
        """The features of a round's cases, in the order in which their similarities are summed.

        >>> Architecture(domain="no-limit", betting_metric="sizes").features(1)
        ('betting', 'strength', 'texture', 'commitment')
        """
        if round_ == 0:
            return ("betting", "hole")
        return ("betting", "strength", "texture", *(("commitment",) if self.has_commitment else ()))

    def representation(self) -> dict[str, Any]:
        """The points that decide what a case base holds."""
        kept = ("domain", "strength", "buckets", "letters", "commitment_classes", "solution")
        return {name: getattr(self, name) for name in kept}

    def document(self) -> dict[str, Any]:
        """All points, as files keep them."""
        return asdict(self)

    def with_points(self, **points: Any) -> Architecture:
        """The same architecture with other points."""
        unknown = set(points) - {field.name for field in fields(self)}
        if unknown:
            raise FieldError(min(unknown), f"expected one of {', '.join(_names())}")
        return replace(self, **points)

    def heads_up(self) -> Architecture:
        """The same points in the two-player limit game, to which three-player agents switch."""
        return replace(self, domain="limit", switching=False)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Architecture:
        """The architecture that a document describes, as `document` wrote it."""
        unknown = set(document) - set(_names())
        if unknown:
            raise FieldError(min(unknown), f"expected one of {', '.join(_names())}")
        return cls(**document)


def parse_point(name: str, text: str) -> Any:
    """The value of a point that was written as text.

    >>> parse_point("retrieve", "3"), parse_point("reuse", "max-frequency")
    (3, 'max-frequency')
    """
    hint = _HINTS.get(name)
    if hint is None:
        raise FieldError(name, f"expected one of {', '.join(_names())}")
    if hint is bool:
        if text not in ("yes", "no"):
            raise FieldError(name, "expected yes or no", value=text)
        return text == "yes"
    if hint in (int, float):
        try:
            return hint(text)
        except ValueError:
            raise FieldError(name, f"expected {_WORDS[hint]}", value=text) from None
    return text


def _names() -> list[str]:
    return [field.name for field in fields(Architecture)]


_HINTS: dict[str, Any] = get_type_hints(Architecture)


def _check_choice(name: str, hint: Any, value: Any) -> None:
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise FieldError(name, f"expected one of {', '.join(get_args(hint))}", value=value)
    elif hint is float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise FieldError(name, "expected a number", value=value)
    elif hint is not None and type(value) is not hint:
        raise FieldError(name, f"expected {_WORDS[hint]}", value=value)


_WORDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def _check(point: Architecture, domain: Domain) -> None:
    """Refuse numbers out of range and points that do not go together."""
    for name, low, high in (
        ("buckets", 2, MOST_BUCKETS),
        ("commitment_classes", 1, 100),
        ("retrieve", 0, 10_000),
        ("slope", 0.0, 1e6),
        ("decay", 0.0, 1.0),
        ("spread", 0.0, 0.9),
    ):
        value = getattr(point, name)
        if not low <= value <= high:
            raise FieldError(name, f"expected a number from {low} to {high}", value=value)
    if point.strength == "categories" and point.strength_metric != "all-or-nothing":
        raise FieldError("strength_metric", "categories are compared all-or-nothing only")
    if domain.is_limit:
        if point.letters != domain.letters:
            raise FieldError("letters", f"limit games have {domain.letters!r}", value=point.letters)
        if point.betting_metric == "sizes":
            raise FieldError("betting_metric", "bet sizes are compared in no-limit games only")
    else:
        _check_letters(point.letters)
        if point.betting_metric == "stepped":
            raise FieldError("betting_metric", "stepped similarity is for limit games")
    if point.switching and domain.players != 3:
        raise FieldError("switching", "only three-player agents switch to a two-player base")


def _check_letters(letters: str) -> None:
    bets = letters.removeprefix("fc").removesuffix(ALL_IN)
    ordered = "".join(letter for letter in BET_LETTERS if letter in bets)
    if not letters.startswith("fc") or bets != ordered or not letters[2:]:
        raise FieldError(
            "letters",
            f"expected fc, then some of {BET_LETTERS} in this order, then perhaps {ALL_IN}",
            value=letters,
        )
