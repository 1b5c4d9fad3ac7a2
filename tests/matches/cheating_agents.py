"""Agents that try to compute the cards: one searches the key of its dice, one its own cards.

Both call until they know the whole deal. Then they raise all-in where their hand wins and fold where
it does not. `honest` is the same agent without the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from doyle.games import CALL, FOLD, Action, Deal, Game, View, showdown_ranks
from doyle.matches import Chance, Dealer, as_deal
from doyle.matches.chance import Deals


@dataclass
class Searching:
    """Plays by the whole deal once it has found the seed of the match."""

    seeds: Sequence[int]
    name: str = "searching"
    found: int | None = field(default=None, init=False)
    number: int = field(default=0, init=False)
    deals: Deals | None = field(default=None, init=False)

    def start(self, game: Game, rng: np.random.Generator) -> None:
        self.found, self.number, self.deals = None, 0, None

    def hand_over(self, view: View) -> None:
        self.number += 1

    def act(self, view: View) -> Action:
        game = view.state.game
        if self.deals is None:
            self.search(view, game)
            return CALL
        deal = as_deal(game, self.deals[self.number])
        return _best(view, deal)

    def search(self, view: View, game: Game) -> None:
        """Find the seed, or not; called at every decision until it is found."""


@dataclass
class SearchingKey(Searching):
    """Compares the key of its dice with those that each seed would give it."""

    name: str = "searching-key"

    def search(self, view: View, game: Game) -> None:
        for seed in self.seeds if self.number == 0 else ():
            chance = Chance.repeatable(seed)
            dice = chance.dice(game)
            for seating in (0, 1):
                if view.dice_key == dice.hand_key(view.seat, deal=0, seating=seating):
                    self.found, self.deals = seed, chance.dealer(game).draw(5000)


@dataclass
class SearchingCards(Searching):
    """Compares its own cards with those that the ACPC dealer would give it from each seed."""

    name: str = "searching-cards"

    def start(self, game: Game, rng: np.random.Generator) -> None:
        super().start(game, rng)
        self.candidates = {seed: Dealer(game, seed=seed).draw(8) for seed in self.seeds}

    def search(self, view: View, game: Game) -> None:
        self.candidates = {
            seed: deals
            for seed, deals in self.candidates.items()
            if self.number < 8 and as_deal(game, deals[self.number]).hole[view.seat] == view.hole
        }
        if len(self.candidates) == 1 and self.number >= 4:
            self.found = next(iter(self.candidates))
            self.deals = Dealer(game, seed=self.found).draw(5000)


def _best(view: View, deal: Deal) -> Action:
    ranks = showdown_ranks(view.state.game, deal, view.state.folded)
    mine, theirs = ranks[view.seat], ranks[1 - view.seat]
    if mine > theirs and view.state.max_raise_to:
        return view.state.max_raise_to
    return FOLD if mine < theirs and view.state.can_fold else CALL
