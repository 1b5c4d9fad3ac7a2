"""`doyle strategy show` and `doyle exploitability`: strategies as they are played."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.cli.common import AsJson, Seed, WorkersText, output, progress_bar, say_written
from doyle.cli.missing import BuildMissing, strategy_of
from doyle.cli.paths import check_file, given_path

if TYPE_CHECKING:
    from doyle.agents.named_strategy import NamedStrategy
    from doyle.measuring.full_cards.run import FullCardResult
    from doyle.measuring.full_cards.sampled_flops import Estimate, SampledFlops
    from doyle.solving.exploitability import Exploitability
    from doyle.strategy import Strategy

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
    app.command()(exploitability)


@strategy_app.command("show")
def strategy_show(
    agent: AgentText = "default",
    history: Annotated[str, typer.Option(help="Betting so far, such as cr300 or cc/r200.")] = "",
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

    Hold'em: the 13x13 grid before the flop, the probabilities of every bucket after it. Games with
    a small deck: the probabilities of every hand, up to suits.
    """
    from doyle.errors import DoyleError
    from doyle.histories import parse_betting
    from doyle.solving.small_deck_buckets import SmallDeckBuckets

    check_file("--plot", plot, suffixes=(".png", ".svg", ".pdf"))
    read = partial(parse_betting, text=history, what="--history")
    named = strategy_of(agent, purpose="show", build=build, check=read)
    tree = named.tables.tree
    state = read(tree.game)
    try:
        node = tree.find(state.betting)
    except DoyleError as error:
        raise DoyleError(f"--history {history!r}: {error}") from None
    if not tree.child_count[node]:
        raise DoyleError(f"--history {history!r}: the hand is over there")
    shown = named.tables if raw else named.played
    cards = named.bucketing
    header = {
        "agent": named.name,
        "game": tree.game.name,
        "as_played": not raw,
        **named.played_document(),
    }
    if isinstance(cards, SmallDeckBuckets):
        _show_hands(header, shown, cards, node=node, plot=plot, as_json=as_json)
    elif tree.round[node] == 0:
        _show_grid(header, shown, cards.buckets(()), node=node, plot=plot, as_json=as_json)
    else:
        _show_buckets(header, shown, node=node, plot=plot, as_json=as_json)


def _say_where(header: dict[str, Any], history: str, seat: int) -> None:
    typer.echo(f"after {history!r}, seat {seat} to act; {_how(header)}")


def _how(header: dict[str, Any]) -> str:
    """Whether these are the tables or what is played, in words."""
    kind, threshold = header["purification"], header["threshold"]
    if kind == "none":
        return "as solved and played"
    name = "purified" if kind == "full" else f"without probabilities below {threshold:g}"
    return f"as played: {name}" if header["as_played"] else f"as solved (it is played {name})"


def _show_grid(
    header: dict[str, Any],
    strategy: Strategy,
    buckets: Any,
    *,
    node: int,
    plot: Path | None,
    as_json: bool,
) -> None:
    from doyle.cards.grid import hand_name
    from doyle.reports import strategy_grid
    from doyle.reports.figures import grid_figure, save_figure

    grid = strategy_grid(strategy, buckets, node)
    if plot is not None:
        save_figure(grid_figure(grid), plot)
        say_written(plot)

    def text() -> None:
        _say_where(header, grid.history, grid.actor)
        for place, action in enumerate(grid.actions):
            typer.echo(f"\n{action}: {100 * grid.overall[place]:.1f}% of all hands")
            for row in range(13):
                typer.echo(
                    " ".join(
                        f"{hand_name(row, column):>3}{100 * grid.cells[row, column, place]:4.0f}"
                        for column in range(13)
                    )
                )

    output({**header, **grid.document()}, as_json=as_json, text=text)


