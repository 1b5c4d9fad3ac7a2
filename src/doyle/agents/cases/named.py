"""From the text of a case-based agent to the agent: presets, snapshots, folders, options.

    sartre-2010                        a preset; sartre-2010-small is the one with small training
    mine.toml                          a snapshot of one's own, built before
    folder                             a case base, or the bases of a preset
    folder:reuse=probabilistic,retrieve=5,retain=own

Options are the points of an architecture that do not decide what is stored, and `retain`. Nothing is
built here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, get_args

from doyle.agents.case_bases import CaseBase, is_case_base
from doyle.agents.case_bases.architecture import parse_point
from doyle.agents.case_bases.snapshot import (
    LARGEST_SNAPSHOT,
    Scale,
    Snapshot,
    load_snapshot,
    preset_folder,
    preset_names,
)
from doyle.agents.cases.agent import (
    CaseBasedAgent,
    ChoosingAgent,
    LetterAgent,
    SwitchingAgent,
    VotingAgent,
)
from doyle.agents.cases.retention import Retained, RetainingAgent
from doyle.agents.registry import split_text
from doyle.base.artifacts.documents import parse_toml, read_text
from doyle.base.artifacts.files import path_of
from doyle.base.errors import DoyleError, FieldError
from doyle.games import Game

MEMBERS, HEADS_UP = "members", "heads-up"
SMALL = "-small"


class NoCaseBaseError(DoyleError):
    """A snapshot whose case bases are not there yet."""

    def __init__(self, text: str) -> None:
        self.agent = text
        super().__init__(f"agent {text!r}: its case base is not built yet; build it first")


@dataclass(frozen=True)
class NamedCases:
    """What a text stands for: the folder of its bases, a snapshot if it names one, and options."""

    text: str
    name: str
    folder: Path
    snapshot: Snapshot | None = None
    scale: Scale = "full"
    options: dict[str, Any] = field(default_factory=dict)
    retain: Retained | None = None

    @property
    def is_built(self) -> bool:
        return is_case_base(self.folder) or bool(_bases_under(self.folder / MEMBERS))

    @property
    def game(self) -> Game:
        """The game of its cases; of those that are not built, the snapshot's."""
        if self.is_built:
            return self.bases()[0].game
        if self.snapshot is None:
            raise NoCaseBaseError(self.text)
        return Game.named(self.snapshot.game.value)

    def agent(self) -> LetterAgent:
        """The agent; `NoCaseBaseError` if there are no bases yet."""
        bases = self.bases()
        points = bases[0].architecture
        if points.switching:
            under = _bases_under(self.folder / HEADS_UP)
            if not under:
                raise DoyleError(
                    f"agent {self.text!r}: switches when one player has folded, but there is no two-player "
                    f"base in {self.folder / HEADS_UP}; build one from two-player logs "
                    f"and save it as {self.folder / HEADS_UP}/NAME, or play {self.folder}:switching=no"
                )
            if len(bases) > 1 or self.retain:
                raise DoyleError(f"agent {self.text!r}: an agent that switches has one base")
            return SwitchingAgent(self.name, bases[0], self._chosen(under[0], switching=False))
        if self.retain is not None:
            if len(bases) > 1:
                raise DoyleError(f"agent {self.text!r}: an agent that retains has one base")
            return RetainingAgent(self.name, bases[0], retain=self.retain)
        if len(bases) == 1:
            return CaseBasedAgent(self.name, bases[0])
        members = [CaseBasedAgent(base.name, base) for base in bases]
        combined = VotingAgent if points.combine == "vote" else ChoosingAgent
        return combined(self.name, members)

    def bases(self) -> list[CaseBase]:
        """Its case bases, asked as the options say; `NoCaseBaseError` if there are none yet."""
        folders = (
            [self.folder] if is_case_base(self.folder) else _bases_under(self.folder / MEMBERS)
        )
        if not folders:
            raise NoCaseBaseError(self.text)
        return [self._chosen(folder) for folder in folders]

    def _chosen(self, folder: Path, **points: Any) -> CaseBase:
        """The base of a folder, asked as the options say."""
        base = CaseBase.load(folder)
        try:
            return base.with_points(**{**self.options, **points})
        except FieldError as error:
            raise DoyleError(f"agent {self.text!r}: option {error}") from None


def named_cases(text: str) -> NamedCases | None:
    """What a text stands for; None if it names no case-based agent. Nothing is loaded."""
    name, rest = split_text(text)
    small = name.endswith(SMALL) and name.removesuffix(SMALL) in preset_names()
    scale: Scale = "small" if small else "full"
    make = partial(NamedCases, text, scale=scale)
    if small or name in preset_names() or _is_snapshot(path_of(name, what="agent")):
        snapshot = load_snapshot(name.removesuffix(SMALL) if small else name)
        own = snapshot.name + (SMALL if small else "")
        options, retain = _options(text, rest)
        named = own + (f":{rest}" if rest else "")
        return make(named, preset_folder(own), snapshot, options=options, retain=retain)
    folder = Path(name)
    if not (is_case_base(folder) or _bases_under(folder / MEMBERS)):
        return None
    options, retain = _options(text, rest)
    named = folder.resolve().name + (f":{rest}" if rest else "")
    return make(named, folder, options=options, retain=retain)


def _options(text: str, rest: str) -> tuple[dict[str, Any], Retained | None]:
    """The points and the retention that the options after a colon ask for."""
    options: dict[str, Any] = {}
    retain: Retained | None = None
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if not equals or not value:
            raise DoyleError(f"agent {text!r}: option {item!r}: expected POINT=VALUE")
        if key in options or (key == "retain" and retain is not None):
            raise DoyleError(f"agent {text!r}: option {key!r} is given twice")
        if key == "retain":
            if value not in get_args(Retained):
                known = " or ".join(get_args(Retained))
                raise DoyleError(f"agent {text!r}: option {item!r}: expected {known}")
            retain = "own" if value == "own" else "shown"
            continue
        try:
            options[key] = parse_point(key, value)
        except FieldError as error:
            raise DoyleError(f"agent {text!r}: option {error}") from None
    return options, retain


def _bases_under(folder: Path) -> list[Path]:
    """The case bases in a folder, by name."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.is_dir() and is_case_base(path))


def _is_snapshot(path: Path) -> bool:
    """Whether a file is a snapshot of a case-based agent, and not a build of a strategy."""
    if path.suffix != ".toml" or not path.is_file():
        return False
    try:
        document = parse_toml(read_text(path, most=LARGEST_SNAPSHOT), where=str(path))
    except DoyleError:
        return False
    return "features" in document or "training" in document
