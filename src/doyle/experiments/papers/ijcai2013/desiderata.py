"""The desiderata of IJCAI 2013, section 4, claim by claim, measured on a grid of exact rationals.

Boundary, monotonicity and scale are checked at every point of the grid. Continuity is a question of
limits: a mapping is found continuous if its largest change over a step shrinks with the step, and
Lipschitz if its largest quotient stays bounded as the step shrinks.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction

from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, Section, printed
from doyle.strategy.translation import MAPPINGS, Mapping

_TENTHS = [Fraction(i, 10) for i in range(11)]
_BOUNDS = [
    (Fraction(a), Fraction(b))
    for a, b in ((1, 2), (1, 4), ("1/100", 1), ("1/2", 3), ("2/5", 50), (3, 100))
]
_STEPS = tuple(Fraction(1, 10**power) for power in (2, 4, 6, 8))
_SHRUNK = Fraction(1, 100)
_BOUNDED = 100


def desiderata(options: Options) -> Result:
    """Claim and finding for every mapping and property."""
    claims = printed("ijcai2013/desiderata")
    cells = [
        Cell(entry.title, name, claims.text(entry.title, name), "yes" if check(entry) else "no")
        for entry in MAPPINGS
        for name, check in PROPERTIES.items()
    ]
    extra = Section(
        "Where the paper is loose",
        (
            "mapping",
            "scale invariant if the pot scales too",
            "largest |df/dA| on A <= B/2, B = 1",
            "largest |df/dA| on A <= 0.999, B = 1",
        ),
        tuple(
            (
                entry.title,
                "yes" if scale_with_pot(entry) else "no",
                float(steepest_in_lower(entry, Fraction(1, 2))),
                float(steepest_in_lower(entry, Fraction(999, 1000))),
            )
            for entry in MAPPINGS
            if entry.randomised
        ),
    )
    return Result(
        cells,
        sections=(extra,),
        notes=(
            "Scale: the pseudo-harmonic mappings contain the pot (the 1 in 1 + x), so multiplying A, "
            "B and x alone changes them; they are invariant if the pot is multiplied too.",
            "Lipschitz in A: the constant of Proposition 1 grows without bound as A approaches B, "
            "so the claim holds on [0, B - delta]; it is measured on [0, B/2].",
        ),
    )


def _inside(lower: Fraction, upper: Fraction) -> Iterator[Fraction]:
    for tenth in _TENTHS:
        yield lower + (upper - lower) * tenth


def boundary(entry: Mapping) -> bool:
    """f(A) = 1 and f(B) = 0 for A > 0."""
    return all(
        entry.probability(a, b, a) == 1 and entry.probability(a, b, b) == 0 for a, b in _BOUNDS
    )


def boundary_at_zero(entry: Mapping) -> bool:
    """The same for A = 0."""
    zero = Fraction(0)
    return all(
        entry.probability(zero, b, zero) == 1 and entry.probability(zero, b, b) == 0
        for _, b in _BOUNDS
    )


def _falls(entry: Mapping, acceptable: Callable[[Fraction, Fraction], bool]) -> bool:
    for a, b in _BOUNDS:
        values = [entry.probability(a, b, x) for x in _inside(a, b)]
        if not all(acceptable(x, y) for x, y in itertools.pairwise(values)):
            return False
    return True


def monotone(entry: Mapping) -> bool:
    """f never rises with x."""
    return _falls(entry, lambda before, after: before >= after)


def strictly_monotone(entry: Mapping) -> bool:
    """f always falls with x, for A > 0."""
    return _falls(entry, lambda before, after: before > after)


def _scales(entry: Mapping, pot_too: bool) -> bool:
    factors = (Fraction(1, 7), Fraction(3), Fraction(50))
    return all(
        entry.probability(a, b, x)
        == entry.probability(k * a, k * b, k * x, pot=k if pot_too else Fraction(1))
        for a, b in _BOUNDS
        for k in factors
        for x in _inside(a, b)
    )


def scale(entry: Mapping) -> bool:
    """f(kA, kB, kx) = f(A, B, x), the pot left alone, as section 4 writes it."""
    return _scales(entry, pot_too=False)


def scale_with_pot(entry: Mapping) -> bool:
    """The same with the pot multiplied too."""
    return _scales(entry, pot_too=True)


def _largest_change_in_size(entry: Mapping, step: Fraction) -> Fraction:
    """Over the bounds and the places where a change can be sharp: the ends and the median."""
    largest = Fraction(0)
    for a, b in _BOUNDS:
        median = Fraction(entry.median(float(a), float(b)))
        for place in (*_inside(a, b), median):
            before, after = max(a, place - step), min(b, place + step)
            change = entry.probability(a, b, before) - entry.probability(a, b, after)
            largest = max(largest, abs(Fraction(change)))
    return largest


def continuous_in_size(entry: Mapping) -> bool:
    """The largest change over a step of 1e-8 is small."""
    return _largest_change_in_size(entry, _STEPS[-1]) < _SHRUNK


def _change_in_lower(entry: Mapping, a: Fraction, step: Fraction, b: Fraction) -> Fraction:
    """The largest |f_{A+step}(x) - f_A(x)| over x in [A + step, B]."""
    higher = a + step
    # Near the median the change is sharpest; a deterministic mapping changes only between its two
    # thresholds.
    medians = [Fraction(entry.median(float(low), float(b))) for low in (a, higher)]
    middle = min(b, max(higher, sum(medians, Fraction(0)) / 2))
    places = [higher, middle, *_inside(higher, b)]
    return max(
        abs(Fraction(entry.probability(a, b, x)) - Fraction(entry.probability(higher, b, x)))
        for x in places
    )


def continuous_in_lower(entry: Mapping) -> bool:
    """Moving A by 1e-8, from 0 or from inside, changes f by little everywhere."""
    one, step = Fraction(1), _STEPS[-1]
    starts = (Fraction(0), Fraction(1, 100), Fraction(1, 4), Fraction(1, 2))
    return all(_change_in_lower(entry, a, step, one) < _SHRUNK for a in starts)


def steepest_in_lower(entry: Mapping, limit: Fraction) -> Fraction:
    """The largest |f_{A+h} - f_A| / h for 0 < A <= limit, B = 1, over ever smaller A and h."""
    one = Fraction(1)
    starts = [limit * tenth for tenth in _TENTHS[1:]] + [limit * step for step in _STEPS]
    return max(_change_in_lower(entry, a, a / 10**4, one) / (a / 10**4) for a in starts)


def lipschitz_in_lower(entry: Mapping) -> bool:
    """The quotient stays bounded as A and the step shrink, with A at most B/2."""
    return steepest_in_lower(entry, Fraction(1, 2)) < _BOUNDED


PROPERTIES: dict[str, Callable[[Mapping], bool]] = {
    "boundary A>0": boundary,
    "boundary A=0": boundary_at_zero,
    "monotone": monotone,
    "strictly monotone": strictly_monotone,
    "scale": scale,
    "continuous in x": continuous_in_size,
    "continuous in A": continuous_in_lower,
    "Lipschitz in A": lipschitz_in_lower,
}
