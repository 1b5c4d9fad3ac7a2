"""What is wrong with a description, in one line that names the key."""

from __future__ import annotations

import pytest

from doyle.agents.case_bases.snapshot import parse_snapshot
from doyle.base.errors import DoyleError

SNAPSHOT = """
name = "mine"
game = "holdem-limit-2p"
features = { strength = "hs2" }
training = { experts = [%s] }
"""


@pytest.mark.parametrize("experts", ["{}", "[]", "3", "'random', {}"])
def test_a_list_with_something_else_in_it_is_named(experts: str) -> None:
    with pytest.raises(DoyleError, match=r"^here: key 'training\.experts\.value\.\d': "):
        parse_snapshot(SNAPSHOT % experts, where="here")


@pytest.mark.parametrize("key", ["game", "features", "training", "similarity", "retrieve", "reuse"])
@pytest.mark.parametrize("value", ["{}", "[]", "[{}]"])
def test_empty_tables_and_lists_are_one_line(key: str, value: str) -> None:
    lines = [line for line in (SNAPSHOT % "'random'").splitlines() if not line.startswith(key)]
    if key == "similarity" and value == "{}":
        parse_snapshot("\n".join([*lines, f"{key} = {value}"]), where="here")
        return
    with pytest.raises(DoyleError, match=f"^here: key '{key}"):
        parse_snapshot("\n".join([*lines, f"{key} = {value}"]), where="here")


@pytest.mark.parametrize(
    "key",
    [
        "features.buckets",
        *(f"similarity.{part}" for part in ("hole_metric", "strength_metric", "slope")),
        *(f"similarity.{part}" for part in ("betting_metric", "texture_metric")),
    ],
)
def test_an_empty_table_for_what_may_be_left_out_is_one_line(key: str) -> None:
    text = (SNAPSHOT % "'random'").replace('{ strength = "hs2" }', "{ strength.value = 'hs2' }")
    table, part = key.split(".")
    if table == "features":
        text = text.replace("strength.value", f"{part} = {{}}, strength.value")
    else:
        text += f"[{key}]\n"
    with pytest.raises(DoyleError, match=rf"^here: key '{table}\.{part}\.value': required"):
        parse_snapshot(text, where="here")
