"""Batches of matches played in order: by kernels on threads, or hand by hand by worker processes.

Kernels play the matches that they can; a match that turns out to need its agents continues hand by hand
from the batch where that was found. The results are the same either way.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, cast

from doyle.base.workers import Progress, Workers, map_items, map_threads
from doyle.matches.play import Batch, Forfeit, Played, play_batch, seatings
from doyle.matches.tally import HandCounter

if TYPE_CHECKING:
    from doyle.matches.fast import FastPlayers
    from doyle.matches.match import Match

FAST_BATCH_DEALS = 8192
"""A block of the dealer's; kernels play it in a fraction of a second."""

_BATCHES_AT_ONCE = 4


class Part(NamedTuple):
    """A batch of a match with its result."""

    match: int
    batch: Batch
    played: Played


@dataclass(frozen=True)
class Beginning:
    """The hands that an earlier run has played of a match."""

    deals: int = 0
    forfeits: tuple[Forfeit, ...] = ()


def played_in_order(
    matches: Sequence[Match],
    workers: Workers | None,
    progress: Progress | None,
    label: str,
    *,
    log_names: tuple[str, ...] = (),
    keep_hands: bool = False,
    beginnings: Sequence[Beginning] = (),
) -> Generator[Part, None, None]:
    """Play all batches that `beginnings` do not cover, and yield them in order within each match.

    A forfeit holds for all later batches of the match. Other workers may already have played such
    batches without the forfeit; these are played again.
    """
    for match in matches:
        # Agents are made here first, so that workers find the artifacts that they build.
        _ = match.names
    begun = list(beginnings) or [Beginning() for _ in matches]
    run = _Run(matches, workers, label, log_names, keep_hands, begun)
    long_batches = sum(_orders(match) for match in matches if match.in_order)
    total = sum(
        (match.hands - beginning.deals) * _orders(match)
        for match, beginning in zip(matches, begun, strict=True)
    )
    with HandCounter(progress, label=label, total=total, long_batches=long_batches) as counter:
        for index, match in enumerate(matches):
            if not isinstance(match.fast, str) and not begun[index].forfeits:
                yield from run.fast(index, match.fast, counter)
        yield from run.plain(counter)


@dataclass
class _Run:
    """Matches under way; `done[match]` deals have been played."""

    matches: Sequence[Match]
    workers: Workers | None
    label: str
    log_names: tuple[str, ...]
    keep_hands: bool
    begun: Sequence[Beginning]
    done: list[int] = field(init=False)
    reasons: dict[int, str] = field(default_factory=dict)
    """Why matches that kernels should have played are played hand by hand after all."""

    def __post_init__(self) -> None:
        self.done = [beginning.deals for beginning in self.begun]

    def fast(self, index: int, pair: FastPlayers, counter: HandCounter) -> Iterator[Part]:
        """Play a match by kernels as far as they support it."""
        from doyle.agents.compiled import NotCompilable
        from doyle.matches.fast import play_fast_batch

        workers = self.workers or Workers()
        on_cluster = workers.cluster is not None
        play = play_fast_batch if on_cluster else pair.runner().play
        mapping = map_items if on_cluster else map_threads
        batches = self._batches(index, size=FAST_BATCH_DEALS)
        at_once = _BATCHES_AT_ONCE * workers.count
        while chunk := list(islice(batches, at_once)):
            results = mapping(play, chunk, workers=workers, label=self.label)
            with closing(cast("Generator[Played, None, None]", results)):
                for batch in chunk:
                    try:
                        played = next(results)
                    except NotCompilable as error:
                        self.reasons[index] = str(error)
                        return
                    self.done[index] += len(batch.deals)
                    counter.finish(batch.hands)
                    yield Part(index, batch, played)

    def plain(self, counter: HandCounter) -> Iterator[Part]:
        """Play the remaining hands one by one."""
        queue = [
            (index, batch) for index in range(len(self.matches)) for batch in self._batches(index)
        ]
        places = [place for place, (index, _) in enumerate(queue) if self.matches[index].in_order]
        tallies = {place: counter.tally(number) for number, place in enumerate(places)}
        known = {index: beginning.forfeits for index, beginning in enumerate(self.begun)}
        done = 0
        while done < len(queue):
            items = [
                replace(batch, forfeits=known[index], tally=tallies.get(place))
                for place, (index, batch) in enumerate(queue)
                if place >= done
            ]
            mapped = map_items(play_batch, items, workers=self.workers, label=self.label)
            with closing(cast("Generator[Played, None, None]", mapped)) as results:
                for played in results:
                    index, batch = queue[done]
                    place = places.index(done) if done in tallies else None
                    counter.finish(batch.hands, place=place)
                    done += 1
                    yield Part(index, batch, replace(played, plain_because=self._why(index)))
                    if played.forfeits:
                        known[index] += played.forfeits
                        break

    def _batches(self, index: int, *, size: int | None = None) -> Iterator[Batch]:
        return self.matches[index].batches(
            self.log_names, size=size, first_deal=self.done[index], keep_hands=self.keep_hands
        )

    def _why(self, index: int) -> str:
        fast = self.matches[index].fast
        if isinstance(fast, str):
            return fast
        return self.reasons.get(index, "an agent forfeited")


def _orders(match: Match) -> int:
    """How often each deal is played."""
    return len(seatings(match.game.players)) if match.duplicate else 1
