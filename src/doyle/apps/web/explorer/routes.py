"""The requests behind the explorer and the review: places, bets, mappings, and jobs."""

from __future__ import annotations

import math
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path

from doyle.apps.web.api.access import Owner, Visitor
from doyle.apps.web.explorer import documents as d
from doyle.apps.web.explorer.mapping_tables import mapping_table
from doyle.apps.web.service import TableService
from doyle.apps.web.service.offers import SIMPLE
from doyle.apps.web.store import PlayerRecord
from doyle.apps.web.thinking.jobs import Job, Jobs
from doyle.apps.web.thinking.requests import Offer
from doyle.base.errors import DoyleError

REVIEW_SECONDS = 600.0
SPOT_SECONDS = 900.0
"""The first solve on a machine compiles; the solve itself is bounded by the job."""
PLACE_SECONDS = 120.0
_SIMPLE = {agent for agent, _ in SIMPLE}

JobPath = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]


async def explorable(service: TableService) -> list[Offer]:
    """The offers with a strategy for two players."""
    return [
        offer
        for offer in await service.offers.all()
        if offer.agent not in _SIMPLE and not offer.game.endswith("-3p")
    ]


def router_of(service: TableService, jobs: Jobs) -> APIRouter:
    """The requests of one server."""
    router = APIRouter(
        prefix="/api",
        responses={status: {"description": "refused"} for status in (400, 404, 413, 422, 429, 503)},
    )

    @router.get("/explorer/strategies")
    async def strategies() -> list[d.StrategyDocument]:
        """The strategies that can be explored."""
        return [d.StrategyDocument(**offer._asdict()) for offer in await explorable(service)]

    @router.post("/explorer/place")
    async def place(question: d.PlaceQuestion) -> d.PlaceDocument:
        """A strategy's play after a betting string, with every hand."""
        service.offers.find(question.agent, question.game)
        found = await service.pool.work(
            "strategy_browser.explore",
            question.agent,
            question.game,
            question.betting,
            question.board,
            seconds=PLACE_SECONDS,
        )
        return d.PlaceDocument(**found)

    @router.post("/explorer/bet")
    async def bet(question: d.BetQuestion) -> dict[str, Any]:
        """How each mapping reads a bet in a strategy's tree."""
        service.offers.find(question.agent, question.game)
        found: dict[str, Any] = await service.pool.work(
            "strategy_browser.read_bet",
            question.agent,
            question.game,
            question.betting,
            question.raise_to,
            seconds=PLACE_SECONDS,
        )
        return found

    @router.post("/explorer/mappings")
    async def mappings(question: d.MappingQuestion) -> dict[str, Any]:
        """The seven mappings between two sizes, in pots."""
        if not question.lower < question.upper or not question.lower <= question.size <= (
            question.upper
        ):
            raise DoyleError("sizes: expected lower < upper and size between them")
        if math.isclose(question.lower, question.upper, rel_tol=1e-6):
            raise DoyleError("sizes: lower and upper are too close to each other")
        return mapping_table(question.lower, question.upper, question.size)

    @router.post("/explorer/spots", status_code=202)
    async def start_spot(owner: Owner, question: d.SpotQuestion) -> d.JobDocument:
        """Solve a spot in a process of its own."""
        job = await jobs.start(
            "spot_job.solve",
            question.board,
            question.ranges,
            question.pot,
            question.stacks,
            tuple(question.sizes),
            question.all_in,
            tuple(question.locks),
            question.target_percent,
            owner=owner.id,
            seconds=SPOT_SECONDS,
        )
        return d.JobDocument(**job.document())

    @router.post("/explorer/spots/{job_id}/place")
    async def spot_place(
        owner: Visitor, job_id: JobPath, question: d.SpotPlaceQuestion
    ) -> dict[str, Any]:
        """The play at a place of a solved spot."""
        return await _job(jobs, job_id, owner).ask(question.model_dump())

    @router.post("/reviews", status_code=202)
    async def start_review(owner: Owner, question: d.ReviewQuestion) -> d.JobDocument:
        """Review the hands of an uploaded file in a process of its own."""
        service.offers.find(question.agent, question.game)
        job = await jobs.start(
            "review_job.review_text",
            question.name,
            question.text,
            question.agent,
            question.game,
            question.player,
            question.spots,
            owner=owner.id,
            seconds=REVIEW_SECONDS,
        )
        return d.JobDocument(**job.document())

    @router.get("/jobs/{job_id}")
    async def job_status(owner: Visitor, job_id: JobPath) -> d.JobDocument:
        """How far a job is, and its result."""
        return d.JobDocument(**_job(jobs, job_id, owner).document())

    @router.delete("/jobs/{job_id}")
    async def cancel(owner: Visitor, job_id: JobPath) -> dict[str, bool]:
        """Cancel a job, or drop one that is done."""
        return {"dropped": await jobs.drop(job_id, owner=_id(owner))}

    return router


def _id(player: PlayerRecord | None) -> str | None:
    return None if player is None else player.id


def _job(jobs: Jobs, job_id: str, owner: PlayerRecord | None) -> Job:
    job = jobs.find(job_id, owner=_id(owner))
    if job is None:
        raise HTTPException(404, "no such job; it may have been dropped for others")
    return job
