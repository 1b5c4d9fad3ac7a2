"""From one format of hand histories to another, hand by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from doyle.errors import DoyleError
from doyle.games import Game
from doyle.histories.files import kind_of, read_lines
from doyle.histories.lines import Chips, Hand
from doyle.histories.logs import Totals, read_hands, write_log
from doyle.histories.phh import phh_problem, read_phh, write_phh

_PHH = (".phh", ".phhs")
_LOG = (".log",)
# File names of the public ACPC server, as its logs give them.
_ACPC_NAMES = {
    "holdem.nolimit.2p.reverse_blinds.game": "holdem-nl-200bb",
    "holdem.limit.2p.reverse_blinds.game": "holdem-limit-2p",
    "holdem.limit.3p.game": "holdem-limit-3p",
}


@dataclass(frozen=True)
class Conversion:
    """What was converted: how many hands, of which game, and what each player won in them."""

    hands: int
    game: Game
    players: tuple[str, ...]
    totals: tuple[Chips, ...]


def convert_file(source: Path, target: Path, game: Game | None = None) -> Conversion:
    """Convert a log to PHH or back; formats go by the suffix, `.gz` or `.xz` may follow it."""
    for path in (source, target):
        if kind_of(path) not in (*_PHH, *_LOG):
            raise DoyleError(f"{path}: the suffix must be .log, .phh or .phhs (then .gz or .xz)")
    if not source.is_file():
        raise DoyleError(f"{source}: no such file")
    if source.resolve() == target.resolve():
        raise DoyleError(f"{target}: cannot be converted onto itself")
    if kind_of(source) in _LOG:
        game = game or game_of_log(source)
        if kind_of(target) in _PHH and (problem := phh_problem(game)):
            raise DoyleError(f"PHH: {game.name}: {problem}")
        hands = read_hands(source, game)
    else:
        hands = read_phh(source, game)
    counter = _Counter(source, game)
    if kind_of(target) in _LOG:
        count = write_log(target, counter.count(hands))
    else:
        count = write_phh(target, counter.count(hands))
    assert counter.game is not None
    score = counter.totals.score()
    return Conversion(count, counter.game, score.players, score.totals)


class _Counter:
    """Passes hands on, adding up what they give, and sees to it that all are of one game."""

    def __init__(self, source: Path, game: Game | None) -> None:
        self.source = source
        self.game = game
        self.totals = Totals()

    def count(self, hands: Iterator[Hand]) -> Iterator[Hand]:
        for index, hand in enumerate(hands, start=1):
            if self.game is None:
                self.game = hand.state.game
            if hand.state.game != self.game:
                raise DoyleError(
                    f"{self.source}: hand {index} has other stacks or blinds than the first one"
                )
            self.totals.add(hand)
            yield hand
        if self.game is None or not self.totals.hands:
            raise DoyleError(f"{self.source}: no hands")


def game_of_log(path: Path) -> Game:
    """The game that a log's first comment names: `# name/game/hands/seed NAME GAME HANDS SEED`."""
    for line in read_lines(path):
        words = line.split()
        if words[:2] == ["#", "name/game/hands/seed"] and len(words) >= 4:
            return Game.named(_ACPC_NAMES.get(words[3], words[3]))
        if not line.startswith("#"):
            break
    raise DoyleError(f"{path}: no comment names the game; give it with --game")
