"""The page of a solved spot: its value, the first decisions as bars and grids, and their classes."""

from __future__ import annotations

from html import escape
from pathlib import Path

from doyle.base.display import colours_of, percent_text
from doyle.cards import RANKS, SUITS, format_cards, format_range
from doyle.measuring.reports.pages import convergence_svg, html_table, write_page
from doyle.solving.spots import SpotResult
from doyle.strategy import PlaceView

OFTEN = 0.001
"""Answers to actions that are taken more rarely are not on the page."""

STYLE = """<style>
.cards { margin: 1rem 0 .4rem; } .card { display: inline-block; font: 600 1.5rem/2.9rem Georgia, serif;
  width: 2.5rem; text-align: center; border: 1px solid #bbb; border-radius: .4rem; margin-right: .35rem;
  background: #fff; box-shadow: 0 1px 3px #0002; }
.c { color: #1d7a3a; } .d { color: #1f5fbf; } .h { color: #c22f2f; } .s { color: #222; }
.tiles { display: flex; flex-wrap: wrap; gap: .7rem; margin: 1rem 0 1.6rem; }
.tile { background: #f5f5f2; border-radius: .5rem; padding: .5rem 1rem; }
.tile b { display: block; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.tile span { color: #666; font-size: .85rem; }
.place { border-top: 1px solid #ddd; padding-top: .4rem; margin-top: 1.6rem; }
.pair { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
.bar { display: flex; height: 1.5rem; border-radius: .3rem; overflow: hidden; margin: .3rem 0 .6rem;
  max-width: 44rem; } .bar i { display: block; }
.small { display: inline-flex; width: 7rem; height: .8rem; margin: 0; vertical-align: middle; }
.key { display: inline-block; width: .8rem; height: .8rem; border-radius: .15rem; margin-right: .5rem;
  vertical-align: -.05rem; }
details { margin: .5rem 0; } summary { cursor: pointer; color: #345; }
.classes td, .classes th { padding: .1rem .6rem; font-size: .9rem; }
</style>"""


def write_spot_report(path: Path, result: SpotResult) -> None:
    """Write the page: the spot, how far it is solved, the first decision and the answers to it."""
    spot = result.spot
    facts = [
        ["range of seat 0", format_range(spot.ranges[0])],
        ["range of seat 1", format_range(spot.ranges[1])],
        ["pot, stacks", f"{spot.pot}; {spot.stacks[0]}, {spot.stacks[1]} behind"],
        ["betting", spot.betting],
        ["locks", ", ".join(lock.text for lock in result.locks) or "none"],
        ["solver", f"{result.method}, {result.precision} precision"],
        ["tables", f"{result.solver.memory_bytes / 1e6:.1f} MB"],
    ]
    parts = [
        spot_html(result),
        html_table(["", ""], facts, "The spot"),
        "<h2>Convergence</h2>",
        convergence_svg(result.history),
    ]
    write_page(path, f"spot {format_cards(spot.board)}", parts)


def spot_html(result: SpotResult) -> str:
    """The board, the value and the first decisions, without a page around them."""
    places = "".join(_place(decision) for decision in (result.root, *_answers(result)))
    return f"{STYLE}{_board(result.spot.board)}{_tiles(result)}{places}"


def _board(board: tuple[int, ...]) -> str:
    signs = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
    cards = "".join(
        f"<span class='card {SUITS[card % 4]}'>{RANKS[card // 4]}{signs[SUITS[card % 4]]}</span>"
        for card in board
    )
    return f"<div class=cards>{cards}</div>"


def _tiles(result: SpotResult) -> str:
    shares = result.document()["pot_shares"]
    tiles = [
        (
            f"{shares[0]:.2f} : {shares[1]:.2f}",
            f"chips of the pot of {result.spot.pot}, seat 0 : 1",
        ),
        (f"{result.value:+.3f}", "value for seat 0 in chips"),
        (percent_text(result.exploitability_percent_of_pot), "exploitability, of the pot"),
        (f"{result.solver.iteration:,}", f"iterations in {result.run.seconds:.2f} s"),
    ]
    inner = "".join(
        f"<div class=tile><b>{value}</b><span>{what}</span></div>" for value, what in tiles
    )
    return f"<div class=tiles>{inner}</div>"


def _answers(result: SpotResult) -> list[PlaceView]:
    """The other seat's play after each action of the first seat with non-negligible frequency."""
    root, found = result.root, []
    for text, share in zip(root.texts, root.frequencies, strict=True):
        if share >= OFTEN and result.continues_in_round(text):
            found.append(result.at(text))
    return found


def _place(decision: PlaceView) -> str:
    """One decision: a bar of its actions, their values, the grid and the classes."""
    where = f"After {decision.history}" if decision.history else "The first decision"
    colours = colours_of(decision.names)
    rows = "".join(
        f'<tr><td><i class=key style="background:{colour}"></i>{escape(name)}</td><td class=number>{100 * share:.1f}%</td>'
        f"<td class=number>{_chips(value)}</td></tr>"
        for name, colour, share, value in zip(
            decision.names, colours, decision.frequencies, decision.values, strict=True
        )
    )
    table = (
        "<table class=actions><tr><th>action</th><th class=number>how often</th>"
        f"<th class=number>value</th></tr>{rows}</table>"
    )
    return (
        f"<section class=place><h2>{escape(where)}: seat {decision.seat}</h2>"
        f"{_bar(colours, decision.frequencies.tolist())}<div class=pair>"
        f"{decision.html()}<div>{table}{_classes(decision, colours)}</div></div>"
        "</section>"
    )


def _bar(colours: list[str], shares: list[float], kind: str = "bar") -> str:
    parts = "".join(
        f'<i style="background:{colour};width:{100 * share:.2f}%"></i>'
        for colour, share in zip(colours, shares, strict=True)
    )
    return f"<span class='{kind}'>{parts}</span>"


def _classes(decision: PlaceView, colours: list[str]) -> str:
    lines = []
    found = decision.by_class().items()
    for name, row in sorted(found, key=lambda item: -item[1]["value"]):
        bar = _bar(colours, row["frequencies"], "bar small")
        lines.append(
            f"<tr><td>{name}</td><td class=number>{_chips(row['value'])}</td>"
            f"<td class=number>{100 * row['equity']:.1f}%</td><td>{bar}</td></tr>"
        )
    head = "<tr><th>class</th><th class=number>value</th><th class=number>equity</th><th>plays</th></tr>"
    return (
        f"<details><summary>{len(lines)} classes by value</summary>"
        f"<table class=classes>{head}{''.join(lines)}</table></details>"
    )


def _chips(value: float) -> str:
    return "" if value != value else f"{value:+.2f}"
