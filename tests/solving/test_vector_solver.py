"""Vector methods over public games: twins, known values, exact programs, fixed play."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.base.errors import DoyleError
from doyle.solving.games import PublicGame
from doyle.solving.methods.lp import solve_linear_program
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.run import Limits, Run
from doyle.solving.solvers import VARIANTS
from doyle.solving.vector import FixedPlay, VectorSolver
from doyle.solving.vector.fixed_play import write_play
from tests.reference.hand_matrices import matrices_of
from tests.reference.vector_cfr import PlainVectors
from tests.solving.public_games import holdem, small

GAMES = {
    "kuhn": lambda: small("kuhn"),
    "leduc": lambda: small("leduc", merged=False),
    "river": lambda: holdem("Td9d6hQc2s", "AA,KTs,QJs,87s:0.5", "KK,AQs,JTs", "fchpa"),
    "turn": lambda: holdem("Td9d6hQc", "AhAd,KsTs,8h7h:0.5", "KcKd,AsQs,JhTh", merged=False),
}


def solve_exactly(game: PublicGame) -> Profile:
    return solve_linear_program(SequenceForm(matrices_of(game)))


def compare_with_twin(game: PublicGame, name: str, iterations: int) -> None:
    solver = VectorSolver(game, VARIANTS[name], precision="double")
    plain = PlainVectors(game, VARIANTS[name])
    solver.advance(iterations)
    for _ in range(iterations):
        plain.iterate()
    measured = solver.measure()
    chips = float(np.abs(game.tree.leaf_chips(0)).max())
    for seat in (0, 1):
        expected = plain.best_response(seat)
        assert measured.best_responses[seat] == pytest.approx(expected, abs=1e-9 * chips)
    assert measured.expected == pytest.approx(plain.value(0), abs=1e-9 * chips)
    assert measured.expected == pytest.approx(-plain.value(1), abs=1e-9 * chips)
    last = len(game.boards) - 1
    for node in game.tree.decisions[:: max(1, game.tree.decision_count // 10)]:
        level = int(game.tree.round[node]) - game.first_level
        board = last if level == game.boards.levels - 1 else 0
        expected = plain.strategy(int(node), game.boards.cards[board], plain.averages)
        live = game.live(int(game.tree.actor[node]), game.boards[board])
        found = solver.probabilities(int(node), board)
        assert np.allclose(found[live], expected[live], atol=1e-7)


@pytest.mark.parametrize("name", ["dcfr-delayed", "linear-cfr"])
@pytest.mark.parametrize(("game", "iterations"), [("kuhn", 3), ("leduc", 3), ("river", 1)])
def test_iterations_are_those_of_the_twin(game: str, iterations: int, name: str) -> None:
    # From the second iteration on in Hold'em hands that meet nothing at a node have rounding for a
    # regret, and play there at random; the value of an equilibrium does not depend on it.
    compare_with_twin(GAMES[game](), name, iterations)
    assert VARIANTS[name].average > 0


@pytest.mark.slow
def test_a_turn_is_that_of_the_twin() -> None:
    game = GAMES["turn"]()
    compare_with_twin(game, "dcfr-delayed", 1)
    assert game.boards.levels == 2


@pytest.mark.parametrize(("name", "value"), [("kuhn", -1 / 18), ("leduc", -0.085606424)])
@pytest.mark.parametrize(
    ("method", "tolerance"),
    [("cfr", 4e-3), ("cfr+", 1e-3), ("linear-cfr", 1e-3), ("dcfr-delayed", 1e-3)],
)
def test_known_values(name: str, value: float, method: str, tolerance: float) -> None:
    solver = VectorSolver(small(name), VARIANTS[method])
    Run(solver).until(Limits(target=tolerance, iterations=20_000))
    measured = solver.measure()
    assert measured.exploitability <= 1.01 * tolerance
    assert abs(measured.value - value) <= measured.exploitability + 1e-7


def test_the_exact_program_of_leduc() -> None:
    assert solve_exactly(small("leduc", merged=False)).value == pytest.approx(
        -0.0856064240780, abs=1e-9
    )


@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("name", ["river", "turn"])
def test_the_solver_agrees_with_the_exact_program(name: str, precision: str) -> None:
    game = GAMES[name]()
    exact = solve_exactly(game).value
    solver = VectorSolver(game, precision=precision)  # type: ignore[arg-type]
    Run(solver).until(Limits(target=0.01 / 100 * 200, iterations=20_000))
    measured = solver.measure()
    assert measured.exploitability <= 0.02
    # The value is the middle of an interval that holds the exact one and is twice as long as the
    # exploitability.
    assert abs(measured.value - exact) <= measured.exploitability
    assert abs(measured.expected - exact) <= 2 * measured.exploitability


@pytest.mark.parametrize("board", ["2s3s4s5c", "2s3s4s"])
def test_merging_suits_changes_nothing(board: str) -> None:
    stacks = 100 if len(board) == 6 else 900
    evenly, solved, counts = [], [], []
    for merged in (True, False):
        game = holdem(board, "AA", "QQ,AKs", "fca", merged=merged, stacks=stacks)
        solver = VectorSolver(game, precision="double")
        evenly.append(solver.measure())  # both seats play evenly
        Run(solver).until(Limits(target=0.01, iterations=1_000))
        solved.append(solver.measure())
        counts.append(len(game.boards))
    assert counts[0] < counts[1]
    assert evenly[0].value == pytest.approx(evenly[1].value, abs=1e-9)
    assert evenly[0].best_responses == pytest.approx(evenly[1].best_responses, abs=1e-9)
    gaps = [2 * one.exploitability for one in solved]
    assert abs(solved[0].value - solved[1].value) <= sum(gaps)
    assert max(gaps) <= 0.02


@pytest.mark.parametrize("precision", ["single", "double"])
def test_what_is_measured_on_merged_boards_is_what_is_played_on_all(precision: str) -> None:
    ranges = ("AA,KK,76s", "QQ,AKs,98s")
    merged = holdem("2s3s4s5c", *ranges)
    solver = VectorSolver(merged, precision=precision)  # type: ignore[arg-type]
    solver.advance(40)
    measured = solver.measure()
    whole = VectorSolver(holdem("2s3s4s5c", *ranges, merged=False), precision="double")
    game = whole.game
    for node in map(int, game.tree.decisions):
        seat = int(game.tree.actor[node])
        for board, cards in enumerate(game.boards.cards):
            if int(game.boards.level[board]) != int(game.tree.round[node]) - game.first_level:
                continue
            kept, suits = merged.boards.find([(card,) for card in cards[4:]])
            played = np.empty_like(solver.probabilities(node, kept))
            played[merged.hands[seat].permuted(suits)] = solver.probabilities(node, kept)
            play = FixedPlay(node, played, np.ones(len(played), bool))
            level = int(game.boards.level[board])
            write_play(whole.packed, play, seat, board, level, whole.averages[seat])
    again = whole.measure()
    tolerance = 1e-9 if precision == "double" else 1e-3
    assert len(merged.boards) < len(game.boards)
    assert again.value == pytest.approx(measured.value, abs=tolerance)
    assert again.best_responses == pytest.approx(measured.best_responses, abs=tolerance)


def test_a_subgame_entered_with_its_own_reach_keeps_its_value() -> None:
    """Leduc after check, bet, call, on every board: from the exact solution, to 1e-9."""
    from doyle.abstractions.betting import BettingModel
    from doyle.cards.suits.relabelling import SAME_SUITS
    from doyle.games import Game, State
    from doyle.solving.games import Hands, outline, poker_game

    game = small("leduc", merged=False)
    exact = solve_exactly(game)
    tree = game.tree
    state = State.start(Game.named("leduc"))
    weights = [hands.weights.copy() for hands in game.hands]
    node = 0
    for action in (1, int(tree.actions_of(tree.find([1]))[-1]), 1):
        place = tree.actions_of(node).tolist().index(action)
        weights[int(tree.actor[node])] *= exact.probabilities(node)[:, place]
        node, state = tree.child(node, action), state.apply(action)
    whole = PlainVectors(game, VARIANTS["linear-cfr"])
    for decision in tree.decisions:
        for board in range(len(game.boards)):
            if int(game.boards.level[board]) == int(tree.round[decision]):
                hands = len(game.hands[int(tree.actor[decision])])
                rows = exact.probabilities(int(decision))
                table = rows.reshape(-1, hands, rows.shape[1])[max(0, board - 1)]
                whole.averages[int(decision), game.boards.cards[board]] = table
    for board in range(1, len(game.boards), 2):
        cards = game.boards.cards[board]
        pair = []
        for seat in (0, 1):
            here = game.live(seat, game.boards[board]) & (weights[seat] > 1e-12)
            pair.append(Hands(game.hands[seat].cards[here], weights[seat][here]))
        parts = outline(
            BettingModel.parse("full"), state, board=cards, hands=(pair[0], pair[1]),
            suits=(SAME_SUITS,),
        )  # fmt: skip
        subgame = poker_game(parts)
        reach = weights[1] * game.live(1, game.boards[board])
        worth = whole._walk(node, cards, 0, reach, "expect")
        expected = (weights[0] * game.live(0, game.boards[board])) @ worth / subgame.mass
        assert solve_exactly(subgame).value == pytest.approx(expected, abs=1e-9)


def test_fixed_play_that_is_a_mistake_is_met_by_an_exact_best_response() -> None:
    game = GAMES["river"]()
    tree = game.tree
    node = tree.find([1, 300])  # seat 0 has checked and faces a bet of the pot: it folds everything
    hands = len(game.hands[0])
    shares = np.zeros((hands, int(tree.child_count[node])))
    shares[:, 0] = 1.0
    fixed = FixedPlay(node, shares, np.ones(hands, bool))
    free, locked = VectorSolver(game), VectorSolver(game, fixed=[fixed])
    for solver in (free, locked):
        Run(solver).until(Limits(target=0.02, iterations=20_000))
    assert np.array_equal(locked.probabilities(node), shares)
    after_check = tree.find([1])
    bets = list(tree.actions_of(after_check)).index(300)
    # Against a sure fold the bet wins the pot with every hand: no hand can do better by a check.
    response = locked.values(1, best=True)
    entry = int(locked.packed.sides[1].first[locked.packed.decision_of[after_check]])
    assert (response[entry + bets] >= response[entry] - 1e-4).all()
    assert locked.measure().value < free.measure().value
    again = VectorSolver(game, fixed=[])
    Run(again).until(Limits(target=0.02, iterations=20_000))
    assert again.measure().value == free.measure().value


def test_fixed_play_of_some_hands_only() -> None:
    game = GAMES["river"]()
    node = game.tree.find([1, 300])
    some = np.zeros(len(game.hands[0]), bool)
    some[::3] = True
    shares = np.zeros((len(some), int(game.tree.child_count[node])))
    shares[:, 0] = 1.0
    solver = VectorSolver(game, fixed=[FixedPlay(node, shares, some)])
    Run(solver).until(Limits(target=0.1, iterations=5_000))
    found = solver.probabilities(node)
    assert (found[some, 0] == 1.0).all()
    assert (found[~some, 0] < 1.0).any()


def test_the_same_bytes_whatever_the_steps() -> None:
    game = GAMES["river"]()
    whole, parts = VectorSolver(game), VectorSolver(game)
    whole.advance(30)
    for count in (1, 9, 20):
        parts.advance(count)
        parts.measure()
    for one, other in zip(whole.averages, parts.averages, strict=True):
        assert one.tobytes() == other.tobytes()


def test_what_is_refused() -> None:
    game = small("kuhn")
    with pytest.raises(DoyleError, match="predict"):
        VectorSolver(game, VARIANTS["pcfr+"])
    with pytest.raises(DoyleError, match="sum to 1"):
        VectorSolver(game, fixed=[FixedPlay(0, np.zeros((3, 2)), np.ones(3, bool))])


def test_the_same_bytes_whatever_the_workers() -> None:
    game = holdem("Td9d6hQc", "AA,KTs,87s", "KK,AQs,JTs")
    solvers = [VectorSolver(game, workers=count) for count in (1, 2, 5)]
    for solver in solvers:
        solver.advance(5)
    measured = {solver.measure() for solver in solvers}
    assert len(measured) == 1
    for seat in (0, 1):
        assert len({solver.averages[seat].tobytes() for solver in solvers}) == 1
