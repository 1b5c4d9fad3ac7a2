"""The review of a player's hands: every decision valued against the agent, late ones checked by a spot.

Hands are independent of each other: the boards drawn for a decision depend on the seed, the number of
the hand in the file and the decision, so results do not depend on the number of workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from doyle.base.errors import DoyleError
from doyle.base.statistics import Estimate
from doyle.base.workers import Progress, Workers, map_items
from doyle.games import Game, Policy, State
from doyle.games.histories import Hand, format_betting
from doyle.games.policies import decisions_of
from doyle.measuring.hand_equity import Cards
from doyle.measuring.reviewing.action_values import ActionValues, Valuer
from doyle.measuring.reviewing.hands import seats_of
from doyle.measuring.reviewing.records import (
    OptionValue,
    Review,
    ReviewedDecision,
    ReviewedHand,
    action_group,
    cards_text,
    street_name,
)
from doyle.measuring.reviewing.spot_check import SpotCheck, SpotLimits, can_check, check_by_spot
from doyle.measuring.runs import policy_of
from doyle.solving.spots import SpotTooLargeError

NO_CARDS = "the player's cards are not in the file"
DEFAULT_BOARDS = 128

_LABEL = "hands reviewed"
_INSTEAD = "a review needs them; name an agent with a strategy"


@dataclass(frozen=True)
class ReviewOptions:
    """Options of the evaluation of decisions; without `spots` no spot is solved."""

    boards: int = DEFAULT_BOARDS
    seed: int = 0
    spots: SpotLimits | None = None


def review_hands(
    game: Game,
    agent: str | Policy,
    hands: Sequence[Hand],
    player: str,
    *,
    options: ReviewOptions | None = None,
    refused: dict[str, int] | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> Review:
    """Review the hands of `player` by an agent, given as text or as the policy itself.

    A policy passed as an object is queried in this process.
    """
    options = options or ReviewOptions()
    items = [
        _Item(game, agent, hand, place, seat, options)
        for place, hand in enumerate(hands)
        for seat in seats_of(hand, player)
    ]
    if not items:
        raise DoyleError(f"no player is called {player!r}")
    _reviewer.cache_clear()  # files that agents are made from may have changed
    first = _reviewer_of(items[0])  # errors of the agent are raised here
    many = workers if isinstance(agent, str) else None
    found = tuple(map_items(_reviewed, items, workers=many, progress=progress, label=_LABEL))
    name = str(getattr(first.policy, "name", agent))
    return Review(game, name, player, options.boards, options.seed, found, dict(refused or {}))


@dataclass(frozen=True)
class _Item:
    """One seat of one hand."""

    game: Game
    agent: str | Policy
    hand: Hand
    place: int
    seat: int
    options: ReviewOptions


def _reviewed(item: _Item) -> ReviewedHand:
    hand, seat, game = item.hand, item.seat, item.game
    state = hand.state
    hole = state.deal.hole[seat] if state.deal is not None else ()
    known = len(hole) == game.hole_cards
    decisions: list[ReviewedDecision] = []
    problem = None if known else NO_CARDS
    if known:
        valuer = _reviewer_of(item)
        for number, (now, taken) in enumerate(decisions_of(state, seat)):
            rng = np.random.default_rng((item.options.seed, item.place, seat, number))
            values = valuer.values(now, hole, taken=taken, rng=rng)
            decisions.append(reviewed_decision(now, taken, values, _solved(item, now, taken)))
    won = (
        float((hand.payoffs or state.payoffs())[seat]) if hand.payoffs or _is_paid(state) else None
    )
    names = hand.players or ("",) * game.players
    return ReviewedHand(
        where=f"hand {item.place + 1}",
        number=hand.number,
        seat=seat,
        hole=_hole_text(hole),
        betting=format_betting(state),
        board=cards_text(state.board),
        opponent=", ".join(name for other, name in enumerate(names) if other != seat),
        won_mbb=None if won is None else won * 1000.0 / game.big_blind,
        decisions=tuple(decisions),
        problem=problem,
    )


def _solved(item: _Item, state: State, taken: int) -> SpotCheck | None:
    """The spot solver's result for a decision; None if not requested or if the spot is too
    large."""
    limits = item.options.spots
    if limits is None or not can_check(state, limits) or state.deal is None:
        return None
    hole, policy = state.deal.hole[item.seat], _reviewer_of(item).policy
    try:
        return check_by_spot(state.public(), hole, taken, policy, limits)
    except SpotTooLargeError:
        return None


def reviewed_decision(
    state: State, taken: int, values: ActionValues, check: SpotCheck | None
) -> ReviewedDecision:
    """One decision as it is shown: chips as thousandths of a big blind."""
    unit = 1000.0 / state.game.big_blind
    loss, error = values.loss(taken)
    found = Estimate.exact(loss) if values.exact else Estimate.of_error(loss, error)
    worth = dict(zip(values.actions, values.values.tolist(), strict=True))
    best = values.best()
    weights = np.zeros(len(values.actions))
    weights[values.actions.index(best)] += 1.0
    weights[values.actions.index(taken)] -= 1.0
    solved = {} if check is None else dict(zip(check.actions, check.probabilities, strict=True))
    solved_worth = {} if check is None else dict(zip(check.actions, check.values, strict=True))
    options = tuple(
        OptionValue(
            action=action,
            name=state.action_name(action),
            probability=float(probability),
            value_mbb=worth[action] * unit,
            solver_probability=solved.get(action),
            solver_value_mbb=_times(solved_worth.get(action), unit),
        )
        for action, probability in zip(values.actions, values.probabilities, strict=True)
    )
    return ReviewedDecision(
        street=street_name(state),
        betting=format_betting(state),
        board=cards_text(state.board),
        pot=state.pot,
        to_call=state.to_call,
        taken=state.action_name(taken),
        group=action_group(state, taken),
        options=options,
        best=state.action_name(best),
        loss=found.scaled(unit),
        loss_to_best_mbb=max(0.0, values.difference(weights)[0]) * unit,
        range_assumed=values.range_assumed,
        solver_loss_mbb=None if check is None else check.loss(taken) * unit,
        solver_exploitability_percent=None
        if check is None
        else check.exploitability_percent_of_pot,
    )


def _times(number: float | None, unit: float) -> float | None:
    return None if number is None else number * unit


def _hole_text(hole: Cards) -> str:
    return cards_text(sorted(hole, reverse=True))


def _is_paid(state: State) -> bool:
    """Whether the known cards determine the winnings."""
    if not state.is_showdown:
        return True
    return state.deal is not None and all(
        hole or folded for hole, folded in zip(state.deal.hole, state.folded, strict=True)
    )


def _reviewer_of(item: _Item) -> Valuer:
    if isinstance(item.agent, str):
        return _reviewer(item.agent, item.game, item.options.boards)
    return Valuer(item.game, item.agent, item.options.boards)


@lru_cache(maxsize=2)
def _reviewer(agent: str, game: Game, boards: int) -> Valuer:
    """The valuer of an agent's text, made once in each process."""
    return Valuer(game, policy_of(agent, game, instead=_INSTEAD), boards)
