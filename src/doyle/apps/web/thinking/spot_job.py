"""Spots that a browser solves: bounded, with progress, then walked place by place. Runs in a job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from doyle.apps.web.thinking.jobs import Channel
from doyle.base.errors import DoyleError
from doyle.solving.spots import Spot, SpotResult
from doyle.solving.spots.solve import solve_spot
from doyle.strategy import PlaceView, Point

MEMORY = 512 << 20
SECONDS = 40.0
LEAST_TARGET_PERCENT = 0.1


def model_text(sizes: Sequence[float], *, all_in: bool) -> str:
    """The betting model of some sizes in percent of the pot.

    >>> model_text([50, 100], all_in=True)
    'fc50,100a'
    """
    whole = sorted({round(size) for size in sizes})
    return "fc" + ",".join(map(str, whole)) + ("a" if all_in else "")


def solve(
    channel: Channel,
    board: str,
    ranges: tuple[str, str],
    pot: int,
    stacks: int,
    sizes: tuple[int, ...],
    all_in: bool,
    locks: tuple[str, ...],
    target_percent: float,
) -> None:
    """Solve a spot, then answer with the decision at any place."""
    betting = model_text(sizes, all_in=all_in)
    spot = Spot.parse(board=board, ranges=ranges, pot=pot, stacks=stacks, betting=betting)
    if len(spot.board) < 4:
        raise DoyleError("board: spots in the browser start on the turn or the river")

    def report(point: Point) -> None:
        channel.progress(
            {
                "iterations": point.iteration,
                "seconds": round(point.seconds, 2),
                "percent": round(100 * point.exploitability / pot, 4),
            }
        )

    result = solve_spot(
        spot,
        target_percent=max(LEAST_TARGET_PERCENT, target_percent),
        seconds=SECONDS,
        locks=locks,
        memory=MEMORY,
        report=report,
    )
    channel.serve(_summary(result), lambda question: _answer(result, question))


def _summary(result: SpotResult) -> dict[str, Any]:
    document = result.document()
    document["history"] = [
        [point.iteration, round(point.seconds, 3), 100 * point.exploitability / result.spot.pot]
        for point in result.history
    ]
    return document


def _answer(result: SpotResult, question: dict[str, Any]) -> dict[str, Any]:
    """The decision after a betting text on a board."""
    decision = result.at(str(question["history"]), str(question["board"]) or None)
    return decision_document(decision)


def decision_document(decision: PlaceView) -> dict[str, Any]:
    """A decision with every hand, in the order of holes, as the explorer's places have them."""
    rows, weights = decision.rows()
    return {**decision.document(hands=False), "rows": rows, "weights": weights}
