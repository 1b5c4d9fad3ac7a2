"""Spots at a moment of a hand, with ranges from play, and warm starts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from doyle.apps.front.situations import spot
from doyle.base.errors import DoyleError
from doyle.cards import HOLES, hole_index, parse_cards, parse_range
from doyle.games import Game, State
from doyle.games.histories import parse_matchstate
from doyle.solving.games import poker_game
from doyle.solving.methods.lp import solve_linear_program
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.spots import Spot, load_spot, save_spot, solve_spot
from tests.reference.hand_matrices import matrices_of
from tests.reference.spot_program import exact_value

GAME = Game.named("holdem-nl-200bb")
LINE = "MATCHSTATE:1:7:cr300c/cc/cc/r450:|/Td9d6h/Qc/2s"
RANGES = ("AA,KTs,QJs,87s:0.5", "KK,AQs,JTs")


class Tight:
    """A policy that has raised big cards only; its reach is all that a spot asks for."""

    name = "tight"

    def __init__(self, text: str) -> None:
        self.weights = 0.5 * parse_range(text)

    def probabilities(self, state: State) -> tuple[tuple[int, ...], np.ndarray]:
        raise NotImplementedError

    def reach(self, state: State, seat: int) -> np.ndarray:
        assert state.board == parse_cards("Td9d6hQc2s")
        return self.weights


def test_the_bets_of_the_round_are_part_of_it() -> None:
    state = parse_matchstate(GAME, LINE).state
    given = Spot.of_state(state, RANGES, betting="fcpa")
    assert (given.pot, given.stacks) == (750, (19550, 19700))
    tree = given.outline().tree
    assert int(tree.actor[0]) == 1
    assert tree.actions_of(0).tolist() == [0, 1, 450 + 900, 20000]
    hands = tuple(
        [((int(a), int(b)), float(w)) for (a, b), w in zip(one.cards, one.weights, strict=True)]
        for one in given.hands
    )
    independent = exact_value(given.state, given.board, (hands[0], hands[1]), (Fraction(1),))
    free = Spot.of_state(state, RANGES, betting="fcpa", isomorphism=False)
    ours = solve_linear_program(SequenceForm(matrices_of(poker_game(free.outline()))))
    assert ours.value == pytest.approx(independent, abs=1e-9 * 750)
    result = solve_spot(given, target_percent=0.05, iterations=20_000, precision="double")
    # Up to the accuracy of the program: one of the best responses here wins exactly the value.
    assert abs(result.value - independent) <= result.measurement.exploitability + 1e-9 * 750
    assert sum(result.document()["pot_shares"]) == pytest.approx(750)
    assert result.at("r1350").seat == 0


def test_ranges_come_from_play(tmp_path) -> None:  # type: ignore[no-untyped-def]
    state = parse_matchstate(GAME, LINE).state
    by_text = spot(state, RANGES, betting="fca", iterations=100)
    by_play = spot(state, (Tight(RANGES[0]), Tight(RANGES[1])), betting="fca", iterations=100)
    assert by_play.document() | {"seconds": 0} == by_text.document() | {"seconds": 0}
    save_spot(by_text, tmp_path)
    loaded = load_spot(tmp_path)
    assert loaded.document() == by_text.document()
    with pytest.raises(DoyleError, match="only at a moment"):
        spot(board="Td9d6hQc2s", ranges=(Tight("AA"), "KK"), pot=200, stacks=400)


def test_weights_are_ranges_too() -> None:
    weights = np.zeros(len(HOLES))
    weights[hole_index(*parse_cards("AsAd"))] = 1.0
    result = spot(
        board="Td9d6hQc2s", ranges=(weights, "KK"), pot=200, stacks=200, target_percent=0.5
    )
    assert len(result.root.cards) == 1
    assert "value" in result._repr_html_()
    with pytest.raises(DoyleError, match="1326 weights"):
        spot(board="Td9d6hQc2s", ranges=(weights[:5], "KK"), pot=200, stacks=200)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("MATCHSTATE:1:7:cr300:|", "before the flop"),
        ("MATCHSTATE:1:7:cr300c/f", "expected"),
        ("MATCHSTATE:1:7:cr300c/r600f:|/Td9d6h", "the hand is over"),
    ],
)
def test_moments_that_are_no_spots(line: str, message: str) -> None:
    with pytest.raises(DoyleError, match=message) as found:
        Spot.of_state(parse_matchstate(GAME, line).state, RANGES)
    assert "\n" not in str(found.value)


def test_other_games_are_refused() -> None:
    game = Game.named("leduc")
    with pytest.raises(DoyleError, match="no-limit Hold'em for two"):
        Spot.of_state(State.start(game), RANGES)


TURN = {
    "board": "Td9d6hQc", "ranges": ("88+,A8s+,KTs+,87s", "QQ-66,AQs-ATs,KJs+,T9s"), "pot": 200,
    "stacks": 900, "betting": "fcpa",
}  # fmt: skip


def test_warm_starts_resume_and_help() -> None:
    begun = spot(**TURN, iterations=40)  # type: ignore[arg-type]
    resumed = spot(**TURN, iterations=60, start=begun)  # type: ignore[arg-type]
    whole = spot(**TURN, iterations=60)  # type: ignore[arg-type]
    assert resumed.exploitability_percent_of_pot == pytest.approx(
        whole.exploitability_percent_of_pot, rel=0.05
    )
    solved = spot(**TURN, target_percent=0.3)  # type: ignore[arg-type]
    similar = TURN | {"ranges": ("88+,A8s+,KTs+,87s:0.6", "QQ-66,AQs-ATs,KTs+,T9s")}
    cold = spot(**similar, target_percent=0.3)  # type: ignore[arg-type]
    warm = spot(**similar, target_percent=0.3, start=solved)  # type: ignore[arg-type]
    assert warm.exploitability_percent_of_pot <= 0.3
    done = warm.solver.iteration - 40
    assert done < 0.8 * cold.solver.iteration
    gap = warm.measurement.exploitability + cold.measurement.exploitability
    assert abs(warm.value - cold.value) <= gap


def test_a_loaded_result_has_nothing_to_start_from(tmp_path) -> None:  # type: ignore[no-untyped-def]
    save_spot(spot(**TURN, iterations=10), tmp_path)  # type: ignore[arg-type]
    with pytest.raises(DoyleError, match="from a file"):
        spot(**TURN, iterations=20, start=load_spot(tmp_path))  # type: ignore[arg-type]
