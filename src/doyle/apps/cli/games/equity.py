"""`doyle equity` and `doyle rank`: the equity of hands and ranges."""

from __future__ import annotations

from typing import Annotated

import typer

from doyle.apps.cli.common import AsJson, WorkersText, output, progress_bar
from doyle.base.display import Text
from doyle.cards import describe_hand, format_cards, parse_cards
from doyle.cards.ranking import rank_limit

Board = Annotated[
    str, typer.Option("--board", metavar="CARDS", help="Cards on the board, such as Qh7c2d.")
]


def register(app: typer.Typer) -> None:
    app.command()(equity)
    app.command()(rank)


def equity(
    hands: Annotated[
        list[str],
        typer.Argument(
            metavar="HAND_OR_RANGE...", help="Two or more: AsKd, 'QQ+,AKs,A5s-A2s', AA:0.5, random."
        ),
    ],
    board: Board = "",
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Exact equity of hands or ranges against each other, over every deal and board."""
    from doyle.base.workers import parse_workers
    from doyle.cards import equity as compare  # kernels, without which `rank` starts at once

    with progress_bar() as progress:
        result = compare(hands, board, workers=parse_workers(workers), progress=progress)
    players = [
        {
            "hand": hand,
            "equity": player.equity,
            "win": player.win,
            "tie": player.tie,
            "loss": player.loss,
        }
        for hand, player in zip(hands, result.players, strict=True)
    ]
    document = {"board": format_cards(result.board), "total": result.total, "players": players}

    def text() -> Text:
        on_board = f" on {document['board']}" if result.board else ""
        yield f"{result.total:,.10g} showdowns{on_board}"
        width = max(len("hand"), *(len(hand) for hand in hands))
        yield f"{'hand':<{width}} {'equity':>9} {'win':>9} {'tie':>9} {'loss':>9}"
        for hand, player in zip(hands, result.players, strict=True):
            shares = (player.win, player.tie, player.loss)
            columns = "".join(f" {100 * count / result.total:8.4f}%" for count in shares)
            yield f"{hand:<{width}} {100 * player.equity:8.4f}%{columns}"

    output(document, as_json=as_json, text=text)


def rank(
    cards: Annotated[str, typer.Argument(metavar="CARDS", help="The hand, such as AsKd.")],
    board: Board = "",
    as_json: AsJson = False,
) -> None:
    """Rank a hand of 1 to 7 cards: its category, the cards that count, and its number."""
    hole, dealt = parse_cards(cards), parse_cards(board, what="board")
    hand = describe_hand((*hole, *dealt))
    document = {
        "cards": format_cards(hole),
        "board": format_cards(dealt),
        "category": hand.category,
        "best": format_cards(hand.best),
        "rank": hand.rank,
        "of": rank_limit(len(hand.cards)),
    }

    def text() -> Text:
        yield (
            f"{document['best']}  {hand.category}, rank {hand.rank:,} of {document['of']:,} "
            "(larger is stronger)"
        )

    output(document, as_json=as_json, text=text)
