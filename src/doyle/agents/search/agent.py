"""`SearchAgent`: plays its blueprint, and solves the rest of the hand from some street on.

A pure function of the state, its blueprint and its settings: what is kept only saves time. Before it
plays a solution, both seats' ranges at the start of the street are what the agent itself would have
played with each hand, mixed with a floor. With a guard the other seat's range is replaced by the value
that each of its hands had: against the blueprint's play on the first street that is searched, in the
last solution afterwards.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.betting.model import AddedBet
from doyle.agents.search.continuations import Continuations
from doyle.agents.search.settings import SearchSettings
from doyle.agents.search.subgame import (
    RestSolution,
    Solution,
    Subgame,
    missing_bets,
    per_hand,
)
from doyle.games import CALL, Action, Deal, Game, State, View
from doyle.games.policies import (
    check_decision,
    decisions_of,
    policy_row,
    policy_rows,
    possible_hands,
)
from doyle.solving.policy_response import PolicyResponse
from doyle.solving.vector import Guard
from doyle.solving.vector.solver import Precision

Floats = npt.NDArray[np.float64]

KEPT_BYTES = 1 << 29
"""Of solutions that one agent keeps."""
MOST_BYTES = 1 << 31
"""Of the tables of one solve; a larger one gets fewer bets, and without any the blueprint plays."""
FEWER_BETS = ("fcpa", "fca")
REACHES_KEPT = 1 << 10


class Blueprint(Protocol):
    """What plays before the first searched street, and whose ranges a search begins with."""

    @property
    def name(self) -> str: ...

    def act(self, view: View) -> Action: ...

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]: ...

    def reach(self, state: State, seat: int) -> Floats: ...


@dataclass
class SearchCounts:
    """What an agent has done: solves, seconds in them, solves that the limit of a decision cut short,
    and decisions left to the blueprint."""

    solves: int = 0
    seconds: float = 0.0
    cut: int = 0
    left: int = 0


class Key(NamedTuple):
    """Which solve of an agent; `seat` is the one that searches, -1 where both seats share a solve."""

    root: State
    model: BettingModel
    added: tuple[AddedBet, ...]
    seat: int


class SearchAgent:
    """Agent and policy; it searches from the betting round `first_round` on.

    `models` are the bets of solves by the round in which they begin; those of `limited` rounds end
    with the round.
    """

    def __init__(
        self,
        name: str,
        blueprint: Blueprint,
        game: Game,
        settings: SearchSettings,
        *,
        models: Mapping[int, BettingModel],
        first_round: int,
        precision: Precision = "single",
        limited: Collection[int] = (),
    ) -> None:
        self.name, self.blueprint, self.game = name, blueprint, game
        self.settings, self.models, self.first_round = settings, dict(models), first_round
        self.precision: Precision = precision
        self.limited = frozenset(limited)
        self.counts = SearchCounts()
        self.limit: float | None = None
        """Seconds that a decision may take; solves end early rather than pass it."""
        self._deadline: float | None = None
        self._kept: OrderedDict[Key, Solution | None] = OrderedDict()
        self._added: dict[Any, tuple[AddedBet, ...]] = {}
        self._reaches: OrderedDict[Any, Floats] = OrderedDict()
        self._continuations: Continuations | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """What is kept stays behind when an agent goes to another process."""
        return _made, (
            self.name, self.blueprint, self.game, self.settings, self.models, self.first_round,
            self.precision, self.limited,
        )  # fmt: skip

    def act(self, view: View) -> Action:
        """Draw an action with the probabilities of this hand."""
        state = view.state
        if state.round < self.first_round:
            return self.blueprint.act(view)
        self._deadline = None if self.limit is None else time.monotonic() + self.limit
        try:
            actions, table = self.probabilities(state)
        finally:
            self._deadline = None
        row = table[policy_row(self.game, view.hole)]
        place = int(np.searchsorted(np.cumsum(row), view.rng().random() * row.sum(), "right"))
        return actions[min(place, int(np.flatnonzero(row)[-1]))]

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """Real actions and their probabilities [hands, actions]; the state needs its board."""
        check_decision(state)
        if state.round < self.first_round:
            return self.blueprint.probabilities(state)
        solution = self.solution(state)
        if solution is None:
            self.counts.left += 1
            return self.blueprint.probabilities(state)
        return solution.probabilities(state.betting[-1])

    def reach(self, state: State, seat: int) -> Floats:
        """The probability of the seat's own actions so far, for every hand."""
        last = len(state.betting) - 1
        if last < self.first_round:
            return self.blueprint.reach(state, seat)
        return self._reach_after(state.public(), last, seat)

    def _reach_after(self, state: State, round_: int, seat: int) -> Floats:
        """The reach after the actions of all streets up to one."""
        if round_ < self.first_round:
            return self.blueprint.reach(start_of_round(state, self.first_round), seat)
        now = start_of_round(state, round_)
        key = (now, state.betting[round_], seat)
        found = self._reaches.get(key)
        if found is None:
            found = self._reach_after(state, round_ - 1, seat).copy()
            for action in state.betting[round_]:
                if now.actor == seat:
                    actions, shares = self.probabilities(now)
                    found *= shares[:, actions.index(action)] if action in actions else 0.0
                now = now.apply(action)
            self._reaches[key] = found
            if len(self._reaches) > REACHES_KEPT:
                self._reaches.popitem(last=False)
        return found

    def solution(self, state: State) -> Solution | None:
        """The solution that is played at a decision on a searched street; None for the blueprint's.

        With a guard the street is solved once for each bet that the tree lacks, guarded by the last
        solution; without one, once with all of them. Where the other seat alone has a choice at a
        depth limit, each seat has its own solution.
        """
        root, guarded = start_of_round(state.public(), state.round), self.settings.guard != "unsafe"
        alone = root.round in self.limited and self.settings.choose == "other"
        searcher = state.actor if guarded or alone else -1
        fewer = () if self.game.is_limit else FEWER_BETS
        for model in (self.models[root.round], *map(BettingModel.parse, fewer)):
            added = self._missing(model, root, state.betting[-1])
            found: Solution | None = None
            for count in range(0 if guarded else len(added), len(added) + 1):
                key = Key(root, model, added[:count], searcher)
                found = self._solved(key, found)
                if found is None:
                    break
            if found is not None:
                return found
        return None

    def _solved(self, key: Key, last: Solution | None) -> Solution | None:
        """A solution, kept while it fits; without a guard both seats share it."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        found = self._solve(key, last)
        self._kept[key] = found
        while len(self._kept) > 1 and self._kept_bytes() > KEPT_BYTES:
            self._kept.popitem(last=False)
        return found

    def _kept_bytes(self) -> int:
        return sum(solution.bytes for solution in self._kept.values() if solution is not None)

    def _solve(self, key: Key, last: Solution | None) -> Solution | None:
        started, settings = time.monotonic(), self.settings
        if self._deadline is not None and started >= self._deadline:
            return None
        deadline = self._deadline
        if settings.seconds is not None:
            deadline = min(started + settings.seconds, deadline or math.inf)
        root, seat, guard = key.root, key.seat, None
        most = None if settings.seconds is not None else settings.iterations_from(root.round)
        if settings.guard == "unsafe":
            weights = [self.range(root, one) for one in (0, 1)]
        else:
            weights = [np.ones(policy_rows(self.game)) for _ in (0, 1)]
            weights[seat] = self.range(root, seat)
            guard = self._guard(root, seat, weights[seat], last)
        subgame = Subgame(root, key.model, (weights[0], weights[1]), key.added, guard)
        most_bytes = 2 * MOST_BYTES if key.added else MOST_BYTES
        found: Solution | None
        if root.round in self.limited:
            found = subgame.solved_to_limit(
                self._continued(subgame),
                1 - seat,
                iterations=most,
                deadline=deadline,
                most_bytes=most_bytes,
            )
        else:
            found = subgame.solved(
                iterations=most,
                deadline=deadline,
                precision=self.precision,
                most_bytes=most_bytes,
            )
        if found is not None:
            self.counts.solves += 1
            self.counts.seconds += found.seconds
            self.counts.cut += most is not None and found.solver.iteration < most
        return found

    def _continued(self, subgame: Subgame) -> Continuations:
        """Values at the depth limit of a street; those of the last street are kept."""
        if self._continuations is None or self._continuations.root != subgame.root:
            settings = self.settings
            self._continuations = subgame.continuations(
                self.blueprint,
                floor=settings.floor,
                runouts=settings.runouts,
                factor=settings.lean,
                both=settings.choose == "both",
            )
        return self._continuations

    def _missing(
        self, model: BettingModel, root: State, actions: tuple[Action, ...]
    ) -> tuple[AddedBet, ...]:
        """The bets among these actions of the street that a model's tree lacks, where they were made."""
        key = (model, root.betting, actions)
        if key not in self._added:
            if len(self._added) > REACHES_KEPT:
                self._added.clear()
            self._added[key] = missing_bets(model, root, actions)
        return self._added[key]

    def range(self, root: State, seat: int) -> Floats:
        """The weights of a seat's hands at the start of a street, the largest 1."""
        reach = np.asarray(self.reach(root, seat), np.float64)
        rows = policy_rows(self.game)
        if not reach.max() > 0:
            return np.ones(rows)
        return np.asarray(np.maximum(reach / reach.max(), self.settings.floor))

    def _guard(self, root: State, seat: int, own: Floats, last: Solution | None) -> Guard | None:
        """The guard of the seat that does not search."""
        name, other = self.settings.guard, 1 - seat
        if isinstance(last, RestSolution):
            return Guard.of(name, other, last.root_values(other))
        if root.round > self.first_round:
            before = self._before(root, seat)
            if before is not None:
                return Guard.of(name, other, *before)
        gifts = self._blueprint_gifts(root, other) if name == "reach-maxmargin" else 0.0
        return Guard.of(name, other, self._blueprint_values(root, other, own), gifts)

    def _before(self, root: State, seat: int) -> tuple[Floats, Floats] | None:
        """What the last street's solution leaves to the other seat's hands on this board, and gifts."""
        actions = root.betting[root.round - 1]
        decision = start_of_round(root, root.round - 1)
        for action in actions[:-1]:
            decision = decision.apply(action)
        if decision.actor != seat:  # its solution is the one before the other seat's last action
            decision = start_of_round(root, root.round - 1)
            for action in actions[:-2]:
                decision = decision.apply(action)
        found = self.solution(decision.public())
        if not isinstance(found, RestSolution) or not found.has_path(actions):
            return None
        return found.entry_values(1 - seat, actions, root.board), found.gifts(1 - seat, actions)

    def _blueprint_values(self, root: State, seat: int, own: Floats) -> Floats:
        """What a best response wins with each hand of a seat against the blueprint."""
        response = self._response(root.round)
        live = possible_hands(root.game, root.board)
        return per_hand(response.values(root, seat, own), response.met(own * live))

    def _blueprint_gifts(self, root: State, seat: int) -> Floats | float:
        """What a seat gave up on the way to `root`, by hand; 0 where the deck is too large to count.

        At each of its decisions: what the best action wins beyond the one taken, against the blueprint.
        """
        if self.game.is_holdem:
            return 0.0
        response, total = self._response(root.round), np.zeros(policy_rows(self.game))
        for before, action in decisions_of(root, seat):
            now = before.with_deal(Deal(((),) * 2, before.board))  # later cards are not known yet
            reach = self.blueprint.reach(now, 1 - seat)
            lost = response.values(now, seat, reach)
            lost = lost - response.values(now.apply(action), seat, reach)
            total += per_hand(lost, response.met(reach))
        return np.maximum(total, 0.0)

    def _response(self, round_: int) -> PolicyResponse:
        """Best responses to the blueprint with the bets of solves that begin in a round."""

        def raises(state: State) -> list[Action]:
            tree = BettingTree.build(self.models[round_], self.game, root=state)
            return [action for action in tree.actions_of(0).tolist() if action > CALL]

        return PolicyResponse(self.blueprint, self.game, raises)


def start_of_round(state: State, round_: int) -> State:
    """The moment at which a betting round began, with the cards of that moment."""
    now = State.start(state.game, state.deal)
    for action in chain.from_iterable(state.betting[:round_]):
        now = now.apply(action)
    return now.public()


def _made(
    name: str,
    blueprint: Blueprint,
    game: Game,
    settings: SearchSettings,
    models: Mapping[int, BettingModel],
    first_round: int,
    precision: Precision,
    limited: Collection[int],
) -> SearchAgent:
    return SearchAgent(
        name, blueprint, game, settings, models=models, first_round=first_round,
        precision=precision, limited=limited,
    )  # fmt: skip
