"""Plain twins of the kernels that move rows for the payoff products."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.floating]
Numbers = npt.NDArray[np.int32]


def gather_rows(
    block: Matrix, rows: Matrix, empty: float, sources: Numbers, targets: Numbers, scales: Matrix
) -> None:
    block[:] = 0
    for source, target, scale in zip(sources, targets, scales, strict=True):
        block[target] += scale * (np.full(block.shape[1], empty) if source < 0 else rows[source])


def scatter_rows(rows: Matrix, block: Matrix, targets: Numbers) -> float:
    np.add.at(rows, targets[targets >= 0], block[targets >= 0])
    return float(block[targets < 0].sum())
