"""An explanation: why a strategy agent acts as it does with one hand.

The real history stands for some abstract histories, each with a weight (how likely the agent is to
be there, given its hand and what it did before); at each the strategy has action probabilities for
the hand's bucket, and each abstract action becomes a real one. The real probabilities are the
weighted mean.
"""

from __future__ import annotations

from dataclasses import dataclass

from doyle.agents.strategy_agent import StrategyAgent
from doyle.errors import DoyleError
from doyle.games import Action, View
from doyle.solving.table_rows import policy_row
from doyle.translation.beliefs import Branch
from doyle.translation.steps import waiting


@dataclass(frozen=True)
class AbstractMove:
    """An action of the tree: how likely the strategy takes it, and what it is at the table."""

    action: Action
    probability: float
    real: Action


@dataclass(frozen=True)
class AbstractHistory:
    """One reading of the betting: the tree's betting string and its weight; weights sum to 1.

    One that `waits` is ahead of the real game: the agent calls until the real game has caught up.
    `if_last` is the betting it becomes, and how likely, if nobody raises again (ExtendCall).
    """

    betting: str
    weight: float
    waits: bool
    moves: tuple[AbstractMove, ...]
    if_last: tuple[str, float] | None = None


@dataclass(frozen=True)
class Explanation:
    """All that goes into one decision. Without histories the hand cannot be here, and it calls."""

    bucket: int
    bucket_count: int
    histories: tuple[AbstractHistory, ...]
    actions: tuple[tuple[Action, float], ...]


def explain(agent: StrategyAgent, view: View) -> Explanation:
    """Explain what `agent` does with the hand of `view`."""
    state = view.state
    if state.is_over:
        raise DoyleError("the hand is over: there is no decision to explain")
    if state.actor != view.seat:
        raise DoyleError(f"seat {state.actor} is to act, not seat {view.seat}")
    if len(view.hole) != agent.game.hole_cards:
        raise DoyleError(f"the cards of seat {view.seat} are hidden; a decision depends on them")
    player, beliefs = agent.read(state, hole=view.hole)
    total = sum(float(weights[0]) for weights in beliefs.values())
    moves: dict[Branch, list[AbstractMove]] = {}
    for real, branch, abstract, weights in player.choices(beliefs, state)[2] if beliefs else ():
        whole = float(beliefs[branch][0])
        if abstract >= 0 and whole > 0:
            move = AbstractMove(abstract, float(weights[0]) / whole, real)
            moves.setdefault(branch, []).append(move)
    tree = agent.strategy.tree
    histories = [
        AbstractHistory(
            tree.betting_text(branch.node),
            float(weights[0]) / total,
            waiting(tree, branch.node, state),
            tuple(moves.get(branch, ())),
            branch.if_last and (tree.betting_text(branch.if_last[0]), float(branch.if_last[1])),
        )
        for branch, weights in beliefs.items()
        if weights[0] > 0
    ]
    actions, shares = agent.probabilities(state)
    row = shares[policy_row(agent.game, view.hole)]
    return Explanation(
        bucket=agent.bucket(view.hole, view.board),
        bucket_count=agent.strategy.bucket_count(state.round),
        histories=tuple(sorted(histories, key=lambda history: -history.weight)),
        actions=tuple(
            (action, float(share)) for action, share in zip(actions, row, strict=True) if share > 0
        ),
    )
