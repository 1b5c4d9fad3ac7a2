"""Kernels compiled before they are needed: the common commands, each run once on minimal input.

Compiled code is kept, so that afterwards none of them waits for its compilation. Commands that need
a built agent are skipped if there is none.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from doyle.base.errors import DoyleError

if TYPE_CHECKING:
    from doyle.base.workers import Progress

ALONE = (
    "equity AsKs QhQd --board 7c5h2d --workers 1",
    "solve leduc --iterations 2",
    "solve leduc --solver external --iterations 1 --workers 1",
    "spot --board Ks7h4d2cJs --ranges AA KK --pot 200 --stacks 200 --iterations 2",
    "spot --board Ks7h4d2c --ranges AA,KQs KK,JTs --pot 200 --stacks 200 --iterations 2",
)
WITH_AGENT = (
    "match holdem-nl-200bb {agent} always-call --hands 400 --workers 1 --method fast",
    "match holdem-nl-200bb {agent} ev --hands 4 --workers 1 --log {folder}/warm.log",
    "evaluate {folder}/warm.log --agent {agent}",
    "match holdem-nl-200bb {agent} always-call --exact-hands --hands 2 --workers 1",
    "lbr {agent} --actions 56 --hands 4 --workers 1",
)
"""In this order: one of them reads the output of another."""


def warm(progress: Progress | None = None) -> list[str]:
    """Run each command once, in a process of its own; the commands that were run."""
    agent = _built_agent()
    commands = [*ALONE, *(WITH_AGENT if agent else ())]
    with tempfile.TemporaryDirectory(prefix="doyle-warm-") as folder:
        for number, command in enumerate(commands):
            if progress is not None:
                progress("compiling kernels", number, len(commands))
            words = command.format(agent=agent, folder=folder).split()
            done = subprocess.run(
                [sys.executable, "-m", "doyle", *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                cwd=folder,
                env={**os.environ, "DOYLE_CACHE": str(_cache())},
            )
            if done.returncode:
                last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                raise DoyleError(f"--warm: doyle {' '.join(words)}: {last}")
        if progress is not None:
            progress("compiling kernels", len(commands), len(commands))
    return commands


def _cache() -> Path:
    """As the processes see it, which run elsewhere."""
    from doyle.base.paths import cache_folder

    return cache_folder().absolute()


def _built_agent() -> str | None:
    """The first agent of ours that is built."""
    from doyle.building import is_built, load_description

    for name, scale in (("default", "full"), ("default", "small")):
        if is_built(load_description(name).at_scale(scale)):
            return name if scale == "full" else f"{name}-small"
    return None
