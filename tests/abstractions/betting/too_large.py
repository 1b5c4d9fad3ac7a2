"""Games whose trees no machine holds, for tests of what is refused before any work."""

from __future__ import annotations

from doyle.games import Game

_TEXT = """GAMEDEF
{betting}
numPlayers = {players}
numRounds = {rounds}
stack = {stacks}
blind = {blinds}
{raises}
numSuits = 4
numRanks = 13
numHoleCards = {holes}
numBoardCards = {board}
END GAMEDEF
"""
ENDLESS = 2**31 - 1


def text_of(
    betting: str,
    *,
    players: int = 2,
    rounds: int = 4,
    stack: int = ENDLESS,
    most_raises: int = 255,
    holes: int = 2,
    board: str = "",
) -> str:
    """A game definition with equal stacks and blinds 1 and 2."""
    raises = f"maxRaises = {' '.join([str(most_raises)] * rounds)}"
    if betting == "limit":
        raises += f"\nraiseSize = {' '.join(['2'] * rounds)}"
    return _TEXT.format(
        betting=betting,
        players=players,
        rounds=rounds,
        stacks=" ".join([str(stack)] * players),
        blinds=" ".join(["2", "1", *["0"] * (players - 2)]),
        raises=raises,
        holes=holes,
        board=board or " ".join(["0", *["1"] * (rounds - 1)]),
    )


FULL_1000 = text_of("nolimit", rounds=2, stack=1000, holes=1)
SMALL_DECK_1000 = FULL_1000.replace("numRanks = 13", "numRanks = 3")
TOO_LARGE: dict[str, tuple[str, str, str]] = {
    "full, 1,000 chips": ("full", FULL_1000, "take smaller stacks"),
    "full, endless stacks": ("full", text_of("nolimit"), "take smaller stacks"),
    "full, ten players": ("full", text_of("nolimit", players=10, stack=200), "10 players"),
    "32 rounds": ("limit", text_of("limit", rounds=32, most_raises=4, holes=1), "32 rounds"),
    "ten players": ("limit", text_of("limit", players=10, most_raises=4), "10 players"),
    "255 raises": ("limit", text_of("limit"), "up to 255 raises a round"),
    "three players, 255 raises": ("limit", text_of("limit", players=3), "3 players"),
    "sizes, endless stacks": ("fchpta", text_of("nolimit"), "stacks of 2,147,483,647"),
    "many sizes": (
        "fc" + ",".join(str(7 * number + 1) for number in range(30)) + "a",
        Game.named("holdem-nl-200bb").to_text(),
        "30 sizes",
    ),
}
"""By name: model, definition, and what the refusal names as too large."""
