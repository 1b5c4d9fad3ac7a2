"""The explorer's requests: bounds, refusals, jobs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from doyle.apps.web.config import ServerConfig
from doyle.apps.web.explorer.routes import router_of
from doyle.apps.web.server import create_app
from doyle.apps.web.thinking.jobs import Jobs
from doyle.apps.web.thinking.review_job import review_text
from doyle.apps.web.thinking.spot_job import model_text, solve
from doyle.base.errors import DoyleError
from tests.apps.web.asgi import NO_LIMITS, Client

LOG = "# game holdem-nl-200bb\nSTATE:0:r300f:AsKs|QdQh:-100|100:<b>you</b>|other\n"
SPOT = {
    "board": "Ks7h4d2cJs",
    "ranges": ["AA,66", "KK,QQ"],
    "pot": 200,
    "stacks": 200,
    "sizes": [50, 100],
}


@asynccontextmanager
async def client() -> AsyncIterator[tuple[Client, Jobs]]:
    app = create_app(ServerConfig(database="sqlite://", limits=NO_LIMITS), pages=False)
    jobs = Jobs()
    app.include_router(router_of(app.state.service, jobs))
    try:
        yield Client(app), jobs
    finally:
        jobs.close()
        app.state.service.store.database.close()


def refused(path: str, body: Any) -> tuple[int, str]:
    async def run() -> tuple[int, str]:
        async with client() as (one, _):
            answer = await one.post(path, body)
            return answer.status, answer.body.decode()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("place", {"agent": "../../etc/passwd", "game": "holdem-nl-200bb"}),
        ("place", {"agent": "starter", "game": "../leduc"}),
        ("place", {"agent": "starter", "game": "holdem-nl-200bb", "betting": "r1;drop"}),
        ("place", {"agent": "starter", "game": "holdem-nl-200bb", "board": "<script>"}),
        ("place", {"agent": "starter", "game": "holdem-nl-200bb", "more": 1}),
        ("mappings", {"lower": 2, "upper": 1, "size": 1.5}),
        ("mappings", {"lower": 1, "upper": 1, "size": 1}),
        ("mappings", {"lower": "nan", "upper": 1, "size": 1}),
        ("bet", {"agent": "always-call", "game": "no-such-game", "raise_to": 300}),
        ("spots", {**SPOT, "board": "Ks7h4d"}),
        ("spots", {**SPOT, "sizes": [1, 2, 3]}),
        ("spots", {**SPOT, "pot": 10**12}),
        ("spots", {**SPOT, "locks": ["x" * 5000]}),
    ],
)
def test_what_is_refused(path: str, body: dict[str, Any]) -> None:
    status, said = refused(f"/api/explorer/{path}", body)
    assert status in (400, 404, 422), said
    assert "Traceback" not in said


def test_the_mappings_are_answered_at_once() -> None:
    status, said = refused("/api/explorer/mappings", {"lower": 0.5, "upper": 2, "size": 1})
    assert status == 200
    assert '"rand-pshar"' in said


def test_jobs_of_others_do_not_exist() -> None:
    async def run() -> None:
        async with client() as (one, _):
            assert (await one.ask("GET", f"/api/jobs/{'0' * 32}")).status == 404
            assert (await one.ask("GET", "/api/jobs/nonsense")).status == 422
            gone = await one.ask("DELETE", f"/api/jobs/{'0' * 32}")
            assert gone.json == {"dropped": False}
            place = await one.post(f"/api/explorer/spots/{'0' * 32}/place", {})
            assert place.status == 404

    asyncio.run(run())


class Recorded:
    """A channel that keeps what it is told."""

    def __init__(self) -> None:
        self.reports: list[dict[str, Any]] = []
        self.result: dict[str, Any] = {}
        self.answer: Any = None

    def progress(self, document: dict[str, Any]) -> None:
        self.reports.append(document)

    def serve(self, result: dict[str, Any], answer: Any) -> None:
        self.result, self.answer = result, answer


def test_a_spot_with_a_lock() -> None:
    channel = Recorded()
    ranges = ("AA,66", "KK,QQ")
    solve(channel, "Ks7h4d2cJs", ranges, 200, 200, (100,), True, ("=c",), 0.5)
    assert channel.reports[-1]["percent"] <= 0.5
    root = channel.answer({"history": "", "board": ""})
    share = dict(zip(root["actions"], root["frequencies"], strict=True))
    assert share["c"] == pytest.approx(1.0)
    assert sum(root["weights"]) == pytest.approx(1.0, abs=1e-4)
    assert sum(row is not None for row in root["rows"]) == 6 + 6
    after = channel.answer({"history": "c", "board": "Ks7h4d2cJs"})
    assert after["seat"] == 1
    with pytest.raises(DoyleError):
        channel.answer({"history": "cc", "board": ""})
    with pytest.raises(DoyleError, match="turn or the river"):
        solve(channel, "Ks7h4d", ranges, 200, 200, (100,), True, (), 0.5)


def test_model_text_is_a_model() -> None:
    assert model_text([], all_in=True) == "fca"
    assert model_text([100, 50, 50], all_in=False) == "fc50,100"


def test_an_uploaded_log_is_reviewed_and_its_names_stay_text() -> None:
    channel = Recorded()
    review_text(channel, "a/../b.log", LOG, "starter", "holdem-nl-200bb", "<b>you</b>", "none")
    assert channel.result["player"] == "<b>you</b>"
    assert channel.result["hands"] == 1
    assert channel.result["decisions"] == 1


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.exe", "MZ", "expected a file that ends in"),
        ("x.phh", "variant = 1", "variant"),
        ("x.log", "STATE:zzz", "the file"),
        ("x.phhs", "\x00\x01", "the file"),
    ],
)
def test_files_that_cannot_be_read(name: str, text: str, said: str) -> None:
    with pytest.raises(DoyleError) as caught:
        review_text(Recorded(), name, text, "starter", "holdem-nl-200bb", None, "none")
    assert said in str(caught.value)
    assert "/tmp" not in str(caught.value)


@pytest.mark.slow
def test_a_job_runs_is_asked_and_cancelled() -> None:
    async def run() -> None:
        async with client() as (one, jobs):
            started = await one.post("/api/explorer/spots", SPOT)
            assert started.status == 202
            cookie = started.headers["set-cookie"].partition(";")[0]  # the visitor is a player now
            assert (await one.ask("GET", f"/api/jobs/{started.json['job']}")).status == 404
            one.headers["cookie"] = cookie
            job = started.json["job"]
            while (found := (await one.ask("GET", f"/api/jobs/{job}")).json)["status"] == "running":
                await asyncio.sleep(0.1)
            assert found["status"] == "done", found
            place = await one.post(f"/api/explorer/spots/{job}/place", {"history": ""})
            assert place.json["seat"] == 0
            wrong = await one.post(f"/api/explorer/spots/{job}/place", {"history": "r7"})
            assert wrong.status == 422
            assert (await one.ask("DELETE", f"/api/jobs/{job}")).json == {"dropped": True}
            for _ in range(2):
                assert (await one.post("/api/explorer/spots", SPOT)).status == 202
            assert (await one.post("/api/explorer/spots", SPOT)).status == 422
            jobs.close()

    asyncio.run(run())
