"""The documents of `--json`: a key means the same kind of value in all of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from doyle.cli import main

COMMANDS = (
    "game list",
    "game show leduc --size",
    "equity AsKs QhQd",
    "rank AsKsQsJsTs",
    "match kuhn random always-call --hands 50",
    "match leduc ev random --exact-hands",
    "agents list",
    "tree fca --game holdem-nl-20bb",
    "translate --mapping rand-pshar --a 1 --b 3 --x 1.5",
    "solve kuhn --save kuhn",
    "solve leduc --iterations 10 --solver cfr+,dcfr",
    "strategy show kuhn",
    "exploitability kuhn",
    "lbr kuhn",
    "exploit always-call --game kuhn --share 0.5",
    "spot --board Ks7h4d2c3s --ranges QQ+ 22+ --pot 200 --stacks 800 --target 5%",
    "papers ijcai2013/table1",
    "papers list",
    "build list",
    "cache list",
    "cache check",
    "doctor",
    "shrink leduc",
    "cases similarity limit rc cc",
)

SETTINGS = {("lbr", "actions"), ("lbr", "rounds")}
"""What the responder may do and when, as they were given: texts by contract; lists elsewhere."""


def keys(document: Any) -> Iterator[tuple[str, str]]:
    """Every key with the kind of its value; what is null has none."""
    if isinstance(document, list):
        for entry in document:
            yield from keys(entry)
    elif isinstance(document, dict):
        for key, value in document.items():
            if value is not None:
                number = isinstance(value, int | float) and not isinstance(value, bool)
                yield key, "number" if number else type(value).__name__
            yield from keys(value)


@pytest.mark.usefixtures("fresh_cache")
def test_a_key_has_one_type(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    seen: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for command in COMMANDS:
        assert main([*command.split(), "--json"]) == 0, (command, capsys.readouterr().err)
        for key, kind in keys(json.loads(capsys.readouterr().out)):
            if (command.split()[0], key) not in SETTINGS:
                seen[key][kind].append(command)
    assert {key: dict(kinds) for key, kinds in seen.items() if len(kinds) > 1} == {}
