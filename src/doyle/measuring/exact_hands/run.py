"""Runs of exact-hands evaluation: sampled boards with an interval, or every board of a small game.

With a street, hands are drawn up to its first decision (or to their end), and all pairs of hands
are evaluated from there on, weighed by both policies' reach. Two policies with equal play before
the street meet the same hands there in both seatings, so their earlier winnings cancel.

Board n comes from a generator of (seed, n), so the result does not depend on the workers, and pairs of
policies evaluated with the same seed meet the same boards. Both seatings are evaluated on every board;
their mean is one observation. The interval is Student's over boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.agents.resolve import check_agent_text
from doyle.base.display import Text, counted
from doyle.base.errors import DoyleError, FieldError
from doyle.base.statistics import Estimate
from doyle.base.workers import Progress, Workers, map_items
from doyle.games import Game, Policy, State
from doyle.measuring.exact_hands.evaluators import (
    BoardHands,
    Evaluator,
    Outcome,
    PlanEvaluator,
    PolicyEvaluator,
    evaluator,
)
from doyle.measuring.hand_equity import Cards
from doyle.measuring.runs import (
    MOST_ENUMERATED,
    MOST_SAMPLED,
    STREETS,
    Measured,
    check_late_game,
    count_boards,
    drawn_cards,
    drawn_deal,
    drawn_hand,
    every_board,
    policy_of,
)

Floats = npt.NDArray[np.float64]

_BATCH_BOARDS = 8
_LABEL = "boards"


@dataclass(frozen=True, eq=False)
class ExactHandsResult(Measured):
    """The first policy's winnings; `values` are its chips by board, the mean of both seatings."""

    game: Game
    names: tuple[str, str]
    values: Floats
    square: float
    """The mean square of a single hand's result."""
    seed: int | None
    """None if every board was evaluated."""
    histories: int | None
    """Real decisions in the joint trees of both seatings; None for policies without a plan."""
    without_plan: str | None = None
    """The reason for querying the policies history by history; None if a plan was used."""
    street: str | None = None
    """From which on all pairs of hands were evaluated, if not from the start."""
    drawn_sizes: bool = False
    """Whether hand-independent readings or sizes of bets were sampled."""

    @property
    def won(self) -> Estimate:
        if self.seed is None:
            found = Estimate.exact(float(self.values.mean()), len(self.values))
        else:
            found = Estimate.of_strata(self.values)
        return found.in_mbb(self.game.big_blind)

    @property
    def wins(self) -> tuple[float, float]:
        """Thousandths of a big blind per hand that each policy won."""
        return self.mbb_per_hand, 0.0 - self.mbb_per_hand  # not -0.0 for a tie

    @property
    def plain_hands_per_board(self) -> float | None:
        """How many plain hands (dealt once, seats at random) give the interval of one board."""
        if self.seed is None or len(self.values) < 2:
            return None
        of_board = float(self.values.var(ddof=1))
        of_hand = self.square - float(self.values.mean()) ** 2
        return of_hand / of_board if of_board > 0 else None

    def document(self) -> dict[str, Any]:
        """The result as one JSON document."""
        worth = self.plain_hands_per_board
        return {
            "game": self.game.name,
            "method": "exact-hands",
            "street": self.street,
            "boards": len(self.values),
            "enumerated": self.seed is None,
            "seed": self.seed,
            "players": [
                {"name": name, "mbb_per_hand": won, "ci95": self.ci95}
                for name, won in zip(self.names, self.wins, strict=True)
            ],
            "plain_hands_per_board": worth,
            "equivalent_plain_hands": None if worth is None else worth * len(self.values),
            "joint_histories": self.histories,
            "without_plan": self.without_plan,
            "drawn_sizes": self.drawn_sizes,
        }

    def text(self) -> Text:
        """Winnings of each policy, and the deviation of single boards."""
        how = "every board" if self.seed is None else f"seed {self.seed}"
        unit = "board" if self.street is None else "deal"
        where = "on" if self.street is None else f"from the {self.street},"
        count = counted(len(self.values), unit)
        yield f"{self.game.name}: all pairs of hands {where} {count}, {how}"
        for name, won in zip(self.names, self.wins, strict=True):
            yield f"{name}: mean {Estimate(won, self.ci95).text()}"
        worth = self.plain_hands_per_board
        if worth is not None:
            yield f"one {unit} is worth {worth:,.0f} plain hands"
        if self.without_plan is not None and self.street is None:
            yield f"the slower way, history by history: {self.without_plan}"
        if self.drawn_sizes:
            yield "readings and sizes of bets that an agent draws are drawn; the interval includes them"


