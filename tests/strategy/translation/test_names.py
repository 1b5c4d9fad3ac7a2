"""Translations by name: one convention for each family, every name of the thesis, clear refusals."""

from __future__ import annotations

import pickle
import re
from dataclasses import fields, replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.base.errors import DoyleError
from doyle.games import State
from doyle.strategy.translation import MAPPINGS, mapping, mapping_names
from doyle.strategy.translation.named_translations import (
    POLARIS_FLAGS,
    TARTANIAN,
    canonical_name,
    named_translation,
    polaris_names,
    translation_names,
)
from doyle.strategy.translation.steps import CALL, Translation
from doyle.strategy.translation.walk import (
    Branch,
    CachedHistory,
    Position,
    TranslationCache,
    Walker,
)
from tests.strategy.translation.test_steps import MODELS, NO_LIMIT, follow, tree_of

PIECEWISE = ("rand-arith~1~rand-pshar", "det-geo~3/2~det-arith", "det-pshar~0.75~rand-geo-2")


def differing(one: Translation, other: Translation) -> set[str]:
    """The fields in which two translations differ."""
    names = (field.name for field in fields(Translation))
    return {name for name in names if getattr(one, name) != getattr(other, name)}


def read_as(name: str, model: str, *bets: int, game: str = "doyle-500bb") -> dict[str, Fraction]:
    """How the last of some bets is read after the others, which the tree knows."""
    tree, state = tree_of(game, model), State.start(tree_of(game, model).game)
    for action in bets[:-1]:
        state = state.apply(action)
    node = tree.find(list(bets[:-1]))
    readings = named_translation(name).in_step(tree, node, state=state, action=bets[-1])
    return {tree.betting_text(reading.node): reading.weight for reading in readings}


# One convention for the mappings ---------------------------------------------------------------


@pytest.mark.parametrize("name", [*mapping_names(), *PIECEWISE])
def test_a_mappings_name_varies_the_mapping_and_nothing_else(name: str) -> None:
    found, reference = named_translation(name), named_translation("rand-pshar")
    assert differing(found, reference) <= {"mapping"}
    assert found == replace(reference, mapping=mapping(name))
    assert (found.measure, found.small_bets, found.remember) == ("real", "check", True)


def test_all_seven_mappings_have_a_name_and_differ() -> None:
    found = [named_translation(entry.name) for entry in MAPPINGS]
    assert [translation.mapping for translation in found] == list(MAPPINGS)
    assert len(set(found)) == 7


@pytest.mark.parametrize("name", [entry.name for entry in MAPPINGS])
def test_a_check_is_a_bet_of_nothing(name: str) -> None:
    """2 chips into 12, between a check and a pot bet; the geometric mappings never read it so."""
    readings = read_as(name, "fcpa", CALL, 6, CALL, 6 + 2)
    down = mapping(name).chips(0, 12, 2, pot=12)
    assert readings.get("cr6c/c", 0) == down
    assert readings.get("cr6c/r18", 0) == 1 - down
    assert (down == 0) == ("geo" in name)


@pytest.mark.parametrize("name", [*mapping_names(), *PIECEWISE])
def test_a_raise_is_never_read_as_a_call(name: str) -> None:
    # The least raise of a pot bet, and the least raise before the flop, which raises the blind.
    assert "c" not in read_as(name, "fcpa", 4)
    assert set(read_as(name, "fcpa", CALL, CALL, 6, 10)) <= {"cc/r6r18", "cc/r6r1000"}


def test_the_real_pot_is_what_counts() -> None:
    """A flop bet of 10 into a real pot of 16, which the tree takes for 12: 63% of the pot."""
    tree = tree_of("doyle-500bb", "fcpa")
    state = State.start(tree.game).apply(8).apply(CALL)
    node = tree.find([6, CALL])
    readings = named_translation("rand-arith").in_step(tree, node, state=state, action=18)
    assert {tree.betting_text(r.node): r.weight for r in readings} == {
        "r6c/c": 1 - Fraction(10, 16),
        "r6c/r18": Fraction(10, 16),
    }
    # Spoken, a pot bet is the real pot.
    assert named_translation("rand-arith").out_step(tree, node, 18, state=state) == 8 + 16


