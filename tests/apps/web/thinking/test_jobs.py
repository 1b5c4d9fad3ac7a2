"""Jobs: owners, the queue, and listeners that are gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from doyle.apps.web.thinking import jobs as module
from doyle.apps.web.thinking.jobs import Job, Jobs
from doyle.apps.web.thinking.lanes import OverloadedError
from doyle.base.errors import DoyleError


class Scripted(Job):
    """A job without a process."""

    def begin(self) -> None:
        self.progress = {"begun": True}

    def end(self, problem: str = "cancelled") -> None:
        if self.is_open:
            self.status, self.problem = "failed", problem


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Job", Scripted)
    monkeypatch.setattr(module, "PAUSE", 0.01)


def run(play: Callable[[Jobs], Awaitable[None]]) -> None:
    async def played() -> None:
        jobs = Jobs()
        try:
            await asyncio.wait_for(play(jobs), 60)
        finally:
            jobs.close()

    asyncio.run(played())


async def started(jobs: Jobs, owner: str) -> Any:
    return await jobs.start("spot_job.solve", owner=owner, seconds=60.0)


def test_jobs_wait_in_a_queue_with_their_place() -> None:
    async def play(jobs: Jobs) -> None:
        all_ = [await started(jobs, str(number)) for number in range(4)]
        assert [(job.status, job.place) for job in all_] == [
            ("running", None), ("running", None), ("waiting", 1), ("waiting", 2),
        ]  # fmt: skip
        assert all_[3].document()["place"] == 2
        assert not await jobs.drop(all_[0].id, owner="1")
        assert await jobs.drop(all_[0].id, owner="0")
        assert [(job.status, job.place) for job in all_[2:]] == [("running", None), ("waiting", 1)]
        all_[1].status = "done"
        while all_[3].status != "running":
            await asyncio.sleep(0.01)

    run(play)


def test_a_job_belongs_to_its_owner_who_has_few() -> None:
    async def play(jobs: Jobs) -> None:
        job = await started(jobs, "ann")
        assert jobs.find(job.id, owner="ann") is job
        assert jobs.find(job.id, owner="bob") is None
        assert jobs.find(job.id, owner=None) is None
        await started(jobs, "ann")
        with pytest.raises(DoyleError, match="your jobs"):
            await started(jobs, "ann")
        for number in range(module.MOST_WAITING):
            await started(jobs, str(number))
        with pytest.raises(OverloadedError, match="too many jobs"):
            await started(jobs, "carl")

    run(play)


def test_jobs_that_nobody_listens_to_end_and_make_room() -> None:
    async def play(jobs: Jobs) -> None:
        left = [await started(jobs, str(number)) for number in range(2)]
        next_ = await started(jobs, "next")
        assert next_.place == 1
        for job in left:
            job.asked_at -= module.LISTENING_SECONDS + 1
        while next_.status != "running":
            await asyncio.sleep(0.01)
        assert [job.status for job in left] == ["failed", "failed"]
        assert jobs.find(left[0].id, owner="0") is None

    run(play)