@dataclass(frozen=True)
class _Pair:
    """The evaluators of both seatings, and the names."""

    evaluators: tuple[Evaluator, Evaluator]
    names: tuple[str, str]
    street: str | None

    @property
    def histories(self) -> int | None:
        count = 0
        for one in self.evaluators:
            if not isinstance(one, PlanEvaluator):
                return None
            count += one.plan.histories
        return count

    @property
    def without_plan(self) -> str | None:
        reasons = [one.reason for one in self.evaluators if isinstance(one, PolicyEvaluator)]
        return reasons[0] if reasons else None

    @property
    def spreads(self) -> bool:
        return any(isinstance(one, PolicyEvaluator) and one.spreads for one in self.evaluators)

    def observe(self, board: Cards, rng: np.random.Generator | None = None) -> tuple[float, float]:
        """Chips won by the first policy per hand on a board, and the mean square."""
        return _mean_of_seatings([one.outcome(board, rng) for one in self.evaluators])

    def observe_late(self, seed: int, number: int) -> tuple[float, float]:
        """The same for one drawn deal, with cards and dice shared by both seatings."""
        assert self.street is not None
        round_ = STREETS[self.street]
        return _mean_of_seatings(
            [
                late_outcome(one, round_, np.random.default_rng((seed, number)))
                for one in self.evaluators
                if isinstance(one, PolicyEvaluator)
            ]
        )


def _mean_of_seatings(outcomes: list[Outcome]) -> tuple[float, float]:
    first, second = outcomes
    return (first.value - second.value) / 2.0, (first.square + second.square) / 2.0


def late_outcome(pair: PolicyEvaluator, round_: int, rng: np.random.Generator) -> Outcome:
    """Seat 0's winnings in a drawn deal, over all pairs of hands if it reaches a decision of a
    round."""
    start = State.start(pair.game, drawn_deal(pair.game, rng))
    state = drawn_hand(pair.policies, start, round_, rng)
    if state.actor < 0:
        won = float(state.payoffs()[0])
        return Outcome(won, won * won)
    assert state.deal is not None
    hands = BoardHands.of(pair.game, state.deal.board)
    public = state.public()
    first, second = (policy.reach(public, seat) for seat, policy in enumerate(pair.policies))
    begin = first[hands.rows] / first.mean(), second[hands.rows] / second.mean()
    return pair.outcome_from(state, hands, begin, rng)


@dataclass(frozen=True)
class _Batch:
    game: Game
    agents: tuple[str, str]
    seed: int
    boards: range
    least_stake: float
    street: str | None


