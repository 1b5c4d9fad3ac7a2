"""Responses in games with a small deck, exactly: linear programs against a policy in the whole game.

A policy may distinguish suits where they are irrelevant; its plan is then averaged over the
relabellings of suits. A response up to suits wins the same from the average as from the policy
itself, since payoffs are linear in plans, so nothing is approximated.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from doyle.base.errors import FieldError
from doyle.base.statistics import Estimate
from doyle.base.workers import Progress
from doyle.games import Game, Policy
from doyle.measuring.responses.curve import ResponseCurve, ResponsePoint
from doyle.measuring.strategies import policy_profile
from doyle.solving.games.matrix_game import Floats
from doyle.solving.games.small_games import SmallGame, small_game
from doyle.solving.methods.restricted import Response, ResponsePrograms
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile, strategy_of


def exact_responses(
    game: Game,
    opponent: Policy,
    *,
    shares: Sequence[float] = (),
    loss_bounds: Sequence[float] = (),
    name: str = "policy",
    progress: Progress | None = None,
) -> ResponseCurve:
    """Responses to `opponent` for every share and every stated loss, which is in chips per hand."""
    for stated in loss_bounds:
        if not 0 <= stated < np.inf:
            raise FieldError("loss-bound", "expected chips per hand from 0 on", value=stated)
    merged = small_game(game)
    programs = ResponsePrograms(SequenceForm(merged))
    models = merged_plans(merged, opponent, programs.form)
    # The equilibrium that wins most from the opponent: the response with loss bound 0.
    base = [programs.safe(seat, models[1 - seat], floor=programs.values[seat]) for seat in (0, 1)]
    equilibrium = _gain(base)
    asked: list[tuple[float | None, float | None]] = [(share, None) for share in shares]
    asked += [(None, bound) for bound in loss_bounds]
    points = []
    for number, (share, bound) in enumerate(asked, start=1):
        found = []
        for seat in (0, 1):
            model = models[1 - seat]
            if share is not None:
                found.append(programs.mixed(seat, model, share=share))
            else:
                assert bound is not None
                found.append(programs.safe(seat, model, floor=programs.values[seat] - bound))
        points.append(_point(merged, programs, found, equilibrium, share=share, bound=bound))
        if progress is not None:
            progress("responses", number, len(asked))
    return ResponseCurve(game, name, "linear program", Estimate.exact(equilibrium), tuple(points))


def merged_plans(small: SmallGame, policy: Policy, form: SequenceForm) -> tuple[Floats, Floats]:
    """The plans of a policy in both seats, averaged over relabellings of suits."""
    apart = small_game(small.cards.game, lossless=False)
    profile = policy_profile(apart, (policy, policy))
    classes = [
        np.array([small.cards.state(number, key[0], sum(key[1:], ())) for key in keys])
        for number, keys in enumerate(apart.cards.keys)
    ]
    plans = np.ones(form.sizes[0]), np.ones(form.sizes[1])
    tree = small.tree
    for node in tree.decisions.tolist():
        seat, place = int(tree.actor[node]), classes[int(tree.round[node])]
        table = profile.form.table(node, profile.plans[seat])
        means = np.zeros((int(place.max()) + 1, table.shape[1]))
        np.add.at(means, place, table)
        means /= np.bincount(place)[:, None]
        form.put_table(node, means, plans[seat])
    return plans


def _gain(found: Sequence[Response]) -> float:
    return sum(one.against_model for one in found) / 2


def _point(
    small: SmallGame,
    programs: ResponsePrograms,
    found: Sequence[Response],
    equilibrium: float,
    *,
    share: float | None,
    bound: float | None,
) -> ResponsePoint:
    gain = _gain(found)
    profile = Profile(programs.form, (found[0].plan, found[1].plan))
    solver = "restricted-nash-response" if bound is None else "safe-response"
    strategy = strategy_of(profile, small.tree).with_info(solver=solver, iterations=1)
    allowed = bound
    if share is not None and share < 1:
        allowed = max(0.0, share / (1 - share) * (gain - equilibrium))
    return ResponsePoint(
        strategy=strategy,
        gain=Estimate.exact(gain),
        share=share,
        loss_bound=bound,
        # The values of the seats cancel.
        loss=Estimate.exact(max(0.0, -sum(one.worst_case for one in found) / 2)),
        bound=allowed,
    )
