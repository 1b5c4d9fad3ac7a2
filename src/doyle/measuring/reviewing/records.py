"""The records of a review: of a decision, of groups of decisions, of hands, and as one document.

Losses are in thousandths of a big blind. `loss` compares the player's action with the policy's own
mix of actions, so it may be below 0: an action that the policy rarely takes may be worth more than
its mean. `loss_to_best` compares it with the best of the actions looked at and is never below 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from doyle.base.display import Shown, Text
from doyle.base.statistics import Estimate
from doyle.cards import format_cards
from doyle.games import CALL, FOLD, Action, Game, State

STREETS = ("preflop", "flop", "turn", "river")
SIZES: tuple[tuple[Fraction, str], ...] = (
    (Fraction(2, 5), "raise up to 40% of the pot"),
    (Fraction(7, 10), "raise 40-70% of the pot"),
    (Fraction(11, 10), "raise 70-110% of the pot"),
    (Fraction(2), "raise 110-200% of the pot"),
)
LARGEST = "raise over 200% of the pot"
ORDER = ("fold", "check", "call", *(name for _, name in SIZES), LARGEST, "all-in", "raise")
WORST = 10


@dataclass(frozen=True)
class OptionValue:
    """One action at a decision: its probability in the policy, and its value in mbb."""

    action: Action
    name: str
    probability: float
    value_mbb: float
    solver_probability: float | None = None
    solver_value_mbb: float | None = None

    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "action": self.name,
            "probability": round(self.probability, 6),
            "value_mbb": round(self.value_mbb, 3),
        }
        if self.solver_probability is not None:
            document["solver_probability"] = round(self.solver_probability, 6)
        if self.solver_value_mbb is not None:
            document["solver_value_mbb"] = round(self.solver_value_mbb, 3)
        return document


@dataclass(frozen=True)
class ReviewedDecision:
    """One decision of the player."""

    street: str
    betting: str
    board: str
    pot: int
    to_call: int
    taken: str
    group: str
    options: tuple[OptionValue, ...]
    best: str
    loss: Estimate
    """In mbb, as `loss_to_best_mbb`; the interval is of the boards drawn."""
    loss_to_best_mbb: float
    range_assumed: bool
    solver_loss_mbb: float | None = None
    solver_exploitability_percent: float | None = None

    @property
    def loss_mbb(self) -> float:
        return float(self.loss.mean)

    @property
    def exact(self) -> bool:
        return self.loss.method == "exact"

    def document(self) -> dict[str, Any]:
        return {
            "street": self.street,
            "betting": self.betting,
            "board": self.board,
            "pot": self.pot,
            "to_call": self.to_call,
            "taken": self.taken,
            "group": self.group,
            "best": self.best,
            "loss_mbb": round(self.loss_mbb, 3),
            "ci95": _rounded(self.loss.ci95),
            "loss_to_best_mbb": round(self.loss_to_best_mbb, 3),
            "exact": self.exact,
            "range_assumed": self.range_assumed,
            "solver_loss_mbb": _rounded(self.solver_loss_mbb),
            "solver_exploitability_percent_of_pot": _rounded(self.solver_exploitability_percent),
            "options": [option.document() for option in self.options],
        }


@dataclass(frozen=True)
class ReviewedHand:
    """One hand of the player, with its decisions; `problem` is the reason if there are none."""

    where: str
    number: int
    seat: int
    hole: str
    betting: str
    board: str
    opponent: str
    won_mbb: float | None
    decisions: tuple[ReviewedDecision, ...] = ()
    problem: str | None = None

    @property
    def loss_mbb(self) -> float:
        return sum(decision.loss_mbb for decision in self.decisions)

    def document(self) -> dict[str, Any]:
        return {
            "where": self.where,
            "number": self.number,
            "seat": self.seat,
            "hole": self.hole,
            "betting": self.betting,
            "board": self.board,
            "opponent": self.opponent,
            "won_mbb": _rounded(self.won_mbb),
            "loss_mbb": round(self.loss_mbb, 3),
            "problem": self.problem,
            "reviewed_decisions": [decision.document() for decision in self.decisions],
        }


@dataclass(frozen=True)
class Group:
    """Decisions of one street or one kind of action."""

    name: str
    decisions: int
    loss: Estimate
    """The sum in mbb; the interval is of the boards drawn alone."""
    loss_to_best_mbb: float
    solver_decisions: int
    solver_loss_mbb: float

    @classmethod
    def of(cls, name: str, decisions: Sequence[ReviewedDecision]) -> Group:
        solved = [d.solver_loss_mbb for d in decisions if d.solver_loss_mbb is not None]
        return cls(
            name=name,
            decisions=len(decisions),
            loss=Estimate.sum_of(decision.loss for decision in decisions),
            loss_to_best_mbb=sum(decision.loss_to_best_mbb for decision in decisions),
            solver_decisions=len(solved),
            solver_loss_mbb=sum(solved),
        )

    @property
    def loss_mbb(self) -> float:
        return float(self.loss.mean)

    @property
    def loss_text(self) -> str:
        return f"{self.loss_mbb:.1f}" + (f" ± {self.loss.ci95:.1f}" if self.loss.ci95 else "")

    def document(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "decisions": self.decisions,
            "loss_mbb": round(self.loss_mbb, 3),
            "ci95": _rounded(self.loss.ci95),
            "loss_per_decision_mbb": round(self.loss_mbb / max(1, self.decisions), 3),
            "loss_to_best_mbb": round(self.loss_to_best_mbb, 3),
            "solver_decisions": self.solver_decisions,
            "solver_loss_mbb": round(self.solver_loss_mbb, 3),
        }


@dataclass(frozen=True)
class Review(Shown):
    """The review of a player's hands by an agent."""

    game: Game
    agent: str
    player: str
    boards: int
    seed: int
    hands: tuple[ReviewedHand, ...]
    refused: dict[str, int] = field(default_factory=dict)
    """Hands that could not be read or are not of the game, by reason."""

    @property
    def decisions(self) -> list[ReviewedDecision]:
        return [decision for hand in self.hands for decision in hand.decisions]

    @property
    def reviewed(self) -> list[ReviewedHand]:
        """The hands that could be looked at."""
        return [hand for hand in self.hands if hand.problem is None]

    @property
    def total(self) -> Group:
        return Group.of("all", self.decisions)

    @property
    def loss_mbb_per_hand(self) -> float | None:
        count = len(self.reviewed)
        return self.total.loss_mbb / count if count else None

    def by_street(self) -> list[Group]:
        return _groups(self.decisions, lambda decision: decision.street, STREETS)

    def by_size(self) -> list[Group]:
        return _groups(self.decisions, lambda decision: decision.group, ORDER)

    def by_street_and_size(self) -> dict[str, list[Group]]:
        """The kinds of action within each street."""
        return {
            group.name: _groups(
                (one for one in self.decisions if one.street == group.name),
                lambda decision: decision.group,
                ORDER,
            )
            for group in self.by_street()
        }

    def worst(self, count: int = WORST) -> list[ReviewedHand]:
        """The hands with the largest losses."""
        found = [hand for hand in self.reviewed if hand.loss_mbb > 0]
        return sorted(found, key=lambda hand: -hand.loss_mbb)[:count]

    def document(self) -> dict[str, Any]:
        """The review as one JSON document."""
        problems: dict[str, int] = {}
        for hand in self.hands:
            if hand.problem is not None:
                problems[hand.problem] = problems.get(hand.problem, 0) + 1
        return {
            "game": self.game.name,
            "agent": self.agent,
            "player": self.player,
            "hands": len(self.reviewed),
            "decisions": len(self.decisions),
            "boards": self.boards,
            "seed": self.seed,
            "loss_mbb": round(self.total.loss_mbb, 3),
            "ci95": _rounded(self.total.loss.ci95),
            "loss_mbb_per_hand": _rounded(self.loss_mbb_per_hand),
            "loss_to_best_mbb": round(self.total.loss_to_best_mbb, 3),
            "by_street": [group.document() for group in self.by_street()],
            "by_size": [group.document() for group in self.by_size()],
            "by_street_and_size": {
                street: [group.document() for group in groups]
                for street, groups in self.by_street_and_size().items()
            },
            "worst_hands": [hand.document() for hand in self.worst()],
            "not_reviewed": problems,
            "refused": self.refused,
            "reviewed_hands": [hand.document() for hand in self.hands],
        }

    def text(self) -> Text:
        """Losses in all, by street and action, and the worst hands."""
        yield f"player    {self.player} by {self.agent} in {self.game.name}"
        yield f"hands     {len(self.reviewed):,} with {len(self.decisions):,} decisions"
        total, per_hand = self.total, self.loss_mbb_per_hand
        if per_hand is not None:
            yield f"loss      {total.loss_text} mbb, {per_hand:.1f} mbb/h"
        yield f"to best   {total.loss_to_best_mbb:.1f} mbb"
        for title, groups in (("street", self.by_street()), ("action", self.by_size())):
            yield f"\n{title:<28}{'decisions':>10}{'loss mbb':>20}{'spot solver':>18}"
            for group in groups:
                solver = f"{group.solver_loss_mbb:.1f}" if group.solver_decisions else ""
                yield f"{group.name:<28}{group.decisions:>10,}{group.loss_text:>20}{solver:>18}"
        if worst := self.worst():
            yield "\nworst hands"
        for hand in worst:
            decision = max(hand.decisions, key=lambda one: one.loss_mbb)
            yield (
                f"{hand.loss_mbb:>10.1f} mbb  hand {hand.number} {hand.hole} {hand.board or '-'}: "
                f"{decision.taken} on the {decision.street} after {decision.betting!r}; "
                f"worth most: {decision.best}"
            )


def action_group(state: State, action: Action) -> str:
    """The kind of an action: fold, check, call, or a raise by its share of the pot after the call."""
    name = state.action_name(action)
    if action in (FOLD, CALL) or name == "all-in":
        return name
    if state.game.is_limit:
        return "raise"
    share = Fraction(action - state.largest, state.pot + state.to_call)
    return next((group for most, group in SIZES if share <= most), LARGEST)


def street_name(state: State) -> str:
    """The street of Hold'em, or the number of the round."""
    return STREETS[state.round] if state.game.is_holdem else f"round {state.round + 1}"


def cards_text(cards: Sequence[int]) -> str:
    """Cards as text, the highest hole card first as people write them."""
    return format_cards(tuple(cards))


def _groups(
    decisions: Iterable[ReviewedDecision],
    key: Callable[[ReviewedDecision], str],
    order: Sequence[Hashable],
) -> list[Group]:
    found: dict[str, list[ReviewedDecision]] = {}
    for decision in decisions:
        found.setdefault(key(decision), []).append(decision)
    names = sorted(found, key=lambda name: (order.index(name) if name in order else 99, name))
    return [Group.of(name, found[name]) for name in names]


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 3)