# Tartanian -------------------------------------------------------------------------------------


def test_absolute_and_relative_differ_in_the_mapping_alone() -> None:
    absolute, relative = map(named_translation, TARTANIAN)
    assert differing(absolute, relative) == {"mapping"}
    assert (absolute.mapping.name, relative.mapping.name) == ("det-arith", "det-geo")
    assert absolute.measure == "contributed"


def test_tartanians_example_of_contributing_five_hundred_chips() -> None:
    """Section 4.2: half-pot 3, pot 5 and all-in 999 chips; 500 is nearer to 5, by ratio to 999."""
    assert read_as("absolute", "tartanian", 501) == {"r6": 1}
    assert read_as("relative", "tartanian", 501) == {"r1000": 1}


def test_four_fifths_of_the_pot_are_a_pot_bet() -> None:
    """Section 4.2, in a model with half-pot and pot bets: a bet of 8 into 10 is read as 10."""
    tree = tree_of("doyle-500bb", "fchpa")
    real = State.start(tree.game).apply(CALL).apply(5).apply(CALL)
    node = tree.find([CALL, 4, CALL])
    for name in TARTANIAN:
        reading = named_translation(name).in_step(tree, node, state=real, action=5 + 8)
        assert [tree.betting_text(r.node) for r in reading] == ["cr4c/r12"]


# Polaris ---------------------------------------------------------------------------------------


def test_every_subset_of_flags_has_one_name() -> None:
    names = polaris_names()
    assert len(set(names)) == len(names) == 3 * (2 * 8 + 2 * 4)
    assert not any("+real" in name and "+aa" in name for name in names)
    assert set(names) <= set(translation_names())


@given(st.sampled_from(polaris_names()), st.randoms(use_true_random=False))
def test_the_order_of_flags_does_not_matter(name: str, random: object) -> None:
    head, *flags = name.split("+")
    random.shuffle(flags)  # type: ignore[attr-defined]
    text = "+".join((head, *flags))
    assert canonical_name(text) == name
    assert named_translation(text) == named_translation(name)


@pytest.mark.parametrize("name", polaris_names())
def test_what_the_flags_mean(name: str) -> None:
    found, flags = named_translation(name), set(name.split("+")[1:])
    assert found.mapping.name == ("det-geo" if "-hard" in name else "rand-geo-1")
    assert (found.least_probability is not None) == ("-nd" in name)
    measure = "real" if "real" in flags else "abstract" if "aa" in flags else "chips"
    assert found.measure == measure
    # Real translation never mends the pot, so its calls are calls with or without the fix.
    assert found.correct_pot == ("real" not in flags)
    assert found.call_is_call == bool(flags & {"cisc", "real"})
    assert found.small_bets == ("extend-call" if "ec" in flags else "raise")
    assert found.remember == ("reread" not in flags)


@pytest.mark.parametrize("flag", POLARIS_FLAGS)
def test_each_flag_changes_its_own_fields(flag: str) -> None:
    own = {
        "real": {"measure", "correct_pot", "call_is_call"},
        "aa": {"measure"},
        "cisc": {"call_is_call"},
        "ec": {"small_bets"},
        "reread": {"remember"},
    }
    plain = named_translation("polaris-soft")
    assert differing(plain, named_translation(f"polaris-soft+{flag}")) == own[flag]


def test_section_3_3_a_bet_of_20_between_12_and_88_is_12() -> None:
    assert mapping("det-geo").chips(12, 88, 20, pot=12) == 1
    assert named_translation("polaris-hard").mapping is mapping("det-geo")


