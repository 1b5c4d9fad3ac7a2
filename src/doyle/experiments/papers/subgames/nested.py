"""Bets outside the tree: the seven translations against nested solving, in no-limit Leduc, exactly.

The player bets as its tree has it, the exploiter makes every legal bet. So the game is that of a tree with
all bets for one seat and those of the model for the other: 985 nodes instead of the 28,049 of all bets
for both, since the player's play after a bet that it never makes is not needed. A nested search
solves a round again with every bet that was made and that its tree lacks (`doyle.agents.search`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.agents.search import SearchAgent, SearchSettings
from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.full_game import FullGame, SolvedAbstraction, TranslatedProfile, solve
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, printed
from doyle.games import CALL, Action, Deal, Game, State, View
from doyle.games.policies import CardBlind, Floats, ReachByWalking
from doyle.measuring.strategies import policy_profile
from doyle.solving.games.small_games import SmallGame
from doyle.solving.vector import GUARDS, GuardName
from doyle.strategy.translation import MAPPINGS, Mapping, mapping
from doyle.strategy.translation.named_translations import pot_fractions

NAME = "beyond/nested-solving"
GAME = "leduc-nl12"
MODEL = "fcpa"
ALL_BETS = "full"
BEFORE = "rand-pshar"
"""The translation of rounds that are not searched."""
BLUEPRINTS = {
    "equilibrium": (1e-5, 200_000),
    "32 iterations": (None, 32),
}
"""When the solve of a blueprint, CFR+ in the game of the model, ends: target and iterations."""
ITERATIONS = 1000
ROUNDS = {"second round": 1, "both rounds": 0}
"""The first round that is solved again."""
_OTHER = "another game and blueprint"
_PRINTED = {"Rand-psHar": "translation", "nested reach-maxmargin, both rounds": "nested"}


@dataclass(frozen=True)
class OffTree:
    """No-limit Leduc where one seat, the player's, bets as a model has it and the other anything."""

    seat: int
    full: FullGame

    @classmethod
    def of(cls, seat: int) -> OffTree:
        """The game of a player in that seat."""
        model = f"{MODEL}|{ALL_BETS}" if seat == 0 else f"{ALL_BETS}|{MODEL}"
        game = Game.named(GAME)
        return cls(seat, FullGame.of(game, BettingTree.build(BettingModel.parse(model), game)))

    def translated(self, solved: SolvedAbstraction, entry: Mapping) -> float:
        """Chips that a best response wins from a translated strategy."""
        return self.full.best_response(1 - self.seat, solved, pot_fractions(entry))

    def searched(self, agent: SearchAgent) -> float:
        """Chips that a best response wins against a searching agent, queried on one board of each
        rank."""
        caller, asked = _Caller(), _OneSuit(agent)
        policies = (asked, caller) if self.seat == 0 else (caller, asked)
        profile = policy_profile(self.full.small, policies, self.full.form)
        return float(profile.best_response_values[1 - self.seat])


class _Caller(CardBlind):
    """Placeholder for the exploiter, whose play the best response replaces."""

    name = "caller"

    def choose(self, state: State) -> Action:
        return CALL


class _OneSuit(ReachByWalking):
    """An agent of Leduc that plays boards of one suit, and their mirror images on the other."""

    def __init__(self, agent: SearchAgent) -> None:
        self.name, self.agent = agent.name, agent

    def act(self, view: View) -> Action:
        return self.agent.act(view)

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        deck = state.game.deck  # ascending, so that cards of a rank are neighbours
        places = [deck.index(card) for card in state.board]
        if not any(place % 2 for place in places):
            return self.agent.probabilities(state)
        board = tuple(deck[place - 1] for place in places)
        actions, rows = self.agent.probabilities(state.with_deal(Deal(((), ()), board)))
        return actions, rows[np.arange(len(deck)) ^ 1]


