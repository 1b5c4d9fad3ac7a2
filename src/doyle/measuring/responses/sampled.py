"""Responses in Hold'em, in the abstract game of the opponent, by sampling.

The opponent is a strategy, and the response is made in its own betting tree and with its cards; or a
script that looks at no cards, in any tree and with any cards. Gains are measured as they are played, over
all pairs of hands on sampled boards. Loss: theory bounds it in the abstract game (`curve`), and a best
response in the abstract game, itself found by sampling, is a lower bound on the actual loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.cards import CardAbstraction
from doyle.abstractions.cards.registry import build as build_abstraction
from doyle.abstractions.cards.registry import kept_name
from doyle.agents.named_strategy import NamedStrategy, named_strategy
from doyle.agents.resolve import resolve_agent
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.errors import DoyleError, FieldError
from doyle.base.statistics import Estimate
from doyle.base.workers import Progress
from doyle.games import Game, State
from doyle.games.policies import CardBlind
from doyle.measuring.exact_hands.run import run_exact_hands
from doyle.measuring.responses.curve import ResponseCurve, ResponsePoint
from doyle.solving.run import Limits, Run
from doyle.solving.sampling.deals import HoldemDeals
from doyle.solving.sampling.response import ResponseSolver, Table, strategy_tables
from doyle.solving.sampling.solver import SamplingOptions
from doyle.strategy import Layout, StrategyInfo, TableStrategy


@dataclass(frozen=True, eq=False)
class AbstractOpponent:
    """An opponent as tables of an abstract game."""

    name: str
    tree: BettingTree
    abstraction: CardAbstraction
    cards: str
    tables: Sequence[Table]
    agent: StrategyAgent
    """The same tables as an agent; it reads and speaks as the opponent does."""

    @property
    def game(self) -> Game:
        return self.tree.game

    def solver(self, share: float, *, seed: int, tables: Sequence[Table] = ()) -> ResponseSolver:
        """A response to these tables, or to others of the same abstract game."""
        return ResponseSolver(
            self.tree,
            HoldemDeals(self.abstraction),
            SamplingOptions(seed=seed),
            opponent=tables or self.tables,
            share=share,
        )

    def played(self, name: str, strategy: TableStrategy) -> StrategyAgent:
        """An agent that plays another strategy of the abstract game."""
        return StrategyAgent(
            name,
            strategy,
            bucketing=self.abstraction,
            translation=replace(self.agent.translation, defend="never"),
        )


def abstract_opponent(
    text: str, game: Game, *, betting: str | None = None, cards: str | None = None
) -> AbstractOpponent:
    """The opponent of a text; `betting` and `cards` are for scripts, which have no abstraction of
    their own."""
    named = named_strategy(text)
    if named is not None:
        if betting is not None or cards is not None:
            raise FieldError(
                "betting" if betting is not None else "cards",
                f"{text} has its own; leave it out",
                value=betting or cards,
            )
        return _of_strategy(named)
    agent = resolve_agent(text, game)
    if not isinstance(agent, CardBlind):
        raise DoyleError(
            f"agent {text!r}: is no strategy of an abstract game; name a preset, a build, or a script"
        )
    if cards is None:
        raise FieldError("cards", f"{text} has none of its own: give a card abstraction")
    default = "limit" if game.betting == "limit" else "fcpa"
    tree = BettingTree.build(BettingModel.named(betting or default), game)
    abstraction = build_abstraction(cards)
    counts = [abstraction.bucket_count(number) for number in range(game.rounds)]
    tables = script_tables(agent, tree, counts)
    strategy = TableStrategy(tree, list(tables), info=StrategyInfo(cards=kept_name(cards)))
    as_agent = NamedStrategy(text, text, strategy, {}).agent()
    return AbstractOpponent(text, tree, abstraction, kept_name(cards), tables, as_agent)


def _of_strategy(named: NamedStrategy) -> AbstractOpponent:
    if not isinstance(named.bucketing, CardAbstraction) or named.cards is None:
        raise DoyleError(f"agent {named.text!r}: plays {named.game.name}, which is solved exactly")
    tables = strategy_tables(named.played)
    return AbstractOpponent(
        named.name, named.tables.tree, named.bucketing, named.cards, tables, named.agent()
    )


def script_tables(script: CardBlind, tree: BettingTree, counts: Sequence[int]) -> list[Table]:
    """A script's play at every decision of a tree, in every bucket."""
    layout = Layout.of(tree)
    tables = [
        np.zeros((count, width), np.float32)
        for count, width in zip(counts, layout.widths, strict=True)
    ]
    states = {0: State.start(tree.game)}
    for node in tree.decisions.tolist():
        state = states.pop(node)
        actions = tree.actions_of(node).tolist()
        for child, action in zip(tree.children_of(node).tolist(), actions, strict=True):
            after = state.apply(action)
            if not after.is_over:
                states[child] = after
        chosen = script.choose(state)
        nearest = min(actions, key=lambda action: (abs(action - chosen), action))
        tables[state.round][:, int(layout.offset[node]) + actions.index(nearest)] = 1.0
    return tables


def sampled_responses(
    opponent: AbstractOpponent,
    *,
    shares: Sequence[float],
    limits: Limits,
    equilibrium: StrategyAgent | None = None,
    measure_loss: bool = False,
    boards: int = 50,
    seed: int = 0,
    progress: Progress | None = None,
) -> ResponseCurve:
    """Responses for every share; `limits` are of each solve.

    `equilibrium` is compared with them; by default it is solved in the same abstract game, by the same
    solver, with a share of 0.
    """
    count = len(shares) + (equilibrium is None)
    if equilibrium is None:
        solved = _solved(opponent, 0.0, limits, seed)
        equilibrium = opponent.played("equilibrium", solved)
    against = _exact(opponent, equilibrium, opponent.agent, boards, seed)
    points = []
    for number, share in enumerate(shares, start=1):
        strategy = _solved(opponent, share, limits, seed)
        agent = opponent.played(f"response-{share:g}", strategy)
        gain = _exact(opponent, agent, opponent.agent, boards, seed)
        loss = None
        if measure_loss:
            best = _solved(opponent, 1.0, limits, seed, tables=strategy_tables(strategy))
            loss = _exact(opponent, opponent.played("nemesis", best), agent, boards, seed)
        bound = (
            None if share == 1 else max(0.0, share / (1 - share) * float(gain.mean - against.mean))
        )
        points.append(ResponsePoint(strategy, gain, share=share, loss=loss, bound=bound))
        if progress is not None:
            progress("responses", number + count - len(shares), count)
    return ResponseCurve(opponent.game, opponent.name, "sampling", against, tuple(points))


def _solved(
    opponent: AbstractOpponent,
    share: float,
    limits: Limits,
    seed: int,
    *,
    tables: Sequence[Table] = (),
) -> TableStrategy:
    run = Run(opponent.solver(share, seed=seed, tables=tables))
    solver = run.until(limits)
    info = StrategyInfo(
        cards=opponent.cards,
        solver="restricted-nash-response",
        seed=seed,
        iterations=solver.iteration,
        seconds=run.seconds,
        deterministic=limits.seconds is None,
    )
    return replace(solver.strategy(), info=info)


def _exact(
    opponent: AbstractOpponent, first: StrategyAgent, second: StrategyAgent, boards: int, seed: int
) -> Estimate:
    """The first one's winnings against the second, chips per hand."""
    found = run_exact_hands(opponent.game, [first, second], boards=boards, seed=seed)
    return found.won.scaled(opponent.game.big_blind / 1000.0)
