"""ACPC logs: a STATE line per hand, comments after `#`, and a SCORE line at the end.

Logs are read and written one line at a time, plain or compressed (`.gz`, `.xz`), so their length
does not matter. Every error names the file, the line and the position in it.

A comment at the head names the game. The dealer writes `# name/game/hands/seed NAME GAME HANDS SEED`,
doyle `# game GAME`. GAME is a bundled name, a file name of the public dealer, or a path to either as it
was on the dealer's machine: its last part counts. Other games are looked for under that path and beside
the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path

from doyle.base.errors import DoyleError, FieldError
from doyle.games import Game, bundled_names
from doyle.games.game import DEALER_FILES
from doyle.games.histories.files import read_lines, writing
from doyle.games.histories.lines import (
    Chips,
    Hand,
    Score,
    format_score_line,
    format_state_line,
    parse_score_line,
    parse_state_line,
)


def read_log(path: Path, game: Game, *, check: bool = True) -> Iterator[Hand | Score]:
    """The hands and the score of a log, in order; comments and empty lines are passed over.

    With `check` the chips of each hand must be what the rules give, and those of the score the
    sum over the hands of a log that starts at its first hand.
    """
    totals = Totals()
    for number, line in enumerate(read_lines(path), start=1):
        if not line or line.startswith("#"):
            continue
        where = f"{path}, line {number}"
        if line.startswith("SCORE"):
            score = parse_score_line(line, what=where)
            if check and totals.hands:
                totals.compare(score, where=where)
            yield score
        else:
            hand = parse_state_line(game, line, what=where, check=check)
            totals.add(hand)
            yield hand


def read_hands(path: Path, game: Game, *, check: bool = True) -> Iterator[Hand]:
    """The hands of a log, without its score."""
    return (item for item in read_log(path, game, check=check) if isinstance(item, Hand))


def write_log(
    path: Path, hands: Iterable[Hand], *, comments: Iterable[str] = (), score: bool = True
) -> int:
    """Write a log, with the score of the hands if wanted; return the number of hands."""
    totals = Totals()
    with writing(path) as stream:
        for comment in comments:
            stream.write("".join(f"# {line}\n" for line in comment.splitlines()))
        for hand in hands:
            stream.write(format_state_line(hand) + "\n")
            totals.add(hand)
        if score and totals.by_player:
            stream.write(format_score_line(totals.score()) + "\n")
    return totals.hands


class Totals:
    """Chips won so far, by player, in the order in which the players first appeared."""

    def __init__(self) -> None:
        self.hands = 0
        self.by_player: dict[str, Chips] = {}

    def add(self, hand: Hand) -> None:
        self.hands += 1
        if hand.players:
            payoffs = hand.payoffs or hand.state.payoffs()
            for player, chips in zip(hand.players, payoffs, strict=True):
                self.by_player[player] = self.by_player.get(player, 0) + chips

    def score(self) -> Score:
        return Score(tuple(self.by_player.values()), tuple(self.by_player))

    def compare(self, score: Score, *, where: str) -> None:
        """Raise DoyleError unless `score` has the totals of the hands, to the digits it prints."""
        tolerance = Fraction(1, 10**6) * max(1, self.hands)
        for player, total in zip(score.players, score.totals, strict=True):
            counted = self.by_player.get(player)
            if counted is None:
                raise DoyleError(f"{where}: no hand was played by {player!r}")
            if abs(Fraction(counted) - total) > tolerance:
                raise DoyleError(
                    f"{where}: the score of {player!r} is {total}, its hands sum to {counted}"
                )


def game_of_log(path: Path) -> Game:
    """The game that a comment at the head of a log names."""
    for line in read_lines(path):
        words = line.split()
        if words[:2] == ["#", "name/game/hands/seed"] and len(words) >= 4:
            # The name of a match may hold spaces.
            return _find(words[-3] if len(words) >= 6 else words[3], path)
        if words[:2] == ["#", "game"] and len(words) == 3:
            return _find(words[2], path)
        if line and not line.startswith("#"):
            break
    raise FieldError("game", f"{path}: no comment names the game; say which it is")


def _find(text: str, log: Path) -> Game:
    last = re.split(r"[\\/]", text)[-1]
    if last in DEALER_FILES:
        return Game.named(DEALER_FILES[last])
    if last.removesuffix(".game") in bundled_names():
        return Game.named(last.removesuffix(".game"))
    for candidate in (Path(text), log.parent / last):
        if last and candidate.is_file():
            return Game.named(candidate)
    raise FieldError("game", f"{log}: its game {text[:100]!r} is not known here; say which it is")
