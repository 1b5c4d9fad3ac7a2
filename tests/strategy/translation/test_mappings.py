"""The mappings: known values, tie rules, and the desiderata as properties."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.base.errors import DoyleError
from doyle.strategy.translation import (
    MAPPINGS,
    Mapping,
    mapping,
    mapping_names,
    read_chips,
    read_many,
)
from doyle.strategy.translation.mappings import (
    DET_ARITH_STRICT,
    ENTRY_POINT_GROUP,
    RAND_SIMILARITY,
    piecewise,
)
from tests.plugins import install_plugins

rationals = st.fractions(min_value=Fraction(1, 100), max_value=100, max_denominator=100)
shares = st.fractions(min_value=0, max_value=1, max_denominator=50)
BUNDLED = (*MAPPINGS, DET_ARITH_STRICT, RAND_SIMILARITY)
by_name = pytest.mark.parametrize("entry", BUNDLED, ids=lambda entry: entry.name)
RANDOMISED = [entry for entry in BUNDLED if entry.randomised]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rand-arith", Fraction(3, 4)),
        ("rand-pshar", Fraction(3, 5)),
        ("rand-geo-1", Fraction(0)),
        ("rand-geo-2", Fraction(0)),
    ],
)
def test_a_quarter_pot_between_check_and_pot(name: str, expected: Fraction) -> None:
    assert mapping(name).probability(0, 1, Fraction(1, 4)) == expected


def test_medians() -> None:
    assert mapping("rand-pshar").median(0, 1) == pytest.approx(1 / 3)
    assert mapping("rand-geo-2").median(0.01, 1) == pytest.approx(0.1)
    assert mapping("det-geo").median(1, 4) == 2
    assert mapping("det-arith").median(1, 4) == 2.5
    assert mapping("det-pshar").median(1, 4) == pytest.approx(13 / 7)


def test_ties_fall_as_the_papers_write_them() -> None:
    assert mapping("det-arith").chips(2, 6, 4, pot=2) == 1
    assert DET_ARITH_STRICT.chips(2, 6, 4, pot=2) == 0
    assert mapping("det-geo").chips(4, 9, 6, pot=2) == 0
    # x* of A=1, B=3 in pots is 10/6; at a pot of 6 that is exactly 10 chips.
    assert mapping("det-pshar").chips(6, 18, 10, pot=6) == 1
    assert mapping("det-pshar").chips(6, 18, 11, pot=6) == 0


def test_absolute_distance_between_a_pot_of_20_and_all_in_400() -> None:
    """Rubin and Watson 2012, figure 6: 200 is read as the pot bet, 220 as all-in."""
    assert mapping("det-arith").chips(20, 400, 200, pot=20) == 1
    assert mapping("det-arith").chips(20, 400, 220, pot=20) == 0


@by_name
@given(rationals, rationals, shares)
def test_probabilities(entry: Mapping, lower: Fraction, width: Fraction, share: Fraction) -> None:
    upper = lower + width
    size = lower + width * share
    value = entry.probability(lower, upper, size)
    assert 0 <= value <= 1
    assert entry.probability(lower, upper, lower) == 1
    assert entry.probability(lower, upper, upper) == 0


@by_name
@given(rationals, rationals, shares, shares)
def test_monotone(
    entry: Mapping, lower: Fraction, width: Fraction, one: Fraction, other: Fraction
) -> None:
    below, above = sorted((one, other))
    upper = lower + width
    assert entry.probability(lower, upper, lower + width * below) >= entry.probability(
        lower, upper, lower + width * above
    )


@by_name
@given(rationals, rationals, shares, rationals)
def test_scale_invariant_if_the_pot_scales_too(
    entry: Mapping, lower: Fraction, width: Fraction, share: Fraction, factor: Fraction
) -> None:
    upper, size = lower + width, lower + width * share
    scaled = entry.probability(factor * lower, factor * upper, factor * size, pot=factor)
    assert scaled == entry.probability(lower, upper, size)


def test_pseudo_harmonic_is_not_scale_invariant_alone() -> None:
    entry = mapping("rand-pshar")
    assert entry.probability(1, 3, 2) != entry.probability(10, 30, 20)


@given(rationals, rationals, shares)
def test_pseudo_harmonic_calls_every_bet_with_its_fair_frequency(
    lower: Fraction, width: Fraction, share: Fraction
) -> None:
    upper, size = lower + width, lower + width * share
    down = mapping("rand-pshar").probability(lower, upper, size)
    assert down / (1 + lower) + (1 - down) / (1 + upper) == 1 / (1 + size)


@pytest.mark.parametrize("entry", RANDOMISED, ids=lambda entry: entry.name)
@given(rationals, rationals)
def test_half_at_the_median(entry: Mapping, lower: Fraction, width: Fraction) -> None:
    a, b = float(lower), float(lower + width)
    assert entry.probability(a, b, entry.median(a, b)) == pytest.approx(0.5)


@pytest.mark.parametrize("name", ["rand-arith", "rand-pshar"])
@given(shares, shares, shares)
def test_lipschitz_in_the_lower_bet_away_from_the_upper(
    name: str, one: Fraction, other: Fraction, share: Fraction
) -> None:
    """On A in [0, 1/2], B = 1: Proposition 1's constant is at most (1+B)/(B-A1) = 4."""
    first, second = sorted((one / 2, other / 2))
    size = second + (1 - second) * share
    entry = mapping(name)
    change = abs(entry.probability(first, 1, size) - entry.probability(second, 1, size))
    assert change <= 4 * (second - first)


