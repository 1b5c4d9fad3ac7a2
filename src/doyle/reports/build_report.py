"""The report of a build: one HTML file that needs nothing else, and reads well on paper."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from doyle.artifacts.files import write_text
from doyle.reports.figures import convergence_svg
from doyle.reports.grid import StrategyGrid
from doyle.strategy import StrategyInfo

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: 0; } h2 { margin-top: 2.2rem; font-size: 1.2rem; }
table { border-collapse: collapse; } td, th { padding: .25rem .7rem; text-align: left; }
th { border-bottom: 2px solid #999; } td { border-bottom: 1px solid #ddd; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.quiet { color: #666; } svg { max-width: 100%; height: auto; }
"""


def write_build_report(
    path: Path,
    *,
    info: StrategyInfo,
    game: str,
    betting: str,
    stages: dict[str, float],
    grids: list[StrategyGrid],
    matches: list[dict[str, Any]],
    facts: list[tuple[str, str]],
    advice: str,
) -> None:
    """Write the report of a build to `path`.

    `matches` are rows of a duplicate match's JSON with `opponent`.
    """
    parts = [
        f"<h1>{escape(str(info.agent))}</h1>",
        f"<p class=quiet>{escape(game)} · betting {escape(betting)} · "
        f"cards {escape(str(info.cards))} · solver {escape(str(info.solver))}</p>",
        html_table(["", ""], [[name, value] for name, value in facts], "The strategy"),
        _matches(matches),
        _grids(grids),
        "<h2>Convergence</h2>",
        convergence_svg(info.history),
        f"<p>{escape(advice)}</p>",
        html_table(
            ["stage", "seconds"],
            [[name, f"{seconds:.1f}"] for name, seconds in stages.items()],
            "Where the time went",
        ),
        html_table(
            ["field", "value", "source", "note"],
            [[row.field, str(row.value), row.source, row.note] for row in info.fields],
            "What was built, and where each choice comes from",
        ),
    ]
    write_page(path, f"{info.agent}: report", parts)


def write_page(path: Path, title: str, parts: list[str]) -> None:
    """Write parts of HTML as one page that needs nothing else."""
    body = "\n".join(part for part in parts if part)
    write_text(
        path,
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title>"
        f'<meta name=viewport content="width=device-width"><style>{STYLE}</style>\n{body}\n</html>\n',
    )


def html_table(heads: list[str], rows: list[list[str]], title: str) -> str:
    """A table under a heading; nothing if there are no rows."""
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
    return f"<h2>{escape(title)}</h2><table>{head}{lines}</table>"


def _is_number(text: str) -> bool:
    try:
        float(text.split(" ")[0].replace(",", ""))
    except (ValueError, IndexError):
        return False
    return True


def _matches(matches: list[dict[str, Any]]) -> str:
    rows = [
        [
            str(row["opponent"]),
            f"{row['mbb_per_hand']:+.0f} ± {row['ci95']:.0f}",
            f"{row['hands']:,}",
            "yes" if row["mbb_per_hand"] - row["ci95"] > 0 else "no",
        ]
        for row in matches
    ]
    return html_table(
        ["opponent", "mbb/h (95%)", "deals, each played in both seats", "wins beyond doubt"],
        rows,
        "Duplicate matches",
    )


def _grids(grids: list[StrategyGrid]) -> str:
    if not grids:
        return ""
    return "<h2>Before the flop</h2>" + "".join(grid.html() for grid in grids)
