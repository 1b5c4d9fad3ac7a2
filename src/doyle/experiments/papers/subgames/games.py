"""Games so small that the best response to a whole agent is exact, with blueprints that are not.

A blueprint is the average strategy of so few iterations (the spot solver's DCFR, all hands) of the whole
game that much is left to win from it. Hold'em is played with short decks of the highest ranks.
"""

from __future__ import annotations

from dataclasses import dataclass

from doyle.abstractions.betting import BettingModel
from doyle.experiments.papers.subgames.solved_again import Blueprint
from doyle.games import Game, State
from doyle.solving.games import PublicGame, outline, poker_game
from doyle.solving.vector import VectorSolver

MODEL = "fcpa"
_HOLDEM = """GAMEDEF
nolimit
numPlayers = 2
numRounds = {rounds}
stack = 2000 2000
blind = 100 50
firstPlayer = {first}
numSuits = 4
numRanks = {ranks}
numHoleCards = 2
numBoardCards = {board}
END GAMEDEF
"""


@dataclass(frozen=True)
class Setting:
    """A game with the iterations of its blueprints and of a subgame's solve."""

    title: str
    game: Game
    iterations: int
    blueprints: tuple[int, ...] = (8, 32, 128)

    def public_game(self) -> PublicGame:
        """All of the game, boards that differ by suits merged."""
        return poker_game(outline(BettingModel.parse(MODEL), State.start(self.game)))

    def blueprint(self, game: PublicGame, iterations: int) -> Blueprint:
        """The average strategy after so many iterations."""
        solver = VectorSolver(game, precision="double")
        solver.advance(iterations)
        return Blueprint(solver, State.start(self.game))

    def mbb(self, chips: float) -> float:
        """Thousandths of a big blind; of the ante in Leduc."""
        return 1000.0 * chips / self.game.big_blind


def leduc(iterations: int) -> Setting:
    """No-limit Leduc with 12 chips."""
    return Setting("no-limit Leduc", Game.named("leduc-nl12"), iterations)


def short_holdem(
    ranks: int, board: tuple[int, ...], iterations: int, blueprints: tuple[int, ...] = (8, 32, 128)
) -> Setting:
    """Hold'em from the blinds with `ranks` ranks, 20 big blinds and so many board cards a round.

    >>> short_holdem(6, (0, 3), 200).title, len(short_holdem(6, (0, 3), 200).game.deck)
    ("two-round Hold'em, 24 cards", 24)
    """
    rounds = len(board)
    text = _HOLDEM.format(
        rounds=rounds,
        ranks=ranks,
        first=" ".join(["2", *["1"] * (rounds - 1)]),
        board=" ".join(map(str, board)),
    )
    number = {2: "two", 3: "three"}[rounds]
    title = f"{number}-round Hold'em, {4 * ranks} cards"
    game = Game.parse(text, f"holdem-{rounds}-rounds-{4 * ranks}-cards")
    return Setting(title, game, iterations, blueprints)
