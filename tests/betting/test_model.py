"""The notation of betting models."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.betting import BettingModel
from doyle.betting.model import ALPHABETS, NAMED_MODELS
from doyle.errors import DoyleError, ParseError


def sizes(text: str) -> list[Fraction]:
    return [bet.fraction for bet in BettingModel.parse(text).bets]


def test_thesis_and_sartre_letters_differ() -> None:
    assert sizes("fchqpwdtea") == [Fraction(n, 4) for n in (2, 3, 4, 6, 8, 40, 44)]
    assert sizes("sartre:fcqhipdvta") == [Fraction(n, 4) for n in (1, 2, 3, 4, 8, 20, 40)]
    assert BettingModel.parse("fcq", "sartre") == BettingModel.parse("sartre:fcq")
    assert BettingModel.parse("fcq") != BettingModel.parse("sartre:fcq")


def test_numbers_are_percentages() -> None:
    assert sizes("fc75pa") == [Fraction(3, 4), Fraction(1)]
    assert sizes("fc125pa") == [Fraction(1), Fraction(5, 4)]
    assert sizes("fc33,66a") == [Fraction(33, 100), Fraction(66, 100)]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("fc50ha", "fcha"),
        ("fch50a", "fcha"),
        ("fcppa", "fcpa"),
        ("fc100pa@3", "fcpa@3"),
        ("fc40,40a", "fc40a"),
        ("fch50pa/50", "fchpa/h"),
        ("fchpa/h50", "fchpa/h"),
        ("sartre:fc25qa", "sartre:fcqa"),
        ("fc25qa", "fc25qa"),
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
        ("fc75,p", 4, "comma"),
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
    "text", [*NAMED_MODELS, "tartanian@3+a", "tartanian-2007@any", "sartre:fchip@2"]
)
def test_names_and_caps_round_trip(text: str) -> None:
    model = BettingModel.parse(text)
    assert str(model) == text
    assert BettingModel.parse(str(model)) == model


@given(data=st.data())
def test_notation_round_trips(data: st.DataObject) -> None:
    alphabet = data.draw(st.sampled_from(sorted(ALPHABETS)))
    letters = data.draw(st.lists(st.sampled_from(sorted(ALPHABETS[alphabet])), unique=True))
    taken = {ALPHABETS[alphabet][letter] * 100 for letter in letters}
    numbers = data.draw(st.lists(st.integers(1, 999).filter(lambda n: n not in taken), unique=True))
    symbols = data.draw(st.permutations([*letters, *map(str, numbers)]))
    restricted = data.draw(st.lists(st.sampled_from(symbols), unique=True)) if symbols else []
    text = f"{alphabet}:cf" + join(symbols) + data.draw(st.sampled_from(["", "a"]))
    text += ("/" + join(restricted)) if restricted else ""
    text += data.draw(st.sampled_from(["", "@0", "@3", "@4+a", "@any"]))
    model = BettingModel.parse(text)
    assert BettingModel.parse(str(model)) == model
    assert {bet.symbol for bet in model.bets} == set(symbols)
    assert {bet.symbol for bet in model.bets if bet.once} == set(restricted)
    assert [bet.fraction for bet in model.bets] == sorted(bet.fraction for bet in model.bets)


def join(symbols: list[str]) -> str:
    text = ""
    for symbol in symbols:
        text += "," + symbol if text[-1:].isdigit() and symbol.isdigit() else symbol
    return text


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ParseError):
        model = BettingModel.parse(text)
        assert BettingModel.parse(str(model)) == model


def test_limit_takes_no_cap() -> None:
    with pytest.raises(DoyleError, match="takes no cap"):
        NAMED_MODELS["limit"].with_cap(3)
