"""The thesis's notation for card abstractions (Schnizlein 2009, section 2.3.2), read and printed.

Rounds are separated by dots; each says how its hands are bucketed and what later rounds remember.

    round  = parts             remember all of it; with public parts, those alone (table 5.2)
           | "ir" parts        remember nothing of this round
           | "dir-" Y "-" Z    know Y now, remember Z later ("dir-" may be left out, table 3.3)
    parts  = part { "x" part } nested: each part divides the buckets of the parts before it
    part   = N | Nhs | Nhs2 | Nhs3     N percentiles of E[HS], E[HS^2], E[HS^3]
           | uNhs | uNhs2 | uNhs3      N even intervals of the value (Sartre's uniform buckets)
           | pubN                      N public buckets: clusters of boards
           | emdN                      N clusters of distributions of river strength
           | paN                       flop: N clusters of distributions over clusters of turn hands
           | ochsN                     after the preflop: N clusters of strength against kinds of
                                       opponents; on the river alone, with nothing remembered

hs3 occurs in one string of the thesis (table 3.2, section 6.1.2) and is defined nowhere: E[HS^3] is
assumed, and hs2 is the other reading. That the parts of a round divide each remembered bucket into N
of equal mass (and not all hands alike) is our reading of perfect recall: the thesis says that a flop
bucket "consists of the pair [preflop bucket, raw flop bucket]".

A bare N means hs2, and hs on the river. N = 169 alone on the preflop is lossless. Z repeats parts of
Y to remember and has 1 for parts to forget; parts left out are forgotten, and `20x1` may stand for
`pub20x1` (table 3.2). `irY` is `dir-Y-1`: what earlier rounds remember stays remembered. `Ns` is
short for `N.N.N.N`. The last three kinds of parts, and `u`, are not the thesis's: they divide all hands
alike, whatever is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Literal, NoReturn

from doyle.base.errors import ParseError

Kind = Literal["public", "percentile", "uniform", "emd", "pa", "ochs"]
METRICS = ("hs", "hs2", "hs3")
PREFIXES: dict[Kind, str] = {
    "public": "pub",
    "percentile": "",
    "uniform": "u",
    "emd": "emd",
    "pa": "pa",
    "ochs": "ochs",
}
LOSSLESS_PREFLOP = 169
_MOST_BUCKETS = 1_000_000
_WHAT = "card abstraction"


@dataclass(frozen=True)
class Part:
    """One way of dividing hands: of what kind, into how many buckets, by which metric if any."""

    kind: Kind
    count: int
    metric: str = ""

    @property
    def power(self) -> int:
        """The power of HS whose expectation is divided; 0 for kinds without a metric."""
        return METRICS.index(self.metric) + 1 if self.metric else 0

    def __str__(self) -> str:
        return f"{PREFIXES[self.kind]}{self.count}{self.metric}"

    @property
    def has_metric(self) -> bool:
        return self.kind in ("percentile", "uniform")

    @property
    def has_chance(self) -> bool:
        """Whether a seed plays a part: clusterings start from random points."""
        return self.kind in ("public", "emd", "pa", "ochs")


@dataclass(frozen=True)
class Round:
    """The parts that divide one round's hands, and which of them later rounds remember."""

    parts: tuple[Part, ...]
    remembered: tuple[bool, ...]

    @property
    def buckets(self) -> int:
        """Buckets that this round adds to what is remembered."""
        return prod(part.count for part in self.parts)

    @property
    def kept(self) -> int:
        """Buckets of this round that later rounds can tell apart."""
        pairs = zip(self.parts, self.remembered, strict=True)
        return prod(part.count for part, remembered in pairs if remembered)


