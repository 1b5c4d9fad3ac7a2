"""An agent that goes on learning: it retains the cases of the hands it plays (section 5.2.3).

At the end of a hand its own decisions are added to its base with what they won; with `shown` also
those of opponents whose cards were shown, which hold no folds. Solutions are raw counts, so adding is
all there is to it. A match starts from the base as it was loaded. While no hand ends the agent is a
policy like any other, and `frozen` is one that has stopped learning.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from doyle.agents.case_bases import CaseBase
from doyle.agents.case_bases.case_base import RoundCases
from doyle.agents.case_bases.learning.decisions import Decisions, hand_decisions
from doyle.agents.case_bases.retrieval import Query
from doyle.agents.cases.agent import CaseBasedAgent
from doyle.agents.compiled import CompiledPlayer, NotCompilable
from doyle.games import Deal, Game, View
from doyle.games.histories import Hand

Retained = Literal["own", "shown"]


class RetainingAgent(CaseBasedAgent):
    """A case-based agent whose base grows during a match."""

    def __init__(self, name: str, base: CaseBase, *, retain: Retained = "own") -> None:
        super().__init__(name, base)
        self.retain: Retained = retain
        self._loaded = base
        self.retained = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.name, self._loaded, self.retain)

    def compiled(self) -> CompiledPlayer:
        """None: its answers change during a match."""
        raise NotCompilable(f"{self.name} learns while it plays")

    def start(self, game: Game, rng: np.random.Generator) -> None:
        """A match begins with the base as it was loaded."""
        self._adopt(self._loaded)
        self.retained = 0

    def hand_over(self, view: View) -> None:
        """Add the decisions of a hand."""
        state = view.state
        shown = state.deal.hole if state.deal is not None else ()
        hole = [*shown] or [()] * state.game.players
        hole[view.seat] = view.hole
        seats = [view.seat]
        if self.retain == "shown":
            seats = [seat for seat, cards in enumerate(hole) if cards]
        whole = state.with_deal(Deal(tuple(hole), view.board))
        hand = Hand(0, whole, payoffs=state.payoffs())
        self.learn(hand_decisions(hand, seats, self.architecture, self.features))

    def learn(self, decisions: Decisions) -> None:
        """Add decisions to the base: counts of known cases go up, new cases are put in."""
        self.retained += len(decisions)
        new: list[int] = []
        rounds = list(self.base.rounds)
        if self.base is self._loaded:
            rounds = [_own_copy(cases) for cases in rounds]
            self._adopt(replace(self.base, rounds=tuple(rounds)))
        for row in range(len(decisions)):
            round_ = int(decisions.round[row])
            query = Query(
                round_,
                decisions.sequences[int(decisions.sequence[row])],
                int(decisions.hand[row]),
                int(decisions.texture[row]),
                int(decisions.commitment[row]),
            )
            known = self.retriever.index(round_).identical(query)
            cases = rounds[round_]
            if not known or cases.members is not None:
                new.append(row)
                continue
            case, letter = known[0].case, int(decisions.letter[row])
            cases.counts[case, letter] += 1
            cases.outcomes[case, letter] += decisions.outcome[row]
            cases.support[case] += 1
            self.retriever.index(round_).refresh()
        if new:
            added = CaseBase.of(self.architecture, self.game, decisions.chosen(new))
            self._adopt(self.base.merged(added))
        self.forget()

    def frozen(self) -> CaseBasedAgent:
        """An agent with the cases of this moment, which does not learn."""
        rounds = tuple(_own_copy(cases) for cases in self.base.rounds)
        return CaseBasedAgent(self.name, replace(self.base, rounds=rounds))

    def _adopt(self, base: CaseBase) -> None:
        self.base = base
        self.retriever.take(base)
        self.forget()


def _made(name: str, base: CaseBase, retain: Retained) -> RetainingAgent:
    return RetainingAgent(name, base, retain=retain)


def _own_copy(cases: RoundCases) -> RoundCases:
    """The same cases with counts of their own."""
    return replace(cases, counts=cases.counts.copy(), outcomes=cases.outcomes.copy())
