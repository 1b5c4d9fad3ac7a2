"""Docstrings for Sphinx: they are written as plain text with code in backticks, and stay so.

Paragraphs and lists pass through, with the marks escaped that reStructuredText would read. Lists of
`name`, two spaces and words become real lists. Indented blocks and tables are shown as they are
written. Examples (`>>>`) are left alone.
"""

from __future__ import annotations

import re
from typing import Any

_CODE = re.compile(r"(`[^`]*`)")
_MARKS = re.compile(r"([\\*|_])")
_ENTRY = re.compile(r"(`[^`]+`(?:,? `[^`]+`)*) {2,}(\S.*)")


def convert(lines: list[str]) -> list[str]:
    """The lines of a docstring as reStructuredText.

    >>> convert(["The chance |f| of `A`."])
    ['The chance \\\\|f\\\\| of ``A``.', '']
    """
    result: list[str] = []
    for block in _blocks(lines):
        result += [*_converted(block), ""]
    return result


def _blocks(lines: list[str]) -> list[list[str]]:
    """Runs of lines between blank ones; indented runs that follow each other are one."""
    blocks: list[list[str]] = []
    after_blank = True
    for line in lines:
        if not line.strip():
            after_blank = True
            continue
        indented = line.startswith("    ")
        goes_on = blocks and not after_blank
        if blocks and after_blank and indented and _is_literal(blocks[-1]):
            blocks[-1] += ["", line]
        elif goes_on and not (indented and _ends_with_colon(blocks[-1])):
            blocks[-1].append(line)
        else:
            blocks.append([line])
        after_blank = False
    return blocks


def _ends_with_colon(block: list[str]) -> bool:
    return block[-1].endswith(":") and not block[-1].startswith((" ", "-"))


def _is_literal(block: list[str]) -> bool:
    return block[0].startswith("    ") or bool(re.match(r"[=|+]{2,}|\|", block[0]))


def _converted(block: list[str]) -> list[str]:
    if block[0].lstrip().startswith(">>>"):
        return block
    if _is_literal(block):
        return ["::", "", *(f"    {line}" for line in block)]
    if _ENTRY.fullmatch(block[0]):
        return _entries(block)
    return _inline("\n".join(block)).split("\n")


def _entries(block: list[str]) -> list[str]:
    result: list[str] = []
    for line in block:
        entry = _ENTRY.fullmatch(line)
        result.append(
            f"- {_inline(entry[1])}: {_inline(entry[2])}" if entry else f"  {_inline(line.strip())}"
        )
    return result


def _inline(text: str) -> str:
    """Code in double backticks; everything else without meaning to reStructuredText."""
    parts = _CODE.split(text)
    words = []
    for part, following in zip(parts, [*parts[1:], ""], strict=True):
        if not (part.startswith("`") and len(part) > 2):
            words.append(_MARKS.sub(r"\\\1", part))
            continue
        # Code and what follows it at once, as in `Fraction`s, are parted by an escaped space.
        words.append(f"`{part}`" + ("\\ " if re.match(r"[\w\[(]", following) else ""))
    return "".join(words)


def process(app: Any, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """The hook of autodoc: change `lines` in place."""
    lines[:] = convert(lines)


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True}
