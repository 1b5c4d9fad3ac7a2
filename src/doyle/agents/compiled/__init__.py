"""Compiled forms of agents: their decisions as arrays that kernels read, for fast matches.

An agent offers its form by a method `compiled()`, which raises `NotCompilable` with a reason if it
is unavailable; a card-blind script needs no method, and any other agent without one is played
through `act`. A subclass of an agent that does not play by its tables must override `compiled` too.

In reading order:

`players`  strategies, scripts and `ev`
`cases`    case-based agents of limit games
`rows`     rows of numbers that grow while kernels read them
"""

from __future__ import annotations

from typing import Protocol, TypeAlias, runtime_checkable

from doyle.agents.compiled.cases import CasePlayer
from doyle.agents.compiled.players import NotCompilable, ScriptedPlayer, StrategyPlayer, ValuePlayer
from doyle.games import remembers
from doyle.games.policies import CardBlind

CompiledPlayer: TypeAlias = StrategyPlayer | ScriptedPlayer | ValuePlayer | CasePlayer


@runtime_checkable
class Compilable(Protocol):
    """An agent with a compiled form."""

    def compiled(self) -> CompiledPlayer: ...


def compiled_form(agent: object) -> CompiledPlayer:
    """The compiled form of an agent; `NotCompilable` if unavailable."""
    if isinstance(agent, Compilable):
        return agent.compiled()
    scripted = isinstance(agent, CardBlind) and type(agent).act is CardBlind.act
    if scripted and not remembers(agent) and not hasattr(agent, "watch"):
        return ScriptedPlayer(agent)  # type: ignore[arg-type]
    name = getattr(agent, "name", type(agent).__name__)
    raise NotCompilable(f"{name} has no compiled form")


__all__ = [
    "CasePlayer",
    "Compilable",
    "CompiledPlayer",
    "NotCompilable",
    "ScriptedPlayer",
    "StrategyPlayer",
    "ValuePlayer",
    "compiled_form",
]
