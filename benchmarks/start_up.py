"""Start-up: importing doyle and running commands, against importing NumPy and Numba alone."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

TRIVIAL_KERNEL = """
import numba

@numba.njit(cache=True)
def successor(number):
    return number + 1

successor(1)
"""
"""What any program pays that calls one cached kernel."""


def _fastest(command: list[str], repeats: int = 7) -> float:
    best = float("inf")
    for _ in range(repeats):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        best = min(best, time.perf_counter() - started)
    return best


def measurements() -> list[dict[str, Any]]:
    """import doyle : import numpy; a command with warm kernels : import numba."""

    def python(code: str) -> list[str]:
        return [sys.executable, "-c", code]

    rank = [sys.executable, "-m", "doyle", "rank", "AsKsQsJsTs", "--json"]
    match = [sys.executable, "-m", "doyle", "match", "kuhn", "random", "always-call", "--hands", "10",
             "--workers", "1", "--json"]  # fmt: skip
    for command in (rank, match):
        subprocess.run(command, check=True, capture_output=True)  # warm the kernels
    equity = [sys.executable, "-m", "doyle", "equity", "AsKs", "QhQd", "--json"]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "trivial.py"
        script.write_text(TRIVIAL_KERNEL)
        limit = [sys.executable, str(script)]
        for command in (equity, limit):
            subprocess.run(command, check=True, capture_output=True)
        trivial, kernels = _fastest(limit), _fastest(equity)
    numpy = _fastest(python("import numpy"))
    numba = _fastest(python("import numba"))
    rows = []
    for name, ours, other, target in (
        ("import doyle : import numpy", _fastest(python("import doyle")), numpy, "<= 1.3"),
        (
            "doyle --help : import numba",
            _fastest([sys.executable, "-m", "doyle", "--help"]),
            numba,
            "",
        ),
        ("doyle rank, warm kernels : import numba", _fastest(rank), numba, "<= 1.5"),
        ("doyle equity, warm kernels : import numba", kernels, numba, "<= 1.5"),
        ("one trivial cached kernel, Numba alone : import numba", trivial, numba, "the limit"),
        ("doyle match kuhn, 10 deals : import numba", _fastest(match), numba, "<= 1.5"),
    ):
        rows.append(
            {
                "name": name,
                "ours": ours,
                "other": other,
                "unit": "s",
                "ratio": ours / other,
                "target": target,
                "note": "whole process, fastest of 7",
            }
        )
    return rows
