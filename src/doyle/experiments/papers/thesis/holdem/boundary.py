"""Table 4.1 against a Hold'em agent, as in the thesis: fcpa with `5.5.5.5`.

The agent's answers to an opening pot bet and to an opening all-in, over all its hands, are the two
mixes to distinguish; the rest is `doyle.experiments.papers.thesis.boundaries`. The game is not
named there; 500 big blinds are assumed, as in the other tables of fcpa.
"""

from __future__ import annotations

import numpy as np

from doyle.agents.named_strategy import required_strategy
from doyle.agents.strategy_agent import StrategyAgent
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result
from doyle.experiments.papers.thesis.boundaries import Mix, explored_table
from doyle.experiments.papers.thesis.holdem.players import built_player
from doyle.games import CALL, FOLD, Action

EXPLORED = "fcpa 5.5.5.5"


def answers_to(agent: StrategyAgent, bet: Action) -> Mix:
    """How often the agent folds, calls and raises against an opening bet of its tree, over its hands."""
    tree = agent.strategy.tree
    node = tree.child(0, bet)
    buckets = np.asarray(agent.bucketing.buckets(()))
    mean = agent.columns(node)[:, buckets[buckets >= 0]].mean(axis=1)
    found = dict(zip(tree.actions_of(node).tolist(), mean.tolist(), strict=True))
    fold, call = found.get(FOLD, 0.0), found.get(CALL, 0.0)
    return fold, call, sum(found.values()) - fold - call


def table_4_1(options: Options) -> Result:
    """Against the Hold'em agent."""
    agent = required_strategy(built_player(EXPLORED, options), purpose="explore").agent()
    pot, all_in = (bet for bet in agent.strategy.tree.actions_of(0).tolist() if bet > CALL)
    return explored_table(
        (answers_to(agent, pot), answers_to(agent, all_in)),
        options,
        other=None,
        note="At published scale the agent is solved for an hour on 2 cores; the exploration is the same.",
    )
