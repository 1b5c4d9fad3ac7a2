"""Agents from a file: `./agent.py:Class`, one's own code without a package.

The name is that of a class or function of the file that returns an agent, called with the `Game` if
it has a parameter. `./agent.py` alone selects the only class of the file that has `act`. The file
is parsed without running it to report errors of the text; matches run it in a process of its own,
as they do with the agents of other packages.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from doyle.base.artifacts.documents import read_bytes
from doyle.base.errors import DoyleError
from doyle.games import Agent, Game

_LARGEST_FILE = 16 << 20


@dataclass(frozen=True)
class AgentFile:
    """The file and the name in a text; no name selects the only class with `act`."""

    text: str
    path: Path
    name: str

    def checked_name(self) -> str:
        """The name to call; DoyleError names the missing part. The file is not executed."""
        module = self._parsed()
        agents = _agent_classes(module)
        if not self.name:
            if len(agents) != 1:
                found = f"has {', '.join(agents)}" if agents else "has no class with `act(view)`"
                raise self.wrong(f"{found}; name one as {self.path}:Class")
            return agents[0]
        if self.name not in _top_names(module):
            found = f"it has {', '.join(agents)}" if agents else "it has no class with `act(view)`"
            raise self.wrong(f"has no {self.name!r}; {found}")
        return self.name

    def load(self, game: Game) -> Agent:
        """Run the file in this process and make the agent; errors name the file and the line."""
        name = self.checked_name()
        try:
            make = getattr(self._run(), name)
            agent: Any = make(game) if _takes_a_game(make, game) else make()
            own_name = getattr(agent, "name", None)
            fits = callable(getattr(agent, "act", None)) and type(own_name) is str and own_name
        except DoyleError:
            raise
        except Exception as error:
            line = line_of(error, self.path)
            problem = f"{type(error).__name__}: {error}"
            raise self.wrong(f"line {line}: {problem}" if line else problem) from error
        if not fits:
            raise self.wrong(
                f"{name} gave a {type(agent).__name__}, which has no `name` and `act(view)`"
            )
        return agent  # type: ignore[no-any-return]

    def wrong(self, problem: str) -> DoyleError:
        return DoyleError(f"agent {self.text!r}: {self.path}: {problem}")

    def _parsed(self) -> ast.Module:
        try:
            return ast.parse(read_bytes(self.path, most=_LARGEST_FILE), filename=str(self.path))
        except FileNotFoundError:
            raise DoyleError(f"agent {self.text!r}: there is no file {self.path}") from None
        except DoyleError as error:
            raise DoyleError(f"agent {self.text!r}: {error}") from None
        except SyntaxError as error:
            where = "" if error.lineno is None else f"line {error.lineno}: "
            raise self.wrong(f"{where}{error.msg}") from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise self.wrong(f"is no Python source ({error})") from None

    def _run(self) -> ModuleType:
        """The module, registered so that its classes can be found, with its folder to import from."""
        path = self.path.resolve()
        specification = importlib.util.spec_from_file_location(path.stem, path)
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        sys.modules.setdefault(path.stem, module)
        if str(path.parent) not in sys.path:
            sys.path.append(str(path.parent))
        specification.loader.exec_module(module)
        return module


def agent_file(text: str) -> AgentFile | None:
    """Parse a text of the form FILE.py:NAME or FILE.py; None for other texts.

    >>> agent_file("./mine.py:Suited").name
    'Suited'
    >>> agent_file("always-call") is None
    True
    """
    if text.endswith(".py"):
        return AgentFile(text, Path(text), "")
    head, _, name = text.rpartition(":")
    return AgentFile(text, Path(head), name) if head.endswith(".py") else None


def line_of(error: BaseException, path: Path) -> int | None:
    """The last line of the file that was running when the error was raised."""
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).name == path.name:
        return error.lineno
    whole = str(path.resolve())
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == whole]
    return lines[-1] if lines else None


def _takes_a_game(make: Any, game: Game) -> bool:
    try:
        inspect.signature(make).bind(game)
    except (TypeError, ValueError):
        return False
    return True


def _agent_classes(module: ast.Module) -> list[str]:
    """The classes of a file that define `act`."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        node.name
        for node in module.body
        if isinstance(node, ast.ClassDef)
        and any(isinstance(item, functions) and item.name == "act" for item in node.body)
    ]


def _top_names(module: ast.Module) -> set[str]:
    """The names that the statements of a file bind, including nested ones, for example in an
    `if`."""
    names: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
    return names