class TranslatedPolicy(ReachByWalking):
    """A strategy with its translation as a policy of real states, in the game of one player's seat.

    Where its own play never comes it plays evenly; the other seat is played likewise, and never
    makes a bet that the strategy lacks.
    """

    def __init__(self, game: OffTree, solved: SolvedAbstraction, entry: Mapping) -> None:
        self.name = f"{MODEL} by {entry.name}"
        self.small: SmallGame = game.full.small
        player = TranslatedProfile.of(solved, pot_fractions(entry))
        self.tables = {
            node: table for seat in (0, 1) for node, table in game.full.tables(seat, player)
        }

    def act(self, view: View) -> Action:
        raise NotImplementedError("it is measured, not played")

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        tree, cards = self.small.tree, self.small.cards
        node = tree.find(state.betting)
        actions: tuple[Action, ...] = tuple(tree.actions_of(node).tolist())
        table = self.tables.get(node)
        if table is None:
            return actions, np.full((len(cards.game.deck), len(actions)), 1.0 / len(actions))
        rows = np.array(
            [
                table[cards.state(state.round, (card,), state.board)]
                if card not in state.board
                else np.eye(len(actions))[actions.index(CALL)]
                for card in cards.game.deck
            ]
        )
        return actions, rows


def nested(
    game: OffTree, solved: SolvedAbstraction, guard: GuardName, first_round: int
) -> SearchAgent:
    """The agent that solves from a round on, with every bet that is made; before it translates."""
    settings = SearchSettings(guard=guard, iterations=(ITERATIONS, ITERATIONS), floor=0.0)
    return SearchAgent(
        f"nested {guard}",
        TranslatedPolicy(game, solved, mapping(BEFORE)),
        Game.named(GAME),
        settings,
        models={round_: BettingModel.parse(MODEL) for round_ in (0, 1)},
        first_round=first_round,
        precision="double",
    )


def blueprint(name: str) -> SolvedAbstraction:
    """The strategy of the model's own game."""
    target, iterations = BLUEPRINTS[name]
    model = BettingModel.parse(MODEL)
    return solve(Game.named(GAME), model, target=target, iterations=iterations)


def nested_solving(options: Options) -> Result:
    """Every translation and every guard, for each blueprint."""
    cells: list[Cell] = []
    games = (OffTree.of(0), OffTree.of(1))
    total = len(BLUEPRINTS) * (len(MAPPINGS) + len(GUARDS) * len(ROUNDS))
    for name in BLUEPRINTS:
        solved = blueprint(name)
        for row, chips in _measured(games, solved):
            cells.append(_cell(row, name, chips))
            if options.progress is not None:
                options.progress("nested solving", len(cells), total)
    return Result(
        cells,
        notes=(
            "Exact best responses of all legal bets to the whole agent, mean of both seats, thousandths of the ante a "
            f"hand. The agent bets {MODEL}; a column is its blueprint, CFR+ in the game of {MODEL}.",
            f"Nested: {ITERATIONS:,} iterations a solve, a bet that the tree lacks is added where it was made and the "
            f"round solved again from its start. In the second round alone the first is played by {BEFORE}.",
            "The printed numbers are of another game and blueprint: pseudo-harmonic translation, and safe nested solving.",
        ),
    )


@dataclass(frozen=True)
class _Pair:
    first: float
    second: float

    @cached_property
    def mean(self) -> float:
        return (self.first + self.second) / 2


def _measured(
    games: tuple[OffTree, OffTree], solved: SolvedAbstraction
) -> Iterator[tuple[str, _Pair]]:
    """Winnings of best responses, in chips, against the agent in the first and in the second
    seat."""
    for entry in MAPPINGS:
        yield entry.title, _Pair(*(game.translated(solved, entry) for game in games))
    for rounds, first_round in ROUNDS.items():
        for guard in GUARDS:
            agents = [nested(game, solved, guard, first_round) for game in games]
            won = (game.searched(agent) for game, agent in zip(games, agents, strict=True))
            yield f"nested {guard}, {rounds}", _Pair(*won)


def _cell(row: str, column: str, chips: _Pair) -> Cell:
    text = None
    if column == "equilibrium" and row in _PRINTED:
        text = printed(NAME).text(_PRINTED[row], "mbb")
    return Cell(
        row, column, text, 1000.0 * chips.mean,
        other=None if text is None else _OTHER, unsigned=True,
        reason=f"best responses to the seats: {1000 * chips.first:.1f}, {1000 * chips.second:.1f}",
    )  # fmt: skip
