"""The notation of betting models."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.abstractions.betting import BettingModel
from doyle.abstractions.betting.model import ALPHABETS, NAMED_MODELS, SEVERAL_CAPS
from doyle.base.errors import DoyleError, ParseError


def sizes(text: str) -> list[Fraction]:
    return [bet.fraction for bet in BettingModel.parse(text).bets]


def test_thesis_and_sartre_letters_differ() -> None:
    assert sizes("fchqpwdtea") == [Fraction(n, 4) for n in (2, 3, 4, 6, 8, 40, 44)]
    assert sizes("sartre:fcqhipdvta") == [Fraction(n, 4) for n in (1, 2, 3, 4, 8, 20, 40)]
    assert BettingModel.parse("fcq", "sartre") == BettingModel.parse("sartre:fcq")
    assert BettingModel.parse("fcq") != BettingModel.parse("sartre:fcq")


@pytest.mark.parametrize(
    ("text", "percent", "printed"),
    [
        # Schnizlein 2009, section 4.6.1: 75% and 125% "instead of 100% of the pot".
        ("fc75pa", [75], "fc75pa"),
        ("fc125pa", [125], "fc125pa"),
        ("fc75,pa", [75, 100], "fc75,pa"),
        ("fcp75pa", [75, 100], "fc75,pa"),
        ("fc75ppa", [75, 100], "fc75,pa"),
        ("fc75a", [75], "fc75pa"),
        ("fc75", [75], "fc75p"),
        ("fc33,66a", [33, 66], "fc33,66pa"),
        ("fc33,66pa", [33, 66], "fc33,66pa"),
        ("fc33p66pa", [33, 66], "fc33,66pa"),
        ("fc33p,66pa", [33, 66], "fc33,66pa"),
        ("fc33,66,pa", [33, 66, 100], "fc33,66,pa"),
        ("fc75,p125pa", [75, 100, 125], "fc75,p125pa"),
        ("fc125,75pa", [75, 125], "fc75,125pa"),
        ("fc25ha", [25, 50], "fc25pha"),
        ("fc25,ha", [25, 50], "fc25pha"),
        ("fc100pa", [100], "fcpa"),
        ("fc75,100pa", [75, 100], "fc75,pa"),
        ("sartre:fc75pa", [75], "sartre:fc75pa"),
    ],
)
def test_a_number_is_a_percentage_and_p_behind_it_its_unit(
    text: str, percent: list[int], printed: str
) -> None:
    model = BettingModel.parse(text)
    assert [bet.fraction * 100 for bet in model.bets] == percent
    assert str(model) == printed
    assert BettingModel.parse(printed) == model


@pytest.mark.parametrize(
    ("text", "restricted", "printed"),
    [
        ("fc75pa/75p", [75], "fc75pa/75p"),
        ("fc75pa/75", [75], "fc75pa/75p"),
        ("fc75,pa/75p", [75], "fc75,pa/75p"),
        ("fc75,pa/p", [100], "fc75,pa/p"),
        ("fc75,pa/75,p", [75, 100], "fc75,pa/75,p"),
        ("fch75,pa/h75p", [50, 75], "fch75,pa/h75p"),
        ("fc33,66pa/33@2", [33], "fc33,66pa/33p@2"),
    ],
)
def test_numbers_mean_the_same_after_the_slash(
    text: str, restricted: list[int], printed: str
) -> None:
    model = BettingModel.parse(text)
    assert [bet.fraction * 100 for bet in model.bets if bet.once] == restricted
    assert str(model) == printed
    assert BettingModel.parse(printed) == model


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("fc50ha", "fcha"),
        ("fch50a", "fcha"),
        ("fcppa", "fcpa"),
        ("fc100pa@3", "fcpa@3"),
        ("fc40,40a", "fc40pa"),
        ("fch50pa/50", "fcha/h"),
        ("fch50,pa/50", "fchpa/h"),
        ("fchpa/h50", "fchpa/h"),
        ("sartre:fc25qa", "sartre:fcqa"),
        ("fc25qa", "fc25pqa"),
    ],
)
def test_equal_sizes_are_one_under_their_letter(text: str, canonical: str) -> None:
    assert str(BettingModel.parse(text)) == canonical
    assert BettingModel.parse(text) == BettingModel.parse(canonical)


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("", 0, "empty"),
        ("fcpx", 3, "expected one of f c h q p w d t e a"),
        ("fcipa", 2, "expected one of"),
        ("cpa", 3, "'f' (fold) is missing"),
        ("fpa/p", 3, "'c' (call) is missing"),
        ("fcpaa", 4, "twice"),
        ("fcpa/", 5, "after the slash"),
        ("fcpa/h", 5, "not among the sizes"),
        ("fchpa/a", 6, "cannot be restricted"),
        ("fcpa@", 5, "expected a cap"),
        ("fcpa@x", 5, "expected a cap"),
        ("fcpa@3+b", 6, "expected +a"),
        ("fcpa@999", 5, "expected a cap"),
        ("fc0pa", 2, "percentage"),
        ("fc12345678", 2, "percentage"),
        ("fc,75", 2, "comma"),
        ("fcp,75a", 3, "comma"),
        ("fc75,", 4, "comma"),
        ("fc75,a", 4, "comma"),
        ("fc75,,p", 4, "comma"),
        ("fc75p,@3", 5, "comma"),
        ("fc75,x", 5, "expected one of"),
        ("fc75pa/p", 7, "'p' is restricted but not among the sizes"),
        ("fc75pa/75,p", 10, "'p' is restricted but not among the sizes"),
        ("fcpa/75p", 5, "'75' is restricted but not among the sizes"),
        ("greek:fcpa", 0, "unknown alphabet"),
        ("limit@3", 5, "takes no cap"),
        ("tartanian6", 2, "expected one of"),
    ],
)
def test_bad_notation_names_the_character(text: str, position: int, problem: str) -> None:
    with pytest.raises(ParseError) as error:
        BettingModel.parse(text)
    assert error.value.position == position
    assert problem in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        *(name for name in NAMED_MODELS if name not in SEVERAL_CAPS),
        *(f"{name}@{cap}" for name in sorted(SEVERAL_CAPS) for cap in ("3", "3+a", "any")),
        "tartanian5@3",
        "sartre:fchip@2",
    ],
)
def test_names_and_caps_round_trip(text: str) -> None:
    model = BettingModel.parse(text)
    assert str(model) == text
    assert BettingModel.parse(str(model)) == model


def test_tartanian_names_are_printed_with_the_cap_they_mean() -> None:
    """All-ins pass the cap of 2008, section 4.1 (rule 1); the 2007 player has none (listing 1)."""
    assert str(BettingModel.parse("tartanian")) == "tartanian@3+a"
    assert str(BettingModel.parse("tartanian-2007")) == "tartanian-2007@any"
    for name in SEVERAL_CAPS:
        model = BettingModel.parse(name)
        assert BettingModel.parse(str(model)) == model


@given(data=st.data())
def test_notation_round_trips(data: st.DataObject) -> None:
    alphabet = data.draw(st.sampled_from(sorted(ALPHABETS)))
    letters = data.draw(st.lists(st.sampled_from(sorted(ALPHABETS[alphabet])), unique=True))
    taken = {ALPHABETS[alphabet][letter] * 100 for letter in letters}
    numbers = data.draw(st.lists(st.integers(1, 999).filter(lambda n: n not in taken), unique=True))
    symbols = data.draw(st.permutations([*letters, *(str(n) for n in numbers if n != 100)]))
    restricted = data.draw(st.lists(st.sampled_from(symbols), unique=True)) if symbols else []
    text = f"{alphabet}:cf" + joined(data, symbols) + data.draw(st.sampled_from(["", "a"]))
    text += ("/" + joined(data, restricted)) if restricted else ""
    text += data.draw(st.sampled_from(["", "@0", "@3", "@4+a", "@any"]))
    model = BettingModel.parse(text)
    assert BettingModel.parse(str(model)) == model
    assert str(BettingModel.parse(str(model))) == str(model)
    assert {bet.symbol for bet in model.bets} == set(symbols)
    assert {bet.symbol for bet in model.bets if bet.once} == set(restricted)
    assert [bet.fraction for bet in model.bets] == sorted(bet.fraction for bet in model.bets)


def joined(data: st.DataObject, symbols: list[str]) -> str:
    """The sizes in every way they may be written: a number with a unit, a comma, both or neither."""
    text = ""
    for symbol, following in zip(symbols, [*symbols[1:], ""], strict=False):
        text += symbol
        if symbol.isdigit():
            ends = ["p", "p,", ","] if following else ["", "p"]
            if following and following != "p" and not following.isdigit():
                ends.append("")
            text += data.draw(st.sampled_from(ends))
    return text


@given(st.one_of(st.text(max_size=12), st.text("fcphqar0123456789,/@+|:<", max_size=16)))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(DoyleError):
        model = BettingModel.parse(text)
        assert BettingModel.parse(str(model)) == model


def test_limit_takes_no_cap() -> None:
    with pytest.raises(DoyleError, match="takes no cap"):
        NAMED_MODELS["limit"].with_cap(3)
