"""A resumable run over all flops of the full-card best response.

Flops are work items in a fixed order; the running sum is saved with the number of flops in it, so
the result depends neither on the number of workers nor on interruptions.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.artifacts import Builder, Checkpoints, Description
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers, map_items
from doyle.measuring.full_cards.response import FullCardResponse
from doyle.solving.games import Board
from doyle.solving.profile import Exploitability

VERSION = 2
SAVE_EVERY_SECONDS = 20.0


@dataclass(frozen=True)
class ResponseSource:
    """How a worker gets at the strategy: a picklable, module-level function and its arguments."""

    load: Callable[..., FullCardResponse]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class FullCardResult:
    """Root values in chips per hand, or None while flops are missing."""

    flops_done: int
    flops: int
    seconds: float
    seconds_left: float
    best_response: tuple[float, float] | None
    """Winnings of a best response in seat 0 and in seat 1."""
    own_value: float | None
    """The strategy's self-play value in seat 0."""

    @property
    def exploitability(self) -> Exploitability | None:
        """As in an abstract game; the strategy's own value replaces the game's."""
        if self.best_response is None or self.own_value is None:
            return None
        return Exploitability.of(self.best_response, self.own_value)


@lru_cache(maxsize=1)
def response_of(source: ResponseSource) -> FullCardResponse:
    """The response of a source, made once in each process."""
    return source.load(*source.arguments)


def flop_values(item: tuple[ResponseSource, Board]) -> npt.NDArray[np.float64]:
    """The values of a flop, as a work item."""
    source, flop = item
    return response_of(source).flop_values(flop)


def run_full_cards(
    source: ResponseSource,
    folder: Path,
    *,
    identity: dict[str, Any],
    flops: int | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> FullCardResult:
    """Continue until all flops are done, or `flops` more of them; state is kept under `folder`.

    `identity` describes the measurement; a checkpoint of another one is refused.
    """
    response = response_of(source)
    items = response.flops()
    checkpoints = Checkpoints(folder)
    description = Description("full-card-response", VERSION, identity)
    total = response.total()
    done, earlier = 0, 0.0
    found = checkpoints.latest()
    if found is not None:
        if found.parameters != identity:
            raise DoyleError(f"{found.folder}: measures something else; remove the folder")
        found.read_into("total", total)
        done, earlier = found.whole_number("flops"), found.number("seconds")
        if done > len(items):
            raise found.damaged("metadata.flops")
    last = len(items) if flops is None else min(len(items), done + flops)
    started = saved = time.monotonic()

    def save() -> None:
        def build(builder: Builder) -> None:
            builder.put("total", total)
            builder.metadata["flops"] = done
            builder.metadata["seconds"] = earlier + time.monotonic() - started

        checkpoints.save(done, description, build)

    work = [(source, flop) for flop in items[done:last]]
    results = map_items(flop_values, work, workers=workers, label="flops")
    for values in results:
        response.add_flop(items[done], values, total)
        done += 1
        if progress is not None:
            progress("flops", done, len(items))
        if time.monotonic() - saved > SAVE_EVERY_SECONDS:
            save()
            saved = time.monotonic()
    save()
    seconds = earlier + time.monotonic() - started
    left = seconds * (len(items) - done) / done if done else float("inf")
    if done < len(items):
        return FullCardResult(done, len(items), seconds, left, None, None)
    first, second, own = response.root_values(total)
    return FullCardResult(done, len(items), seconds, 0.0, (first, second), own)