@dataclass(frozen=True)
class Notation:
    """A card abstraction as its notation says it.

    >>> str(Notation.parse("ir169.dir-pub20x205-20x1.pub3x68-3x1.68"))
    'ir169.dir-pub20x205-pub20x1.dir-pub3x68-pub3x1.68'
    >>> Notation.parse("8s").bucket_totals
    (8, 64, 512, 4096)
    """

    rounds: tuple[Round, ...]

    @classmethod
    def parse(cls, text: str) -> Notation:
        return _Reader(text).notation()

    @cached_property
    def memories(self) -> tuple[int, ...]:
        """How many different memories each round begins with (1: nothing is remembered)."""
        counts = [1]
        for round in self.rounds[:-1]:
            counts.append(counts[-1] * round.kept)
        return tuple(counts)

    @cached_property
    def bucket_totals(self) -> tuple[int, ...]:
        """How many buckets each round has in all: memories times the round's own buckets."""
        pairs = zip(self.memories, self.rounds, strict=True)
        return tuple(memories * round.buckets for memories, round in pairs)

    @property
    def is_lossless_preflop(self) -> bool:
        parts = self.rounds[0].parts
        alone = len(parts) == 1 and parts[0].kind != "uniform"
        return alone and parts[0].count == LOSSLESS_PREFLOP

    def __str__(self) -> str:
        last = len(self.rounds) - 1
        return ".".join(_shown(round, place == last) for place, round in enumerate(self.rounds))


def _shown(round: Round, is_last: bool) -> str:
    parts = _shown_parts(round.parts, is_last)
    if all(round.remembered):
        has_public = any(part.kind == "public" for part in round.parts)
        return f"dir-{parts}-{parts}" if has_public and not is_last else parts
    if not any(round.remembered):
        return f"ir{parts}"
    kept = [
        str(part) if remembered else "1"
        for part, remembered in zip(round.parts, round.remembered, strict=True)
    ]
    while len(kept) > 1 and kept[-1] == kept[-2] == "1":
        kept.pop()
    return f"dir-{parts}-{'x'.join(kept)}"


def _shown_parts(parts: tuple[Part, ...], is_last: bool) -> str:
    strength = [part for part in parts if part.kind == "percentile"]
    default = "hs" if is_last else "hs2"
    plain = len(strength) == 1 and strength[0].metric == default
    return "x".join(
        str(replace(part, metric="") if plain and part.kind == "percentile" else part)
        for part in parts
    )


@dataclass(frozen=True)
class _Placed:
    """A part as written, and where it stands in the text."""

    part: Part
    position: int


