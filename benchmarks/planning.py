"""Plans against reality: what `doyle plan` predicts and what the same command then takes.

Each job runs in a process of its own with one worker, in a cache folder that begins with compiled
kernels only. Time is processor time, so that other load does not count; memory is the peak of the
process. A ratio is predicted / measured. `measurements` takes about four processor minutes; jobs can
be chosen by number: `python -m benchmarks.planning 0 3`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

BUILDS = (
    ("default", "small", 1_500_000),
    ("limit-2p", "small", 1_000_000),
    ("tartanian", "small", 1_500_000),
    ("hyperborean08", "small", 1_500_000),
    ("hyperborean09-br", "small", 1_500_000),
    ("default", "full", 1_500_000),
    ("limit-2p", "full", 1_000_000),
    ("hyperborean07", "full", 1_500_000),
)
SPOT = (
    *("--board", "Ks7h4d2c", "--ranges", "22+,A2+,K5+,QT+,JT", "22+,A2+,K9+,QTs+"),
    *("--pot", "200", "--stacks", "800", "--iterations", "150"),
)


def measurements(chosen: tuple[int, ...] = tuple(range(len(BUILDS) + 1))) -> list[dict[str, Any]]:
    """Rows with name, ours (predicted), other (measured), unit, ratio, target."""
    from doyle.paths import cache_folder

    rows = []
    with tempfile.TemporaryDirectory(prefix="doyle-plans-") as folder:
        if (cache_folder() / "numba").is_dir():
            shutil.copytree(cache_folder() / "numba", Path(folder) / "numba")
        for number in chosen:
            if number == len(BUILDS):
                rows += compared("turn spot", ["plan", *SPOT], ["spot", *SPOT], folder)
                continue
            name, scale, iterations = BUILDS[number]
            words = [name, "--scale", scale, "--iterations", str(iterations), "--hands", "0"]
            label = f"{name}, {scale}, {iterations:,} iterations"
            rows += compared(label, ["plan", *words], ["build", *words], folder)
    return rows


def compared(label: str, plan: list[str], job: list[str], folder: str) -> list[dict[str, Any]]:
    """Two rows: memory and time of a job beside its plan."""
    environment = {**os.environ, "DOYLE_CACHE": folder}
    command = [sys.executable, "-m", "doyle"]
    one = ["--workers", "1", "--json"]
    planned = json.loads(
        subprocess.run(
            [*command, *plan, *one], env=environment, check=True, capture_output=True
        ).stdout
    )
    with open(os.devnull, "wb") as nothing:  # noqa: PTH123
        process = subprocess.Popen([*command, *job, *one], env=environment, stdout=nothing)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(job)} failed")
    memory, seconds = 1024 * used.ru_maxrss, used.ru_utime + used.ru_stime
    stages = ", ".join(f"{stage['name']} {stage['seconds']:.2g}" for stage in planned["stages"])
    return [
        {
            "name": f"{label}: memory",
            "ours": planned["memory_bytes"] / 1e6,
            "other": memory / 1e6,
            "unit": "MB",
            "ratio": planned["memory_bytes"] / memory,
            "target": "0.85 to 1.15",
        },
        {
            "name": f"{label}: time",
            "ours": planned["seconds"],
            "other": seconds,
            "unit": "s",
            "ratio": planned["seconds"] / seconds,
            "target": "0.67 to 1.5",
            "note": stages,
        },
    ]


if __name__ == "__main__":
    from benchmarks.__main__ import show

    for row in measurements(tuple(int(word) for word in sys.argv[1:])):
        print(show(row), flush=True)
