"""The report card of an agent by the benchmark's frozen protocol.

Every agent meets the frozen opponents and the probe. Policies also meet the local best responses, and are
evaluated over all pairs of hands where that is feasible; agents that only act play duplicate matches,
which have the same mean and wider intervals. A client on the network has a connection for each match.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from doyle.agents.resolve import resolve_agent
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.games import Agent, Game
from doyle.games.histories import read_hands
from doyle.matches import play_match
from doyle.matches.match import DEFAULT_TIME_LIMIT
from doyle.measuring.reports.benchmark import version_1 as frozen
from doyle.measuring.reports.benchmark.probes import Prober, ProbeResult, probe_result
from doyle.measuring.reports.report_card import Budget, LbrRow, ReportCard, against, lbr_rows

Player = str | Agent
Seating = Callable[[str], AbstractContextManager[Player]]
"""Makes the agent for one match from its description; closed when the match is over."""


def score_card(
    agent: str,
    game: Game,
    *,
    deals: int = frozen.DEALS,
    seat: Seating | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> ReportCard:
    """Measure an agent by its text, or an agent that `seat` supplies for each match; builds
    nothing."""
    if game.players != 2:
        raise DoyleError(f"the benchmark is for games of two players, not {game.name}")
    if frozen.has_reference(game) and not frozen.reference_is_built():
        raise DoyleError("the benchmark's reference strategy is not built yet")
    budget = Budget.of(deals, seed=frozen.SEED)
    if seat is None:
        policy: Agent | None = resolve_agent(agent, game)
    else:
        policy, workers = None, Workers(1)
    bring: Seating = seat or (lambda match: nullcontext(agent))
    rows = []
    for opponent, name in _opponents(game):
        with bring(name) as player:
            known = policy if policy is not None else _object(player)
            rows.append(
                against(
                    player,
                    known,
                    opponent,
                    game,
                    budget,
                    name=name,
                    time_limit=time_limit,
                    workers=workers,
                    progress=progress,
                )
            )
    lbr: tuple[LbrRow, ...] = ()
    if policy is not None:
        lbr = lbr_rows(agent, policy, game, budget, workers=workers, progress=progress)
    probes = None
    if frozen.is_probed(game):
        with bring("prober") as player:
            probes = _probed(player, game, budget.deals, time_limit, workers, progress)
    reference = frozen.reference_digest() if frozen.has_reference(game) else None
    return ReportCard(
        agent,
        game,
        budget,
        None,
        None,
        lbr,
        tuple(rows),
        version=frozen.VERSION,
        reference=reference,
        probes=probes,
    )


def _opponents(game: Game) -> list[tuple[str, str]]:
    """Texts and names of the opponents."""
    found = [(name, name) for name in frozen.opponents(game)]
    if frozen.has_reference(game):
        found.append((str(frozen.reference_file()), frozen.REFERENCE))
    return found


def _object(player: Player) -> Agent:
    if isinstance(player, str):
        raise DoyleError(f"agent {player!r}: expected a seated agent")
    return player


def _probed(
    player: Player,
    game: Game,
    deals: int,
    time_limit: float,
    workers: Workers | None,
    progress: Progress | None,
) -> ProbeResult:
    prober = Prober(frozen.POTS)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "probes.log"
        match = play_match(
            game,
            [player, prober],
            hands=deals,
            seed=frozen.PROBE_SEED,
            time_limit=time_limit,
            workers=workers,
            log=log,
            progress=progress,
        )
        name = match.names[1]
        return probe_result(read_hands(log, game), name, frozen.POTS)
