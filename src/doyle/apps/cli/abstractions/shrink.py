"""`doyle shrink`: how far a game's signals can be merged."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from doyle.abstractions.gameshrink.holdem import (
    deals_like_holdem,
    shrink_game,
    signals_of,
    stored_counts,
)
from doyle.abstractions.gameshrink.shrinking import shrink as merge
from doyle.abstractions.gameshrink.signals import can_list, deal_counts
from doyle.apps.cli.common import AsJson, WorkersText, output, progress_bar
from doyle.base.display import Text
from doyle.base.workers import parse_workers
from doyle.cards.suits.relabelling import orbit_counts
from doyle.games import Game

RELATIONS = ("suits", "lossless", "matching")


def register(app: typer.Typer) -> None:
    app.command()(shrink)


def shrink(
    game: Annotated[str, typer.Argument(help="A bundled game or a game definition file.")],
    threshold: Annotated[
        float, typer.Option(help="Merge signals whose results differ by at most this share.")
    ] = 0.0,
    relation: Annotated[
        str | None, typer.Option(help="lossless (default), matching (the paper's) or suits.")
    ] = None,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Merge the signals of a game by GameShrink and count the classes of each round.

    Hold'em takes minutes, once: its classes are kept in the cache, for all Hold'em games alike.
    """
    rules = Game.named(game)
    with progress_bar() as progress:
        chosen = shrink_game(
            rules, threshold, relation=relation, workers=parse_workers(workers), progress=progress
        )
    rounds = _rounds(rules, chosen.counts)
    relations = _relations(rules)
    document = {
        "game": rules.name,
        "relation": chosen.relation,
        "threshold": threshold,
        "rounds": rounds,
        "relations": [{"relation": name, "classes": counts} for name, counts in relations.items()],
    }

    def text() -> Text:
        yield f"{rules.name}: {chosen.relation}, threshold {threshold:g}"
        yield "round           deals    up to suits        classes"
        for row in rounds:
            yield (
                f"{row['round']:>5}{row['possible_deals']:>16,}{row['signals']:>15,}{row['class_count']:>15,}"
            )
        yield ""
        yield "A deal is a seat's hole cards and the board cards of each round so far."
        for name, counts in relations.items():
            yield f"{name:<9} {' / '.join(f'{count:,}' for count in counts)}"
            yield f"{'':<9} {_EXPLANATIONS[name]}"
        for name in RELATIONS:
            if name not in relations:
                yield f"{name:<9} not made yet: doyle shrink {game} --relation {name}"

    output(document, as_json=as_json, text=text)


def _rounds(game: Game, counts: tuple[int, ...]) -> list[dict[str, Any]]:
    """Deals, signals up to suits and classes, round by round."""
    groups = (game.hole_cards, *game.board_cards)
    signals = orbit_counts(game.ranks, game.suits, groups)[1:]
    return [
        {"round": number, "possible_deals": deals, "signals": orbits, "class_count": count}
        for number, (deals, orbits, count) in enumerate(
            zip(deal_counts(game), signals, counts, strict=True)
        )
    ]


def _relations(game: Game) -> dict[str, list[int]]:
    """The classes of each relation: of Hold'em, those that have been made."""
    if can_list(game) or not deals_like_holdem(game):
        return {
            "suits": list(merge(game, relation="suits").counts),
            "lossless": list(merge(game, relation="lossless").counts),
            "matching": list(merge(game, relation="matching").counts),
        }
    groups = (game.hole_cards, *game.board_cards)
    found = stored_counts(signals_of(game))
    return {"suits": list(orbit_counts(game.ranks, game.suits, groups)[1:])} | found


_EXPLANATIONS = {
    "suits": "equal up to a relabelling of suits",
    "lossless": "meet the same classes of opponents with the same results",
    "matching": "beat, tie and lose to equally many hands on matched boards (Gilpin, Sandholm 2007)",
}