def run_exact_hands(
    game: Game,
    agents: Sequence[str | Policy],
    *,
    boards: int = 1000,
    seed: int = 0,
    least_stake: float | None = None,
    street: str | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> ExactHandsResult:
    """Evaluate two policies, given as the texts of agents or as objects, against each other.

    Games with few boards are enumerated: then `boards` and `seed` do not matter. Objects are
    evaluated in this process. For policies without a plan, histories with fewer chips per hand at
    stake than `least_stake` (default: half a big blind from a `street` on, else 0) are sampled,
    which leaves the mean unbiased. With a `street`, `boards` counts deals.
    """
    if street is not None:
        check_late_game(game)
        if street not in STREETS:
            raise FieldError("exact-from", f"expected {' or '.join(STREETS)}", value=street)
    if least_stake is None:
        least_stake = 0.0 if street is None else game.big_blind / 2
    if len(agents) != 2:
        raise DoyleError(f"exact-hands evaluation needs 2 agents, not {len(agents)}")
    if not 1 <= boards <= MOST_SAMPLED:
        raise DoyleError(
            f"exact-hands evaluation needs 1 to {MOST_SAMPLED:,} boards, not {boards:,}"
        )
    _pair.cache_clear()  # files that agents are made from may have changed
    texts = [agent for agent in agents if isinstance(agent, str)]
    for text in texts:  # all of them, before the first is built
        check_agent_text(text, game)
    pair = (
        _pair(game, texts[0], texts[1], least_stake, street)
        if len(texts) == 2
        else _made(game, *agents, least_stake=least_stake, street=street)
    )
    if count_boards(game) <= MOST_ENUMERATED:
        observed = np.array([pair.observe(board) for board in every_board(game)])
        return _result(game, pair, observed, None)
    chosen = workers or Workers()
    if len(texts) < 2 or (chosen.count == 1 and chosen.cluster is None):
        observed = np.empty((boards, 2))
        for number in range(boards):
            observed[number] = _observed(game, pair, seed, number)
            if progress is not None:
                progress(_LABEL, number + 1, boards)
        return _result(game, pair, observed, seed)
    batches = [
        _Batch(
            game,
            (texts[0], texts[1]),
            seed,
            range(start, min(start + _BATCH_BOARDS, boards)),
            least_stake,
            street,
        )
        for start in range(0, boards, _BATCH_BOARDS)
    ]
    found = []
    for part in map_items(_observe, batches, workers=workers, label=_LABEL):
        found.append(part)
        if progress is not None:
            progress(_LABEL, sum(map(len, found)), boards)
    return _result(game, pair, np.concatenate(found), seed)


def drawn_board(game: Game, seed: int, number: int) -> Cards:
    """Board number `number` of a seed."""
    return drawn_cards(game, np.random.default_rng((seed, number)), game.board_ends[-1])


def _observed(game: Game, pair: _Pair, seed: int, number: int) -> tuple[float, float]:
    """The observation of board `number` of a seed; sizes are drawn by a generator of their own."""
    if pair.street is not None:
        return pair.observe_late(seed, number)
    return pair.observe(drawn_board(game, seed, number), np.random.default_rng((seed, number, 1)))


def _result(game: Game, pair: _Pair, observed: Floats, seed: int | None) -> ExactHandsResult:
    return ExactHandsResult(
        game=game,
        names=pair.names,
        values=observed[:, 0],
        square=float(observed[:, 1].mean()),
        seed=seed,
        histories=pair.histories,
        without_plan=pair.without_plan,
        street=pair.street,
        drawn_sizes=seed is not None and pair.spreads,
    )


def _observe(batch: _Batch) -> Floats:
    pair = _pair(batch.game, *batch.agents, batch.least_stake, batch.street)
    return np.array([_observed(batch.game, pair, batch.seed, number) for number in batch.boards])


@lru_cache(maxsize=2)
def _pair(game: Game, first: str, second: str, least_stake: float, street: str | None) -> _Pair:
    """The pair of two texts, made once in each process."""
    return _made(game, first, second, least_stake=least_stake, street=street)


def _made(
    game: Game,
    first: str | Policy,
    second: str | Policy,
    *,
    least_stake: float = 0.0,
    street: str | None = None,
) -> _Pair:
    instead = "play a match of dealt hands"
    policies = policy_of(first, game, instead=instead), policy_of(second, game, instead=instead)
    names = [str(getattr(policy, "name", "policy")) for policy in policies]
    if names[0] == names[1]:
        names[1] += "#2"
    both = (
        evaluator(game, policies, least_stake=least_stake, planned=street is None),
        evaluator(game, policies[::-1], least_stake=least_stake, planned=street is None),
    )
    return _Pair(both, (names[0], names[1]), street)
