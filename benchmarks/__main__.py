"""`python -m benchmarks [topic[:what,...] ...] [--json]`: run the benchmarks, print a table of ratios.

Every row compares two things measured in the same run on the same machine; seconds alone mean
little on a shared one. A target is what the ratio is meant to reach.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from pathlib import Path
from typing import Any

from doyle.base.errors import DoyleError


def topics() -> list[str]:
    """The benchmark modules beside this file."""
    folder = str(Path(__file__).parent)
    return sorted(
        module.name for module in pkgutil.iter_modules([folder]) if not module.name.startswith("_")
    )


def show(row: dict[str, Any]) -> str:
    def number(value: Any) -> str:
        return f"{value:>12.4g}" if isinstance(value, int | float) else f"{value or '-'!s:>12}"

    return (
        f"{row['name']:<52} {number(row.get('ours'))} {number(row.get('other'))} "
        f"{row.get('unit', ''):<12} {number(row.get('ratio'))} {row.get('target', '')!s:<10} "
        f"{row.get('note', '')}"
    )


def main(arguments: list[str]) -> int:
    if {"-h", "--help"} & set(arguments):
        print(f"{__doc__}\nTopics: {', '.join(topics())}.")
        return 0
    as_json = "--json" in arguments
    options = [word for word in arguments if word.startswith("-") and word != "--json"]
    if options:
        print(f"benchmarks: no option {options[0]!r}; there is --json", file=sys.stderr)
        return 2
    chosen = [word for word in arguments if not word.startswith("-")] or topics()
    unknown = sorted({word.partition(":")[0] for word in chosen} - set(topics()))
    if unknown:
        print(
            f"benchmarks: no topic {unknown[0]!r}; known are {', '.join(topics())}", file=sys.stderr
        )
        return 2
    rows: list[dict[str, Any]] = []
    if not as_json:
        print(f"{'what':<52} {'ours':>12} {'other':>12} {'unit':<12} {'ratio':>12} target")
    for word in chosen:
        topic, _, what = word.partition(":")
        wanted = what.split(",") if what else []
        try:
            for row in importlib.import_module(f"benchmarks.{topic}").measurements(*wanted):
                rows.append({"topic": topic, **row})
                if not as_json:
                    print(show(row), flush=True)
        except DoyleError as error:
            print(f"benchmarks: {error}", file=sys.stderr)
            return 2
    if as_json:
        print(json.dumps(rows, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
