"""The page of a score card: one HTML file with its plots inside."""

from __future__ import annotations

from html import escape
from pathlib import Path

from doyle.reports.advice import sign
from doyle.reports.benchmark.probes import Answers
from doyle.reports.benchmark.score_card import ScoreCard
from doyle.reports.pages import html_table, write_page
from doyle.reports.report_card_page import lbr_plot, matches_plot


def size_name(pots: float) -> str:
    """A bet of the probe, in words.

    >>> size_name(0.0), size_name(1.0), size_name(2.5)
    ('least', '1 pot', '2.5 pots')
    """
    if not pots:
        return "least"
    return f"{pots:g} pot{'' if pots == 1 else 's'}"


def verdict(card: ScoreCard) -> str:
    """The card in one sentence."""
    won = sum(1 for row in card.matches if sign(row.won) > 0)
    lost = [row.opponent for row in card.matches if sign(row.won) < 0]
    text = f"It beats {won} of {len(card.matches)} opponents beyond doubt"
    if lost:
        text += f" and loses to {', '.join(lost)}"
    if card.lbr:
        last = card.lbr[-1].won
        if sign(last) > 0:
            text += f"; an opponent who knows it wins at least {last.mean:,.0f} mbb/h"
    if card.leaks:
        text += f"; bets of {', '.join(map(size_name, card.leaks))} win with any two cards"
    return f"{text}."


def boundary_text(card: ScoreCard) -> str:
    """Where the answers change, in one sentence."""
    found = None if card.probes is None else card.probes.boundary
    if found is None:
        return "Too few answers to look for a boundary."
    where = f"between {size_name(found.below)} and {size_name(found.above)}"
    if found.over_none <= 0:
        return "The answers to all sizes look the same."
    if not found.is_hard:
        return (
            f"The answers change with the size, most {where}, and no single boundary explains them: "
            f"a mix for each size is 10^{-found.over_gradual:.0f} times as likely."
        )
    return (
        f"The answers change {where} and nowhere else, as hard translation does "
        f"({found.confidence:.0%} of the boundaries' likelihood)."
    )


def answer_cells(row: Answers) -> list[str]:
    """Size, answers, shares of folds, calls and raises, and what a bluff wins."""
    total = sum(row.counts)
    shares = [f"{100 * count / total:.1f}%" if total else "" for count in row.counts]
    bluff = "" if row.bluff is None else f"{row.bluff:+.3f}"
    return [size_name(row.pots), f"{total:,}", *shares, bluff]


HEADS = ["bet", "answers", "fold", "call", "raise", "a bluff wins, pots"]


def write_score_card(path: Path, card: ScoreCard) -> None:
    """Write the page."""
    budget = card.budget
    parts = [
        f"<h1>{escape(card.agent)}</h1>",
        f"<p class=quiet>{escape(card.game.name)} · benchmark version {card.version} · numbers in "
        "thousandths of a big blind per hand (mbb/h) with 95% intervals</p>",
        f"<p class=verdict>{escape(verdict(card))}</p>",
        lbr_plot(card.lbr, card.game),
        matches_plot(card.matches),
    ]
    if card.probes is not None:
        rows = [answer_cells(row) for row in card.probes.answers]
        parts.append(html_table(HEADS, rows, "What it answers to bets after the first round"))
        parts.append(f"<p>{escape(boundary_text(card))}</p>")
    digest = "" if card.reference is None else f" Reference strategy {card.reference[:16]}."
    parts.append(
        f"<p class=quiet>Seed {budget.seed}; {budget.deals:,} deals of each duplicate match, "
        f"{budget.boards:,} boards of each exact-hands evaluation, {budget.hands:,} hands of each local "
        f"best response.{digest} Cards of the same version and game compare.</p>"
    )
    write_page(path, f"{card.agent}: benchmark version {card.version}", parts)
