"""What a newcomer waits for: python tools/newcomer.py [REVISION ...] [--report-hands N] [--json]

Each revision (default: HEAD) is cloned and installed as `make table` installs it, and each first use then
begins with an empty cache of its own:

- the first table: `doyle serve` answers and has dealt a hand over HTTP;
- the first report card: that of `starter`, the agent that comes with the package;
- the first spot: the one of README.

Reported is processor time, user and system, of all processes that were started (Linux): it depends
little on what else the machine does. Every revision is measured by this file, in the same way.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SPOT = (
    *("spot", "--board", "Ks7h4d2c", "--ranges", "QQ+,AKs", "22+,A2s+", "--pot", "200"),
    *("--stacks", "800", "--betting", "fchpa", "--target", "0.3%"),
)
PR_SET_CHILD_SUBREAPER = 36
"""Processes whose parent has ended become children of this one."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("revisions", nargs="*", default=["HEAD"], metavar="REVISION")
    parser.add_argument(
        "--report-hands", type=int, default=200, metavar="N", help="of each response"
    )
    parser.add_argument("--json", action="store_true", help="one document on stdout")
    chosen = parser.parse_args()
    commits = [_commit(text) for text in chosen.revisions]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    rows = [measured(commit, chosen.report_hands) for commit in commits]
    if chosen.json:
        print(json.dumps(rows, indent=1))
        return
    names = list(rows[0])
    widths = [max(len(name), 9) for name in names]
    for line in (names, *([_shown(row[name]) for name in names] for row in rows)):
        print("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)))


def _commit(text: str) -> str:
    command = ["git", "-C", str(ROOT), "rev-parse", "--verify", "--quiet", f"{text}^{{commit}}"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        print(f"newcomer: {text!r}: no revision of this repository", file=sys.stderr)
        sys.exit(2)
    return found.stdout.strip()


def _shown(value: Any) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def measured(commit: str, report_hands: int) -> dict[str, Any]:
    """Seconds of processor time of one revision, from its clone on."""
    with tempfile.TemporaryDirectory(prefix="newcomer-") as name:
        clone, cache = Path(name) / "doyle", Path(name) / "cache"
        doyle = clone / ".venv" / "bin" / "doyle"

        def run(*words: str | Path) -> None:
            cache.mkdir(exist_ok=True)
            done = subprocess.run(
                [str(word) for word in words],
                cwd=clone if clone.is_dir() else name,
                env=os.environ | {"DOYLE_CACHE": str(cache)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
            if done.returncode:
                sys.exit(f"newcomer: {commit[:7]}: {words[0]} failed: {done.stderr[-500:]}")

        def first(use: Callable[[], float | None]) -> float:
            """Of a use on an empty cache; the use may know better what counts."""
            shutil.rmtree(cache, ignore_errors=True)
            before = _children()
            found = use()
            _reap()
            return _children() - before if found is None else found

        def install() -> None:
            run("git", "clone", "--quiet", str(ROOT), str(clone))
            run("git", "checkout", "--quiet", commit)
            run("make", "setup", ".venv/.web")

        report = ("report", "starter", "--hands", str(report_hands), "--output", "card.html")
        return {
            "commit": commit[:7],
            "installed": first(install),
            "table": first(lambda: _first_hand(doyle, clone, cache)),
            "card": first(lambda: run(doyle, *report)),
            "spot": first(lambda: run(doyle, *SPOT)),
        }


def _first_hand(doyle: Path, clone: Path, cache: Path) -> float:
    """Processor time of the server and its workers until the first hand is dealt."""
    log = clone / "serve.log"
    cache.mkdir(exist_ok=True)
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [str(doyle), "serve", "--port", "0", "--database", f"sqlite:///{clone / 'web.sqlite'}"],
            cwd=clone,
            env=os.environ | {"DOYLE_CACHE": str(cache)},
            stdout=stream,
            stderr=stream,
        )
    try:
        while not (found := re.search(r"serving (http://\S+)/ ", log.read_text())):
            if process.poll() is not None:
                sys.exit(f"newcomer: the server ended: {log.read_text()[-500:]}")
            time.sleep(0.05)
        address = found[1]
        token = _asked(address, "/api/players", {})["token"]
        table = {"game": "holdem-nl-200bb", "agents": ["starter"]}
        number = _asked(address, "/api/tables", table, token)["table"]
        dealt = _asked(address, f"/api/tables/{number}/hands", {"after": 0}, token)
        if dealt["hand"] is None:
            sys.exit("newcomer: no hand was dealt")
        return _used_by(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _asked(address: str, path: str, body: Any, token: str = "") -> Any:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    for attempt in range(600):
        try:
            request = urllib.request.Request(address + path, json.dumps(body).encode(), headers)
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.loads(answer.read())
        except urllib.error.URLError as error:
            if attempt == 599 or isinstance(error, urllib.error.HTTPError):
                raise
            time.sleep(0.1)  # it is named before it listens
    raise AssertionError


def _children() -> float:
    """Processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _reap() -> None:
    """Wait for processes that were left behind."""
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _used_by(process: int) -> float:
    """Processor time of a process that runs, of its descendants, and of those that it waited for."""
    parents, ticks = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            parents[int(folder.name)] = int(fields[1])
            ticks[int(folder.name)] = sum(map(int, fields[11:15]))
    family = {process}
    while grown := {child for child, parent in parents.items() if parent in family} - family:
        family |= grown
    return sum(ticks[member] for member in family) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
