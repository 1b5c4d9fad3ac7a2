"""Uploaded hands, reviewed in a job.

The text is written to a file of a fresh folder under a name of our own, and only its suffix is the
user's; files are read by the same parsers as everywhere, with their limits.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from doyle.apps.web.thinking.jobs import Channel
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.measuring.reviewing import ReviewOptions, SpotLimits, read_hand_file, review_hands

MOST_HANDS = 200
SUFFIXES = (".phh", ".phhs", ".log")


def review_text(
    channel: Channel,
    name: str,
    text: str,
    agent: str,
    game: str,
    player: str | None,
    spots: str,
) -> None:
    """Review the hands in `text`, the contents of a file called `name`."""
    suffix = next((one for one in SUFFIXES if name.lower().endswith(one)), None)
    if suffix is None:
        raise DoyleError(f"{name[:60]!r}: expected a file that ends in {', '.join(SUFFIXES)}")
    rules = Game.named(game)
    with tempfile.TemporaryDirectory(prefix="doyle-review-") as folder:
        path = Path(folder) / f"hands{suffix}"
        path.write_text(text, encoding="utf-8")
        try:
            found = read_hand_file(path, rules, most_hands=MOST_HANDS)
        except DoyleError as error:
            raise DoyleError(str(error).replace(str(path), "the file")) from None
    limits = SpotLimits(first_round=3 if spots == "river" else 2, memory=512 << 20, iterations=100)

    def progress(label: str, done: int, total: int) -> None:
        channel.progress({"label": label, "done": done, "total": total})

    progress("loading the agent", 0, len(found.hands))
    review = review_hands(
        rules,
        agent,
        found.hands,
        found.player(player),
        options=ReviewOptions(boards=64, spots=None if spots == "none" else limits),
        refused=found.refused,
        progress=progress,
    )
    channel.serve(review.document(), _refused)


def _refused(question: dict[str, Any]) -> dict[str, Any]:
    raise DoyleError("a review answers no questions")
