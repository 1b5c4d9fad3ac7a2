"""The functions of a thinking process: agents are loaded once, then queried.

Everything here is a plain function of plain values. Stateful agents receive the hands that they
have played at a table before they act there.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from doyle.agents import resolve_agent
from doyle.agents.search import SearchAgent
from doyle.agents.starter.agent import STARTER, STRATEGIES
from doyle.apps.web.thinking.requests import AgentInfo, Decision, PlayedHand
from doyle.base.errors import DoyleError
from doyle.games import CALL, Action, Agent, Game, State, remembers

BASELINE_HANDS = 100
"""Times that an agent plays a hand against itself for the baseline."""

AGENTS_KEPT = 6


@lru_cache(maxsize=AGENTS_KEPT)
def loaded_agent(text: str, game: str) -> Agent:
    """The agent of a text for a game of that name, loaded once in this process."""
    return resolve_agent(text, Game.named(game))


def prepare(text: str, game: str) -> AgentInfo:
    """Load an agent, let it make one decision (to compile its kernels), describe it."""
    agent = loaded_agent(text, game)
    rules = Game.named(game)
    state = State.start(rules)
    hole = tuple(rules.deck[-rules.hole_cards :])
    if not remembers(agent):
        agent.act(state.view(state.actor, hole=hole))
    searches = isinstance(agent, SearchAgent)
    return AgentInfo(agent.name, _digest(text, game, agent), remembers(agent), searches)


def act(decision: Decision, before: tuple[PlayedHand, ...] = ()) -> Action:
    """The action of an agent, as it returned it; the table makes it legal."""
    agent = loaded_agent(decision.agent, decision.game)
    if remembers(agent):
        agent = remembering_agent(
            decision.agent, decision.game, dice_key=decision.dice_key, before=before
        )
    action = agent.act(decision.view())
    if isinstance(action, bool) or not isinstance(action, int | np.integer):
        return CALL
    return int(action)


def remembering_agent(
    text: str, game: str, *, dice_key: bytes, before: tuple[PlayedHand, ...]
) -> Agent:
    """An agent that has lived through the hands before: afresh, so that processes do not matter.

    `dice_key` is that of its position in the hand to come.
    """
    rules = Game.named(game)
    agent: Any = resolve_agent(text, rules)
    seed = int.from_bytes(before[0].dice_keys[0] if before else dice_key, "big")
    agent.start(rules, np.random.default_rng(seed))
    for hand in before:
        position = hand.agents.index(text)
        states = hand.states()
        for state in states[:-1]:
            if state.actor == position:
                agent.act(state.view(position, dice_key=hand.dice_keys[position]))
        agent.hand_over(states[-1].view(position, dice_key=hand.dice_keys[position]))
    return agent  # type: ignore[no-any-return]


def baseline(hand: PlayedHand, position: int, agent_text: str) -> float:
    """An agent's mean winnings in `position` with the cards of a hand, against itself.

    The dice of the repetitions follow from those of the hand, so it is reproducible.
    """
    agent = loaded_agent(agent_text, hand.game)
    if remembers(agent):
        raise DoyleError(f"agent {agent_text!r}: remembers, and has no baseline")
    start = hand.states()[0]
    total = 0.0
    for number in range(BASELINE_HANDS):
        keys = [hashlib.sha256(b"%d " % number + key).digest() for key in hand.dice_keys]
        state = start
        while not state.is_over:
            view = state.view(state.actor, dice_key=keys[state.actor])
            state = state.apply(state.nearest_legal(int(agent.act(view))))
        total += float(state.payoffs()[position])
    return total / BASELINE_HANDS


def _digest(text: str, game: str, agent: Agent) -> str:
    """A digest of the tables that an agent plays, which distinguishes its versions."""
    if text == STARTER:
        from doyle.agents.starter.files import FOLDER

        name = STRATEGIES.get(game)
        return "" if name is None else _file_digest(FOLDER / name)
    strategy: Any = getattr(agent, "strategy", None)
    while strategy is not None and hasattr(strategy, "source"):
        strategy = strategy.source
    origin = getattr(strategy, "origin", None)
    return "" if origin is None else str(origin.digest)


def _file_digest(path: Path) -> str:
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
