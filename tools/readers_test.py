"""The reader's test: which modules of doyle a command passes, that is, what a reader must open.

    python tools/readers_test.py FOLDER            # all tasks, lists in FOLDER
    python tools/readers_test.py FOLDER "solve leduc"

A module is passed if one of its functions runs after it has been imported, or if one of its compiled
kernels is called. What runs only while modules are imported does not count: class bodies, decorators,
constants. Nor does a command that is only registered. Commands run in this process with one worker,
because other processes are not watched. Artifacts are kept in FOLDER/cache, so that a second run reads
what the first one built and passes fewer modules. Set PYTHONPATH to the `src` of another version to
compare it with this one.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

TASKS: dict[str, str] = {
    "build default": "build default --scale small --minutes 0.1 --hands 20 --workers 1",
    "one decision in a match": "match holdem-nl-200bb default-small always-call --hands 1 --workers 1",
    "solve leduc": "solve leduc --target 1e-3 --workers 1",
    "spot": "spot --board Ks7h4d2c --ranges QQ+,AKs 22+,A2s+ --pot 200 --stacks 800 --workers 1",
    "papers ijcai2013/table3": "papers ijcai2013/table3 --workers 1",
}


def readable(name: str) -> bool:
    return name.split(".")[0] == "doyle"


class Watch:
    """The modules whose functions have run."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self._known: set[CodeType] = set()

    @contextmanager
    def watching(self) -> Iterator[None]:
        threading.settrace(self._trace)
        sys.settrace(self._trace)
        try:
            yield
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]

    def _trace(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        name = str(frame.f_globals.get("__name__", ""))
        if code in self._known or not readable(name) or not code.co_flags & inspect.CO_OPTIMIZED:
            return
        if code.co_name == "register" and ".cli." in name:
            return  # every command is registered, whichever is run
        if _is_importing(frame):
            return
        self._known.add(code)
        self.modules.add(name)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module of doyle is being executed below this frame."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and readable(str(frame.f_globals.get("__name__"))):
            return True
        frame = frame.f_back
    return False


def called_kernels() -> set[str]:
    """The modules with a kernel that has been called from Python in this process."""
    found = set()
    for name, module in list(sys.modules.items()):
        if readable(name) and "_kernels" in name:
            for value in vars(module).values():
                if getattr(value, "signatures", None) and value.py_func.__module__ == name:
                    found.add(name)
    return found


def first_call_only(owner: Any, method: str, watch: Watch) -> None:
    """Watch the first call of a method and nothing else."""
    original: Callable[..., Any] = getattr(owner, method)
    done = False

    def watched(*arguments: Any) -> Any:
        nonlocal done
        if done:
            return original(*arguments)
        done = True
        with watch.watching():
            return original(*arguments)

    setattr(owner, method, watched)


def passed(task: str) -> list[str]:
    """Run a task in this process and list the modules that it passes."""
    from doyle.apps.cli import main

    watch = Watch()
    if task == "one decision in a match":
        from doyle.agents.strategy_agent import StrategyAgent

        first_call_only(StrategyAgent, "act", watch)
        code = main(TASKS[task].split())
        return _checked(task, code, watch.modules)
    with watch.watching():
        code = main(TASKS[task].split())
    return _checked(task, code, watch.modules | called_kernels())


def _checked(task: str, code: int, modules: set[str]) -> list[str]:
    if code != 0:
        raise SystemExit(f"doyle {TASKS[task]}: exit code {code}")
    return sorted(modules)


def run_all(folder: Path) -> None:
    """Every task in a process of its own, in an order in which later ones find what they need."""
    import os

    environment = {**os.environ, "DOYLE_CACHE": str(folder / "cache")}
    for task in TASKS:
        command = [sys.executable, __file__, str(folder), task]
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
        modules = json.loads((folder / _file_name(task)).read_text())
        print(f"{task}: {len(modules)} modules")


def _file_name(task: str) -> str:
    return task.replace(" ", "-").replace("/", "-") + ".json"


def main() -> None:
    folder = Path(sys.argv[1]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    if len(sys.argv) == 2:
        run_all(folder)
    else:
        modules = passed(sys.argv[2])
        (folder / _file_name(sys.argv[2])).write_text(json.dumps(modules, indent=1) + "\n")


if __name__ == "__main__":
    main()
