"""An explanation: why a strategy agent acts as it does with one hand.

The real history maps to abstract histories, each with a weight (the agent's probability of being
there, given its hand and previous actions); at each the strategy has action probabilities for the
hand's bucket, and each abstract action becomes a real one. The real probabilities are the weighted
mean. Where the worst hands fold first (`Translation.defend`), this mean is the play of the strategy
alone, and a `Defence` describes the change of its folds.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.display import Text
from doyle.base.errors import DoyleError
from doyle.cards import format_cards
from doyle.games import FOLD, Action, Game, View
from doyle.games.histories import format_action, format_betting
from doyle.games.policies import check_decision, policy_row
from doyle.strategy.translation.steps import Translation, waiting
from doyle.strategy.translation.walk import WAITING, Branch, Position, Walker

ROUNDING = 1e-9
"""Folds that differ by less are the same."""


@dataclass(frozen=True)
class AbstractMove:
    """An action of the tree: its probability in the strategy, and the real action."""

    action: Action
    probability: float
    real: Action


@dataclass(frozen=True)
class AbstractHistory:
    """One reading of the betting: the tree's betting string and its weight; weights sum to 1.

    `waits`: the abstract game is ahead of the real game; the agent calls until the real game
    reaches it. `if_last` is the betting, with its probability, if no further raise follows
    (ExtendCall).
    """

    betting: str
    weight: float
    waits: bool
    moves: tuple[AbstractMove, ...]
    if_last: tuple[str, float] | None = None


@dataclass(frozen=True)
class Defence:
    """How often a hand folds by the strategy alone and by the order of the hands, and its place.

    `place` is the share of the hands it could have here that have less equity.
    """

    by_strategy: float
    folds: float
    place: float


@dataclass(frozen=True)
class Explanation:
    """All inputs of one decision. Without histories the hand has zero reach, and it calls."""

    game: Game
    translation: Translation
    bucket: int
    bucket_count: int
    histories: tuple[AbstractHistory, ...]
    actions: tuple[tuple[Action, float], ...]
    defence: Defence | None = None

    def document(self) -> dict[str, Any]:
        """The explanation as a part of a JSON document."""
        game, translation = self.game, self.translation
        return {
            "translation": {
                "mapping": translation.mapping.name,
                "measure": translation.measure,
                "small_bets": translation.small_bets,
                "remembers_own_actions": translation.remember,
                "defend": translation.defend,
            },
            "bucket": self.bucket,
            "buckets": self.bucket_count,
            "reached": bool(self.histories),
            "histories": [
                {
                    "betting": history.betting,
                    "weight": history.weight,
                    "waits": history.waits,
                    "if_last": history.if_last
                    and {"betting": history.if_last[0], "probability": history.if_last[1]},
                    "actions": [
                        {
                            "action": format_action(game, move.action),
                            "probability": move.probability,
                            "real": format_action(game, move.real),
                        }
                        for move in history.moves
                    ],
                }
                for history in self.histories
            ],
            "defence": self.defence and asdict(self.defence),
            "actions": [
                {"action": format_action(game, action), "probability": probability}
                for action, probability in self.actions
            ],
        }

    def text(self) -> Text:
        """The readings of the betting, and the action probabilities."""
        yield ""
        if not self.histories:
            yield "This hand has zero reach: the agent would have played it differently before."
        for history in self.histories:
            yield f"as {history.betting or '(none)'} with weight {history.weight:.4f}"
            if history.if_last:
                betting, share = history.if_last
                yield (
                    f"   if this raise is the last of the round: {betting} with probability {share:.4f}"
                )
            if history.waits:
                yield "   ahead of the real game: calls until that has caught up"
            for move in history.moves:
                own, real = (format_action(self.game, one) for one in (move.action, move.real))
                played = "" if real == own else f"  played as {real}"
                yield f"   {own:<8} {move.probability:.4f}{played}"
        if self.defence:
            yield (
                f"the worst hands fold first: of its hands here {self.defence.place:.1%} are worse; "
                f"folds {self.defence.folds:.4f} instead of {self.defence.by_strategy:.4f}"
            )
        yield "\nplays"
        for action, probability in self.actions:
            yield f"   {format_action(self.game, action):<8} {probability:.4f}"


def moment(agent: str, view: View) -> dict[str, Any]:
    """The seat to act and its view, as a part of a JSON document; refused if nobody is to act."""
    state = view.state
    if state.is_over:
        raise DoyleError("the hand is over: there is no decision to explain")
    if state.actor != view.seat:
        raise DoyleError(f"seat {state.actor} is to act, not seat {view.seat}")
    if len(view.hole) != state.game.hole_cards:
        raise DoyleError(f"the cards of seat {view.seat} are hidden; a decision depends on them")
    check_decision(state)
    return {
        "agent": agent,
        "game": state.game.name,
        "seat": view.seat,
        "round": state.round,
        "betting": format_betting(state),
        "hole": format_cards(view.hole),
        "board": format_cards(view.board),
    }


def moment_text(document: dict[str, Any], about_hand: str = "") -> Text:
    """The moment of a document in words."""
    cards = f"{document['hole']} {document['board']}".strip()
    yield f"{document['agent']} in seat {document['seat']} of {document['game']}"
    yield f"hand     {cards}{about_hand}"
    yield f"betting  {document['betting'] or '(none)'}"


def explain(agent: StrategyAgent, view: View) -> Explanation:
    """Explain what `agent` does with the hand of `view`, at a `moment` of its own."""
    state = view.state
    walker, position = agent.walk(state, view.seat)
    place, tree = policy_row(agent.game, view.hole), agent.strategy.tree
    weights = {branch: float(of_all[place]) for branch, of_all in position.beliefs.items()}
    total = sum(weights.values())
    histories = [
        AbstractHistory(
            tree.betting_text(branch.node),
            weight / total,
            waiting(tree, branch.node, state),
            _moves(walker, position, branch, place),
            branch.if_last and (tree.betting_text(branch.if_last[0]), float(branch.if_last[1])),
        )
        for branch, weight in weights.items()
        if weight > 0
    ]
    by_strategy = sum(
        history.weight * move.probability
        for history in histories
        for move in history.moves
        if move.real == FOLD
    )
    actions, shares = agent.probabilities(state)
    played = dict(zip(actions, shares[place].tolist(), strict=True))
    defence = None
    if total > 0 and abs(played.get(FOLD, 0.0) - by_strategy) > ROUNDING:
        order = agent.order(state)
        range_ = np.where(order.possible, position.reach(), 0.0)
        below = float(range_[order.place < order.place[place]].sum() / range_.sum())
        defence = Defence(by_strategy, played.get(FOLD, 0.0), below)
    return Explanation(
        game=agent.game,
        translation=agent.translation,
        bucket=agent.bucket(view.hole, view.board),
        bucket_count=agent.strategy.bucket_count(state.round),
        histories=tuple(sorted(histories, key=lambda history: -history.weight)),
        actions=tuple((action, share) for action, share in played.items() if share > 0),
        defence=defence,
    )


def _moves(
    walker: Walker, position: Position, branch: Branch, place: int
) -> tuple[AbstractMove, ...]:
    """The strategy's actions at a branch with the hand of row `place`; empty while it waits."""
    known = walker.cache.tree.actions_of(branch.node).tolist()
    row = [np.asarray(shares) for shares in walker.row(position, branch)]
    return tuple(
        AbstractMove(known[column], float(row[column][place]), real)
        for real, column in position.history.choices(branch)
        if column != WAITING
    )
