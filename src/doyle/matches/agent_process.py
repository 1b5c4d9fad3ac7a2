"""The process of an isolated agent: reads requests, queries the agent, writes answers.

The agent's standard output is the match's standard error, so that its prints are visible and cannot
corrupt the protocol; it has no standard input. `doyle.matches.apart` is the other side and
describes the lines.
"""

from __future__ import annotations

import contextlib
import json
import operator
import os
import pickle
import sys
from typing import Any, BinaryIO

import numpy as np

from doyle.agents import resolve_agent
from doyle.agents.agent_file import agent_file, line_of
from doyle.base.errors import DoyleError
from doyle.base.workers.local import end_with
from doyle.games import Agent, Deal, Game, State, View, remembers

_LARGEST_NUMBER = 2**62


def serve() -> None:
    """Load the agent that the first message carries, then answer requests until the input ends."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    message = _message(requests)
    if not message:
        return
    path, parent, memory, setup = pickle.loads(message)
    end_with(parent)
    _limit_memory(memory)
    sys.path[:] = path
    own_process = os.getpid()
    try:
        agent, game, text = _loaded(setup)
        document = {"number": 0, "name": agent.name, "remembers": remembers(agent)}
    except BaseException as error:
        document = {"number": 0, "failed": _problem(error)}
        agent, game, text = None, None, ""
    _send(answers, document)
    if agent is None or game is None:
        return
    for line in requests:
        request = json.loads(line)
        try:
            content = _asked(agent, game, request)
        except BaseException as error:  # whatever an agent does is reported as its failure
            content = {"failed": _failure(error, text)}
        if os.getpid() != own_process:
            os._exit(0)  # a copy that the agent has forked does not answer
        _send(answers, {"number": request["number"], **content})


def _loaded(setup: bytes) -> tuple[Agent, Game, str]:
    """The agent, its game, and the text of an agent that was given by one."""
    agent, game = pickle.loads(setup)
    text = agent if isinstance(agent, str) else ""
    if text:
        agent = resolve_agent(text, game)
    if type(agent.name) is not str or not agent.name:
        raise DoyleError("its name must be a text that is not empty")
    if not agent.name.isprintable():  # such as a line break or half a character
        raise DoyleError(f"its name {agent.name!a} holds a character that cannot be printed")
    return agent, game, text


def _failure(error: BaseException, text: str) -> str:
    """The exception of an agent during play, with the line of its source file if known."""
    name = type(error).__name__[:100]
    own_file = agent_file(text)
    line = None if own_file is None else line_of(error, own_file.path)
    return name if line is None else f"{name} at line {line} of {text}"[:1000]


def _asked(agent: Any, game: Game, request: dict[str, Any]) -> dict[str, Any]:
    what = request["request"]
    if what == "start":
        agent.start(game, np.random.default_rng(request["seed"]))
        return {}
    view = _view(game, request["view"])
    if what == "hand_over":
        agent.hand_over(view)
        return {}
    if what == "practise":
        _practise(agent, game, view)
        return {}
    return {"action": _number(agent.act(view))}


def _practise(agent: Any, game: Game, view: View) -> None:
    """One decision that does not count; an exception then comes again where it does."""
    with contextlib.suppress(Exception):
        if remembers(agent):
            agent.start(game, np.random.default_rng(0))
        agent.act(view)


def _number(action: Any) -> int | None:
    """The agent's return value as a JSON number; None if it is not a number."""
    if isinstance(action, bool):
        return None
    try:
        number = operator.index(action)
    except TypeError:
        return None
    return max(-_LARGEST_NUMBER, min(int(number), _LARGEST_NUMBER))


def _view(game: Game, document: dict[str, Any]) -> View:
    board = tuple(document["board"])
    shown = tuple(tuple(cards) for cards in document["shown"])
    state = State.start(game, Deal(shown, board))
    for action in document["actions"]:
        state = state.apply(action)
    key = bytes.fromhex(document["dice_key"])
    return state.view(document["seat"], dice_key=key, hole=tuple(document["hole"]))


def _message(requests: BinaryIO) -> bytes:
    size = int.from_bytes(requests.read(8), "big")
    return requests.read(size)


def _send(answers: int, document: dict[str, Any]) -> None:
    os.write(answers, json.dumps(document).encode() + b"\n")


def _problem(error: BaseException) -> str:
    """Why an agent cannot be loaded, in one line."""
    text = str(error) if isinstance(error, DoyleError) else f"{type(error).__name__}: {error}"
    return " ".join(text.split())[:1000]


def _limit_memory(memory: int) -> None:
    """Refuse memory beyond the limit; the system decides whether it can."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
