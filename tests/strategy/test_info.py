"""What strategy files say of themselves: written, read back, and read from earlier versions."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.base.errors import DoyleError
from doyle.strategy import ChosenField, ExploitabilityRecord, Point, StrategyInfo
from doyle.strategy.info import _READERS

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
COUNTS = st.integers(0, 1 << 50)
TEXTS = st.text(max_size=8)
RECORDS = st.builds(ExploitabilityRecord, st.tuples(NUMBERS, NUMBERS), NUMBERS)
POINTS = st.builds(Point, COUNTS, NUMBERS, NUMBERS, st.none() | NUMBERS)
CHOICES = st.builds(ChosenField, TEXTS, TEXTS | COUNTS | NUMBERS, TEXTS, TEXTS)


def several(strategy: Any) -> Any:
    return st.lists(strategy, max_size=3).map(tuple)


INFOS = st.builds(
    StrategyInfo,
    agent=st.none() | TEXTS,
    cards=st.none() | TEXTS,
    solver=st.none() | TEXTS,
    seed=st.none() | COUNTS,
    bucket_counts=st.none() | several(COUNTS),
    translation=st.none() | TEXTS,
    purification=st.sampled_from([None, "none", "full", "threshold"]),
    threshold=st.none() | st.floats(0, 1),
    fields=several(CHOICES),
    iterations=st.none() | COUNTS,
    seconds=st.none() | NUMBERS,
    deterministic=st.none() | st.booleans(),
    infosets=st.none() | several(COUNTS),
    sequences=st.none() | several(COUNTS),
    table_bytes=st.none() | COUNTS,
    value=st.none() | NUMBERS,
    exploitability=st.none() | RECORDS,
    exploitability_as_played=st.none() | RECORDS,
    exploitability_note=st.none() | TEXTS,
    regret_bound=st.none() | several(NUMBERS),
    history=several(POINTS),
)


@given(info=INFOS)
def test_what_is_written_is_read_back(info: StrategyInfo) -> None:
    document = json.loads(json.dumps(info.document(), allow_nan=False))
    assert StrategyInfo.of(document, where="x") == info


def test_every_field_is_checked_when_it_is_read() -> None:
    assert list(_READERS) == [field.name for field in fields(StrategyInfo)]


@pytest.mark.parametrize("field", _READERS)
@pytest.mark.parametrize("value", [object(), {"a": 1}, [None], [[]], -1.5j])
def test_what_makes_no_sense_is_refused_by_file_and_field(field: str, value: Any) -> None:
    with pytest.raises(DoyleError, match=rf"^some/file: field 'metadata\.{field}' is ") as caught:
        StrategyInfo.of({field: value}, where="some/file")
    assert "\n" not in str(caught.value)


def test_files_of_earlier_builds_are_read() -> None:
    """Counts of their histories were floats, and what was not known was null."""
    info = StrategyInfo.of(
        {
            "agent": "default",
            "game": "holdem-nl-200bb",
            "cards": "ir169.ir200.ir200.200",
            "seed": 1,
            "bucket_counts": [169, 200, 200, 200],
            "fields": [{"field": "seed", "value": 1, "source": "assumed", "note": "any"}],
            "history": [{"iterations": 262144.0, "seconds": 1.5, "regret_bound": 10.0}],
            "exploitability": None,
            "exploitability_note": "sampling does not count",
        },
        where="x",
    )
    assert info.history[0].iteration == 262144
    assert info.history[0].measure == ("regret_bound", 10.0)
    assert info.fields == (ChosenField("seed", 1, "assumed", "any"),)
    assert info.exploitability is None


def test_unknown_is_written_where_it_is_an_answer() -> None:
    assert StrategyInfo().document() == {
        "cards": None,
        "fields": [],
        "exploitability": None,
        "exploitability_note": None,
        "history": [],
    }