def _show_buckets(
    header: dict[str, Any], strategy: Strategy, *, node: int, plot: Path | None, as_json: bool
) -> None:
    import numpy as np

    from doyle.reports.figures import bucket_figure, save_figure

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
    import numpy as np

    from doyle.cards import format_cards
    from doyle.reports.figures import bucket_figure, save_figure

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

    rows = dict(zip(names, _rounded(shares), strict=True))
    output({**header, **place, "hands": rows}, as_json=as_json, text=text)


def _place(strategy: Strategy, node: int) -> dict[str, Any]:
    from doyle.reports.grid import action_name

    tree = strategy.tree
    return {
        "history": tree.betting_text(node),
        "seat": int(tree.actor[node]),
        "actions": [action_name(tree, node, int(action)) for action in tree.actions_of(node)],
    }


def _rounded(shares: Any) -> list[list[float]]:
    return [[round(float(share), 6) for share in row] for row in shares]


def _print_rows(title: str, names: list[str], actions: list[str], shares: Any) -> None:
    width = max(6, *(len(name) for name in names))
    typer.echo(f"{title:>{width}} " + " ".join(f"{action:>12}" for action in actions))
    for name, row in zip(names, shares, strict=True):
        typer.echo(f"{name:>{width}} " + " ".join(f"{share:12.3f}" for share in row))


