"""Every mapping and every translation by name passes its check; broken ones do not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from doyle.games import Action
from doyle.strategy.translation import mapping, mapping_names
from doyle.strategy.translation.named_translations import named_translation, translation_names
from doyle.strategy.translation.steps import Translation
from doyle.testing import ContractError, check_mapping, check_translation


@pytest.mark.parametrize("name", [*mapping_names(), "rand-arith~1~rand-pshar"])
def test_mappings_keep_the_contract(name: str) -> None:
    assert check_mapping(name) > 100


@pytest.mark.parametrize("name", translation_names())
def test_translations_keep_the_contract(name: str) -> None:
    assert check_translation(name, hands=15) > 30
    assert check_translation(name, game="leduc-nl12", betting="fchpa", hands=15) > 20


@pytest.mark.parametrize(
    ("formula", "problem"),
    [
        (lambda a, b, x, pot: (x - a) / (b - a), "A itself is read as A with 0"),
        (lambda a, b, x, pot: 1, "B itself is read as A with 1"),
        (lambda a, b, x, pot: 2 * (b - x) / (b - a) - (x == a), "is no probability"),
        (lambda a, b, x, pot: 1 if x == a else 0 if 2 * x < a + b else int(x < b), "rises to"),
        (lambda a, b, x, pot: (x < b) * (b - x + (x == a) * (1 - b + a)) / 100, "A itself|depends"),
    ],
)
def test_broken_mappings_are_found(formula: Any, problem: str) -> None:
    with pytest.raises(ContractError, match=problem):
        check_mapping(replace(mapping("rand-arith"), name="broken", formula=formula))


class Timid(Translation):
    """Speaks every raise as one chip more than it may."""

    def out_step(self, *arguments: Any, **options: Any) -> Action:
        spoken = super().out_step(*arguments, **options)
        return spoken if spoken < 2 else options["state"].max_raise_to + 1


def test_an_illegal_action_is_found() -> None:
    timid = Timid(mapping("rand-pshar"))
    with pytest.raises(ContractError, match=r"is spoken as seat .* raises to"):
        check_translation(timid)


class Forgetful(Translation):
    """Loses half of a reading."""

    def in_step(self, *arguments: Any, **options: Any) -> Any:
        readings = super().in_step(*arguments, **options)
        return tuple(replace(reading, weight=reading.weight / 2) for reading in readings)


def test_weights_that_do_not_sum_to_one_are_found() -> None:
    with pytest.raises(ContractError, match="sum to 1/2"):
        check_translation(Forgetful(named_translation("det-geo").mapping))
