"""The agents seated for a batch: agents made ready in this process, or in processes of their own.

Agents of doyle's own are made once in each process and practise before the clock starts, so that
loading tables and compiling kernels costs them no time. An agent given as an object is its caller's
own code and plays as it is. An agent that another package offers plays apart, in a process of its
own, afresh in every batch.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import lru_cache

import numpy as np

from doyle.agents import AlwaysFold, is_foreign, resolve_agent
from doyle.games import CALL, Agent, Game, State, View, remembers
from doyle.matches.apart import Apart, open_apart
from doyle.matches.chance import Dealer, as_deal


def seated_agents(
    agents: Sequence[str | Agent],
    game: Game,
    *,
    absent: Collection[int],
    time_limit: float,
    stack: ExitStack,
) -> list[Agent]:
    """The agents of a batch, ready to play; `stack` ends the processes of those that play apart.

    `always-fold` replaces players who are `absent`, having forfeited.
    """
    seated: list[Agent] = []
    for player, agent in enumerate(agents):
        if player in absent:
            agent = AlwaysFold()
        if isinstance(agent, str) and is_foreign(agent):
            agent = Apart(agent)
        if isinstance(agent, Apart):
            views = list(practice_views(game))
            seated.append(open_apart(agent, game, limit=time_limit, practice=views, stack=stack))
        elif isinstance(agent, str):
            seated.append(_own(agent, game, player))
        elif remembers(agent) and any(agent is other for other in seated):
            seated.append(copy.deepcopy(agent))  # two players do not share one memory
        else:
            seated.append(agent)
    return seated


def plays_in_order(agent: str | Agent, game: Game) -> bool:
    """Whether an agent must be given its hands in order, by one process from start to end."""
    if isinstance(agent, Apart) or (isinstance(agent, str) and is_foreign(agent)):
        return True
    return remembers(resolved_agent(agent, game) if isinstance(agent, str) else agent)


@lru_cache(maxsize=64)
def resolved_agent(text: str, game: Game) -> Agent:
    """The agent of a text, made once in each process."""
    return resolve_agent(text, game)


def clear_resolved() -> None:
    """Clear the cache of agents: the files that they are made from may have changed."""
    for cached in (resolved_agent, _practised, _remembering):
        cached.cache_clear()


def practice_views(game: Game) -> Iterator[View]:
    """One decision of every seat in every round of a hand in which everybody calls."""
    deal = as_deal(game, Dealer(game, seed=0).draw(1)[0])
    state = State.start(game, deal)
    while state.actor >= 0:
        yield state.view(state.actor)
        state = state.apply(CALL)


def _own(text: str, game: Game, player: int) -> Agent:
    agent = _practised(text, game)
    return _remembering(text, game, player) if remembers(agent) else agent


@lru_cache(maxsize=64)
def _practised(text: str, game: Game) -> Agent:
    agent = resolved_agent(text, game)
    if remembers(agent):
        agent.start(game, np.random.default_rng(0))  # type: ignore[attr-defined]
    with suppress(Exception):  # the same error occurs in the match, and is reported there
        for view in practice_views(game):
            agent.act(view)
    return agent


@lru_cache(maxsize=64)
def _remembering(text: str, game: Game, player: int) -> Agent:
    """A separate agent of this player, whose memory no other player shares."""
    return resolve_agent(text, game)
