"""`doyle strategy show`: strategies as they are played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from doyle.abstractions.cards import CardAbstraction
from doyle.agents import resolve_agent
from doyle.apps.cli.common import AsJson, output, say, say_written
from doyle.apps.cli.missing import BuildMissing, strategy_of
from doyle.apps.cli.options import check_file, given_path
from doyle.base.display import share_text
from doyle.base.errors import DoyleError
from doyle.cards import format_cards, parse_cards
from doyle.cards.ranges import parse_range
from doyle.games import Deal, Policy, State
from doyle.games.histories import parse_betting
from doyle.measuring.reports.pages import bucket_figure, grid_figure, save_figure
from doyle.solving.games.small_games import SmallDeckBuckets
from doyle.strategy import PlaceView, Strategy

strategy_app = typer.Typer(help="Look into a strategy.", no_args_is_help=True)

AgentText = Annotated[
    str,
    typer.Argument(
        metavar="AGENT",
        help="A preset, description or strategy folder; options after a colon "
        "(default:purification=full).",
    ),
]


def register(app: typer.Typer) -> None:
    app.add_typer(strategy_app, name="strategy")


@strategy_app.command("show")
def strategy_show(
    agent: AgentText = "default",
    history: Annotated[
        str,
        typer.Option(
            help="Betting so far, such as cr300 or cc/r200; with any bets, also those that its tree "
            "has not and that it translates."
        ),
    ] = "",
    board: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS",
            help="The board, such as Ah7c2d: hands instead of buckets after the flop.",
        ),
    ] = None,
    hand: Annotated[
        str | None,
        typer.Option(
            metavar="HAND", help="One hand (AhAd) or class (AKs): its row instead of the grid."
        ),
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="The tables as solved, before purification.")
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", parser=given_path, help="Write a figure (.png, .svg, .pdf)."),
    ] = None,
    build: BuildMissing = False,
    as_json: AsJson = False,
) -> None:
    """Show the play at a decision.

    Hold'em: the 13x13 grid of each hand's most frequent action before the flop and on a --board, or
    the row of one --hand; without a board the probabilities of every bucket. Games with a small
    deck: the probabilities of every hand, up to suits.
    """
    check_file("--plot", plot, suffixes=(".png", ".svg", ".pdf"))
    read = partial(parse_betting, text=history, what="--history")
    named = strategy_of(agent, purpose="show", build=build, check=read)
    tree = named.tables.tree
    state = read(tree.game)
    if state.is_over:
        raise DoyleError(f"--history {history!r}: the hand is over there")
    try:
        node = tree.find(state.betting)
    except DoyleError as error:
        # Bets that the tree has not are translated, as in play; the tables have no row for them.
        if raw or not tree.game.is_holdem:
            raise DoyleError(f"--history {history!r}: {error}") from None
        node = None
    shown = named.tables if raw else named.played
    cards = named.bucketing
    header: dict[str, Any] = {
        "agent": named.name,
        "game": tree.game.name,
        "as_played": not raw,
        **named.played_document(),
    }
    dealt = _dealt(state, board)
    place: PlaceView | None = None
    if tree.game.is_holdem and (node is None or dealt.board):
        if raw:
            raise DoyleError("--raw: shows the tables, which know buckets and no boards")
        place = _real_place(agent, dealt, needs_reach=hand is None)
        header["board"] = format_cards(dealt.board)
    elif node is None or not tree.child_count[node]:
        raise DoyleError(f"--history {history!r}: the hand is over there")
    elif hand is not None and (isinstance(cards, SmallDeckBuckets) or tree.round[node]):
        raise DoyleError(f"--hand {hand}: needs a decision of Hold'em before the flop or a --board")
    elif not isinstance(cards, SmallDeckBuckets) and tree.round[node] == 0:
        place = PlaceView.of_strategy(shown, cards.buckets(()), node)
    if place is not None:
        found = _grid(place) if hand is None else _hand(place, hand)
    else:
        assert node is not None
        if not isinstance(cards, SmallDeckBuckets):
            say("give --board CARDS to see hands instead of buckets")
        found = _rows(shown, cards, node)
    if plot is not None and found.figure is not None:
        save_figure(found.figure(), plot)
        say_written(plot)
    document = header | found.document
    where = f"after {document['history']!r}, seat {document['seat']} to act; {how_played(header)}"
    output(document, as_json=as_json, text=lambda: [where, *found.lines()])


class _Found(NamedTuple):
    """The play at a place: as JSON, as text, and drawn."""

    document: dict[str, Any]
    lines: Callable[[], Iterable[str]]
    figure: Callable[[], Any] | None = None


def _dealt(state: State, board: str | None) -> State:
    """The state with the board on it, checked against its round."""
    if board is None:
        return state
    game, wanted = state.game, state.game.board_ends[state.round]
    try:
        cards = tuple(parse_cards(board))
    except DoyleError as error:
        raise DoyleError(f"--board: {error}") from None
    if not game.is_holdem:
        raise DoyleError(f"--board: {game.name} has a small deck, whose boards are all shown")
    if len(cards) != wanted or len(set(cards)) != wanted:
        raise DoyleError(
            f"--board {board}: expected {wanted} different cards in round {state.round + 1} of "
            "--history"
        )
    return state.with_deal(Deal(((),) * game.players, cards))


def _real_place(agent: str, state: State, *, needs_reach: bool) -> PlaceView:
    """The play of every hand at a real history and board, translation included."""
    if state.round and not state.board:
        raise DoyleError("--history: after the flop the hands need a --board")
    player = resolve_agent(agent, state.game)
    assert isinstance(player, Policy)
    place = PlaceView.of_policy(player, state)
    if needs_reach and not place.weights.any():
        raise DoyleError(f"history {place.history!r}: seat {place.seat} never reaches this betting")
    return place


def _grid(place: PlaceView) -> _Found:
    return _Found(place.grid_document(), place.lines, lambda: grid_figure(place))


def _hand(place: PlaceView, hand: str) -> _Found:
    """The mean probabilities of the hands that `hand` names and the board leaves."""
    try:
        weights = np.where(place.live, parse_range(hand), 0.0)
    except DoyleError as error:
        raise DoyleError(f"--hand: {error}") from None
    if not weights.any():
        raise DoyleError(f"--hand {hand}: its cards are on the --board")
    row = (weights @ place.probabilities / weights.sum()).tolist()
    document = {
        "history": place.history,
        "seat": place.seat,
        "actions": list(place.names),
        "hand": hand,
        "frequencies": _rounded([row])[0],
    }
    shares = zip(place.names, row, strict=True)
    parts = ", ".join(f"{action} {share_text(share)}" for action, share in shares)
    return _Found(document, lambda: [f"{hand}: {parts}"])


def _rows(strategy: Strategy, cards: CardAbstraction | SmallDeckBuckets, node: int) -> _Found:
    """Every bucket, or every hand of a small deck: `Qs` before the board, `Qs/Ks` with it."""
    tree = strategy.tree
    round_, actions = int(tree.round[node]), tree.action_names(node)
    history = tree.betting_text(node)
    if isinstance(cards, SmallDeckBuckets):
        hands = list(cards.hands(round_))
        title, buckets = "hand", np.array([row for _, row in hands])
        names = ["/".join(format_cards(part) for part in key if part) for key, _ in hands]
    else:
        title, buckets = "bucket", np.arange(strategy.bucket_count(round_))
        names = [str(bucket) for bucket in buckets]
    shares = strategy.probabilities(node, buckets)
    rows = _rounded(shares)
    table = {name: {"frequencies": row} for name, row in zip(names, rows, strict=True)}
    document = {
        "history": history,
        "seat": int(tree.actor[node]),
        "actions": list(actions),
        **({"by_hand": table} if title == "hand" else {"buckets": rows}),
    }

    def lines() -> Iterator[str]:
        width = max(6, *(len(name) for name in names))
        yield f"{title:>{width}} " + " ".join(f"{action:>12}" for action in actions)
        for name, row in zip(names, shares, strict=True):
            yield f"{name:>{width}} " + " ".join(f"{share:12.3f}" for share in row)

    return _Found(document, lines, lambda: bucket_figure(shares, actions, f"after {history!r}"))


def how_played(header: dict[str, Any]) -> str:
    """Whether these are raw tables or the actual play, as text."""
    kind, threshold = header["purification"], header["threshold"]
    if kind == "none":
        return "as solved and played"
    name = "purified" if kind == "full" else f"without probabilities below {threshold:g}"
    return f"as played: {name}" if header["as_played"] else f"as solved (it is played {name})"


def _rounded(shares: Any) -> list[list[float]]:
    return [[round(float(share), 6) for share in row] for row in shares]
