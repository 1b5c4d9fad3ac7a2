"""The players of each league of the museum, and the scales at which the agents are built.

A league names presets; `plans` converts them to agent texts: at small scale, and in the league's
game if the preset was made for another one.
"""

from __future__ import annotations

from dataclasses import dataclass

from doyle.base.errors import FieldError
from doyle.building import load_description, preset_names
from doyle.games import Game


@dataclass(frozen=True)
class Scale:
    """How large the agents are, and how long they play."""

    suffix: str
    """The suffix of presets' names."""
    hands: int
    """Deals of a match, each played in both seatings."""
    lbr_hands: int


SCALES = {
    "small": Scale("-small", 20_000, 400),
    "full": Scale("", 200_000, 4_000),
}

LEAGUES: dict[str, tuple[str, ...]] = {
    "doyle-500bb": ("tartanian", "hyperborean07", "pokeminn", "tartanian2", "hyperborean08"),
    "holdem-nl-200bb": (
        "aggrobot",
        "tartanian",
        "hyperborean07",
        "tartanian2",
        "hyperborean08",
        "hyperborean09-eqm",
        "hyperborean09-br",
        "tartanian4",
        "tartanian5",
        "default",
    ),
}
"""The agents of each league in the order of their years; `default` is ours, to compare with."""

# Case-based and stateful agents are played hand by hand, so they play only where they are named
# as further agents. `pokeminn`, slow too, plays in the league that it was in.


@dataclass(frozen=True)
class LeaguePlan:
    """A league before it is played: a game and the texts of its agents."""

    game: str
    agents: tuple[str, ...]


def plans(
    scale: str, *, games: tuple[str, ...] | None = None, extra: tuple[str, ...] = ()
) -> tuple[LeaguePlan, ...]:
    """The leagues at a scale; `extra` agents, given as texts, play in every one of them.

    >>> plans("small", games=("doyle-500bb",))[0].agents[:2]
    ('tartanian-small', 'hyperborean07-small')
    """
    if scale not in SCALES:
        raise FieldError("scale", f"expected {' or '.join(SCALES)}", value=scale)
    chosen = tuple(LEAGUES) if games is None else games
    for game in chosen:
        if game not in LEAGUES:
            raise FieldError("league", f"expected {' or '.join(LEAGUES)}", value=game)
    return tuple(
        LeaguePlan(game, (*(preset_text(name, game, scale) for name in LEAGUES[game]), *extra))
        for game in chosen
    )


def preset_text(name: str, game: str, scale: str = "small") -> str:
    """The text of a preset at a scale in a game; any other agent's text is left as it is.

    >>> preset_text("tartanian", "holdem-nl-200bb"), preset_text("pokeminn", "holdem-nl-200bb")
    ('tartanian-small@holdem-nl-200bb', 'pokeminn')
    """
    if name not in preset_names():
        return name
    text = f"{name}{SCALES[scale].suffix}"
    own = Game.named(load_description(name).game.value).name
    return text if own == Game.named(game).name else f"{text}@{game}"