@pytest.mark.parametrize("name", ["rand-geo-1", "rand-geo-2"])
def test_geometric_mappings_jump_at_zero(name: str) -> None:
    tiny = Fraction(1, 10**9)
    assert mapping(name).probability(Fraction(0), 1, tiny) == 0
    assert mapping(name).probability(tiny, 1, tiny) == 1


@by_name
@given(
    st.lists(st.integers(0, 400), min_size=1, max_size=6, unique=True).map(sorted),
    st.integers(0, 500),
    st.integers(1, 100),
)
def test_weights_sum_to_one_and_known_bets_are_themselves(
    entry: Mapping, sizes: list[int], size: int, pot: int
) -> None:
    weights = dict(read_chips(entry, sizes, size, pot=pot))
    assert sum(weights.values()) == 1
    assert all(weight > 0 for weight in weights.values())
    if size in sizes:
        assert weights == {sizes.index(size): 1}


@by_name
@given(st.integers(0, 300), st.integers(1, 40))
def test_many_at_once_is_one_at_a_time(entry: Mapping, size: int, pot: int) -> None:
    sizes = [0, 20, 57, 200]
    single = np.zeros(4)
    for index, weight in read_chips(entry, sizes, size, pot=pot):
        single[index] = float(weight)
    exact = read_many(
        entry,
        [Fraction(known) for known in sizes],
        np.array([Fraction(size)], dtype=object),
        pot=Fraction(pot),
    )
    np.testing.assert_allclose(exact[0].astype(float), single, atol=1e-15)


def test_a_mapping_for_each_interval() -> None:
    both = mapping("rand-arith~1~rand-pshar")
    for size in (Fraction(1, 4), Fraction(2, 3)):
        assert both.probability(0, 1, size) == mapping("rand-arith").probability(0, 1, size)
    for size in (Fraction(3, 2), Fraction(3)):
        assert both.probability(1, 4, size) == mapping("rand-pshar").probability(1, 4, size)
    # The limit is in pots: 10 chips of a pot of 10.
    assert both.chips(0, 10, 5, pot=10) == Fraction(1, 2)
    assert both.median(1, 4) == mapping("rand-pshar").median(1, 4)
    for wrong in ("rand-arith~1", "rand-arith~x~rand-pshar", "rand-arith~0~rand-pshar"):
        with pytest.raises(DoyleError, match="BELOW"):
            mapping(wrong)