def flop_between_callers(name: str) -> list[int]:
    """What happens on a flop of doyle-500bb after a bet of 2 into 4, between two strategies that
    always call: every action after the bet is meant as a call."""
    tree = tree_of("doyle-500bb", "fcpa")

    def always_call(node: int) -> list[float]:
        return [float(action == CALL) for action in tree.actions_of(node).tolist()]

    walker = Walker(TranslationCache(named_translation(name), tree), always_call)
    state, seats = State.start(tree.game), [walker.start(1.0), walker.start(1.0)]
    made: list[int] = []
    for forced in (CALL, CALL, 4, *[0] * 20):
        seat = state.actor
        meant, _ = max(walker.joint(seats[seat]), key=lambda choice: choice[1])
        action = forced or meant
        own = forced != 4  # a bet that no strategy here makes
        seats[seat] = walker.after(seats[seat], action, own=own)
        seats[1 - seat] = walker.after(seats[1 - seat], action, own=False)
        state = state.apply(action)
        made.append(action)
        if state.round != 1 and len(made) > 2:
            break
    return made[2:]


def test_section_3_3_2_without_fixes_neither_of_two_agents_ever_calls() -> None:
    """Each raises to mend the pot, reads its own raise again as a raise, and so on until all-in."""
    raises = flop_between_callers("polaris-hard+reread")
    assert raises[:4] == [4, 6, 18, 54]
    assert raises[-2:] == [1000, CALL]
    # The fixes for it: a call is a call, or what is meant as a call is remembered as one.
    assert flop_between_callers("polaris-hard+cisc+reread") == [4, CALL]
    assert flop_between_callers("polaris-hard+aa+cisc+ec") == [4, CALL]


def test_section_4_2_1_an_action_of_ones_own_is_taken_for_another() -> None:
    """cr2c/c with a half-pot bet of 4 in mind that is spoken as 6: read again it is a bet of 8."""
    tree = tree_of("doyle-500bb", "fchpa")
    node = tree.find([CALL, 4, CALL, CALL])
    state = State.start(tree.game).apply(CALL).apply(4).apply(CALL).apply(CALL)

    def half_pot(_: int) -> list[float]:
        return [float(action == 8) for action in tree.actions_of(node).tolist()]

    class Spoken(Translation):
        def out_step(self, *args: object, **options: object) -> int:
            return 4 + 6

    for name, found in (("polaris-hard", "cr4c/cr8"), ("polaris-hard+reread", "cr4c/cr12")):
        how = named_translation(name)
        spoken = Spoken(**{field.name: getattr(how, field.name) for field in fields(how)})
        cache = TranslationCache(spoken, tree)
        before = Position(CachedHistory(cache, state), {Branch(node): 1.0})
        after = Walker(cache, half_pot).after(before, 4 + 6, own=True)
        assert [tree.betting_text(branch.node) for branch in after.beliefs] == [found]


def test_section_3_4_a_bet_of_10_at_a_pot_of_16_for_12() -> None:
    """Abstract translation takes it for 12 into 12, a pot bet; real translation for 63%."""
    tree = tree_of("doyle-500bb", "fchpa")
    state = State.start(tree.game).apply(8).apply(CALL)
    node = tree.find([6, CALL])
    weights = {
        flag: named_translation(f"polaris-soft+{flag}").in_step(tree, node, state=state, action=18)
        for flag in ("aa", "real")
    }
    assert [(tree.betting_text(r.node), r.weight) for r in weights["aa"]] == [("r6c/r18", 1)]
    between = mapping("rand-geo-1").probability(Fraction(1, 2), 1, Fraction(10, 16))
    assert [(tree.betting_text(r.node), r.weight) for r in weights["real"]] == [
        ("r6c/r12", between),
        ("r6c/r18", 1 - between),
    ]


def test_section_4_2_a_pot_bet_at_a_pot_of_40_for_36() -> None:
    """Abstract translation bets 34, so that a call makes both pots 108; real translation bets 40."""
    tree = tree_of("doyle-500bb", "fcpa")
    node = tree.find([CALL, 6, CALL, 18, CALL])
    state = State.start(tree.game).apply(CALL).apply(6).apply(CALL).apply(20).apply(CALL)
    pot_bet = 18 + 36
    spoken = {
        flag: named_translation(f"polaris-hard+{flag}").out_step(tree, node, pot_bet, state=state)
        for flag in ("aa", "real")
    }
    assert state.pot == 40
    assert {flag: total - 20 for flag, total in spoken.items()} == {"aa": 34, "real": 40}


