"""Playthroughs: hands of a game written out state by state, as text that people read and tests compare.

A file has the rules of its game and a few hands. A hand is given by its log line; everything below
it follows from the rules: the seat to act, the pot, the legal actions, each seat's view, and the
payoffs. `replayed` recomputes all of that from the log lines alone, so a difference is a
change of the rules or of how they are written, and never one of chance.

`make playthroughs` writes those of the bundled games to `tests/playthroughs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from doyle.base.errors import DoyleError
from doyle.games import Game, State, bundled_names
from doyle.games.histories import (
    Hand,
    MatchState,
    format_action,
    format_betting,
    format_chips,
    format_matchstate,
    format_state_line,
    parse_state_line,
)
from doyle.testing.contract import random_action, random_deal

HEAD = "doyle playthrough, version 1"


def playthrough(game: Game | str | Path, *, hands: int = 4, seed: int = 0) -> str:
    """Random hands of a game, written out."""
    rules = Game.of(game)
    rng = np.random.default_rng(seed)
    played = []
    for number in range(hands):
        state = State.start(rules, random_deal(rules, rng))
        while not state.is_over:
            state = state.apply(random_action(state, rng))
        played.append(Hand(number, state))
    return _text(rules, played)


def replayed(text: str, *, what: str = "playthrough") -> str:
    """The same file, worked out again from its rules and its log lines."""
    lines = text.splitlines()
    if lines[:1] != [HEAD] or len(lines) < 2 or not lines[1].startswith("game "):
        raise DoyleError(f"{what}, line 1: expected {HEAD!r} and the name of a game")
    start = lines.index("GAMEDEF") if "GAMEDEF" in lines else 0
    end = lines.index("END GAMEDEF") if "END GAMEDEF" in lines else -1
    if not 0 < start < end:
        raise DoyleError(f"{what}: no rules from GAMEDEF to END GAMEDEF")
    game = Game.parse("\n".join(lines[start : end + 1]), name=lines[1].removeprefix("game "))
    hands = [
        parse_state_line(game, line, what=f"{what}, line {number}", check=False)
        for number, line in enumerate(lines, start=1)
        if line.startswith("STATE:")
    ]
    return _text(game, hands)


def _text(game: Game, hands: Sequence[Hand]) -> str:
    lines = [HEAD, f"game {game.name}", "", *game.to_text().splitlines(), ""]
    for hand in hands:
        lines += ["", format_state_line(hand), *_hand(hand)]
    return "\n".join(lines) + "\n"


def _hand(hand: Hand) -> Iterator[str]:
    game, deal = hand.state.game, hand.state.deal
    state = State.start(game, deal)
    for action in (action for actions in hand.state.betting for action in actions):
        yield ""
        yield from _moment(state, hand.number)
        yield f"  plays    {format_action(game, action)}: {state.describe(action)}"
        state = state.apply(action)
    yield ""
    yield from _moment(state, hand.number)
    yield f"  payoffs  {' '.join(map(format_chips, state.payoffs()))}"


def _moment(state: State, number: int) -> Iterator[str]:
    who = "over" if state.is_over else f"seat {state.actor} to act"
    yield f"{format_betting(state) or 'start'}"
    yield f"  round    {state.round}, {who}"
    yield f"  spent    {' '.join(map(str, state.spent))}, pot {state.pot}, to call {state.to_call}"
    folded = [str(seat) for seat, gone in enumerate(state.folded) if gone]
    if folded:
        yield f"  folded   {' '.join(folded)}"
    if not state.is_over:
        yield f"  legal    {_legal(state)}"
    for seat in range(state.game.players):
        yield f"  sees     {format_matchstate(MatchState(seat, number, state))}"


def _legal(state: State) -> str:
    words = ["f"] if state.can_fold else []
    words.append("c")
    low, high = state.min_raise_to, state.max_raise_to
    if high:
        words.append(f"r{low}" if low == high else f"r{low}..{high}")
    return " ".join(words)


def write_all(folder: Path) -> list[Path]:
    """Write the playthrough of every bundled game; return the files."""
    from doyle.base.artifacts.files import write_text

    paths = []
    for name in bundled_names():
        path = folder / f"{name}.txt"
        write_text(path, playthrough(name))
        paths.append(path)
    return paths
