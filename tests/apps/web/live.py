"""A real server in a process of its own, started by the command."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from doyle.base.paths import cache_folder

START_SECONDS = 120


class Live:
    """A server: where it listens, and requests of one player to it."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address
        self.token: str | None = None

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def enter(self) -> Live:
        self.token = self.ask("POST", "/api/players", {"name": "Ann"})["token"]
        return self

    def kill(self) -> None:
        """As `kill -9` does: nothing is said and nothing closed."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextmanager
def served(folder: Path, *options: str, files: int | None = None) -> Iterator[Live]:
    """`doyle serve` on a free port; a database in `folder` unless options name one.

    `files` is how many it may open. Its cache is its own but for compiled kernels: a busy machine takes
    minutes for those of a searching agent.
    """
    if "--database" not in options:
        options = (*options, "--database", f"sqlite:///{folder / 'web.sqlite'}")
    command = [sys.executable, "-m", "doyle", "serve", "--port", "0", *options]
    if files is not None:
        command = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command]
    said = folder / f"serve-{time.monotonic_ns()}.log"
    kernels = {"NUMBA_CACHE_DIR": str(cache_folder() / "numba")}
    environment = {**kernels, **os.environ, "DOYLE_CACHE": str(folder / "cache")}
    with said.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(command, stderr=log, stdout=log, text=True, env=environment)
    try:
        yield Live(process, _address(process, said))
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[str], said: Path) -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        text = said.read_text(encoding="utf-8")
        if found := re.search(r"serving (http://\S+)/ ", text):
            address = found[1]
            try:
                urllib.request.urlopen(f"{address}/api/games", timeout=30).close()
                return address
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                pass
        if process.poll() is not None:
            raise AssertionError(f"the server ended: {text}")
        time.sleep(0.1)
    raise AssertionError("the server did not start")
