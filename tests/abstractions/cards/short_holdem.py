"""Hold'em with few cards, small enough for GameShrink on listed signals."""

from __future__ import annotations

from doyle.games import Game


def short_holdem(ranks: int, suits: int, boards: tuple[int, ...]) -> Game:
    rounds = len(boards)
    lines = (
        "GAMEDEF",
        "limit",
        "numPlayers = 2",
        f"numRounds = {rounds}",
        "blind = 1 2",
        f"raiseSize = {' '.join(['2'] * rounds)}",
        f"firstPlayer = {' '.join(['1'] * rounds)}",
        f"maxRaises = {' '.join(['2'] * rounds)}",
        f"numSuits = {suits}",
        f"numRanks = {ranks}",
        "numHoleCards = 2",
        f"numBoardCards = {' '.join(str(count) for count in boards)}",
        "END GAMEDEF",
    )
    return Game.parse("\n".join(lines) + "\n", f"holdem-{ranks}x{suits}-{rounds}")
