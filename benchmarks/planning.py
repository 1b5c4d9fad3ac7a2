"""Plans against reality: what `doyle plan` predicts and what the same command then takes.

Each job runs in a process of its own with one worker, in a cache folder that begins with compiled
kernels only; the first calibrates. Time is processor time, which other load hardly stretches, beside the
planned seconds without those of the disk; by the clock it is in the note. Memory is the peak of the
process. A ratio is predicted / measured. All jobs take about four processor minutes. Any can be chosen,
as NAME[/SCALE[/ITERATIONS]] or `spot`; with `warm`, atlas, cards and speeds are those of the usual cache:

    python -m benchmarks planning:warm,tartanian/small,aggrobot/full/2000000
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

JOBS = (
    "default/small/1500000",
    "limit-2p/small",
    "tartanian/small/1500000",
    "hyperborean08/small/1500000",
    "default/full/1500000",
    "hyperborean07/full/1500000",
    "spot",
)
SPOT = (
    *("--board", "Ks7h4d2c", "--ranges", "22+,A2+,K5+,QT+,JT", "22+,A2+,K9+,QTs+"),
    *("--pot", "200", "--stacks", "800", "--iterations", "150"),
)


def measurements(*jobs: str) -> Iterator[dict[str, Any]]:
    """Rows with name, ours (predicted), other (measured), unit, ratio, target; two for each job."""
    from doyle.base.paths import cache_folder
    from doyle.building.planning.calibration import FILE as CALIBRATION

    warm = "warm" in jobs
    chosen = [job for job in jobs if job != "warm"] or list(JOBS)
    with tempfile.TemporaryDirectory(prefix="doyle-plans-", dir=cache_folder().parent) as folder:
        shutil.copytree(cache_folder() / "numba", Path(folder) / "numba", dirs_exist_ok=True)
        if warm and (cache_folder() / "artifacts").is_dir():
            shutil.copytree(
                cache_folder() / "artifacts",
                Path(folder) / "artifacts",
                copy_function=os.link,
                ignore=lambda _, names: [name for name in names if name == "locks"],
            )
            if (cache_folder() / CALIBRATION).is_file():
                shutil.copy(cache_folder() / CALIBRATION, folder)
        for job in chosen:
            if job == "spot":
                yield from compared("turn spot", ["plan", *SPOT], ["spot", *SPOT], folder)
                continue
            name, scale, iterations = read_job(job)
            words = [name, "--scale", scale, "--iterations", str(iterations), "--hands", "0"]
            label = f"{name}, {scale}, {iterations:,} iterations"
            yield from compared(label, ["plan", *words], ["build", *words], folder)


def read_job(text: str) -> tuple[str, str, int]:
    """Preset, scale and iterations of NAME[/SCALE[/ITERATIONS]].

    >>> read_job("tartanian/small")
    ('tartanian', 'small', 1000000)
    """
    name, _, rest = text.partition("/")
    scale, _, iterations = rest.partition("/")
    return name, scale or "full", int(iterations or 1_000_000)


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
    started = time.perf_counter()
    with open(os.devnull, "wb") as nothing:  # noqa: PTH123
        process = subprocess.Popen([*command, *job, *one], env=environment, stdout=nothing)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    elapsed = time.perf_counter() - started
    if process.returncode:
        raise SystemExit(f"{' '.join(job)} failed")
    memory, seconds = 1024 * used.ru_maxrss, used.ru_utime + used.ru_stime
    stages = ", ".join(f"{stage['name']} {stage['seconds']:.2g}" for stage in planned["stages"])
    work = planned["seconds"] - planned["disk_seconds"]
    clock = f"clock {elapsed:.3g} s, planned {planned['seconds']:.3g}: {stages}"
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
            "ours": work,
            "other": seconds,
            "unit": "s",
            "ratio": work / seconds,
            "target": "0.67 to 1.5",
            "note": clock,
        },
    ]
