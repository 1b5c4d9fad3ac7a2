"""Reading BML files, written by hand or by `write_bml`, and refusing what is wrong with a line number.

The parser accepts no document type and no entity declaration at all, so neither external entities
nor entity bombs can be expressed. The meaning is checked too (`_Checker`): every action leads to
exactly one decision or leaf, parents and leaf numbers are those of the path, numbers of a round form
one range, signs of payoffs fit who folded. Numbers may have gaps, as after deleting an action by hand;
gaps are entries of the strategy vector that nothing uses.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Literal, NoReturn, cast
from xml.parsers import expat

from doyle.betting.bml import EMPTY, BmlAction, BmlDecision, BmlDocument, BmlLeaf
from doyle.errors import DoyleError

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


def read_bml(path: Path) -> BmlDocument:
    """Read and check a BML file; DoyleError names the file, line, and decision or leaf."""
    try:
        data = path.read_bytes()
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
    _Checker(reader).check()
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
        self._actions: list[BmlAction] = []
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
            decision = BmlDecision(self.rounds - 1, player, sequence, parent, tuple(self._actions))
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
        self._actions = []

    def _start_action(self, attributes: dict[str, str]) -> None:
        player, sequence, _, _ = self._decision
        what = f"decision {sequence!r}"
        name = self._taken(attributes, "name", what)
        if not _NAME.fullmatch(name) or (name == name.upper()) != (player == 2):
            letters = "f c k r1 r2 ... a" if player == 1 else "F C K R1 R2 ... A"
            self.fail(f"{what}: action {name!r}; player {player} has {letters}")
        if any(action.name == name for action in self._actions):
            self.fail(f"{what}: action {name!r} is there twice")
        number = self._whole(attributes, "number", f"{what}, action {name!r}", least=0)
        self._only(attributes, what)
        self._actions.append(BmlAction(name, number))

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


@dataclass
class _Child:
    """What an action leads to: where it comes from, and both players' last numbers there."""

    round: int
    player: int
    name: str
    line: int
    numbers: tuple[int, int]


class _Checker:
    """Checks that decisions and leaves form one tree with the numbers its paths imply."""

    def __init__(self, reader: _Reader) -> None:
        self.reader = reader
        self.fail = reader.fail
        self.children: dict[str, _Child] = {}
        self.seen: set[str] = set()

    def check(self) -> None:
        if not self.reader.decisions or self.reader.decisions[0][0].sequence:
            self.fail("the first decision must have the empty sequence ''", 1)
        self._check_numbers()
        self.children[""] = _Child(0, 0, "", self.reader.decisions[0][1], (EMPTY, EMPTY))
        # A parent's sequence is shorter than its child's, whatever their order in the file.
        for decision, line in sorted(self.reader.decisions, key=lambda item: len(item[0].sequence)):
            self._check_decision(decision, line)
        leaves = {leaf.sequence: leaf for leaf, _ in self.reader.leaves}
        for leaf, line in self.reader.leaves:
            self._check_leaf(leaf, line)
            self._check_share(leaf, line, leaves)
        for sequence, child in self.children.items():
            if sequence not in self.seen and sequence + "/" not in self.seen:
                start = sequence[: len(sequence) - len(child.name)]
                self.fail(
                    f"decision {start!r}: action {child.name!r} leads to no decision or leaf",
                    child.line,
                )

    def _check_numbers(self) -> None:
        """Numbers are each player's own, in one range per round."""
        owners: dict[tuple[int, int], str] = {}
        largest = {1: [-1] * self.reader.rounds, 2: [-1] * self.reader.rounds}
        for decision, line in self.reader.decisions:
            for action in decision.actions:
                key = (decision.player, action.number)
                if key in owners:
                    self.fail(
                        f"decision {decision.sequence!r}: number {action.number} of action "
                        f"{action.name!r} is already used in decision {owners[key]!r}",
                        line,
                    )
                owners[key] = decision.sequence
                tops = largest[decision.player]
                tops[decision.round] = max(tops[decision.round], action.number)
        # What the rounds before each round use: running maxima, shifted by one round.
        before = {p: [-1, *accumulate(tops, max)] for p, tops in largest.items()}
        for decision, line in self.reader.decisions:
            earlier = before[decision.player][decision.round]
            for action in decision.actions:
                if action.number <= earlier:
                    self.fail(
                        f"decision {decision.sequence!r}: number {action.number} of action "
                        f"{action.name!r} is not above {earlier}, which an earlier round uses",
                        line,
                    )

    def _arrive(self, sequence: str, what: str, line: int) -> _Child:
        if sequence in self.seen:
            self.fail(f"{what} is there twice", line)
        self.seen.add(sequence)
        child = self.children.get(sequence.removesuffix("/"))
        if child is None:
            self.fail(f"{what}: no action of a decision leads to it", line)
        return child

    def _check_decision(self, decision: BmlDecision, line: int) -> None:
        what = f"decision {decision.sequence!r}"
        above = self._arrive(decision.sequence, what, line)
        round_ = above.round + decision.sequence.endswith("/")
        if decision.round != round_:
            self.fail(
                f"{what} is in round {decision.round + 1}; its sequence ends in {round_ + 1}", line
            )
        if above.name.lower() == "f":
            self.fail(f"{what}: a fold ends the betting", line)
        expected = above.numbers[decision.player - 1]
        if decision.parent != expected:
            self.fail(
                f"{what}: parent {decision.parent}, but player {decision.player}'s last action on "
                f"the way has number {expected}",
                line,
            )
        for action in decision.actions:
            numbers = list(above.numbers)
            numbers[decision.player - 1] = action.number
            self.children[decision.sequence + action.name] = _Child(
                decision.round, decision.player, action.name, line, (numbers[0], numbers[1])
            )

    def _check_leaf(self, leaf: BmlLeaf, line: int) -> None:
        what = f"leaf {leaf.sequence!r}"
        if leaf.sequence.endswith("/"):
            self.fail(
                f"{what}: a leaf belongs to the round of its last action; drop the slash", line
            )
        above = self._arrive(leaf.sequence, what, line)
        if leaf.sequence + "/" in self.seen:
            self.fail(f"{what}: the betting goes on in decision {leaf.sequence + '/'!r}", line)
        if leaf.round != above.round:
            self.fail(
                f"{what} is in round {leaf.round + 1}; it belongs to round {above.round + 1}", line
            )
        for index, (number, expected) in enumerate(zip(leaf.numbers, above.numbers, strict=True)):
            if number != expected:
                self.fail(f"{what}: seq{index + 1} is {number}; the path has {expected}", line)
        if (leaf.kind == "fold") != (above.name.lower() == "f"):
            self.fail(f"{what}: type {leaf.kind}, but its last action is {above.name!r}", line)
        if leaf.kind == "fold" and leaf.amount * (1 if above.player == 2 else -1) < 0:
            self.fail(
                f"{what}: player {above.player} folds, so payoff {leaf.amount:g} has the wrong sign",
                line,
            )

    def _check_share(self, leaf: BmlLeaf, line: int, leaves: dict[str, BmlLeaf]) -> None:
        """Calling costs no less than folding at the same decision."""
        if leaf.kind == "showdown" and leaf.sequence[-1:] in ("c", "C"):
            fold = leaves.get(leaf.sequence[:-1] + ("f" if leaf.sequence[-1] == "c" else "F"))
            if fold is not None and abs(fold.amount) > leaf.amount:
                self.fail(
                    f"leaf {leaf.sequence!r}: potshare {leaf.amount:g} is less than folding costs "
                    f"({abs(fold.amount):g}, leaf {fold.sequence!r})",
                    line,
                )
