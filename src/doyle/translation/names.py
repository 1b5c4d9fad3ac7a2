"""Translations by name: the mappings, and the thesis's translations with their fixes."""

from __future__ import annotations

from dataclasses import replace

from doyle.errors import DoyleError
from doyle.translation.mappings import mapping, mapping_names
from doyle.translation.steps import Defend, Translation, polaris

POLARIS = {
    "hard": lambda: polaris("hard", fixes=frozenset()),
    "hard-fixed": lambda: polaris("hard"),
    "soft": lambda: polaris("soft"),
    "soft-nd": lambda: polaris("soft-nd"),
}
"""The thesis's translations by name: hard without fixes, hard with all, soft, soft-ND."""

ABSOLUTE = frozenset({"det-arith", "det-arith-strict", "rand-arith", "det-geo"})
"""Mappings of agents that compare chips put in (Tartanian 2008, section 4.2), not pot fractions."""

DEFENCES: dict[str, Defend] = {"+defend": "last-round", "+defend-all": "every-round"}
"""After the name of a translation: where the worst hands fold first to small bets (`defence`)."""


def translation_names() -> list[str]:
    """Every translation an agent may be given; what defends may follow the other names too."""
    return [*mapping_names(), *POLARIS, *(f"rand-pshar{ending}" for ending in DEFENCES)]


def named_translation(name: str) -> Translation:
    """The translation of that name: a mapping, or one of the thesis's, defended or not.

    >>> named_translation("rand-pshar").measure, named_translation("det-geo").measure
    ('real', 'contributed')
    >>> named_translation("rand-pshar+defend").defend
    'last-round'
    """
    base, plus, ending = name.rpartition("+")
    if plus + ending in DEFENCES:
        return replace(named_translation(base), defend=DEFENCES[plus + ending])
    if name in POLARIS:
        return POLARIS[name]()
    if name not in mapping_names():
        raise DoyleError(f"translation {name!r}: expected one of {', '.join(translation_names())}")
    if name in ABSOLUTE:
        return Translation(mapping(name), measure="contributed")
    # Pot fractions, with a call as a bet of 0 (IJCAI 2013, section 2).
    return Translation(mapping(name), measure="real", small_bets="call", correct_pot=False)
