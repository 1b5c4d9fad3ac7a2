"""Processor time and memory of a solve before its first iteration, measured by running the smallest ones.

Most of it is importing and loading compiled kernels, which no count of work predicts. Each runs in a
process of its own with what commands import beside it, twice, because the first run may have kernels to compile.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

from doyle.base.errors import DoyleError

SOLVE = """
from doyle.solving.run import Limits
from doyle.solving.solve import Method, Problem, Solution
method = Method("external")
problem = Problem.named("leduc", "limit", method=method)
run = problem.begin(method)
run.until(Limits(iterations=1))
Solution(problem, method, run).document()
"""
PLOTTED = f"""{SOLVE}
import tempfile
from pathlib import Path
from doyle.solving.convergence import draw
with tempfile.TemporaryDirectory() as folder:
    draw(Path(folder) / "convergence.svg", {{"external": run.history}})
"""
SPOT = """
from doyle.solving.spots import Spot, solve_spot
ranges = ("AA", "KK")
solve_spot(Spot.parse(board="Ks7h4d2cJs", ranges=ranges, pot=200, stacks=200), iterations=1)
"""
_MEASURED = """
import json, time
import rich.progress, typer
{work}
try:
    with open("/proc/self/status") as lines:
        peak = next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
except OSError:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([time.process_time(), peak]))
"""
"""The process reads its own peak: what its parent can read counts the parent too."""


@dataclass(frozen=True)
class Start:
    """Processor seconds and bytes of a process that has next to nothing to do."""

    seconds: float
    memory_bytes: float


def start_of(work: str) -> Start:
    """Run one of the programs above twice, and measure the second run."""
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", _MEASURED.format(work=work)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise DoyleError("calibration: the smallest solve failed in a process of its own")
    seconds, memory = json.loads(done.stdout)
    return Start(float(seconds), float(memory))
