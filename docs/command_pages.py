"""The pages of the command reference: one per command, from the command line's own definitions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer
from api_pages import write_pages

from doyle.apps.cli.app import TOPICS, command_tree


def write_command_pages(folder: Path) -> None:
    """Write `index.md` and a page for every command; pages of commands that are gone are removed."""
    commands = typer.main.get_command(command_tree(TOPICS)).commands  # type: ignore[attr-defined]
    names = [name for topic in TOPICS.values() for name in topic]
    lines = {name: line for topic in TOPICS.values() for name, line in topic.items()}
    pages = {f"{name}.md": _page(name, commands[name]) for name in names}
    pages["index.md"] = _index(lines)
    write_pages(folder, pages)


def _index(lines: dict[str, str]) -> str:
    rows = "\n".join(
        f"| [`doyle {name}`]({name}.md) | {_text(line)} |" for name, line in lines.items()
    )
    listed = "\n".join(lines)
    return (
        "# Commands\n\n"
        "These pages are made from the definitions of the command line; `doyle COMMAND --help` prints the "
        "same. Every\ncommand that reports accepts `--json`. Bad input is one line on stderr and exit code 2.\n\n"
        f"| command | use |\n|---|---|\n{rows}\n\n"
        f"```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
    )


def _page(name: str, command: Any) -> str:
    return f"# doyle {name}\n\n" + "\n".join(_sections(f"doyle {name}", command))


def _sections(name: str, command: Any) -> list[str]:
    """The text, usage and options of a command, then those of its own commands."""
    parts = getattr(command, "commands", None)
    blocks = [f"{_text(command.help or '')}\n"]
    if parts:
        for part, one in parts.items():
            blocks += [f"## {name} {part}\n", *_sections(f"{name} {part}", one)]
        return blocks
    context = command.context_class(command, info_name=name)
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    blocks.append(f"```text\n{usage}\n```\n")
    rows = [row for parameter in command.params if (row := _row(parameter, context))]
    if rows:
        blocks.append(
            "| argument or option | value | meaning |\n|---|---|---|\n" + "\n".join(rows) + "\n"
        )
    return blocks


def _row(parameter: Any, context: Any) -> str:
    if getattr(parameter, "hidden", False):
        return ""
    if parameter.param_type_name == "argument":
        name, value = parameter.metavar or (parameter.name or "").upper(), ""
    else:
        name = ", ".join([*parameter.opts, *parameter.secondary_opts])
        value = (
            "" if parameter.is_flag else parameter.metavar or parameter.display_type(context) or ""
        )
    meaning = _text(parameter.help or "")
    default = getattr(parameter, "default", None)
    if not getattr(parameter, "is_flag", False) and isinstance(default, str | int | float):
        meaning = f"{meaning} Default: {_text(str(default))}.".strip() if default != "" else meaning
    return f"| {_code(name)} | {_code(value)} | {meaning} |"


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|") if text else ""


def _text(text: str) -> str:
    """Plain text as Markdown: one line in which nothing but code in backticks is markup."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(
        part.replace("|", "\\|")
        if part.startswith("`")
        else re.sub(r"([\\*_<>|\[\]$~])", r"\\\1", part)
        for part in parts
    )
