"""The notation of betting models: `MODEL[|MODEL][+HISTORY:rTOTAL]...`.

MODEL is `[alphabet:]letters[/restricted][@cap[+a]]`, or a model's name. Two models with a bar between
them are those of seat 0 and seat 1: in `fcpa|fcpta` only seat 1 may bet ten pots. `+cr300:r750` adds one
bet at one place: the raise to 750 after the betting `cr300`; several may follow each other.

Letters are those of an alphabet, with `f`, `c` and (optionally) `a` for all-in. After a slash come
the sizes that are restricted to once per round and player and never in the first round. `@3` caps the
bets of a round at three, all-ins included; `@3+a` still allows all-ins above the cap; `@any` is no cap.

Numbers, before and after the slash: a number is that percentage of the pot. A `p` directly behind it
is its unit and no size of its own, so `fc75pa` bets 75% *instead of* the pot (Schnizlein 2009, section
4.6.1). A comma keeps a number apart from the size that follows: `fc75,pa` has 75% and the pot,
`fc33,66pa` has 33% and 66%, `fc33,66,pa` all three. Any other letter behind a number is a size of its
own: `fc25ha` has 25% and the half. Equal sizes are one, under their letter: `fc50ha` is `fcha`, and
`fc100pa` is `fcpa`.

Printed numbers have commas between them and end with their unit, or with a comma if the pot follows.
The Tartanian models of 2008 are printed with their cap, which the paper leaves open to several
readings: `tartanian` is `tartanian@3+a`, `tartanian-2007` is `tartanian-2007@any`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NoReturn

from doyle.abstractions.betting.model import (
    ALPHABETS,
    BML_PREFIX,
    NAMED_MODELS,
    SEVERAL_CAPS,
    AddedBet,
    Alphabet,
    BetSize,
    BettingModel,
)
from doyle.base.errors import ParseError

_WHAT = "betting model"
_LARGEST_PERCENT = 100_000
_LARGEST_CAP = 255
_HISTORY = re.compile(r"(?:[fc/]|r[1-9][0-9]{0,9})*")
_TOTAL = re.compile(r"r[1-9][0-9]{0,9}")


def parse(text: str, alphabet: Alphabet = "thesis") -> BettingModel:
    """The model that `text` describes; ParseError names the first character that is wrong."""
    if alphabet not in ALPHABETS:
        _fail(f"unknown alphabet {alphabet!r}; known: {', '.join(ALPHABETS)}", text, 0)
    if text.startswith(BML_PREFIX):
        _fail("the tree of a BML file; give the file, FILE.bml", text, 0)
    end = _first_addition(text)
    models, start = [], 0
    for part in text[:end].split("|"):
        models.append(_parse_model(text, start, part, alphabet))
        start += len(part) + 1
        if len(models) > 2:
            _fail("a third model; one for each of two seats, please", text, start - len(part) - 2)
    first, *others = models
    for other in others:
        if other != first and "limit" in (first.kind, other.kind):
            _fail("limit is the game's own betting, for both seats", text, text.index("limit"))
        first = replace(first, second=other)
    return replace(first, added=tuple(_parse_added(text, end)))


def _first_addition(text: str) -> int:
    """Where the bets added at single places begin: the first `+` of them, or the end."""
    place = text.find("+")
    while place >= 0:
        following = text.find("+", place + 1)
        piece = text[place + 1 : len(text) if following < 0 else following]
        # A cap ends in +a, and behind it may be a bar and another model with its alphabet.
        if ":" in piece and "|" not in piece:
            return place
        place = following
    return len(text)


def _parse_added(text: str, start: int) -> Iterator[AddedBet]:
    """The bets at single places, `+HISTORY:rTOTAL` each, from position `start` of `text` on."""
    known: set[AddedBet] = set()
    while start < len(text):
        following = text.find("+", start + 1)
        end = len(text) if following < 0 else following
        history, colon, total = text[start + 1 : end].partition(":")
        wrong = _HISTORY.match(history)
        if wrong is None or wrong.end() < len(history):
            at = start + 1 + (wrong.end() if wrong else 0)
            _fail("expected a betting history such as cr300c/, with raise-to totals", text, at)
        if not colon or not _TOTAL.fullmatch(total):
            at = start + 1 + len(history) + len(colon)
            _fail("expected a colon and the added bet, such as :r750", text, at)
        bet = AddedBet(history, int(total[1:]))
        if bet in known:
            _fail(f"{bet} is there twice", text, start + 1)
        known.add(bet)
        yield bet
        start = end


def history_actions(history: str) -> list[int]:
    """The actions of a betting string with raise-to totals, such as cr300c/."""
    wrong = _HISTORY.match(history)
    if wrong is None or wrong.end() < len(history):
        _fail("expected f, c, / and r with a total", history, wrong.end() if wrong else 0)
    steps = re.findall(r"[fc]|r[0-9]+", history)
    return ["fc".index(step) if step in "fc" else int(step[1:]) for step in steps]


def _parse_model(text: str, start: int, body: str, alphabet: Alphabet) -> BettingModel:
    """One model, `body`, which stands at `start` in `text`."""
    if ":" in body:
        prefix, body = body.split(":", 1)
        if prefix not in ALPHABETS:
            _fail(f"unknown alphabet {prefix!r}; known: {', '.join(ALPHABETS)}", text, start)
        alphabet, start = prefix, start + len(prefix) + 1
    sizes_text, at, cap_text = body.partition("@")
    if sizes_text in NAMED_MODELS:
        model = NAMED_MODELS[sizes_text]
    else:
        model = _parse_sizes(text, start, sizes_text, alphabet)
    if at:
        if model.kind != "pot":
            _fail(
                f"{model.name} takes no cap; its raises follow the game",
                text,
                start + len(sizes_text),
            )
        cap, stops_all_in = _parse_cap(text, start + len(sizes_text) + 1, cap_text)
        model = model.with_cap(cap, stops_all_in=stops_all_in)
    return model


def _parse_sizes(text: str, start: int, body: str, alphabet: Alphabet) -> BettingModel:
    allowed_text, slash, restricted_text = body.partition("/")
    if not body:
        _fail(f"empty; expected letters such as fcpa, or one of {_names()}", text, start)
    allowed = _tokens(text, start, allowed_text)
    letters = ALPHABETS[alphabet]
    bets: dict[Fraction, BetSize] = {}
    plain: set[str] = set()
    for position, token in allowed:
        if token in ("f", "c", "a"):
            if token in plain:
                _fail(f"{token!r} is there twice", text, position)
            plain.add(token)
            continue
        fraction = _fraction(text, position, token, letters)
        # Equal sizes are one, under their letter: fc50ha is fcha, fc100pa is fcpa.
        if fraction not in bets or token in letters:
            bets[fraction] = BetSize("p" if fraction == 1 else token, fraction)
    for needed, meaning in (("f", "fold"), ("c", "call")):
        if needed not in plain:
            _fail(f"{needed!r} ({meaning}) is missing", text, start + len(allowed_text))
    if slash:
        _restrict(text, start + len(allowed_text) + 1, restricted_text, bets, letters)
    ordered = tuple(bets[fraction] for fraction in sorted(bets))
    return BettingModel(bets=ordered, all_in="a" in plain, alphabet=alphabet)


def _restrict(
    text: str,
    start: int,
    restricted: str,
    bets: dict[Fraction, BetSize],
    letters: dict[str, Fraction],
) -> None:
    """Mark the bets named after the slash as restricted, in place."""
    tokens = _tokens(text, start, restricted)
    if not tokens:
        _fail("expected the restricted sizes after the slash", text, start)
    for position, token in tokens:
        if token in ("f", "c", "a"):
            _fail(f"{token!r} cannot be restricted; only sizes can", text, position)
        fraction = _fraction(text, position, token, letters)
        if fraction not in bets:
            _fail(
                f"{token!r} is restricted but not among the sizes before the slash", text, position
            )
        bets[fraction] = replace(bets[fraction], once=True)


def _tokens(text: str, start: int, part: str) -> list[tuple[int, str]]:
    """Letters and numbers (without their unit) with their positions in `text`."""
    tokens: list[tuple[int, str]] = []
    i = 0
    while i < len(part):
        end = i + 1
        if _is_digit(part[i]):
            while _is_digit(part[end : end + 1]):
                end += 1
            tokens.append((start + i, part[i:end]))
            end += part[end : end + 1] == "p"
            if part[end : end + 1] == ",":
                if part[end + 1 : end + 2] in ("", ",", "a", "c", "f"):
                    _fail("a comma stands between a number and another size", text, start + end)
                end += 1
        elif part[i] == ",":
            _fail("a comma stands between a number and another size", text, start + i)
        else:
            tokens.append((start + i, part[i]))
        i = end
    return tokens


def _is_digit(character: str) -> bool:
    return character.isascii() and character.isdigit()


def _fraction(text: str, position: int, token: str, letters: dict[str, Fraction]) -> Fraction:
    if _is_digit(token):
        if len(token) > 6 or token.startswith("0") or not 1 <= int(token) <= _LARGEST_PERCENT:
            _fail(f"expected a percentage from 1 to {_LARGEST_PERCENT}", text, position)
        return Fraction(int(token), 100)
    if token not in letters:
        known = "f c " + " ".join(letters) + " a"
        _fail(f"expected one of {known}, a percentage, or a model ({_names()})", text, position)
    return letters[token]


def _parse_cap(text: str, start: int, cap_text: str) -> tuple[int | None, bool]:
    number, plus, exception = cap_text.partition("+")
    if plus and exception != "a":
        _fail("expected +a after the cap", text, start + len(number))
    if number == "any" and not plus:
        return None, True
    if not (number.isascii() and number.isdigit()) or len(number) > 3 or int(number) > _LARGEST_CAP:
        _fail(f"expected a cap from 0 to {_LARGEST_CAP}, or any", text, start)
    return int(number), not plus


def to_text(model: BettingModel) -> str:
    """The notation of a model, such that parsing it gives an equal model."""
    text = _model_text(model)
    if model.second is not None:
        text += f"|{_model_text(model.second)}"
    return text + "".join(f"+{bet}" for bet in model.added)


def _model_text(model: BettingModel) -> str:
    if model.kind == "bml":
        return model.name
    plain = NAMED_MODELS.get(model.name)
    if plain is not None:
        is_plain = (model.raise_cap, model.cap_stops_all_in) == (
            plain.raise_cap,
            plain.cap_stops_all_in,
        )
        if is_plain and model.name not in SEVERAL_CAPS:
            return model.name
        return f"{model.name}@{_cap_text(model)}"
    text = "fc" + _join([bet.symbol for bet in model.bets]) + ("a" if model.all_in else "")
    restricted = [bet.symbol for bet in model.bets if bet.once]
    if restricted:
        text += "/" + _join(restricted)
    if model.raise_cap is not None:
        text += f"@{_cap_text(model)}"
    return text if model.alphabet == "thesis" else f"{model.alphabet}:{text}"


def _cap_text(model: BettingModel) -> str:
    if model.raise_cap is None:
        return "any"
    return f"{model.raise_cap}" + ("" if model.cap_stops_all_in else "+a")


def _join(symbols: list[str]) -> str:
    """Sizes side by side; a number is followed by a comma, or by its unit."""
    text = ""
    for symbol, following in zip(symbols, [*symbols[1:], ""], strict=False):
        text += symbol
        if _is_digit(symbol):
            text += "," if following == "p" or _is_digit(following) else "p"
    return text


def _names() -> str:
    return ", ".join(NAMED_MODELS)


def _fail(problem: str, text: str, position: int) -> NoReturn:
    raise ParseError(problem, text=text, position=position, what=_WHAT)
