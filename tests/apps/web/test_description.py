"""The OpenAPI description: Schemathesis sends what it allows and what it does not; nothing breaks.

The server has its pages, so that the requests of the explorer, the review and the results are described
and sent too. It runs in a process of its own, because NiceGUI keeps one application in each.
"""

from __future__ import annotations

import asyncio
import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

schemathesis = pytest.importorskip("schemathesis")

import httpx  # noqa: E402
from hypothesis import HealthCheck, Phase, given, settings  # noqa: E402

from doyle.apps.web.config import ServerConfig  # noqa: E402
from doyle.apps.web.server import create_app  # noqa: E402
from tests.apps.web.asgi import Client, Script  # noqa: E402

EXAMPLES = 12
PATIENCE = 180
"""Seconds for one answer: the first spot of a process loads compiled code."""

SERVE = """
import sys
from doyle.apps.web.config import ServerConfig
from doyle.apps.web.server import serve
from tests.apps.web.asgi import NO_LIMITS
config = ServerConfig(port=0, database=sys.argv[1], pace=0.02, limits=NO_LIMITS)
serve(config, say=lambda line: print(line, flush=True))
"""

WITH_PAGES = """
from doyle.apps.web.config import ServerConfig
from doyle.apps.web.server import create_app
print("\\n".join(create_app(ServerConfig(database="sqlite://")).openapi()["paths"]))
"""

OF_PAGES = {
    "/api/explorer/strategies",
    "/api/explorer/place",
    "/api/explorer/bet",
    "/api/explorer/mappings",
    "/api/explorer/spots",
    "/api/explorer/spots/{job_id}/place",
    "/api/reviews",
    "/api/jobs/{job_id}",
    "/api/results/correct",
    "/api/results/hands.log",
    "/api/results/hands.phhs",
}


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A whole server on a free port, with agents in processes and without limits of rates."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, f"sqlite:///{tmp_path / 'web.sqlite'}"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        said = process.stdout.readline().split()
        assert said[:1] == ["serving"], said
        yield said[1].rstrip("/")
        assert process.poll() is None, "the server ended"
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


@pytest.mark.slow
def test_no_request_breaks_the_server(address: str) -> None:
    with httpx.Client(
        base_url=address, timeout=PATIENCE, transport=httpx.HTTPTransport(retries=20)
    ) as client:
        token = client.post("/api/players", json={"name": "Ann"}).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        client.headers.update(headers)
        rules = {"game": "holdem-nl-200bb", "agents": ["starter"]}
        made = client.post("/api/tables", json=rules).json()["table"]
        client.post(f"/api/tables/{made}/hands", json={"after": 0})
        spot = {"board": "Ks7h4d2cJs", "ranges": ["QQ+", "AA"], "pot": 200, "stacks": 400}
        job = client.post("/api/explorer/spots", json=spot).json()["job"]
    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json", timeout=PATIENCE)
    known = {"table_id": made, "job_id": job}
    answers: set[int] = set()
    broken: list[tuple[Any, ...]] = []

    def send(operation: Any) -> None:
        turns = itertools.count()

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            if next(turns) % 2:  # reach beyond "no such table" and "no such job"
                for name in known.keys() & (case.path_parameters or {}).keys():
                    case.path_parameters[name] = known[name]
            answer = case.call(headers=headers, timeout=PATIENCE)
            answers.add(answer.status_code // 100)
            if answer.status_code >= 500:
                broken.append((case.method, case.path, case.body, answer.text[:300]))

        check()

    operations = [result.ok() for result in schema.get_all_operations()]
    operations.sort(key=lambda one: one.method.upper() == "DELETE")  # jobs are asked before
    for operation in operations:
        send(operation)
    assert broken == []
    assert {operation.path for operation in operations} >= OF_PAGES
    assert {2, 4} <= answers


def test_everything_is_described() -> None:
    async def ask() -> Any:
        app = create_app(ServerConfig(database="sqlite://"), pages=False, thinker=Script())
        async with app.router.lifespan_context(app):
            return (await Client(app).get("/api/openapi.json")).json

    document = asyncio.run(ask())
    assert document["openapi"].startswith("3.")
    described = [
        (path, method) for path, methods in document["paths"].items() for method in methods
    ]
    assert ("/api/tables/{table_id}/actions", "post") in described
    assert len(described) >= 16


def test_what_pages_add_is_described_too(fresh_cache: Path) -> None:
    """In a process of its own, because NiceGUI keeps one application in each."""
    run = subprocess.run(
        [sys.executable, "-c", WITH_PAGES], capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert {"/api/tables/{table_id}/actions", *OF_PAGES} <= set(run.stdout.split())
