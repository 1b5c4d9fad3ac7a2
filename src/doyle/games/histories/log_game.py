"""The game of an ACPC log, by the comment at its head.

The dealer writes `# name/game/hands/seed NAME GAME HANDS SEED`, doyle `# game GAME`. GAME is a bundled
name, a file name of the public dealer, or a path to either as it was on the dealer's machine: its last
part counts. Other games are looked for under that path and beside the log.
"""

from __future__ import annotations

import re
from pathlib import Path

from doyle.base.errors import FieldError
from doyle.games import Game, bundled_names
from doyle.games.game import DEALER_FILES
from doyle.games.histories.files import read_lines


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