class _Reader:
    """Reads a notation from left to right; every error names a character."""

    ROUNDS = 4

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.round = 0
        self.memories = 1

    def notation(self) -> Notation:
        if self.text.endswith("s") and self.text[:-1].isdigit():
            short = self.number()
            return Notation.parse(".".join([str(short)] * self.ROUNDS))
        rounds = [self.one_round()]
        while self.accept("."):
            self.round += 1
            if self.round == self.ROUNDS:
                self.fail(f"expected the end after {self.ROUNDS} rounds", self.position - 1)
            rounds.append(self.one_round())
        if self.position < len(self.text):
            self.fail("expected '.', 'x', '-' or the end")
        if len(rounds) < self.ROUNDS:
            self.fail(f"expected '.' and another round ({len(rounds)} of {self.ROUNDS} given)")
        return Notation(tuple(rounds))

    def one_round(self) -> Round:
        if self.accept("ir"):
            parts = self.parts()
            return self.made(parts, (False,) * len(parts))
        marked = self.accept("dir-")
        parts = self.parts()
        if self.accept("-"):
            return self.made(parts, self.remembered(parts))
        if marked:
            self.fail("expected '-' and what to remember")
        public = tuple(placed.part.kind == "public" for placed in parts)
        return self.made(parts, public if any(public) else (True,) * len(parts))

    def made(self, placed: list[_Placed], remembered: tuple[bool, ...]) -> Round:
        self.check(placed)
        parts = tuple(self.with_metric(item.part) for item in placed)
        is_last = self.round == self.ROUNDS - 1
        # Forgetting a part of one bucket, or anything on the last round, changes nothing.
        kept = (is_last or part.count == 1 for part in parts)
        flags = zip(remembered, kept, strict=True)
        made = Round(parts, tuple(flag or always for flag, always in flags))
        self.memories *= made.kept
        return made

    def check(self, placed: list[_Placed]) -> None:
        """Refuse parts that this round cannot have."""
        is_last = self.round == self.ROUNDS - 1
        public = [item for item in placed if item.part.kind == "public"]
        if public and self.round == 0:
            self.fail("the preflop has no board for public buckets", public[0].position)
        if public and is_last:
            self.fail("public buckets are for the flop and the turn", public[0].position)
        if len(public) > 1:
            self.fail("a round has public buckets once", public[1].position)
        for item in placed:
            if item.part.kind == "pa" and self.round != 1:
                self.fail("pa buckets are for the flop", item.position)
            if item.part.kind == "ochs" and self.round == 0:
                self.fail("ochs buckets are for the rounds after the preflop", item.position)
            if item.part.kind == "ochs" and is_last and (len(placed) > 1 or self.memories > 1):
                self.fail(
                    "ochs buckets on the river are alone, with nothing remembered", item.position
                )
        buckets = prod(item.part.count for item in placed)
        if self.round == 0 and buckets > LOSSLESS_PREFLOP:
            self.fail("the preflop has only 169 different hands", placed[0].position)
        if buckets > _MOST_BUCKETS:
            self.fail(f"more than {_MOST_BUCKETS:,} buckets in one round", placed[0].position)

    def with_metric(self, part: Part) -> Part:
        if part.metric or not part.has_metric:
            return part
        return replace(part, metric="hs" if self.round == self.ROUNDS - 1 else "hs2")

    def remembered(self, known: list[_Placed]) -> tuple[bool, ...]:
        """Which of the known parts the text that follows remembers."""
        flags = []
        for place, item in enumerate(self.parts()):
            if place >= len(known):
                self.fail("remembers more parts than are known", item.position)
            flags.append(self.is_kept(known[place].part, item))
        return tuple(flags + [False] * (len(known) - len(flags)))

    def is_kept(self, known: Part, item: _Placed) -> bool:
        bare = item.part.kind == "percentile" and not item.part.metric
        if bare and item.part.count == known.count:
            return True  # `20x1` for `pub20x1`
        if bare and item.part.count == 1:
            return False
        if self.with_metric(item.part) != self.with_metric(known):
            self.fail(f"expected {known} (to remember it) or 1 (to forget it)", item.position)
        return True

    def parts(self) -> list[_Placed]:
        found = [self.part()]
        while self.accept("x"):
            found.append(self.part())
        return found

    def part(self) -> _Placed:
        start = self.position
        kinds = (kind for kind, prefix in PREFIXES.items() if prefix and self.accept(prefix))
        kind: Kind = next(kinds, "percentile")
        count = self.number()
        metric = ""
        if Part(kind, count).has_metric:
            metric = next((name for name in reversed(METRICS) if self.accept(name)), "")
        return _Placed(Part(kind, count, metric), start)

    def number(self) -> int:
        start = self.position
        while self.position < len(self.text) and self.text[self.position] in "0123456789":
            self.position += 1
        digits = self.text[start : self.position]
        if not digits:
            self.fail("expected a number of buckets")
        if digits.startswith("0"):
            self.fail("a number of buckets begins with 1 to 9", start)
        if len(digits) > 7 or int(digits) > _MOST_BUCKETS:
            self.fail(f"more than {_MOST_BUCKETS:,} buckets", start)
        return int(digits)

    def accept(self, token: str) -> bool:
        found = self.text.startswith(token, self.position)
        if found:
            self.position += len(token)
        return found

    def fail(self, problem: str, position: int | None = None) -> NoReturn:
        where = self.position if position is None else position
        raise ParseError(problem, text=self.text, position=where, what=_WHAT)
