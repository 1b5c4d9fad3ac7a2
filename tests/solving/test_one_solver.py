"""One noun, one solver: every kind of game is a public game, and the same code solves them all."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import doyle
from doyle.games import Game
from doyle.gameshrink.shrinking import shrink
from doyle.solving.games import PublicGame
from doyle.solving.games.clairvoyance import clairvoyance
from doyle.solving.games.named_games import named_game
from doyle.solving.games.nolimit_kuhn import nolimit_kuhn
from doyle.solving.games.shrunk import shrunk_game
from doyle.solving.methods.lp import solve_linear_program
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.run import Limits, Run
from doyle.solving.vector import VectorSolver
from tests.solving import games
from tests.solving.public_games import holdem, small
from tests.solving.test_random_games import random_game

# Name: game, exploitability to reach (chips), value for seat 0 if it is known.
SOLVED: dict[str, tuple[Callable[[], PublicGame], float, float | None]] = {
    "kuhn": (lambda: small("kuhn"), 1e-3, -1 / 18),
    "leduc": (lambda: small("leduc"), 2e-3, -0.085606424),
    "leduc-nl12": (lambda: small("leduc-nl12"), 2e-2, None),
    "river with all hands": (lambda: holdem("Td9d6hQc2s", "*", "*", "fchpa"), 1.0, None),
    "turn": (lambda: holdem("Td9d6hQc", "AA,KTs,87s:0.5", "KK,AQs,JTs"), 0.4, None),
    "tiny flop": (lambda: holdem("Ts9s6s", "AA,87s", "KK,QJs", stacks=300), 0.6, None),
    # The same without hands: private states with given matrices.
    "kuhn, merged": (lambda: named_game("kuhn"), 1e-3, -1 / 18),
    "leduc, merged": (lambda: named_game("leduc"), 2e-3, -0.085606424),
    "leduc after GameShrink": (
        lambda: shrunk_game(shrink(Game.named("leduc"))), 2e-3, -0.085606424,
    ),
    "rhode island after GameShrink": (
        lambda: shrunk_game(shrink(Game.named("rhode-island"))), 4.0, None,
    ),
    "clairvoyance": (lambda: clairvoyance(1.0), 1e-3, 1 / 4),
    "no-limit kuhn": (lambda: nolimit_kuhn(1.0), 1e-3, 1 / 35),
    "lopsided": (games.lopsided, 1e-3, None),
}  # fmt: skip


@pytest.mark.parametrize("name", SOLVED)
def test_one_solver_solves_them_all(name: str) -> None:
    make, target, value = SOLVED[name]
    game = make()
    assert type(game) is PublicGame
    solver = VectorSolver(game)
    Run(solver).until(Limits(target=target, iterations=20_000))
    measured = solver.measure()
    assert measured.exploitability <= 1.01 * target
    if value is not None:
        assert abs(measured.value - value) <= 2 * measured.exploitability + 1e-6


@pytest.mark.parametrize("seed", range(12))
def test_any_game_over_states_is_solved(seed: int) -> None:
    game = random_game(seed)
    exact = solve_linear_program(SequenceForm(game)).value
    solver = VectorSolver(game, precision="double")
    Run(solver).until(Limits(target=1e-4, iterations=5_000))
    measured = solver.measure()
    assert -measured.best_responses[1] - 1e-9 <= exact <= measured.best_responses[0] + 1e-9
    assert measured.exploitability <= 1e-4


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_hands_and_merged_states_are_the_same_game(name: str) -> None:
    """Play that knows the cards and play that knows their classes: the same value, exactly."""
    by_hand = solve_linear_program(SequenceForm(small(name, merged=False)))
    merged = solve_linear_program(SequenceForm(named_game(name)))
    assert by_hand.value == pytest.approx(merged.value, abs=1e-9)
    counts = by_hand.form.game.information_sets(), merged.form.game.information_sets()
    assert counts[0][0] >= counts[1][0]


def test_matrices_of_hands_are_those_of_the_deck() -> None:
    """Worked out from the evaluator by one module, counted over deals by another."""
    hands = small("leduc", merged=False).private_states
    deck = games.small_game(Game.named("leduc"), lossless=False).public_game.private_states
    for one, other in zip(hands, deck, strict=True):
        for mine, theirs in ((one.joint, other.joint), (one.showdown, other.showdown)):
            blocks = [mine.block(index) for index in range(len(mine))]
            seen = [block[:, block.any(axis=0)][block.any(axis=1)] for block in blocks]
            expected = [theirs.block(index) for index in range(len(theirs))]
            assert len(seen) == len(expected)
            if mine is one.joint:
                for block, wanted in zip(seen, expected, strict=True):
                    assert np.allclose(block, wanted, atol=1e-15)
            assert np.isclose(np.abs(mine.values).sum(), np.abs(theirs.values).sum(), atol=1e-12)


POKER = ("cards", "games", "histories", "card_abstraction", "gameshrink", "translation")


def imported(module: str) -> set[str]:
    """The modules of the project that the statements of one module name."""
    root = Path(doyle.__file__).parent
    path = root.joinpath(*module.split(".")[1:])
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    found = set()
    for statement in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.ImportFrom) and statement.module:
            if not statement.module.startswith("doyle"):
                continue
            for name in statement.names:
                inner = root.joinpath(*statement.module.split(".")[1:], f"{name.name}.py")
                found.add(f"{statement.module}.{name.name}" if inner.exists() else statement.module)
        elif isinstance(statement, ast.Import):
            found |= {name.name for name in statement.names if name.name.startswith("doyle")}
    return found


@pytest.mark.parametrize(
    "start",
    [
        "doyle.solving.vector",
        "doyle.solving.best_response",
        "doyle.solving.expected_value",
        "doyle.solving.reach",
    ],
)
def test_no_poker_in_the_solver(start: str) -> None:
    """All that is reached inside `doyle.solving` imports nothing of cards and no rules."""
    waiting, seen, outside = [start], set(), set()
    while waiting:
        module = waiting.pop()
        if module in seen:
            continue
        seen.add(module)
        for name in imported(module):
            inner = name.startswith("doyle.solving.") and "doyle.solving.games." not in name
            waiting.extend([name] if inner else [])
            outside |= set() if inner else {name}
    assert not any(name.startswith("doyle.solving.games") for name in seen)
    assert not {name for name in outside if name.split(".")[1] in POKER}
    # What it does import is the noun, not how poker makes one.
    allowed = ("doyle.solving.games.", "doyle.betting.public_tree", "doyle.workers", "doyle.errors",
               "doyle.artifacts", "doyle.strategy", "doyle._")  # fmt: skip
    assert all(name.startswith(allowed) for name in outside), outside
    assert not {"doyle.solving.games.poker", "doyle.solving.games"} & outside
