"""How much memory there is; and freed memory is kept, its pages are not asked for again."""

from __future__ import annotations

import platform
import subprocess
import sys

from doyle.base.workers.memory import keep_freed_memory, usable_memory

SCRIPT = """
import resource, sys
import numpy as np
from doyle.base.workers.memory import keep_freed_memory

if sys.argv[1] == "keep":
    assert keep_freed_memory()

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

np.ones(8 << 20)
before = faults()
for _ in range(10):
    np.ones(8 << 20)
print(faults() - before)
"""


def test_large_arrays_made_again_take_the_memory_of_earlier_ones() -> None:
    if platform.libc_ver()[0] != "glibc":
        assert not keep_freed_memory()
        return
    found = {
        how: int(
            subprocess.run(
                [sys.executable, "-c", SCRIPT, how], capture_output=True, text=True, check=True
            ).stdout
        )
        for how in ("keep", "leave")
    }
    assert found["keep"] < found["leave"] / 10, found


LIMITED = """
import sys
from doyle.base.workers.memory import usable_memory

try:
    import resource
except ImportError:
    print(-1)
else:
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    print(usable_memory())
"""


def test_memory_is_what_the_machine_or_a_limit_gives() -> None:
    assert usable_memory() > 64 << 20
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True)
    assert int(done.stdout) in (-1, min(3 << 30, usable_memory()))
