"""The page of a review: one HTML file with the losses by street and action and the worst hands."""

from __future__ import annotations

from html import escape
from pathlib import Path

from doyle.base.display import COLOURS
from doyle.cards import RANKS, SUITS, parse_cards
from doyle.measuring.reports.pages import tiles, write_page
from doyle.measuring.reviewing import Review, ReviewedDecision, ReviewedHand
from doyle.measuring.reviewing.records import Group, OptionValue

SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
STYLE = """<style>
.bar { display: inline-block; height: .7rem; border-radius: .2rem; vertical-align: middle; }
.playing { font: 600 1rem Georgia, serif; margin-right: .25rem; }
.c { color: #1d7a3a; } .d { color: #1f5fbf; } .h { color: #c22f2f; } .s { color: #222; }
details { border: 1px solid #ddd; border-radius: .5rem; padding: .5rem .8rem; margin: .5rem 0; }
summary { cursor: pointer; } summary b { font-variant-numeric: tabular-nums; }
.taken { background: #fdf3e3; } .scroll { overflow-x: auto; }
</style>"""
NOTE = (
    "The loss of a decision is what the agent's own mix of actions is worth more than the action taken: "
    "the mean, over the hands that the agent would hold in the other seat after the same betting and over "
    "the cards to come, with the agent playing both seats afterwards. Its sum over a match estimates what "
    "the player loses against the agent by not being the agent. Before the turn boards are drawn, which "
    "the interval is for; later decisions are exact. The spot solver plays from the same ranges with the "
    "player's bet added."
)


def write_review(path: Path, review: Review) -> None:
    """Write the page of a review."""
    worst = "".join(map(_hand, review.worst()))
    parts = [
        STYLE,
        f"<h1>{escape(review.player)}</h1><p class=quiet>{escape(review.game.name)} · judged by "
        f"{escape(review.agent)}</p>",
        _tiles(review),
        _groups("By street", review.by_street()),
        _groups("By action", review.by_size()),
        *(
            _groups(f"By action on the {street}", groups)
            for street, groups in review.by_street_and_size().items()
            if len(groups) > 1
        ),
        f"<h2>The hands with the largest losses</h2>{worst}" if worst else "",
        f"<h2>Definitions</h2><p>{escape(NOTE)}</p>",
    ]
    write_page(path, f"review of {review.player}", parts)


def _tiles(review: Review) -> str:
    total, per_hand = review.total, review.loss_mbb_per_hand
    found = [
        (f"{len(review.reviewed):,}", "hands"),
        (f"{len(review.decisions):,}", "decisions"),
        ("" if per_hand is None else f"{per_hand:+.1f}", "mbb lost per hand"),
        (f"{total.loss_mbb:+.1f}{_interval(total.loss.ci95)}", "mbb lost"),
        (f"{total.loss_to_best_mbb:.1f}", "mbb below the best actions"),
    ]
    if total.solver_decisions:
        solved = f"mbb lost by the spot solver, {total.solver_decisions:,} decisions"
        found.append((f"{total.solver_loss_mbb:+.1f}", solved))
    return tiles(found)


def _groups(title: str, groups: list[Group]) -> str:
    largest = max((abs(group.loss_mbb) for group in groups), default=0.0) or 1.0
    rows = "".join(
        f"<tr><td>{escape(group.name)}</td><td class=number>{group.decisions:,}</td>"
        f"<td class=number>{group.loss_mbb:+.1f}{_interval(group.loss.ci95)}</td>"
        f"<td>{_bar(group.loss_mbb, largest)}</td>"
        f"<td class=number>{group.loss_mbb / group.decisions:+.1f}</td>"
        f"<td class=number>{f'{group.solver_loss_mbb:+.1f}' if group.solver_decisions else ''}</td>"
        "</tr>"
        for group in groups
    )
    head = (
        "<tr><th></th><th class=number>decisions</th><th class=number>loss, mbb</th><th></th>"
        "<th class=number>per decision</th><th class=number>spot solver</th></tr>"
    )
    return f"<h2>{escape(title)}</h2><div class=scroll><table>{head}{rows}</table></div>"


def _bar(value: float, largest: float) -> str:
    colour = COLOURS["all-in"] if value > 0 else COLOURS["call"]
    return f'<i class=bar style="background:{colour};width:{9 * abs(value) / largest:.2f}rem"></i>'


def _hand(hand: ReviewedHand) -> str:
    decisions = "".join(map(_decision, hand.decisions))
    won = "" if hand.won_mbb is None else f", won {hand.won_mbb:+.0f} mbb"
    return (
        f"<details><summary><b>{hand.loss_mbb:.1f} mbb</b> · hand {hand.number} · "
        f"{cards_html(hand.hole)} · {cards_html(hand.board) or 'no board'} · "
        f"<code>{escape(hand.betting)}</code>{won}</summary>{decisions}</details>"
    )


def _decision(decision: ReviewedDecision) -> str:
    solved = any(option.solver_value_mbb is not None for option in decision.options)
    rows = "".join(_option(option, decision, solved=solved) for option in decision.options)
    head = "<tr><th>action</th><th class=number>agent</th><th class=number>value, mbb</th>"
    if solved:
        head += "<th class=number>solver</th><th class=number>value, mbb</th>"
    notes = []
    if not decision.exact:
        notes.append("boards drawn")
    if decision.range_assumed:
        notes.append("the agent never plays so from the other seat: every hand counted alike")
    if decision.solver_loss_mbb is not None:
        notes.append(f"spot solver: {decision.solver_loss_mbb:+.1f} mbb")
    after = f" after <code>{escape(decision.betting)}</code>" if decision.betting else ""
    return (
        f"<p><b>{escape(decision.street)}</b> {cards_html(decision.board)}{after}, pot "
        f"{decision.pot:,}: {escape(decision.taken)}, loss {decision.loss_mbb:+.1f}"
        f"{_interval(decision.loss.ci95)} mbb <span class=quiet>{escape('; '.join(notes))}</span></p>"
        f"<div class=scroll><table>{head}</tr>{rows}</table></div>"
    )


def _option(option: OptionValue, decision: ReviewedDecision, *, solved: bool) -> str:
    kind = " class=taken" if option.name == decision.taken else ""
    cells = (
        f"<td>{escape(option.name)}</td><td class=number>{100 * option.probability:.1f}%</td>"
        f"<td class=number>{option.value_mbb:+.1f}</td>"
    )
    if solved:
        share, value = option.solver_probability, option.solver_value_mbb
        cells += f"<td class=number>{'' if share is None else f'{100 * share:.1f}%'}</td>"
        cells += f"<td class=number>{'' if value is None else f'{value:+.1f}'}</td>"
    return f"<tr{kind}>{cells}</tr>"


def cards_html(text: str) -> str:
    """Cards with the signs of their suits."""
    return "".join(
        f"<span class='playing {SUITS[card % 4]}'>"
        f"{RANKS[card // 4]}{SUIT_SIGNS[SUITS[card % 4]]}</span>"
        for card in parse_cards(text)
    )


def _interval(width: float | None) -> str:
    return f" ± {width:.1f}" if width else ""
