"""Known games through the production solvers: hands by the vector solver, states by the sequence form."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import doyle
from doyle.games import Game
from doyle.solving.games import PublicGame
from doyle.solving.games.small_games import small_game
from doyle.solving.methods.lp import solve_linear_program
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.run import Limits, Run
from doyle.solving.solve import Problem
from doyle.solving.vector import VectorSolver
from tests.reference.hand_matrices import matrices_of
from tests.solving.public_games import holdem, small

# Name: game, exploitability to reach (chips), value for seat 0 if it is known.
SOLVED: dict[str, tuple[Callable[[], PublicGame], float, float | None]] = {
    "kuhn": (lambda: small("kuhn"), 1e-3, -1 / 18),
    "leduc": (lambda: small("leduc"), 2e-3, -0.085606424),
    "leduc-nl12": (lambda: small("leduc-nl12"), 2e-2, None),
    "river with all hands": (lambda: holdem("Td9d6hQc2s", "*", "*", "fchpa"), 1.0, None),
    "turn": (lambda: holdem("Td9d6hQc", "AA,KTs,87s:0.5", "KK,AQs,JTs"), 0.4, None),
    "tiny flop": (lambda: holdem("Ts9s6s", "AA,87s", "KK,QJs", stacks=300), 0.6, None),
}


@pytest.mark.parametrize("name", SOLVED)
def test_the_vector_solver_solves_any_game_of_hands(name: str) -> None:
    make, target, value = SOLVED[name]
    solver = VectorSolver(make())
    Run(solver).until(Limits(target=target, iterations=20_000))
    measured = solver.measure()
    assert measured.exploitability <= 1.01 * target
    if value is not None:
        assert abs(measured.value - value) <= 2 * measured.exploitability + 1e-6


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_hands_and_merged_states_are_the_same_game(name: str, merged: bool) -> None:
    """Best responses with the cards enclose the value that a linear program finds with their classes."""
    exact = solve_linear_program(SequenceForm(Problem.named(name).matrix_game())).value
    solver = VectorSolver(small(name, merged=merged), precision="double")
    Run(solver).until(Limits(target=1e-4, iterations=20_000))
    measured = solver.measure()
    assert measured.exploitability <= 1e-4
    assert -measured.best_responses[1] - 1e-9 <= exact <= measured.best_responses[0] + 1e-9


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_states_of_hands_and_of_merged_cards_have_one_value(name: str) -> None:
    by_hand = solve_linear_program(SequenceForm(matrices_of(small(name, merged=False))))
    merged = solve_linear_program(SequenceForm(Problem.named(name).matrix_game()))
    assert by_hand.value == pytest.approx(merged.value, abs=1e-9)
    counts = by_hand.form.game.information_sets(), merged.form.game.information_sets()
    assert counts[0][0] >= counts[1][0]


def test_matrices_of_hands_are_those_of_the_deck() -> None:
    """Worked out from the evaluator by one module, counted over deals by another."""
    hands = matrices_of(small("leduc", merged=False)).private_states
    deck = small_game(Game.named("leduc"), lossless=False).private_states
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


POKER = ("doyle.cards", "doyle.games", "doyle.abstractions.cards", "doyle.abstractions.gameshrink", "doyle.strategy.translation")  # fmt: skip


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
        "doyle.solving.board_walk",
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
    assert not {name for name in outside if name.startswith(POKER)}
    # What it does import is the noun, not how poker makes one.
    allowed = ("doyle.solving.games.", "doyle.abstractions.betting.public_tree", "doyle.base.workers", "doyle.base.errors",
               "doyle.base.artifacts", "doyle.strategy", "doyle.base._")  # fmt: skip
    assert all(name.startswith(allowed) for name in outside), outside
    assert not {"doyle.solving.games.poker", "doyle.solving.games"} & outside