def test_section_4_3_1_plain_normalised_similarity() -> None:
    """r6 between r4 and r8: similarities 2/3 and 3/4, normalised 0.47 and 0.53; r4 and r8 are
    themselves."""
    bets = (CALL, 4, CALL, CALL)
    assert read_as("rand-similarity", "fchpa", *bets, 4 + 6) == {
        "cr4c/cr8": Fraction(8, 17),
        "cr4c/cr12": Fraction(9, 17),
    }
    assert (round(8 / 17, 2), round(9 / 17, 2)) == (0.47, 0.53)
    assert read_as("rand-similarity", "fchpa", *bets, 4 + 4) == {"cr4c/cr8": 1}
    assert read_as("rand-similarity", "fchpa", *bets, 4 + 8) == {"cr4c/cr12": 1}
    # Section 4.2.1: by hard translation it is r8, whose similarity is the larger one.
    assert read_as("polaris-hard", "fchpa", *bets, 4 + 6) == {"cr4c/cr12": 1}


# Refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("polaris", "expected polaris-hard|soft|nd[+real][+aa][+cisc][+ec][+reread]"),
        ("polaris-easy", "expected polaris-hard|soft|nd"),
        ("polaris-hard+", "no flag '+'; known are +real, +aa, +cisc, +ec, +reread"),
        ("polaris-hard+AA", "no flag '+AA'"),
        ("polaris-hard+aa+ec+aa", "'+aa' is given twice"),
        ("polaris-hard+real+aa", "'+real' and '+aa' exclude each other"),
        ("polaris-nd+aa+ec+real", "'+real' and '+aa' exclude each other"),
        ("rand-arith~1", "expected BELOW~POTS~ABOVE"),
        ("rand-arith~0~rand-pshar", "a number of pots above 0"),
        ("rand-arith~1/0~rand-pshar", "a number of pots above 0"),
        ("rand-arith~1e999999999~rand-pshar", "a number of pots above 0"),
        ("rand-arith~1~rand-geo-1~2~rand-pshar", "expected BELOW~POTS~ABOVE"),
        ("rand-arith~1~absolute", "mapping 'absolute' is not known"),
        ("", "expected one of det-arith, "),
        ("harmonic", "absolute, relative, BELOW~POTS~ABOVE or polaris-hard|soft|nd"),
    ],
)
def test_what_is_no_name_is_refused_in_one_line(text: str, problem: str) -> None:
    with pytest.raises(DoyleError) as error:
        named_translation(text)
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


@given(st.text(alphabet="adehilnoprst-+~/.019", max_size=30))
def test_any_text_is_a_name_or_refused(text: str) -> None:
    try:
        name = canonical_name(text)
    except DoyleError as error:
        with pytest.raises(DoyleError, match=re.escape(str(error))):
            named_translation(text)
        return
    assert canonical_name(name) == name
    assert named_translation(name) == named_translation(text)


# Every name plays ------------------------------------------------------------------------------


@given(
    st.sampled_from([*translation_names(), *PIECEWISE]),
    st.sampled_from(NO_LIMIT),
    st.sampled_from(MODELS),
    st.integers(0),
)
@settings(max_examples=400)
def test_every_name_reads_every_history(name: str, game: str, model: str, seed: int) -> None:
    assert follow(game, model, named_translation(name), seed) >= 1


@pytest.mark.parametrize("name", [*translation_names(), *PIECEWISE])
def test_translations_travel_to_other_processes(name: str) -> None:
    here = named_translation(name)
    there = pickle.loads(pickle.dumps(here))
    assert there == here
    assert there.mapping.chips(4, 9, 5, pot=3) == here.mapping.chips(4, 9, 5, pot=3)
