"""What `doyle match` and `doyle league` print: tables, verdicts, forfeits and warnings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.table import Table

from doyle.cli.common import counted, plain_console, with_interval
from doyle.cli.terminal import shown
from doyle.matches import MatchResult
from doyle.matches.league import Comparison, LeagueResult
from doyle.matches.sequential import SequentialResult

if TYPE_CHECKING:
    from doyle.measuring.exact_hands.run import ExactHandsResult


def show_match(result: MatchResult, *, with_verdict: bool = True) -> None:
    how = f"each in {result.seatings_per_deal} seatings" if result.duplicate else "each once"
    deals = counted(result.hands, "deal")
    title = f"{result.game.name}: {deals}, {how}, {_chance_text(result)}"
    table = Table(title=title)
    table.add_column("player", overflow="fold")
    for heading in ("mean mbb/h", "mean small bets/h", "illegal actions"):
        table.add_column(heading, justify="right", overflow="fold")
    for player, name in enumerate(result.names):
        table.add_row(
            name,
            shown(f"{result.mbb_per_hand(player):.1f}"),
            shown(f"{result.small_bets_per_hand(player):.4f}"),
            str(result.illegal_actions[player]),
        )
    console = plain_console()
    console.print(table)
    if with_verdict:
        console.print(shown(result.verdict.sentence), soft_wrap=True)
    _show_rest(console, [result])


def show_sequential(result: SequentialResult) -> None:
    show_match(result.match, with_verdict=False)
    low, high = result.mbb_interval
    ended = f"{result.match.hands:,} of at most {result.horizon:,} deals"
    winner = "not decided" if result.winner is None else f"{result.winner} is better"
    typer.echo(
        f"{winner} after {ended}: {result.match.names[0]} wins {low:.1f} to {high:.1f} mbb/h "
        f"(holds at all times with {1 - result.alpha:.0%})"
    )


def show_league(result: LeagueResult) -> None:
    some = next(iter(result.matches.values()))
    title = f"{some.game.name}: mean mbb/h of the row, {some.hands:,} deals a match, {_chance_text(some)}"
    table = Table(title=title)
    order = result.total_bankroll.names
    table.add_column("", overflow="fold")
    for heading in (*(f"({number + 1})" for number in range(len(order))), "average"):
        table.add_column(heading, justify="right", overflow="fold")
    for number, row in enumerate(order):
        cells = ["" if row == column else f"{result.against(row, column):.0f}" for column in order]
        cells.append(f"{result.bankroll(row):.0f}")
        table.add_row(f"({number + 1}) {row}", *map(shown, cells))
    console = plain_console()
    console.print(table)
    for rule, ranking in (
        ("total bankroll", result.total_bankroll),
        ("instant run-off", result.instant_runoff),
    ):
        places = " > ".join(" = ".join(place) for place in ranking.places)
        console.print(f"{rule}: {places}")
        for comparison in result.comparisons(ranking):
            console.print(f"  {_comparison_text(comparison)}")
    _show_rest(console, result.matches.values())


def _show_rest(console: Console, results: Iterable[MatchResult]) -> None:
    """Who forfeited, and what a sealed match kept secret."""
    for result in results:
        for forfeit in result.forfeits:
            name = result.names[forfeit.player]
            where = f"{' - '.join(result.names)}, from hand {forfeit.hand:,} on"
            console.print(f"{name} forfeited: {where}: {forfeit.reason}", soft_wrap=True)
    chance = result.chance
    if chance.mode == "sealed":
        console.print(f"secret {chance.secret.hex()}", soft_wrap=True)


def _chance_text(result: MatchResult) -> str:
    chance = result.chance
    if chance.mode == "sealed":
        return "sealed"
    return f"seed {chance.seed}" + (" of the ACPC dealer" if chance.deals == "acpc" else "")


def _comparison_text(comparison: Comparison) -> str:
    difference = comparison.difference
    verdict = "significant" if difference.is_significant else "not significant"
    return f"{comparison.better} over {comparison.worse}: {difference:.1f} mbb/h, {verdict}"


def warn_of_conduct(results: Iterable[MatchResult]) -> None:
    """Say on stderr which agents forfeited and which acted illegally."""
    for result in results:
        against = " - ".join(result.names)
        for forfeit in result.forfeits:
            name = result.names[forfeit.player]
            where = f"{against}: from hand {forfeit.hand} on"
            typer.echo(f"warning: {name} forfeits {where}: {forfeit.reason}", err=True)
        for name, count in zip(result.names, result.illegal_actions, strict=True):
            if count:
                problem = f"{count} illegal actions were clamped or became calls"
                typer.echo(f"warning: {name} in {against}: {problem}", err=True)


def show_exact_hands(result: ExactHandsResult) -> None:
    how = "every board" if result.seed is None else f"seed {result.seed}"
    boards = counted(len(result.values), "board" if result.street is None else "deal")
    where = "on" if result.street is None else f"from the {result.street},"
    typer.echo(f"{result.game.name}: all pairs of hands {where} {boards}, {how}")
    for name, won in zip(result.names, result.wins, strict=True):
        typer.echo(f"{name}: mean {with_interval(won, result.ci95)}")
    worth = result.plain_hands_per_board
    if worth is not None:
        typer.echo(
            f"one {'board' if result.street is None else 'deal'} is worth {worth:,.0f} plain hands"
        )
    if result.without_plan is not None and result.street is None:
        typer.echo(f"the slower way, history by history: {result.without_plan}")
    if result.drawn_sizes:
        typer.echo(
            "readings and sizes of bets that an agent draws are drawn; the interval includes them"
        )
