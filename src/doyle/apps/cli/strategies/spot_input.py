"""What the options of `doyle spot` say: the spot, its locks and its target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from doyle.solving.spots import Lock, Spot


def spot_of_options(
    board: str | None,
    ranges: tuple[str, str] | None,
    pot: int | None,
    stacks: str | None,
    betting: str,
    big_blind: int,
    *,
    isomorphism: bool,
) -> Spot:
    from doyle.base.errors import DoyleError
    from doyle.solving.spots import Spot

    if board is None or ranges is None or pot is None or stacks is None:
        given = {"--board": board, "--ranges": ranges, "--pot": pot, "--stacks": stacks}
        missing = next(option for option, value in given.items() if value is None)
        raise DoyleError(f"spot: {missing} is missing")
    return Spot.parse(
        board=board,
        ranges=(_range_text(ranges[0]), _range_text(ranges[1])),
        pot=pot,
        stacks=_stacks(stacks),
        betting=betting,
        big_blind=big_blind,
        isomorphism=isomorphism,
    )


def refuse_with(option: str, given: dict[str, Any], *, needed: bool) -> None:
    """Refuse options that need another one, or that cannot stand beside it."""
    from doyle.base.errors import DoyleError

    for name, value in given.items():
        if value is not None:
            raise DoyleError(
                f"spot: {name} needs {option}"
                if needed
                else f"spot: {option} has its own {name[2:]}"
            )


def spot_of_state(
    line: str,
    agents: tuple[str, str] | None,
    ranges: tuple[str, str] | None,
    game_name: str | None,
    betting: str,
    *,
    isomorphism: bool,
) -> tuple[Spot, tuple[int, ...]]:
    """The spot at a MATCHSTATE line, and the acting seat's cards if the line shows them."""
    from functools import partial

    from doyle.base.errors import DoyleError
    from doyle.games import Game, Policy
    from doyle.games.histories import parse_matchstate
    from doyle.solving.spots import Spot

    if (agents is None) == (ranges is None):
        raise DoyleError("spot: --state needs either --agents or --ranges")
    read = partial(parse_matchstate, line=line, what="--state")
    if agents is None:
        if game_name is None:
            raise DoyleError("spot: --state with --ranges needs --game")
        assert ranges is not None
        seen = read(Game.named(game_name))
        known: tuple[str | Policy, str | Policy] = (_range_text(ranges[0]), _range_text(ranges[1]))
    else:
        found = _game(agents[0], game_name, read)
        seen = read(found)
        known = (_policy(agents[0], found), _policy(agents[1], found))
    given = Spot.of_state(seen.state, known, betting=betting, isomorphism=isomorphism)
    deal = seen.state.deal
    return given, () if deal is None else deal.hole[seen.state.actor]


def _game(agent: str, game_name: str | None, read: Any) -> Any:
    """The game that is named, or that of an agent with a strategy."""
    from doyle.agents.named_strategy import required_strategy
    from doyle.games import Game

    if game_name is not None:
        return Game.named(game_name)
    return required_strategy(agent, purpose="take a range from", check=read).game


def _policy(text: str, game: Any) -> Any:
    from doyle.agents.resolve import resolve_agent
    from doyle.base.errors import DoyleError
    from doyle.games import Policy

    agent = resolve_agent(text, game)
    if not isinstance(agent, Policy):
        raise DoyleError(
            f"agent {text!r}: has no range (it does not tell its probabilities); give --ranges"
        )
    return agent


def _range_text(text: str) -> str:
    from doyle.base.artifacts.documents import read_text
    from doyle.base.errors import DoyleError

    if not text.startswith("@"):
        return text
    path = Path(text[1:])
    try:
        found = read_text(path).strip()
    except FileNotFoundError:
        raise DoyleError(f"--ranges {text}: no such file") from None
    if not found:
        raise DoyleError(f"--ranges {text}: the file is empty")
    return found


def read_lock(text: str) -> Lock:
    from doyle.solving.spots import Lock

    return Lock.read(Path(text[1:])) if text.startswith("@") else Lock.parse(text)


def _stacks(text: str) -> tuple[int, int]:
    from doyle.base.errors import ParseError

    parts = text.split(",")
    position = 0
    stacks = []
    for part in parts[:3]:
        if not part.isascii() or not part.strip().isdigit() or len(part) > 12:
            raise ParseError("expected chips", text=text, position=position, what="--stacks")
        stacks.append(int(part))
        position += len(part) + 1
    if len(stacks) > 2:
        raise ParseError(
            "expected one or two stacks", text=text, position=position - 1, what="--stacks"
        )
    return stacks[0], stacks[-1]


def read_percent(text: str | None) -> float | None:
    """Percent of the pot, with or without the sign."""
    from doyle.base.errors import ParseError

    if text is None:
        return None
    number = text.strip().removesuffix("%")
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if not 0 <= value < 100:
        raise ParseError(
            "expected a percentage such as 0.3%", text=text, position=0, what="--target"
        )
    return value
