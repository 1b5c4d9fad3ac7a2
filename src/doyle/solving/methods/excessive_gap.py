"""The step of the excessive gap technique that keeps its condition without being checked.

A step of size tau keeps the condition if tau^2 / (1 - tau) <= mu_0 mu_1 / L^2, where L^2 is
||A||^2 / (rho_0 rho_1), ||A|| is the norm of the payoffs and rho_p is the strong convexity of the
prox function of seat p in the same norms (Nesterov 2005; Hoda, Gilpin, Pena and Sandholm 2010, who
start from mu_0 = mu_1 with mu_0 mu_1 >= L^2). The published schedule takes tau = 2 / (k + 3) while
mu_0 mu_1 >= 4 L^2 / ((k + 1) (k + 2)): after it the product is still that large for k + 1, so the
gap after k steps is of the order 1 / k. `GuaranteedSteps` maps a product of the mu to its k.

L for the dilated entropy with weights P(s) h(v) of decision v in state s, in the norm that weights
a sequence by the probability P(s) of its state. With n(v) = 1 + the largest sum, over the actions
at v, of n at the decisions that may come next (all the other seat's actions counted), the quadratic
form of the entropy at a plan z is at least

    sum over v, s of k P(s) n(v) (sum over a of u_a^2 / z_a - u_p^2 / z_p),   k = min over v of h / n,

because no bracket is negative; the terms of a sequence and of the decisions below it add up to at
least k P(s) u_a^2 / z_a, since the children of s share its probability. By Cauchy and Schwarz that
sum is at least k / n(root) times the squared norm, so rho = k / n(root). The norm of the payoffs is
the largest amount times the largest of joint probability over the product of the two seats' own.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from doyle.abstractions.betting.public_tree import PublicTree
from doyle.solving.games.matrix_game import Floats, MatrixGame, marginal


@dataclass(frozen=True)
class GuaranteedSteps:
    """The published schedule for payoffs and prox functions with this L, in chips."""

    scale: float

    @classmethod
    def of(cls, game: MatrixGame) -> GuaranteedSteps:
        """The schedule for the dilated entropy that `egt` uses."""
        tree = game.tree
        convexity = [_convexity(tree, seat) for seat in (0, 1)]
        amount = max(float(np.abs(tree.leaf_chips(0)).max()), 1e-300)
        return cls(amount * _largest_ratio(game) / sqrt(convexity[0] * convexity[1]))

    @property
    def first_smoothing(self) -> float:
        """The equal mu for which the initial pair always keeps the condition."""
        return self.scale

    def step(self, smoothing: list[float]) -> float:
        """2 / (k + 3) for the least k that these two mu allow.

        >>> GuaranteedSteps(1.0).step([2.0, 1.0])
        0.6666666666666666
        """
        ratio = (self.scale / smoothing[0]) * (self.scale / smoothing[1])
        k = max(0, ceil((sqrt(1.0 + 16.0 * ratio) - 3.0) / 2.0))
        return 2.0 / (k + 3.0)


def heights(tree: PublicTree, seat: int) -> Floats:
    """The most decisions a seat may still make on a path from each node on, itself included."""
    height = np.zeros(len(tree))
    for node in range(len(tree) - 1, 0, -1):
        above = int(tree.parent[node])
        height[above] = max(height[above], height[node] + (tree.actor[above] == seat))
    return height


def _convexity(tree: PublicTree, seat: int) -> float:
    """rho of one seat's entropy; see the module."""
    own = tree.actor == seat
    count = np.zeros(len(tree))
    best = np.zeros(len(tree))
    for node in range(len(tree) - 1, -1, -1):
        count[node] = best[node] + own[node]
        above = int(tree.parent[node])
        if node == 0:
            break
        if own[above]:
            best[above] = max(best[above], count[node])
        else:
            best[above] += count[node]
    if not own.any():
        return 1.0
    return float((heights(tree, seat)[own] / count[own]).min() / count[0])


def _largest_ratio(game: MatrixGame) -> float:
    """The largest ratio of the joint probability (or its payoff) to the product of the seats' own.

    It occurs in the last round: earlier matrices are sums of its entries.
    """
    states = game.private_states[-1]
    own = [marginal(states.joint, seat) for seat in (0, 1)]
    largest = 0.0
    for index in range(len(states.joint)):
        rows = slice(*states.joint.row_start[index : index + 2].tolist())
        columns = slice(*states.joint.column_start[index : index + 2].tolist())
        for first, joint, result in zip(
            own[0][rows], states.joint.block(index), states.showdown.block(index), strict=True
        ):
            product = first * own[1][columns]
            dealt = product > 0.0
            paid = np.maximum(np.abs(result), joint)[dealt]
            largest = max(largest, float((paid / product[dealt]).max(initial=0.0)))
    return largest
