"""From one format of hand histories to another, hand by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from doyle.errors import DoyleError
from doyle.games import Game, bundled_names
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
    first = next(hands, None)
    if first is None:
        raise DoyleError(f"{source}: no hands")
    game = first.state.game
    totals = Totals()
    counted = _counted(source, chain([first], hands), totals)
    if kind_of(target) in _LOG:
        names = [name for name in bundled_names() if Game.named(name) == game]
        write_log(target, counted, comments=[f"game {name}" for name in names[:1]])
    else:
        write_phh(target, counted)
    score = totals.score()
    return Conversion(totals.hands, game, score.players, score.totals)


def _counted(source: Path, hands: Iterator[Hand], totals: Totals) -> Iterator[Hand]:
    """Pass hands on, adding up what they give; all must be of the first one's game."""
    game: Game | None = None
    for index, hand in enumerate(hands, start=1):
        game = game or hand.state.game
        if hand.state.game != game:
            raise DoyleError(
                f"{source}: hand {index} has other stacks or blinds than the first one"
            )
        totals.add(hand)
        yield hand


def game_of_log(path: Path) -> Game:
    """The game that a comment at the head of a log names.

    The server writes `# name/game/hands/seed NAME GAME HANDS SEED`, doyle also `# game GAME`.
    """
    for line in read_lines(path):
        words = line.split()
        if words[:2] == ["#", "name/game/hands/seed"] and len(words) >= 4:
            return Game.named(_ACPC_NAMES.get(words[3], words[3]))
        if words[:2] == ["#", "game"] and len(words) == 3:
            return Game.named(words[2])
        if not line.startswith("#"):
            break
    raise DoyleError(f"{path}: no comment names the game; give it with --game")
