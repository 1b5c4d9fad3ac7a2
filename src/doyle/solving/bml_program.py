"""The equilibrium program of a BML document: its payoff products as solvers compute them.

Gilpin, Sandholm and Sørensen 2008 generate the program of an equilibrium finder from the XML file.
Here the document becomes a public tree, the tree with bucket matrices a game, and the game's sequence
form has the two products that LP, EGT and the CFR family run on. `BmlProgram` gives them in the
numbering of the document, so that they can be compared with `BmlInterpreter`, which reads the document
leaf by leaf.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting.bml.document import BmlDocument, labelled_tree
from doyle.abstractions.betting.bml.interpreter import VectorLayout
from doyle.base.workers import Workers
from doyle.solving.games import MatrixGame, PrivateStates
from doyle.solving.games.matrix_game import BlockMatrix, Floats
from doyle.solving.methods.sequence_form import SequenceForm


class BmlProgram:
    """Ay and x'A of a document over private states; vectors as `VectorLayout` says.

    >>> from doyle.abstractions.betting import BettingModel, BettingTree
    >>> from doyle.abstractions.betting.bml.document import document_of
    >>> from doyle.games import Game
    >>> document = document_of(BettingTree.build(BettingModel.parse("limit"), Game.named("kuhn")))
    >>> program = BmlProgram(document, even_states(buckets=2, rounds=1, rng=np.random.default_rng(0)))
    >>> [layout.size for layout in program.layouts]
    [9, 9]
    """

    def __init__(
        self,
        document: BmlDocument,
        states: Sequence[PrivateStates],
        *,
        workers: Workers | None = None,
    ) -> None:
        tree = labelled_tree(document)
        self.form = SequenceForm(MatrixGame(document.name, tree, tuple(states)), workers=workers)
        layouts, places = [], []
        decisions = {one.sequence: one for one in document.decisions}
        for seat in (0, 1):
            layout = VectorLayout.of(document, seat, [one.count(seat) for one in states])
            place = np.zeros(self.form.sizes[seat], np.int64)
            for node in tree.decisions[tree.actor[tree.decisions] == seat].tolist():
                decision = decisions[tree.labels[node]]
                # Action by action, a run of states each.
                spans = [
                    layout.place(action.number, round=decision.round) for action in decision.actions
                ]
                place[self.form.at(node)] = np.concatenate(
                    [np.arange(span.start, span.stop) for span in spans]
                )
            layouts.append(layout)
            places.append(place)
        self.layouts = (layouts[0], layouts[1])
        self._places = places

    def times(self, y: Floats) -> Floats:
        """Ay: earnings of each sequence and bucket of player 1 against player 2's plan y."""
        return self._product(0, y)

    def transposed_times(self, x: Floats) -> Floats:
        """x'A: costs of each sequence and bucket of player 2 against player 1's plan x."""
        return -self._product(1, x)

    def _product(self, seat: int, vector: Floats) -> Floats:
        out = np.zeros(self.layouts[seat].size)
        out[self._places[seat]] = self.form.gradient(seat, vector[self._places[1 - seat]])
        return out


def even_states(
    *,
    buckets: int | Sequence[int],
    rounds: int,
    rng: np.random.Generator,
    dtype: npt.DTypeLike = np.float64,
) -> tuple[PrivateStates, ...]:
    """Buckets by round that divide evenly, all pairs equally likely, with random results."""
    counts = [buckets] * rounds if isinstance(buckets, int) else list(buckets)
    found = []
    for number, count in enumerate(counts):
        above = counts[number - 1] if number else 1
        parents = np.arange(count) * above // count
        joint = np.full((count, count), 1.0 / count**2, dtype)
        sign = (2.0 * rng.random((count, count), dtype=np.float32) - 1.0).astype(dtype)
        matrices = [BlockMatrix.of([one]) for one in (joint, joint * sign)]
        found.append(PrivateStates((parents, parents), matrices[0], matrices[1]))
    return tuple(found)
