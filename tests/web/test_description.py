"""The OpenAPI description: Schemathesis sends what it allows and what it does not; nothing breaks."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

schemathesis = pytest.importorskip("schemathesis")

import uvicorn  # noqa: E402
from hypothesis import HealthCheck, Phase, settings  # noqa: E402

from doyle.web.config import ServerConfig  # noqa: E402
from doyle.web.server import create_app  # noqa: E402
from tests.web.asgi import NO_LIMITS, Client, Script  # noqa: E402

EXAMPLES = 12
PATIENCE = 180
"""Seconds for one answer: the first spot of a process loads compiled code."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on a free port, in a thread; agents follow a script."""
    folder: Path = tmp_path_factory.mktemp("web")
    config = ServerConfig(
        database=f"sqlite:///{folder / 'web.sqlite'}", pace=0.02, limits=NO_LIMITS
    )
    app = create_app(config, pages=False, thinker=Script())
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def operations() -> list[tuple[str, str]]:
    app = create_app(ServerConfig(database="sqlite://"), pages=False, thinker=Script())
    found = app.openapi()["paths"]
    app.state.service.store.database.close()
    return [(path, method.upper()) for path, methods in found.items() for method in methods]


def test_everything_is_described() -> None:
    described = operations()
    assert ("/api/tables/{table_id}/actions", "POST") in described
    assert len(described) >= 16


@pytest.mark.slow
@pytest.mark.parametrize(("path", "method"), operations())
def test_no_request_breaks_the_server(address: str, path: str, method: str) -> None:
    import httpx

    with httpx.Client(base_url=address) as client:
        token = client.post("/api/players", json={"name": "Ann"}).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        made = client.post(
            "/api/tables", json={"game": "holdem-nl-200bb", "agents": ["starter"]}, headers=headers
        ).json()
        client.post(f"/api/tables/{made['table']}/hands", json={"after": 0}, headers=headers)
    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    operation = schema[path][method]

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Any) -> None:
        if "table_id" in (case.path_parameters or {}) and hash(str(case.body)) % 2:
            case.path_parameters["table_id"] = made["table"]  # reach beyond "no such table"
        answer = case.call(headers=headers, timeout=PATIENCE)
        assert answer.status_code < 500, (case, answer.text)
        case.validate_response(answer, checks=[schemathesis.checks.not_a_server_error])

    from hypothesis import given

    given(case=operation.as_strategy())(check)()


def test_the_description_is_served() -> None:
    async def ask() -> Any:
        app = create_app(ServerConfig(database="sqlite://"), pages=False, thinker=Script())
        async with app.router.lifespan_context(app):
            return (await Client(app).get("/api/openapi.json")).json

    document = asyncio.run(ask())
    assert document["openapi"].startswith("3.")


WITH_PAGES = """
from doyle.web.config import ServerConfig
from doyle.web.server import create_app
print("\\n".join(create_app(ServerConfig(database="sqlite://")).openapi()["paths"]))
"""


def test_what_pages_add_is_described_too(fresh_cache: Path) -> None:
    """In a process of its own, because NiceGUI keeps one application in each."""
    run = subprocess.run(
        [sys.executable, "-c", WITH_PAGES], capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert {"/api/tables/{table_id}/actions", "/api/results/hands.log"} <= set(run.stdout.split())
