"""Reading BML files, written by hand or by `write_bml`, and refusing what is wrong with a line number.

The parser accepts no document type and no entity declaration at all, so neither external entities
nor entity bombs can be expressed. The meaning is checked too (`checker`).
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Literal, NoReturn, cast
from xml.parsers import expat

from doyle.abstractions.betting.bml.checker import check
from doyle.abstractions.betting.bml.document import (
    EMPTY,
    BmlAction,
    BmlDecision,
    BmlDocument,
    BmlLeaf,
)
from doyle.base.artifacts.documents import read_bytes
from doyle.base.errors import DoyleError

_NAME = re.compile(r"[fcka]|r[1-9][0-9]{0,5}|[FCKA]|R[1-9][0-9]{0,5}")
_INSIDE = {
    "bml": None,
    "round": "bml",
    "decisions": "round",
    "leaves": "round",
    "decision": "decisions",
    "action": "decision",
    "leaf": "leaves",
}
_WHOLE = re.compile(r"-?[0-9]{1,10}")
_LARGEST_NUMBER = 1 << 30
_MOST_ROUNDS = 32
_MOST_CHIPS = (1 << 31) - 1
"""The deepest stack that a game definition can give."""


def read_bml(path: Path) -> BmlDocument:
    """Read and check a BML file; DoyleError names the file, line, and decision or leaf."""
    try:
        data = read_bytes(path)
    except OSError as error:
        raise DoyleError(f"cannot read {path}: {error.strerror}") from error
    return parse_bml(data, str(path))


def parse_bml(data: bytes | str, where: str = "bml") -> BmlDocument:
    """Parse the content of a BML file; `where` names it in messages."""
    reader = _Reader(where)
    parser = reader.parser
    try:
        parser.Parse(data.encode() if isinstance(data, str) else data, True)
    except expat.ExpatError as error:
        line, problem = error.lineno, expat.ErrorString(error.code)
        raise DoyleError(f"{where} line {line}: not well-formed XML: {problem}") from error
    except (LookupError, ValueError) as error:  # of the encoding that the first line declares
        raise DoyleError(f"{where} line 1: {error}; BML is written in UTF-8") from error
    check(reader.rounds, reader.decisions, reader.leaves, fail=reader.fail)
    decisions = tuple(decision for decision, _ in reader.decisions)
    return BmlDocument(
        reader.name, reader.rounds, decisions, tuple(leaf for leaf, _ in reader.leaves)
    )


class _Reader:
    """Collects decisions and leaves with their lines while expat goes through the file."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.name = ""
        self.rounds = 0
        self.decisions: list[tuple[BmlDecision, int]] = []
        self.leaves: list[tuple[BmlLeaf, int]] = []
        self._open: list[str] = []
        self._decision: tuple[int, str, int, int] = (0, "", 0, 0)
        self._actions: dict[str, BmlAction] = {}
        self._handlers = {
            "bml": self._start_bml,
            "round": self._start_round,
            "decision": self._start_decision,
            "action": self._start_action,
            "leaf": self._start_leaf,
        }
        self.parser = parser = expat.ParserCreate()
        # Long tables of short elements: one call per run of text instead of one per line.
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._refuse_declaration
        parser.EntityDeclHandler = self._refuse_declaration
        parser.UnparsedEntityDeclHandler = self._refuse_declaration
        parser.ExternalEntityRefHandler = self._refuse_declaration

    def fail(self, problem: str, line: int | None = None) -> NoReturn:
        raise DoyleError(f"{self.where} line {line or self.parser.CurrentLineNumber}: {problem}")

    def _refuse_declaration(self, *_: object) -> NoReturn:
        self.fail("document types and entities are not allowed in BML")

    def _text(self, data: str) -> None:
        if data.strip():
            self.fail(f"unexpected text {data.strip()[:40]!r}")

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        if element not in _INSIDE:
            self.fail(f"unknown element <{element[:40]}>; BML has {', '.join(_INSIDE)}")
        parent = self._open[-1] if self._open else None
        if parent != _INSIDE[element]:
            self.fail(f"<{element}> must be inside <{_INSIDE[element]}>, not <{parent}>")
        self._open.append(element)
        handler = self._handlers.get(element)
        if handler is not None:
            handler(attributes)
        elif attributes:
            self.fail(f"<{element}> takes no attributes")

    def _end(self, element: str) -> None:
        self._open.pop()
        if element == "decision":
            player, sequence, parent, line = self._decision
            if not self._actions:
                self.fail(f"decision {sequence!r} has no actions")
            decision = BmlDecision(
                self.rounds - 1, player, sequence, parent, tuple(self._actions.values())
            )
            self.decisions.append((decision, line))

    def _start_bml(self, attributes: dict[str, str]) -> None:
        self.name = attributes.pop("name", "")
        self._only(attributes, "<bml>")

    def _start_round(self, attributes: dict[str, str]) -> None:
        number = self._whole(attributes, "number", "<round>", least=1)
        self._only(attributes, "<round>")
        if number != self.rounds + 1 or number > _MOST_ROUNDS:
            self.fail(f"round {number} where round {self.rounds + 1} was expected")
        self.rounds = number

    def _start_decision(self, attributes: dict[str, str]) -> None:
        sequence = self._taken(attributes, "sequence", "<decision>")
        what = f"decision {sequence!r}"
        player = self._player(attributes, what)
        parent = self._whole(attributes, "parent", what, least=EMPTY)
        self._only(attributes, what)
        self._decision = (player, sequence, parent, self.parser.CurrentLineNumber)
        self._actions = {}

    def _start_action(self, attributes: dict[str, str]) -> None:
        player, sequence, _, _ = self._decision
        what = f"decision {sequence!r}"
        name = self._taken(attributes, "name", what)
        if not _NAME.fullmatch(name) or (name == name.upper()) != (player == 2):
            letters = "f c k r1 r2 ... a" if player == 1 else "F C K R1 R2 ... A"
            self.fail(f"{what}: action {name!r}; player {player} has {letters}")
        if name in self._actions:
            self.fail(f"{what}: action {name!r} is there twice")
        number = self._whole(attributes, "number", f"{what}, action {name!r}", least=0)
        self._only(attributes, what)
        self._actions[name] = BmlAction(name, number)

    def _start_leaf(self, attributes: dict[str, str]) -> None:
        sequence = self._taken(attributes, "sequence", "<leaf>")
        what = f"leaf {sequence!r}"
        kind = self._taken(attributes, "type", what)
        if kind not in ("fold", "showdown"):
            self.fail(f"{what}: type {kind!r}; expected fold or showdown")
        first = self._whole(attributes, "seq1", what, least=EMPTY)
        second = self._whole(attributes, "seq2", what, least=EMPTY)
        key = "payoff" if kind == "fold" else "potshare"
        amount = self._number(attributes, key, what)
        if kind == "showdown" and amount <= 0:
            self.fail(f"{what}: potshare {amount:g} is not above 0")
        if abs(amount) > _MOST_CHIPS:
            self.fail(f"{what}: {key} {amount:g} is more than {_MOST_CHIPS:,} chips")
        self._only(attributes, what)
        name = cast(Literal["fold", "showdown"], kind)
        leaf = BmlLeaf(self.rounds - 1, sequence, (first, second), name, amount)
        self.leaves.append((leaf, self.parser.CurrentLineNumber))

    def _taken(self, attributes: dict[str, str], key: str, what: str) -> str:
        if key not in attributes:
            self.fail(f"{what}: {key} is missing")
        return attributes.pop(key)

    def _player(self, attributes: dict[str, str], what: str) -> int:
        text = self._taken(attributes, "player", what)
        if text not in ("1", "2"):
            self.fail(f"{what}: player {text!r}; expected 1 or 2")
        return int(text)

    def _whole(self, attributes: dict[str, str], key: str, what: str, *, least: int) -> int:
        text = self._taken(attributes, key, what)
        if not _WHOLE.fullmatch(text) or not least <= int(text) <= _LARGEST_NUMBER:
            self.fail(f"{what}: {key} {text[:40]!r} is not a whole number from {least}")
        return int(text)

    def _number(self, attributes: dict[str, str], key: str, what: str) -> float:
        text = self._taken(attributes, key, what)
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self.fail(f"{what}: {key} {text[:40]!r} is not a number")
        return value

    def _only(self, attributes: dict[str, str], what: str) -> None:
        if attributes:
            self.fail(f"{what}: unknown attribute {next(iter(attributes))!r}")
