"""Nesterov's excessive gap technique on treeplexes with the dilated entropy.

Each seat's best response is smoothed: seat p maximises <g, z> - mu_p d_p(z), where d_p adds, over
decisions and states, w times the plan of reaching it times the divergence of its action
probabilities from uniform. The pair of plans keeps the *excessive gap condition*: the two smoothed
best-response values sum to at most zero, while the true ones sum to the gap, which is therefore at
most mu_0 D_0 + mu_1 D_1. A step shrinks one mu by a factor 1 - tau. Published speed-ups: the seat
with the larger mu is shrunk (balancing), and tau is as large as the condition, which is checked at
every step, allows (aggressive decrease). A step is never smaller than the published one, which keeps
the condition by theorem and is taken unchecked (`excessive_gap`): rounding cannot stop the solve.
Each step costs three payoff products. Whenever the gap has fallen tenfold the technique starts
again around the pair it found (iterated smoothing), which is much faster near the end.

Sources: Hoda, Gilpin, Pena and Sandholm 2010 (algorithm, treeplexes); Gilpin, Hoda, Pena and
Sandholm 2007 (balancing, aggressive decrease); Gilpin, Pena and Sandholm 2012 (iterated smoothing).
Departures: w of a decision is the probability of its state, so that smoothing is even where payoffs
are, times the number of decisions that may follow, so that early decisions move less (it
halves the iterations in Hold'em; the guaranteed step is that of these weights);
the step grows a little again after each success; a restart also moves the centre of the entropy,
mixed with a little of uniform so that no action is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.workers import map_threads
from doyle.solving.games.matrix_game import Floats, marginal
from doyle.solving.methods import _prox_kernels
from doyle.solving.methods import _treeplex_kernels as _kernels
from doyle.solving.methods.cfr import WalkingSolver
from doyle.solving.methods.excessive_gap import GuaranteedSteps, heights
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.run import Arrays

LARGEST_STEP = 0.5
STEP_GROWTH = 1.1
LEAST_SMOOTHING = 1e-13
"""The least mu, relative to the largest amount."""
ROUNDING = {np.dtype(np.float64): 1e-13, np.dtype(np.float32): 1e-7}
"""Tolerance of the condition relative to the largest amount, by the precision of payoffs."""
RESTART_FACTOR = 10.0
RESTART_CHECKS = 10
"""The gap is looked at every so many iterations; a number of its own, so that resuming is exact."""


class Prox:
    """The dilated entropy of one seat: smoothed responses around uniform or another centre."""

    def __init__(self, form: SequenceForm, seat: int) -> None:
        self.form, self.seat = form, seat
        self.centre = form.uniform_behaviour(seat)
        self._treeplex = form.treeplexes[seat]
        self._weight, self._start = _weights(form, seat)
        tree = form.game.tree
        decisions = tree.decisions[tree.actor[tree.decisions] == seat]
        self._height = heights(tree, seat)[decisions]
        self._spans = form.state_slices[seat]
        self._work = np.zeros((len(self._spans), 6, form.work[2].size))

    def respond(
        self, gradient: Floats, smoothing: float, centre: Floats | None = None
    ) -> tuple[float, Floats]:
        """The smoothed best response to a gradient: its value and its behaviour."""
        scratch = gradient.copy()
        behaviour = np.empty_like(gradient)
        behaviour[0] = 1.0

        def part(number: int) -> float:
            return _prox_kernels.smoothed_response(
                self._treeplex,
                scratch,
                self.centre if centre is None else centre,
                self._weight,
                self._start,
                self._height,
                smoothing,
                self._spans[number],
                behaviour,
                self._work[number],
            )

        parts = map_threads(part, range(len(self._spans)), workers=self.form.workers)
        return float(gradient[0]) + sum(parts), behaviour


def _weights(form: SequenceForm, seat: int) -> tuple[Floats, npt.NDArray[np.uint64]]:
    """Weights of all states, round after round, and where each decision's begin."""
    game = form.game
    rounds = [marginal(states.joint, seat) for states in game.private_states]
    starts = np.concatenate([[0], np.cumsum([len(weights) for weights in rounds])])
    tree = game.tree
    nodes = tree.decisions[tree.actor[tree.decisions] == seat]
    weights = np.concatenate(rounds)
    # A state that is never dealt earns 0; any positive weight is valid.
    weights[weights <= 0.0] = 1.0
    return weights, starts[tree.round[nodes]].astype(np.uint64)


@dataclass
class _Point:
    """Plans, the earnings of each seat's sequences against the other plan, and the two mu.

    `answers` are the smoothed best responses to the gradients, if known.
    """

    plans: list[Floats]
    gradients: list[Floats]
    smoothing: list[float]
    answers: list[Floats] | None = None


