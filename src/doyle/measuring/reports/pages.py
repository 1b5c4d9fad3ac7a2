"""Pages: single HTML files that need nothing else, read well on paper, and are written whole."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from doyle.base.artifacts.files import write_text

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: 0; } h2 { margin-top: 2.2rem; font-size: 1.2rem; }
table { border-collapse: collapse; } td, th { padding: .25rem .7rem; text-align: left; }
th { border-bottom: 2px solid #999; } td { border-bottom: 1px solid #ddd; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.quiet { color: #666; } svg { max-width: 100%; height: auto; }
.verdict { font-size: 1.25rem; line-height: 1.45; border-left: .35rem solid #4a6fa5; padding: .6rem 1rem;
           background: #f4f6f9; border-radius: 0 .4rem .4rem 0; }
.tiles { display: flex; flex-wrap: wrap; gap: .7rem; margin: 1rem 0 1.6rem; }
.tile { background: #f5f5f2; border-radius: .5rem; padding: .5rem 1rem; }
.tile b { display: block; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.tile span { color: #666; font-size: .85rem; }
details { margin: .5rem 0; } summary { cursor: pointer; color: #345; }
"""


def write_page(path: Path, title: str, parts: list[str]) -> None:
    """Write parts of HTML as one page that needs nothing else."""
    body = "\n".join(part for part in parts if part)
    write_text(
        path,
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title>"
        f'<meta name=viewport content="width=device-width"><style>{STYLE}</style>\n{body}\n</html>\n',
    )


def html_table(heads: list[str], rows: list[list[str]], title: str = "") -> str:
    """A table, under a heading if it has a title; nothing if there are no rows."""
    if not rows:
        return ""
    numeric = [all(_is_number(row[column]) for row in rows) for column in range(len(heads))]

    def cells(tag: str, values: list[str]) -> str:
        return "".join(
            f"<{tag}{' class=number' if number else ''}>{escape(value)}</{tag}>"
            for value, number in zip(values, numeric, strict=True)
        )

    head = f"<tr>{cells('th', heads)}</tr>" if any(heads) else ""
    lines = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    above = f"<h2>{escape(title)}</h2>" if title else ""
    return f"{above}<table>{head}{lines}</table>"


def tiles(found: Sequence[tuple[str, str]]) -> str:
    """Few large numbers, each over its meaning."""
    inner = "".join(
        f"<div class=tile><b>{escape(value)}</b><span>{escape(meaning)}</span></div>"
        for value, meaning in found
    )
    return f"<div class=tiles>{inner}</div>"


def _is_number(text: str) -> bool:
    try:
        float(text.split(" ")[0].replace(",", ""))
    except (ValueError, IndexError):
        return False
    return True
