"""BML files as the betting of a spot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from doyle.abstractions.betting import write_bml
from doyle.solving.spots import Spot


def test_a_bml_file_is_the_betting_of_a_spot(tmp_path: Path) -> None:
    letters = Spot.parse(board="Ks7h4d2cJs", ranges=("QQ+", "AKs"), pot=200, stacks=800)
    tree = letters.outline().tree
    path = tmp_path / "river.bml"
    write_bml(tree, path)
    given = replace(letters, betting=str(path))
    path.unlink()
    again = Spot.of_document(given.document())
    for spot in (given, again):
        assert str(spot.model).startswith("bml:")
        for name in ("kind", "actor", "action", "children", "spent"):
            np.testing.assert_array_equal(getattr(spot.outline().tree, name), getattr(tree, name))