class ExcessiveGapSolver(WalkingSolver):
    """The technique with balancing and aggressive decrease."""

    name = "egt"

    def __init__(self, form: SequenceForm) -> None:
        super().__init__(form)
        self._prox = (Prox(form, 0), Prox(form, 1))
        self._step = LARGEST_STEP
        self._scale = max(float(np.abs(form.game.tree.leaf_chips(0)).max()), 1e-300)
        self._guaranteed = GuaranteedSteps.of(form.game)
        self._rounding = ROUNDING[form.game.private_states[-1].showdown.values.dtype]
        self._point = self._start()
        self._found = self._point.plans
        self._found_gap = self._gap()

    def _start(self) -> _Point:
        """The initial pair, with the smallest equal mu (within a factor of 2) that fits.

        A mu at least as large as the published one fits by theorem, regardless of rounding.
        """
        smoothing = self._scale
        point = self._initial(smoothing)
        while smoothing < self._guaranteed.first_smoothing and not self._fits(point):
            smoothing *= 2.0
            point = self._initial(smoothing)
        while smoothing > self._scale * LEAST_SMOOTHING:
            smaller = self._initial(smoothing / 2.0)
            if not self._fits(smaller):
                break
            smoothing, point = smoothing / 2.0, smaller
        return point

    def _initial(self, smoothing: float) -> _Point:
        form = self.form
        centre = form.realise(0, self._prox[0].centre)
        second = self._plan(1, form.gradient(1, centre), smoothing)
        gradient = form.gradient(0, second)
        first = self._plan(0, gradient, smoothing)
        return _Point([first, second], [gradient, form.gradient(1, first)], [smoothing, smoothing])

    def _plan(self, seat: int, gradient: Floats, smoothing: float) -> Floats:
        return self.form.realise(seat, self._prox[seat].respond(gradient, smoothing)[1])

    def _fits(self, point: _Point) -> bool:
        """Whether the excessive gap condition holds."""
        return self._smoothed_gap(point) <= self._scale * self._rounding

    def _smoothed_gap(self, point: _Point) -> float:
        first, second = (
            self._prox[seat].respond(point.gradients[seat], point.smoothing[seat])
            for seat in (0, 1)
        )
        point.answers = [first[1], second[1]]
        return first[0] + second[0]

    def advance(self, iterations: int) -> None:
        for _ in range(iterations):
            self._iterate()
            self.iteration += 1
            if self.iteration % RESTART_CHECKS == 0:
                self._restart_if_better()

    def _iterate(self) -> None:
        """Shrink the larger mu by the largest step that keeps the condition; at least as published."""
        seat = int(self._point.smoothing[1] > self._point.smoothing[0])
        if self._point.smoothing[seat] <= self._scale * LEAST_SMOOTHING:
            return  # as exact as numbers allow
        guaranteed = self._guaranteed.step(self._point.smoothing)
        while self._step > guaranteed:
            candidate = self._shrunk(self._point, seat, self._step)
            if self._fits(candidate):
                self._point = candidate
                self._step = min(LARGEST_STEP, self._step * STEP_GROWTH)
                return
            self._step /= 2.0
        self._point = self._shrunk(self._point, seat, guaranteed)
        self._step = min(LARGEST_STEP, guaranteed * STEP_GROWTH)

    def _gap(self) -> float:
        """Half the sum of the true best-response values, from gradients already there."""
        values = (self.form.best_against(seat, self._point.gradients[seat]) for seat in (0, 1))
        return sum(values) / 2.0

    def _restart_if_better(self) -> None:
        """Start again around the current pair if its gap is a tenth of the last pair's."""
        gap = self._gap()
        if gap > self._found_gap / RESTART_FACTOR:
            return
        self._found, self._found_gap = self._point.plans, gap
        even = min(0.1, max(LEAST_SMOOTHING, gap / self._scale))
        for seat in (0, 1):
            behaviour = self.form.behaviour(seat, self._found[seat])
            uniform = self.form.uniform_behaviour(seat)
            self._prox[seat].centre = _mixed(behaviour, uniform, even)
        self._step = LARGEST_STEP
        self._point = self._start()

    def _shrunk(self, point: _Point, seat: int, step: float) -> _Point:
        """The pair after one step that multiplies the mu of `seat` by 1 - step."""
        form, other = self.form, 1 - seat
        own, own_prox = point.plans[seat], self._prox[seat]
        mu, other_mu = point.smoothing[seat], point.smoothing[other]
        if point.answers is None:
            self._smoothed_gap(point)
        assert point.answers is not None
        centre = point.answers[seat]
        ahead = _mixed(own, form.realise(seat, centre), step)
        answer = self._plan(other, form.gradient(other, ahead), other_mu)
        earned = form.gradient(seat, answer)
        _, moved = own_prox.respond(earned * (step / (1 - step)), mu, centre)
        plan = _mixed(own, form.realise(seat, moved), step)
        result = _Point(list(point.plans), list(point.gradients), list(point.smoothing))
        result.plans[seat] = plan
        result.plans[other] = _mixed(point.plans[other], answer, step)
        result.gradients[seat] = _mixed(point.gradients[seat], earned, step)
        result.gradients[other] = form.gradient(other, plan)
        result.smoothing[seat] = mu * (1 - step)
        return result

    def profile(self) -> Profile:
        """The current pair, or the one of the last restart while that is better."""
        plans = self._point.plans if self._gap() <= self._found_gap else self._found
        return Profile(self.form, (plans[0], plans[1]))

    def arrays(self) -> Arrays:
        point = self._point
        centres = [prox.centre for prox in self._prox]
        pairs = {"plan": point.plans, "gradient": point.gradients, "found": self._found}
        pairs["centre"] = centres
        arrays = {f"{name}_{seat}": pair[seat] for name, pair in pairs.items() for seat in (0, 1)}
        return {**arrays, "scalars": np.array([*point.smoothing, self._step, self._found_gap])}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        def pair(name: str) -> list[Floats]:
            return [np.array(arrays[f"{name}_{seat}"]) for seat in (0, 1)]

        first, second, self._step, self._found_gap = (float(x) for x in arrays["scalars"])
        self._point = _Point(pair("plan"), pair("gradient"), [first, second])
        self._found = pair("found")
        for prox, centre in zip(self._prox, pair("centre"), strict=True):
            prox.centre = centre


def _mixed(old: Floats, new: Floats, step: float) -> Floats:
    result = np.empty_like(old)
    _kernels.mix(old, new, step, result)
    return result
