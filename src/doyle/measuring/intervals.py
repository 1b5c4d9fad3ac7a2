"""Quantiles of 95% intervals: the normal one, and Student's for means of few observations."""

from __future__ import annotations

NORMAL_95 = 1.959963984540054
"""The 97.5% quantile of the standard normal distribution."""

_EXACT = {1: 12.706204736174694, 2: 4.302652729749462}


def student_95(degrees: float) -> float:
    """The 97.5% quantile of Student's distribution; degrees of freedom are rounded down.

    Beyond two degrees by the expansion of Fisher and Cornish, at most 0.13% too small (at three).

    >>> [round(student_95(degrees), 2) for degrees in (1, 2, 4, 19, 999)]
    [12.71, 4.3, 2.78, 2.09, 1.96]
    """
    n = max(1, int(degrees + 1e-9))  # Satterthwaite's may be 1 up to rounding
    if n in _EXACT:
        return _EXACT[n]
    z = NORMAL_95
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(sum(term / n**power for power, term in enumerate(terms)))


def satterthwaite(parts: list[tuple[float, int]]) -> float:
    """Degrees of freedom of a sum of estimated variances, given with those of each.

    >>> satterthwaite([(1.0, 9), (1.0, 9)]), satterthwaite([(1.0, 9), (0.0, 1)])
    (18.0, 9.0)
    """
    squares = sum(variance**2 / degrees for variance, degrees in parts)
    if not squares:
        return float(sum(degrees for _, degrees in parts))
    return sum(variance for variance, _ in parts) ** 2 / squares
