"""`full-cover` and `sub-cover`: the cover-set players of 12-chip Leduc, as agents and policies.

The strategies of the games are solved once and kept: 172 games for the full cover, 15 for the thesis's
hand-picked part of it (`sub-cover`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.agents.switching.cover_games import COVER_GAME, CoverGame, full_cover, sub_cover
from doyle.agents.switching.cover_player import (
    MOST_ITERATIONS,
    TARGET,
    CoverPlace,
    CoverPlayer,
    CoverStrategy,
    cover_strategy,
    solve_cover_game,
)
from doyle.base.artifacts import Builder, Description, Store
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers, map_items
from doyle.games import CALL, Action, Game, State, View
from doyle.games.policies import Floats, ReachByWalking, check_decision, policy_row, policy_rows
from doyle.solving.games import PrivateStates
from doyle.solving.games.small_games import CardStates

KIND, VERSION = "cover-set", 1


class CoverAgent(ReachByWalking):
    """A cover-set player that plays hands."""

    def __init__(self, name: str, player: CoverPlayer, cards: CardStates) -> None:
        self.name, self.player, self.cards = name, player, cards
        self._rows = policy_rows(player.game)

    def __reduce__(self) -> tuple[Any, ...]:
        return CoverAgent, (self.name, self.player, self.cards)

    def act(self, view: View) -> Action:
        """Draw an action with the probabilities of this hand."""
        actions, shares = self.probabilities(view.state)
        row = shares[policy_row(self.player.game, view.hole)]
        return actions[int(view.rng().choice(len(actions), p=row))]

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """As in `Policy`; cards that are on the board call."""
        check_decision(state)
        actions, table = self.player.probabilities(self._place(state))
        rows = np.zeros((self._rows, len(actions)))
        for number, card in enumerate(self.player.game.deck):
            if card in state.board:
                rows[number, actions.index(CALL)] = 1.0
            else:
                rows[number] = table[self.cards.state(state.round, (card,), state.board)]
        return actions, rows

    def _place(self, state: State) -> CoverPlace:
        counts = [len(keys) for keys in self.cards.keys]
        place = self.player.start(counts[0])
        for round_, actions in enumerate(state.betting):
            if round_:
                place = CoverPlace(
                    place.state, counts[round_], place.bets, place.faced, place.labels
                )
            for action in actions:
                place = self.player.after(place, action, own=False, parents=None)
        return place


def cover_agent(
    name: str,
    game: Game,
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
    store: Store | None = None,
) -> CoverAgent:
    """The agent of that name; its games are solved now if they have not been."""
    if game != Game.named(COVER_GAME):
        raise DoyleError(f"agent {name!r}: plays {COVER_GAME}, not {game.name}")
    every = full_cover(game)
    games = every if name == "full-cover" else sub_cover(every)
    cards = CardStates.of(game)
    strategies = _strategies(games, cards.rounds, workers, progress, store)
    return CoverAgent(name, CoverPlayer(game, strategies, exact=name == "full-cover"), cards)


def _strategies(
    games: tuple[CoverGame, ...],
    rounds: tuple[PrivateStates, ...],
    workers: Workers | None,
    progress: Progress | None,
    store: Store | None,
) -> tuple[CoverStrategy, ...]:
    """The strategies of games, from the store."""

    def build(builder: Builder) -> None:
        solved = map_items(
            solve_cover_game,
            [(game, rounds) for game in games],
            workers=workers,
            progress=progress,
            label="cover games",
        )
        for number, strategy in enumerate(solved):
            for seat in (0, 1):
                builder.put(f"plan-{number}-{seat}", strategy.profile.plans[seat])

    parameters = {
        "game": COVER_GAME,
        "games": [[game.ante, game.stack, str(game.fraction)] for game in games],
        "target": TARGET,
        "iterations": MOST_ITERATIONS,
    }
    artifact = (store or Store()).get(Description(KIND, VERSION, parameters), build)
    return tuple(
        cover_strategy(
            game, rounds, [np.array(artifact.array(f"plan-{number}-{seat}")) for seat in (0, 1)]
        )
        for number, game in enumerate(games)
    )
