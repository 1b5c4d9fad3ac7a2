"""The log of a match in the format of the ACPC dealer.

A log has the dealer's comment lines, one `STATE:` line per hand with the cards dealt up to the round
reached, what each seat won and who sat there, and a `SCORE:` line at the end. A forfeit is a
comment line after its hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from doyle.games import Game


def header(
    game: Game, names: Sequence[str], *, hands: int, seed: int, time_limit: float, duplicate: bool
) -> str:
    """The comment lines before the first hand."""
    seatings = "each deal in every seating" if duplicate else "each deal once, seats rotating"
    return (
        f"# name/game/hands/seed {'.'.join(names)} {log_name(game.name)} {hands} {seed}\n"
        f"#--t_response {round(1000 * time_limit)}\n"
        f"# {seatings}\n"
    )


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