def exploitability(
    agent: AgentText,
    cards: Annotated[
        str,
        typer.Option(
            help="abstract: Hold'em in the agent's buckets; full: the responder sees all cards. "
            "Games with a small deck are always measured whole."
        ),
    ] = "abstract",
    flops: Annotated[
        int | None,
        typer.Option(
            min=1, help="With --cards full: stop after this many more flops; run again to resume."
        ),
    ] = None,
    sample_flops: Annotated[
        int | None,
        typer.Option(
            "--sample-flops",
            metavar="K",
            min=1,
            help="With --cards full: two samples of so many flops instead of all of them; "
            "an upper estimate and a lower bound.",
        ),
    ] = None,
    seed: Seed = 0,
    build: BuildMissing = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Exact exploitability of a strategy as it is played.

    In the abstract game, whose pairs of buckets are counted first if need be; with --cards full
    over all hands and boards inside the agent's betting tree, flop by flop, resumable; with
    --sample-flops two bounds of it in minutes.
    """
    from doyle.errors import DoyleError
    from doyle.measuring.strategies import measure, measure_all_cards, measure_sampled_flops
    from doyle.solving.small_deck_buckets import SmallDeckBuckets
    from doyle.workers import parse_workers

    if cards not in ("abstract", "full"):
        raise DoyleError(f"--cards {cards!r}: expected abstract or full")
    named = strategy_of(agent, purpose="measure", build=build)
    by_flops = cards == "full" and not isinstance(named.bucketing, SmallDeckBuckets)
    if flops is not None and not by_flops:
        raise DoyleError("--flops: goes with --cards full in Hold'em")
    if sample_flops is not None and not by_flops:
        raise DoyleError("--sample-flops: goes with --cards full in Hold'em")
    if sample_flops is not None and flops is not None:
        raise DoyleError("--flops and --sample-flops: give one of them")
    chosen = parse_workers(workers)
    if sample_flops is not None:
        with progress_bar() as progress:
            sampled = measure_sampled_flops(
                named, sample_flops, seed=seed, workers=chosen, progress=progress
            )
        document = _sampled(named, sampled)
        output(document, as_json=as_json, text=lambda: _show_sampled(document, sampled))
        return
    with progress_bar() as progress:
        if by_flops:
            run = measure_all_cards(named, flops=flops, workers=chosen, progress=progress)
            document = {
                **_measured(named, "all cards", run.exploitability, run.own_value),
                "reason": None if run.exploitability else "not all flops are done; run again",
                "flops": run.flops,
                "flops_done": run.flops_done,
                "seconds": run.seconds,
                "seconds_left": run.seconds_left,
            }
        else:
            run = None
            found = measure(named, workers=chosen, progress=progress)
            document = {
                **_measured(named, found.game, found.found, found.own_value),
                "translation": found.translation,
                "reason": found.reason
                and f"{found.reason}: `doyle exploitability {agent} --cards full`",
            }
    output(document, as_json=as_json, text=lambda: _show_measured(document, run))


def _measured(
    named: NamedStrategy, game: str, found: Exploitability | None, own_value: float | None
) -> dict[str, Any]:
    """What every measurement reports; chips per hand, and thousandths of a big blind."""
    scale = 1000 / named.game.big_blind
    return {
        "agent": named.text,
        "game": named.game.name,
        "betting": str(named.tables.tree.model),
        "cards": named.cards,
        "measured_in": game,
        "as_played": True,
        **named.played_document(),
        "best_response": None if found is None else list(found.best_responses),
        "own_value": own_value,
        "exploitability": None if found is None else found.document(),
        "mbb_per_hand": None
        if found is None
        else {
            "players": [scale * share for share in found.players],
            "total": scale * found.total,
        },
    }


def _sampled(named: NamedStrategy, found: SampledFlops) -> dict[str, Any]:
    """What two samples of flops tell; the exact number only if they have all of them."""
    scale = 1000 / named.game.big_blind

    def document(one: Estimate) -> dict[str, float]:
        return {"mbb_per_hand": scale * one.value, "ci95": scale * one.ci95}

    return {
        **_measured(named, "all cards", None, None),
        "reason": None if found.exact else "only some flops were drawn",
        "mbb_per_hand": {"total": scale * found.upper.value} if found.exact else None,
        "upper_estimate": document(found.upper),
        "lower_bound": document(found.lower),
        "flops": found.flops,
        "sample_flops": found.drawn,
        "flops_solved": found.solved,
        "sampling": "stratified by copies under suits, without replacement, two independent samples",
        "seed": found.seed,
    }


def _show_sampled(document: dict[str, Any], found: SampledFlops) -> None:
    typer.echo(f"{document['agent']} in its betting tree over all cards, {_how(document)}")
    typer.echo(
        f"two samples of {found.drawn} of {found.flops:,} flops up to suits, seed {found.seed}"
    )
    upper, lower = document["upper_estimate"], document["lower_bound"]
    typer.echo(
        f"exploitability at least  {lower['mbb_per_hand']:.4g} ± {lower['ci95']:.2g} mbb/h "
        "(fitted on one sample, scored on the other)"
    )
    typer.echo(
        f"exploitability about     {upper['mbb_per_hand']:.4g} ± {upper['ci95']:.2g} mbb/h "
        "(fitted and scored on both: too high on average)"
    )


def _show_measured(document: dict[str, Any], run: FullCardResult | None) -> None:
    where = {
        "whole": f"the whole of {document['game']}",
        "abstract": "the abstract game",
        "all cards": "its betting tree over all cards",
    }[document["measured_in"]]
    typer.echo(f"{document['agent']} in {where}, {_how(document)}")
    if document.get("translation") is not None:
        typer.echo(f"bets outside its tree are read by {document['translation']}")
    if run is not None and run.exploitability is None:
        typer.echo(f"{run.flops_done} of {run.flops} flops in {run.seconds:.0f} s; ", nl=False)
        typer.echo(f"about {run.seconds_left / 3600:.1f} hours left; run again to resume")
        return
    found, mbb = document["exploitability"], document["mbb_per_hand"]
    if found is None:
        typer.echo(f"exploitability not known: {document['reason']}")
        return
    first, second = document["best_response"]
    typer.echo(f"best responses win {first:.4g} and {second:.4g} chips per hand")
    for unit, values in (("chips", found), ("mbb/h", mbb)):
        players = ", ".join(f"{share:.4g}" for share in values["players"])
        typer.echo(f"exploitability {values['total']:.4g} {unit} (players {players})")
    if run is not None:
        typer.echo(f"{run.flops} flops in {run.seconds:.0f} s")
