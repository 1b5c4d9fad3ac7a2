"""`Lock`: one seat's play at a history, fixed for all hands or some, while the rest is solved.

Text: `HISTORY=PLAY` or `HISTORY=PLAY@RANGE`. PLAY is one action (`f`, `c`, `r300` or `a`), or
several with weights: `c:0.75,r300:0.25`. HISTORY is the betting from the start of the spot, empty
for its first decision. A file is the JSON that `doyle spot show` prints; hands that are not in it stay
free. A lock holds on every board of its round.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import DECISION, BettingTree
from doyle.base.artifacts.documents import read_json
from doyle.base.errors import DoyleError, ParseError
from doyle.cards import HOLE_COUNT, HOLES, format_cards, hole_index, parse_cards, parse_range
from doyle.cards.suits.relabelling import ALL_SUITS, Suits, relabelled
from doyle.games import CALL
from doyle.solving.games import Hands
from doyle.solving.vector import FixedPlay

Floats = npt.NDArray[np.float64]
_STEP = re.compile(r"/|[fc]|a|r[0-9]{1,10}")
_WHAT = "lock"


@dataclass(frozen=True, eq=False)
class Lock:
    """Weights of actions by hole pair at a history; NaN where a hand is free."""

    text: str
    history: str
    actions: tuple[str, ...]
    weights: Floats
    """float[1326, actions]."""

    @classmethod
    def parse(cls, text: str) -> Lock:
        """Read `HISTORY=PLAY[@RANGE]`.

        >>> Lock.parse("cr300=f@22").actions
        ('f',)
        """
        history, equals, play = text.partition("=")
        if not equals:
            raise ParseError(
                "expected = after the history", text=text, position=len(text), what=_WHAT
            )
        play, at, range_text = play.partition("@")
        chosen = np.ones(HOLE_COUNT, bool)
        start = len(history) + 1
        if at:
            place = start + len(play) + 1
            try:
                chosen = parse_range(range_text) > 0
            except ParseError as error:
                raise ParseError(
                    error.problem, text=text, position=place + error.position, what=_WHAT
                ) from None
        actions, shares = _read_play(text, start, play)
        weights = np.full((HOLE_COUNT, len(actions)), np.nan)
        weights[chosen] = np.array(shares) / sum(shares)
        return cls(text, history.strip(), tuple(actions), weights)

    @classmethod
    def read(cls, path: Path) -> Lock:
        """A lock from a file: an object with `history`, `actions` and `by_hand`, with their frequencies."""
        try:
            document = read_json(path)
        except FileNotFoundError:
            raise DoyleError(f"{path}: no such file") from None
        return cls.of_document(document, str(path))

    @classmethod
    def of_document(cls, document: Any, source: str) -> Lock:
        try:
            history = str(document["history"])
            actions = tuple(str(action) for action in document["actions"])
            hands = dict(document["by_hand"])
        except (KeyError, TypeError, ValueError):
            raise DoyleError(
                f"{source}: expected an object with history, actions and by_hand"
            ) from None
        weights = np.full((HOLE_COUNT, len(actions)), np.nan)
        for name, entry in hands.items():
            row = entry.get("frequencies") if isinstance(entry, dict) else entry
            weights[_hole(name, source)] = _shares(row, len(actions), f"{source}: hand {name!r}")
        return cls(f"@{source}", history, actions, weights)

    def document(self) -> dict[str, Any]:
        """The lock as plain values that `of_document` reads."""
        fixed = np.flatnonzero(~np.isnan(self.weights[:, 0]))
        names = {int(hole): _name(int(hole)) for hole in fixed}
        return {
            "history": self.history,
            "actions": list(self.actions),
            "by_hand": {
                names[int(hole)]: {"frequencies": self.weights[hole].tolist()} for hole in fixed
            },
        }

    def allows(self, suits: Suits) -> bool:
        """Whether a relabelling of suits leaves the lock as it is."""
        table = np.array([relabelled(card, suits) for card in range(52)])
        image = np.sort(table[HOLES], axis=1)
        index = image[:, 1] * (image[:, 1] - 1) // 2 + image[:, 0]
        return bool(np.array_equal(self.weights[index], self.weights, equal_nan=True))

    def fixed_play(self, tree: BettingTree, hands: tuple[Hands, Hands]) -> FixedPlay:
        """The lock in a tree, for the hands of its seat."""
        node = find_node(tree, self.history, what=f"{_WHAT} {self.text!r}: history")
        if tree.kind[node] != DECISION:
            raise DoyleError(f"{_WHAT} {self.text!r}: the hand is over after {self.history!r}")
        known = action_texts(tree, node)
        columns = []
        for action in self.actions:
            name = known[-1] if action == "a" and _is_all_in(tree, node) else action
            if name not in known:
                raise DoyleError(
                    f"{_WHAT} {self.text!r}: no action {action!r} after {self.history!r}; actions "
                    f"there: {' '.join(known)}"
                )
            columns.append(known.index(name))
        own = hands[int(tree.actor[node])].cards
        rows = self.weights[own[:, 1] * (own[:, 1] - 1) // 2 + own[:, 0]]
        shares = np.zeros((len(own), len(known)))
        np.add.at(shares.T, columns, np.nan_to_num(rows).T)
        return FixedPlay(node, shares, ~np.isnan(rows[:, 0]))


def allowed_suits(locks: Sequence[Lock]) -> tuple[Suits, ...]:
    """The relabellings of suits that change no lock."""
    return tuple(one for one in ALL_SUITS if all(lock.allows(one) for lock in locks))


def find_node(tree: BettingTree, history: str, *, what: str = "history") -> int:
    """The node after a betting text from the start of the spot; a final `/` may be left out."""

    def refuse(problem: str, position: int) -> ParseError:
        return ParseError(problem, text=history, position=position, what=what)

    node, position, slashes = 0, 0, 0
    while position < len(history):
        if history[position].isspace():
            position += 1
            continue
        found = _STEP.match(history, position)
        if found is None:
            raise refuse("expected f, c, r with a total, a or /", position)
        begun = int(tree.round[node] - tree.round[0])
        if found.group() == "/":
            slashes += 1
            if slashes > begun:
                raise refuse("the betting round is not over", position)
        elif tree.kind[node] != DECISION:
            raise refuse("the hand is over", position)
        elif slashes < begun:
            raise refuse("expected / before the next round", position)
        else:
            known = action_texts(tree, node)
            name = known[-1] if found.group() == "a" and _is_all_in(tree, node) else found.group()
            if name not in known:
                raise refuse(f"no such action; there are {' '.join(known)}", position)
            node = int(tree.children_of(node)[known.index(name)])
        position = found.end()
    return node


def action_texts(tree: BettingTree, node: int) -> list[str]:
    """The actions of a decision as histories write them."""
    return ["fc"[action] if action <= CALL else f"r{action}" for action in tree.actions_of(node)]


def _is_all_in(tree: BettingTree, node: int) -> bool:
    return int(tree.actions_of(node)[-1]) == tree.game.stacks[int(tree.actor[node])]


def _read_play(text: str, start: int, play: str) -> tuple[list[str], list[float]]:
    actions: list[str] = []
    shares: list[float] = []
    position = start
    for part in play.split(","):
        name, colon, weight = part.partition(":")
        word = name.strip()
        if not re.fullmatch(r"f|c|a|r[0-9]{1,10}", word):
            raise ParseError(
                "expected f, c, r with a total, or a", text=text, position=position, what=_WHAT
            )
        try:
            share = float(weight) if colon else 1.0
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1e6:
            place = position + len(name) + 1
            raise ParseError("expected a weight from 0 on", text=text, position=place, what=_WHAT)
        actions.append(word)
        shares.append(share)
        position += len(part) + 1
    if sum(shares) <= 0:
        raise ParseError("expected a weight above 0", text=text, position=start, what=_WHAT)
    return actions, shares


def _hole(name: str, source: str) -> int:
    try:
        cards = parse_cards(name)
    except ParseError as error:
        raise DoyleError(f"{source}: by_hand: {error}") from None
    if len(cards) != 2:
        raise DoyleError(f"{source}: by_hand: {name!r} is not two cards")
    return hole_index(*cards)


def _name(hole: int) -> str:
    low, high = HOLES[hole]
    return format_cards((int(high), int(low)))


def _shares(row: Any, count: int, where: str) -> Floats:
    try:
        shares = np.array(row, np.float64)
    except (TypeError, ValueError):
        shares = np.zeros(0)
    finite = shares.shape == (count,) and bool(np.isfinite(shares.sum()))
    if not finite or not (shares >= 0).all() or not shares.sum() > 0:
        raise DoyleError(f"{where}: expected {count} finite frequencies from 0 on, not all 0")
    return np.asarray(shares / shares.sum())
