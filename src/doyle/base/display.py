"""How results show themselves in notebooks: small pieces of HTML and SVG that need nothing else.

Styles are written on the elements, so a piece looks the same in any page, and every text is escaped.
Colours of actions are those of all figures. Nothing here knows poker: callers give names, shares and
numbers.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

ABSENT = "#b9bec6"
"""The colour of the absent share of a cell's hands."""

INK = "#10151b"
"""The text on every colour below: its contrast is at least 4.5 on each (WCAG AA), shades included."""

COLOURS = {
    "fold": "#7fa6dc",
    "call": "#6cbd7d",
    "raise": "#d98e32",
    "all-in": "#e5675f",
    "held": "#6cbd7d",
}

_CELL = (
    "width:2.1rem;height:1.6rem;padding:0;text-align:center;font-size:.68rem;"
    f"color:{INK};border:1px solid #fff"
)
_NUMBER = "padding:.2rem .7rem;text-align:right;font-variant-numeric:tabular-nums"
_TEXT = "padding:.2rem .7rem;text-align:left"


class TextTable(NamedTuple):
    """A table of texts for a terminal; columns other than `texts` are numbers."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str | None = None
    texts: Sequence[int] = (0,)


Text = Iterable[str | TextTable]
"""A result for people: lines, and tables that are as wide as the terminal has room."""


class Share(NamedTuple):
    """A part of a cell: an action and how often it is taken."""

    action: str
    share: float


class Cell(NamedTuple):
    """One cell of a grid."""

    name: str
    shares: Sequence[Share]


def colours_of(actions: Sequence[str]) -> list[str]:
    """A colour for each action's name; of several raises the larger ones are darker.

    >>> colours_of(["check", "raise 200", "raise 300"])
    ['#6cbd7d', '#e8b470', '#d98e32']
    """
    kinds = [action.split()[0] for action in actions]
    raises, seen, found = kinds.count("raise"), 0, []
    for kind in kinds:
        if kind == "raise":
            seen += 1
            found.append(_shade(raises - seen))
        else:
            found.append(COLOURS["call" if kind == "check" else kind])
    return found


def text_html(text: Text) -> str:
    """A result for people as one element of HTML.

    >>> text_html(["a & b"])
    '<div><div style="white-space:pre-wrap">a &amp; b</div></div>'
    """
    parts = (
        f'<div style="white-space:pre-wrap">{escape(part)}</div>'
        if isinstance(part, str)
        else table_html(part.heads, part.rows, title=part.title or "")
        for part in text
    )
    return f"<div>{''.join(parts)}</div>"


class Shown(ABC):
    """A result that shows itself in notebooks as it does on a terminal."""

    @abstractmethod
    def text(self) -> Text:
        """The result for people."""

    def _repr_html_(self) -> str:
        return text_html(self.text())


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1, "board"), counted(2000, "board")
    ('1 board', '2,000 boards')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def duration(seconds: float) -> str:
    """A time in words, to two digits.

    >>> duration(42), duration(2500), duration(12_345)
    ('42 seconds', '42 minutes', '3.4 hours')
    """
    for unit, size in (("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 1.5 * size:
            return f"{float(f'{seconds / size:.2g}'):g} {unit}"
    return f"{float(f'{seconds:.2g}'):g} seconds"


def gibibytes(size: float) -> str:
    """A size for people.

    >>> gibibytes(3 << 29)
    '1.5 GiB'
    """
    return f"{size / 2**30:,.1f} GiB" if size >= 1 << 28 else f"{size / 2**20:,.0f} MiB"


def share_text(share: float) -> str:
    """A share in percent with at most one decimal; a share that would read 0 or 100 and is neither, as a bound.

    >>> [share_text(share) for share in (0, 4.89e-8, 0.0123, 0.5, 0.99999, 1)]
    ['0%', '<0.1%', '1.2%', '50%', '>99.9%', '100%']
    """
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.9995 <= share < 1 - 1e-12:
        return ">99.9%"
    return f"{100 * share:.1f}".removesuffix(".0") + "%"


def percent_text(percent: float) -> str:
    """A percentage to three digits, never as a power of ten.

    >>> [percent_text(percent) for percent in (0, 4.89e-06, 0.0123, 0.29961, 12, 99.96, 1234.5)]
    ['0%', '<0.001%', '0.0123%', '0.3%', '12%', '100%', '1234%']
    """
    if 0 < percent < 0.001:
        return "<0.001%"
    return f"{percent:.3g}%" if percent < 100 else f"{percent:.0f}%"


def _shade(lighter: int) -> str:
    """The colour of a raise, some steps lighter."""
    numbers = [int(COLOURS["raise"][place : place + 2], 16) for place in (1, 3, 5)]
    part = 1.4 * (1 - 0.72**lighter)
    light = (0xFF, 0xF0, 0xD0)
    mixed = [round(n + (end - n) * part) for n, end in zip(numbers, light, strict=True)]
    return "#" + "".join(f"{min(255, n):02x}" for n in mixed)


def grid_html(title: str, rows: Sequence[Sequence[Cell]], overall: Sequence[Share]) -> str:
    """A grid whose cells are divided by the shares of their actions, with a key below it."""
    body = "".join(f"<tr>{''.join(map(_cell_html, row))}</tr>" for row in rows)
    key = "".join(
        f'<span style="display:inline-block;padding:0 .5rem;margin-right:.3rem;color:{INK};'
        f'background:{colour}">{escape(part.action)} {share_text(part.share)}</span>'
        for part, colour in zip(overall, _colours(overall), strict=True)
    )
    return (
        '<div style="display:inline-block;margin:.5rem 1.5rem 1rem 0">'
        f"<b>{escape(title)}</b>"
        f'<table style="border-collapse:collapse;margin:.3rem 0">{body}</table><div>{key}</div></div>'
    )


def _colours(shares: Sequence[Share]) -> list[str]:
    return colours_of([part.action for part in shares])


def _cell_html(cell: Cell) -> str:
    edge, stops = 0.0, []
    for part, colour in zip(cell.shares, _colours(cell.shares), strict=True):
        stops.append(f"{colour} {100 * edge:.1f}% {100 * (edge + part.share):.1f}%")
        edge += part.share
    stops.append(f"{ABSENT} {100 * edge:.1f}% 100%")
    words = ", ".join(f"{part.action} {share_text(part.share)}" for part in cell.shares)
    return (
        f'<td title="{escape(cell.name)}: {escape(words)}" '
        f'style="{_CELL};background:linear-gradient(90deg,{",".join(stops)})">'
        f"{escape(cell.name)}</td>"
    )


def table_html(heads: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "") -> str:
    """A table whose first column is text and whose other columns are numbers."""
    head = "".join(
        f'<th style="{_TEXT if column == 0 else _NUMBER}">{escape(name)}</th>'
        for column, name in enumerate(heads)
    )
    lines = "".join(
        "<tr>"
        + "".join(
            f'<td style="{_TEXT if column == 0 else _NUMBER}">{escape(value)}</td>'
            for column, value in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    caption = f"<b>{escape(title)}</b>" if title else ""
    header = f"<tr>{head}</tr>" if any(heads) else ""
    return f'<div>{caption}<table style="border-collapse:collapse">{header}{lines}</table></div>'


def curve_svg(points: Sequence[tuple[float, float]], *, x_label: str, y_label: str) -> str:
    """A curve on two logarithmic axes with a line at each power of ten; "" without two points.

    >>> curve_svg([(1, 0.1), (10, 0.01)], x_label="seconds", y_label="exploitability").count("path")
    1
    """
    shown = [
        (math.log10(x), math.log10(y)) for x, y in points if 0 < x < math.inf and 0 < y < math.inf
    ]
    if len(shown) < 2:
        return ""
    width, height, left, bottom, top = 460.0, 200.0, 62.0, 38.0, 10.0
    bounds = [(min(axis), max(axis)) for axis in zip(*shown, strict=True)]
    (x0, x1), (y0, y1) = [(low, high if high > low else low + 1) for low, high in bounds]

    def place(x: float, y: float) -> tuple[float, float]:
        across = left + (x - x0) / (x1 - x0) * (width - left - 20)
        return across, top + (y1 - y) / (y1 - y0) * (height - top - bottom)

    parts = []
    for power in range(math.ceil(x0), math.floor(x1) + 1):
        at = place(power, y0)[0]
        parts.append(_line(at, top, at, height - bottom))
        parts.append(_text(at, height - bottom + 14, f"{10.0**power:g}", "middle"))
    for power in range(math.ceil(y0), math.floor(y1) + 1):
        at = place(x0, power)[1]
        parts.append(_line(left, at, width - 20, at))
        parts.append(_text(left - 5, at + 4, f"{10.0**power:g}", "end"))
    if math.ceil(x0) > math.floor(x1):  # no power of ten to write: the ends then
        at = height - bottom + 14
        parts += [_text(place(end, y0)[0], at, f"{10.0**end:.3g}", "middle") for end in (x0, x1)]
    curve = " L".join(f"{x:.1f} {y:.1f}" for x, y in (place(*point) for point in shown))
    parts.append(
        f'<path d="M{curve}" fill="none" stroke="{COLOURS["all-in"]}" stroke-width="1.8"/>'
    )
    parts.append(_text((left + width) / 2, height - 6, x_label, "middle"))
    middle = (height - bottom + top) / 2
    parts.append(
        f'<g transform="rotate(-90 12 {middle:.0f})">{_text(12, middle, y_label, "middle")}</g>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" style="background:#fff">{"".join(parts)}</svg>'
    )


def _line(x0: float, y0: float, x1: float, y1: float) -> str:
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="#ddd"/>'


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-family="sans-serif" '
        f'font-size="11" fill="#333">{escape(words)}</text>'
    )
