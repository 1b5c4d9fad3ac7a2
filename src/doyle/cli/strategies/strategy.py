"""`doyle strategy show`: strategies as they are played."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from doyle.agents import resolve_agent
from doyle.cards import format_cards, parse_cards
from doyle.cards.ranges import parse_range
from doyle.cli.common import AsJson, output, say, say_written
from doyle.cli.missing import BuildMissing, strategy_of
from doyle.cli.paths import check_file, given_path
from doyle.display import share_text
from doyle.errors import DoyleError
from doyle.games import Deal, Policy, State
from doyle.histories import parse_betting
from doyle.reports.figures import bucket_figure, grid_figure, save_figure
from doyle.solving.small_deck_buckets import SmallDeckBuckets
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
    """Show what is played at a decision.

    Hold'em: the 13x13 grid of each hand's commonest action before the flop and on a --board, or the
    row of one --hand; without a board the probabilities of every bucket. Games with a small deck: the probabilities of every hand, up to suits.
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
    header = {
        "agent": named.name,
        "game": tree.game.name,
        "as_played": not raw,
        **named.played_document(),
    }
    dealt = _dealt(state, board)
    if tree.game.is_holdem and (node is None or dealt.board):
        if raw:
            raise DoyleError("--raw: shows the tables, which know buckets and no boards")
        _show_real(header, agent, dealt, hand=hand, plot=plot, as_json=as_json)
        return
    if node is None or not tree.child_count[node]:
        raise DoyleError(f"--history {history!r}: the hand is over there")
    if hand is not None and (isinstance(cards, SmallDeckBuckets) or tree.round[node]):
        raise DoyleError(f"--hand {hand}: needs a decision of Hold'em before the flop or a --board")
    if isinstance(cards, SmallDeckBuckets):
        _show_hands(header, shown, cards, node=node, plot=plot, as_json=as_json)
    elif tree.round[node] == 0:
        place = PlaceView.of_strategy(shown, cards.buckets(()), node)
        if hand is None:
            _output_grid(header, place, plot=plot, as_json=as_json)
        else:
            _output_hand({**header, **_named(place)}, hand, _hand_row(hand, place), as_json=as_json)
    else:
        say("give --board CARDS to see hands instead of buckets")
        _show_buckets(header, shown, node=node, plot=plot, as_json=as_json)


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


def _show_real(
    header: dict[str, Any],
    agent: str,
    state: State,
    *,
    hand: str | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """What is played with every hand at a real history and board, translation included."""
    if state.round and not state.board:
        raise DoyleError("--history: after the flop the hands need a --board")
    player = resolve_agent(agent, state.game)
    assert isinstance(player, Policy)
    header = {**header, "board": format_cards(state.board)}
    place = PlaceView.of_policy(player, state)
    if hand is not None:
        _output_hand({**header, **_named(place)}, hand, _hand_row(hand, place), as_json=as_json)
    elif place.weights.any():
        _output_grid(header, place, plot=plot, as_json=as_json)
    else:
        raise DoyleError(f"history {place.history!r}: seat {place.seat} never reaches this betting")


def _named(place: PlaceView) -> dict[str, Any]:
    return {"history": place.history, "seat": place.seat, "actions": list(place.names)}


def _hand_row(hand: str, place: PlaceView) -> Any:
    """The mean probabilities of the hands that `hand` names and the board leaves."""
    try:
        weights = np.where(place.live, parse_range(hand), 0.0)
    except DoyleError as error:
        raise DoyleError(f"--hand: {error}") from None
    if not weights.any():
        raise DoyleError(f"--hand {hand}: its cards are on the --board")
    return weights @ place.probabilities / weights.sum()


def _output_hand(header: dict[str, Any], hand: str, row: Any, *, as_json: bool) -> None:
    """One row: how often the hand takes each action."""

    def text() -> None:
        _say_where(header, header["history"], header["seat"])
        shown = zip(header["actions"], row, strict=True)
        parts = [f"{action} {share_text(float(share))}" for action, share in shown]
        typer.echo(f"{hand}: {', '.join(parts)}")

    document = {**header, "hand": hand, "frequencies": _rounded([row])[0]}
    output(document, as_json=as_json, text=text)


def _say_where(header: dict[str, Any], history: str, seat: int) -> None:
    typer.echo(f"after {history!r}, seat {seat} to act; {how_played(header)}")


def how_played(header: dict[str, Any]) -> str:
    """Whether these are the tables or what is played, in words."""
    kind, threshold = header["purification"], header["threshold"]
    if kind == "none":
        return "as solved and played"
    name = "purified" if kind == "full" else f"without probabilities below {threshold:g}"
    return f"as played: {name}" if header["as_played"] else f"as solved (it is played {name})"


def _output_grid(
    header: dict[str, Any], grid: PlaceView, *, plot: Path | None, as_json: bool
) -> None:
    if plot is not None:
        save_figure(grid_figure(grid), plot)
        say_written(plot)

    def text() -> None:
        _say_where(header, grid.history, grid.seat)
        for line in grid.lines():
            typer.echo(line)

    output({**header, **grid.grid_document()}, as_json=as_json, text=text)


def _show_buckets(
    header: dict[str, Any], strategy: Strategy, *, node: int, plot: Path | None, as_json: bool
) -> None:
    place = _place(strategy, node)
    buckets = np.arange(strategy.bucket_count(int(strategy.tree.round[node])))
    shares = strategy.probabilities(node, buckets)
    if plot is not None:
        figure = bucket_figure(shares, tuple(place["actions"]), f"after {place['history']!r}")
        save_figure(figure, plot)
        say_written(plot)

    def text() -> None:
        _say_where(header, place["history"], place["seat"])
        _print_rows("bucket", [str(bucket) for bucket in buckets], place["actions"], shares)

    document = {**header, **place, "buckets": _rounded(shares)}
    output(document, as_json=as_json, text=text)


def _show_hands(
    header: dict[str, Any],
    strategy: Strategy,
    cards: Any,
    *,
    node: int,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Every hand of a game with a small deck: `Qs` before the board, `Qs/Ks` with it."""
    place = _place(strategy, node)
    hands = list(cards.hands(int(strategy.tree.round[node])))
    names = ["/".join(format_cards(part) for part in key if part) for key, _ in hands]
    shares = strategy.probabilities(node, np.array([row for _, row in hands]))
    if plot is not None:
        figure = bucket_figure(shares, tuple(place["actions"]), f"after {place['history']!r}")
        save_figure(figure, plot)
        say_written(plot)

    def text() -> None:
        _say_where(header, place["history"], place["seat"])
        _print_rows("hand", names, place["actions"], shares)

    rows = {name: {"frequencies": row} for name, row in zip(names, _rounded(shares), strict=True)}
    output({**header, **place, "by_hand": rows}, as_json=as_json, text=text)


def _place(strategy: Strategy, node: int) -> dict[str, Any]:
    tree = strategy.tree
    return {
        "history": tree.betting_text(node),
        "seat": int(tree.actor[node]),
        "actions": list(tree.action_names(node)),
    }


def _rounded(shares: Any) -> list[list[float]]:
    return [[round(float(share), 6) for share in row] for row in shares]


def _print_rows(title: str, names: list[str], actions: list[str], shares: Any) -> None:
    width = max(6, *(len(name) for name in names))
    typer.echo(f"{title:>{width}} " + " ".join(f"{action:>12}" for action in actions))
    for name, row in zip(names, shares, strict=True):
        typer.echo(f"{name:>{width}} " + " ".join(f"{share:12.3f}" for share in row))