def test_names_and_errors() -> None:
    assert set(mapping_names()) >= {entry.name for entry in MAPPINGS}
    with pytest.raises(DoyleError, match="rand-pshar"):
        mapping("harmonic")
    with pytest.raises(DoyleError, match="A <= x <= B"):
        mapping("rand-arith").probability(1.0, 2.0, 3.0)
    with pytest.raises(DoyleError):
        read_chips(mapping("rand-arith"), [], 3, pot=1)


PLUGIN = """
from doyle.strategy.translation import Mapping
from doyle.strategy.translation.mappings import RAND_PSHAR


def offered(formula):
    return Mapping("bent", "Bent", True, formula, RAND_PSHAR.median_formula)


two = offered(lambda lower, upper, size, pot: 2.0)
unknown = offered(lambda lower, upper, size, pot: float("nan"))
words = offered(lambda lower, upper, size, pot: "often")
raises = offered(lambda lower, upper, size, pot: 1 / (size - size))
no_mapping = 3
lost = Mapping("bent", "Bent", True, RAND_PSHAR.formula, lambda *sizes: object().weight)
outside = Mapping("bent", "Bent", True, RAND_PSHAR.formula, lambda lower, upper, pot: upper + 1)
mute = Mapping("bent", "Bent", True, RAND_PSHAR.formula, lambda *sizes: None)
late = offered(lambda lower, upper, size, pot: 2.0 if size > 10 else RAND_PSHAR.formula(lower, upper, size, pot))
"""


@pytest.mark.parametrize(
    ("attribute", "problem"),
    [
        ("two", r"mapping bent \(bent_mappings:two\): gives 2.0 for A=0, x=0, B=1.*no probability"),
        ("unknown", "gives nan"),
        ("words", "gives 'often'"),
        ("raises", "ZeroDivisionError"),
        ("lost", r"\(bent_mappings:lost\): AttributeError: .*'weight'"),
        ("outside", r"gives the median 2 for A=0, B=1.*not between them"),
        ("mute", "gives the median None"),
        ("no_mapping", "is not a doyle.strategy.translation.Mapping"),
        ("absent", r"mapping bent \(bent_mappings:absent\): AttributeError: .*'absent'"),
    ],
)
def test_a_mapping_of_others_that_gives_no_probability_is_refused(
    attribute: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(attribute, tmp_path, monkeypatch)
    with pytest.raises(DoyleError, match=problem):
        mapping("bent")


def test_a_mapping_that_leaves_its_range_later_is_refused_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer("late", tmp_path, monkeypatch)
    found = mapping("bent")
    assert found.chips(1, 4, 2, pot=1) == mapping("rand-pshar").chips(1, 4, 2, pot=1)
    for read in (found.probability, lambda *sizes: found.chips(*sizes, pot=1)):
        with pytest.raises(DoyleError, match=r"mapping bent: gives 2.0 for A=9, x=11, B=12"):
            read(9, 12, 11)


def offer(attribute: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed mapping `bent`; what other tests have loaded is loaded again."""
    (folder / "bent_mappings.py").write_text(PLUGIN)
    monkeypatch.delitem(sys.modules, "bent_mappings", raising=False)
    mapping.cache_clear()
    install_plugins(
        folder, monkeypatch, {"bent": f"bent_mappings:{attribute}"}, group=ENTRY_POINT_GROUP
    )


@by_name
def test_names_say_whether_a_mapping_is_randomised(entry: Mapping) -> None:
    assert entry.randomised == entry.name.startswith("rand-")
    assert entry.name.startswith(("rand-", "det-"))


@by_name
def test_two_equal_neighbours_are_read_as_the_lower(entry: Mapping) -> None:
    assert entry.probability(3, 3, 3) == 1


@pytest.mark.parametrize(
    ("text", "randomised"),
    [
        ("det-arith~1~det-geo", False),
        ("rand-arith~1~det-geo", True),
        ("det-geo~1~rand-arith", True),
        ("rand-arith~1~rand-pshar", True),
    ],
)
def test_one_randomised_half_makes_a_mapping_randomised(text: str, *, randomised: bool) -> None:
    below, _, above = text.split("~")
    found = piecewise(mapping(below), Fraction(1), mapping(above))
    assert (found.name, found.randomised) == (text, randomised)
