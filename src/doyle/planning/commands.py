"""What commands take before their first iteration, measured by running the smallest ones.

Most of it is importing and loading compiled kernels, which no count of work predicts. A command runs
in a process of its own, twice, because the first run may have kernels to compile.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from doyle.errors import DoyleError

ONCE = {"iterations": "1", "workers": "1"}
SOLVE = ("solve", "leduc"), {"solver": "external", "betting": "limit", **ONCE}
PLOTTED = SOLVE[0], {**SOLVE[1], "plot": "{folder}/convergence.svg"}
SPOT = ("spot",), {"board": "Ks7h4d2cJs", "ranges": "AA KK", "pot": "200", "stacks": "200", **ONCE}
"""The words of a command, and its options by the names of their fields; a folder is filled in."""
_RUNNER = """
import json, runpy, sys, time
path, sys.argv = sys.argv[1], ["doyle", *sys.argv[2:]]
try:
    runpy.run_module("doyle", run_name="__main__")
except SystemExit as end:
    if end.code:
        raise
try:
    with open("/proc/self/status") as lines:
        peak = next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
except OSError:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with open(path, "w") as file:
    json.dump([time.process_time(), peak], file)
"""
"""The process says itself what it held: what its parent is told counts the parent too."""


@dataclass(frozen=True)
class Start:
    """Processor seconds and bytes of a command that has next to nothing to do."""

    seconds: float
    memory_bytes: float


def start_of(words: tuple[str, ...], options: dict[str, str]) -> Start:
    """Run a command of doyle twice, and measure the second run."""
    with tempfile.TemporaryDirectory(prefix="doyle-start-") as folder:
        command = [*words]
        for field, value in options.items():
            command += [f"--{field}", *(word.format(folder=folder) for word in value.split())]
        path = Path(folder) / "measured.json"
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", _RUNNER, str(path), *command],
                capture_output=True,
                check=False,
            )
            if done.returncode:
                raise DoyleError(f"calibration: doyle {' '.join(command)} failed")
        seconds, memory = json.loads(path.read_text(encoding="utf-8"))
    return Start(float(seconds), float(memory))
