"""The log of a match in the format of the ACPC dealer.

A log has the dealer's comment lines, one `STATE:` line per hand with the cards dealt up to the round
reached, the winnings and names of the seats, and a `SCORE:` line at the end. A forfeit is a
comment line after its hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from doyle.base.errors import DoyleError

if TYPE_CHECKING:
    from doyle.matches.match import Match

SECRET = "# secret"


def header(match: Match, names: Sequence[str]) -> str:
    """The comment lines before the first hand."""
    chance = match.chance
    seed = "sealed" if chance.seed is None else chance.seed
    return (
        f"# name/game/hands/seed {'.'.join(names)} {log_name(match.game.name)} "
        f"{match.hands} {seed}\n"
        f"#--t_response {round(1000 * match.time_limit)}\n"
        f"# {_order(match)}\n"
        f"# {_chance(match)}\n"
    )


def footer(match: Match) -> str:
    """The comment lines after the last hand: the secret of a sealed match."""
    chance = match.chance
    return f"{SECRET} {chance.secret.hex()}\n" if chance.mode == "sealed" else ""


def find_secret(text: str) -> bytes:
    """The secret of a sealed match, from its 64 hexadecimal digits or from the log of the match."""
    if re.fullmatch(r"[0-9a-fA-F]{64}", text):
        return bytes.fromhex(text)
    path = Path(text)
    if not path.is_file():
        raise DoyleError(f"secret {text!r}: expected 64 hexadecimal digits or the log of a match")
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            found = re.fullmatch(rf"{SECRET} ([0-9a-f]{{64}})\s*", line)
            if found:
                return bytes.fromhex(found[1])
    raise DoyleError(f"{path}: the log has no line '{SECRET} ...' of a sealed match")


def _order(match: Match) -> str:
    if not match.duplicate:
        return "each deal once, seats rotating"
    if match.in_order:
        return "each deal in every seating, all deals of a seating together"
    return "each deal in every seating"


def _chance(match: Match) -> str:
    chance = match.chance
    if chance.mode == "sealed":
        return f"sealed; SHA-256 of the secret {chance.commitment}"
    return "repeatable" + ("; deals of the ACPC dealer" if chance.deals == "acpc" else "")


def log_name(name: str) -> str:
    """A name that the format can hold: no separators, no blanks.

    >>> log_name("my agent:v2")
    'my-agent-v2'
    """
    allowed = ("-" if letter in ":|" or letter.isspace() else letter for letter in name)
    return "".join(allowed) or "-"


def forfeit_line(name: str, hand: int, reason: str) -> str:
    """The comment that a player forfeited."""
    return f"# forfeit {name} hand {hand}: {reason}\n"
