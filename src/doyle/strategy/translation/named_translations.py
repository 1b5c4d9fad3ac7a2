"""Translations by name: the texts after `translation=` of an agent.

Three families, each with one convention, so that two names of a family differ only in the named
property:

- A mapping's name, `BELOW~POTS~ABOVE` included: fractions of the real pot, a check is a bet of 0, a
  raise is never read as a call (IJCAI 2013, section 2 and table 6).
- `absolute` and `relative`: Tartanian's roundings of the chips that an action puts in (Gilpin,
  Sandholm and Sorensen 2008, section 4.2).
- `polaris-MODE` with flags (Schnizlein 2009, sections 3.3, 3.4 and 4.4).

`+defend` or `+defend-all` behind any of them lets the worst hands fold first to small bets (this
project's own, `doyle.strategy.translation.defence`).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from doyle.base.errors import DoyleError
from doyle.strategy.translation.mappings import Mapping, mapping, mapping_names
from doyle.strategy.translation.steps import Defend, Measure, Translation

TARTANIAN = {"absolute": "det-arith", "relative": "det-geo"}
"""Tartanian's roundings and the mappings that they apply to the chips put in."""

POLARIS_MAPPINGS = {"hard": "det-geo", "soft": "rand-geo-1", "nd": "rand-geo-1"}
"""The thesis's modes: hard, soft, and soft without pseudo-dominated actions."""

POLARIS_FLAGS = ("real", "aa", "cisc", "ec", "reread")
"""Real translation, the fixes AbstractActions, CallIsCall and ExtendCall, and reading one's own
actions again; in the order in which names are written."""

PSEUDO_DOMINATED = 1e-3
"""The probability below which `polaris-nd` removes an action; the thesis says only "small"."""

_POLARIS = f"polaris-{'|'.join(POLARIS_MAPPINGS)}[+{'][+'.join(POLARIS_FLAGS)}]"

DEFENCES: dict[str, Defend] = {"+defend": "last-round", "+defend-all": "every-round"}
"""After the name of a translation: where the worst hands fold first to small bets (`defence`)."""


def translation_names() -> list[str]:
    """Every translation an agent may be given, but for the piecewise mappings and other defences."""
    defended = (f"rand-pshar{ending}" for ending in DEFENCES)
    return [*mapping_names(), *TARTANIAN, *polaris_names(), *defended]


def polaris_names() -> list[str]:
    """Every translation of the thesis, as it is written.

    >>> len(polaris_names()), polaris_names()[:2], polaris_names()[-1]
    (72, ['polaris-hard', 'polaris-hard+real'], 'polaris-nd+aa+cisc+ec+reread')
    """
    return [
        _polaris_name(mode, frozenset(chosen))
        for mode in POLARIS_MAPPINGS
        for count in range(len(POLARIS_FLAGS) + 1)
        for chosen in combinations(POLARIS_FLAGS, count)
        if not {"real", "aa"} <= set(chosen)
    ]


def canonical_name(text: str) -> str:
    """How the translation that `text` names is written: flags and limits in one form.

    >>> canonical_name("polaris-soft+ec+aa"), canonical_name("rand-arith~0.50~rand-pshar")
    ('polaris-soft+aa+ec', 'rand-arith~1/2~rand-pshar')
    """
    base, ending = _defence(text)
    if ending:
        if _defence(base)[1]:
            raise DoyleError(f"translation {text!r}: give +defend or +defend-all, not both")
        return canonical_name(base) + ending
    if text.startswith("polaris"):
        return _polaris_name(*_polaris_parts(text))
    if "~" in text:
        return mapping(text).name
    if text in TARTANIAN or text in mapping_names():
        return text
    known = ", ".join((*mapping_names(), *TARTANIAN))
    raise DoyleError(
        f"translation {text!r}: expected one of {known}, BELOW~POTS~ABOVE or {_POLARIS}, "
        f"with or without {' or '.join(DEFENCES)}"
    )


def named_translation(text: str) -> Translation:
    """The translation that `text` names.

    >>> named_translation("det-geo").measure, named_translation("relative").measure
    ('real', 'contributed')
    >>> named_translation("rand-pshar+defend").defend
    'last-round'
    """
    name = canonical_name(text)
    base, ending = _defence(name)
    if ending:
        return replace(named_translation(base), defend=DEFENCES[ending])
    if name.startswith("polaris"):
        return _polaris(*_polaris_parts(name))
    if name in TARTANIAN:
        return Translation(mapping(TARTANIAN[name]), measure="contributed")
    return pot_fractions(mapping(name))


def pot_fractions(entry: Mapping) -> Translation:
    """The one convention of all mappings: real pot fractions, a bet may be read as a check."""
    return Translation(entry, measure="real", small_bets="check", correct_pot=False)


def _defence(text: str) -> tuple[str, str]:
    """A text without its defence suffix, and the suffix; "" without defence."""
    base, plus, ending = text.rpartition("+")
    return (base, plus + ending) if plus + ending in DEFENCES else (text, "")


def _polaris_parts(text: str) -> tuple[str, frozenset[str]]:
    """The mode and the flags of a text such as `polaris-hard+aa+cisc`, in any order."""
    head, *flags = text.split("+")
    mode = head.removeprefix("polaris-")
    if head == mode or mode not in POLARIS_MAPPINGS:
        raise DoyleError(f"translation {text!r}: expected {_POLARIS}")
    for flag in flags:
        if flag not in POLARIS_FLAGS:
            known = ", ".join(f"+{name}" for name in POLARIS_FLAGS)
            raise DoyleError(f"translation {text!r}: no flag '+{flag}'; known are {known}")
        if flags.count(flag) > 1:
            raise DoyleError(f"translation {text!r}: '+{flag}' is given twice")
    if {"real", "aa"} <= set(flags):
        raise DoyleError(
            f"translation {text!r}: '+real' and '+aa' exclude each other; "
            "AbstractActions is abstract translation"
        )
    return mode, frozenset(flags)


def _polaris_name(mode: str, flags: frozenset[str]) -> str:
    return "+".join((f"polaris-{mode}", *(flag for flag in POLARIS_FLAGS if flag in flags)))


def _polaris(mode: str, flags: frozenset[str]) -> Translation:
    """Geometric mappings, real or abstract, and a set of fixes.

    Only abstract translation mends the pot (section 3.4), so CallIsCall changes nothing in a real one.
    """
    real = "real" in flags
    measure: Measure = "real" if real else "abstract" if "aa" in flags else "chips"
    return Translation(
        mapping(POLARIS_MAPPINGS[mode]),
        measure=measure,
        small_bets="extend-call" if "ec" in flags else "raise",
        call_is_call=real or "cisc" in flags,
        correct_pot=not real,
        remember="reread" not in flags,
        least_probability=PSEUDO_DOMINATED if mode == "nd" else None,
    )
