"""The C++ twin of the vector solver's iterations, over the arrays of a `VectorSolver`."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from doyle.solving.vector import VectorSolver

Field = Any
"""An array, an integer or another structure."""


class Twin:
    """Runs iterations of `solver` in C++, on its own tables."""

    def __init__(self, library: ctypes.CDLL, solver: VectorSolver) -> None:
        self._library = library
        self._solver = solver
        self._kept: list[Any] = []
        solve = solver._solve
        evaluator = solve.evaluator
        groups = evaluator.group_end[0].size // evaluator.group_count.size
        fields = evaluator._asdict()
        arrays = [
            fields[name]
            for name in ("width", "counts", "rows", "cards", "same", "card_start", "card_rows")
        ]
        self._solve = self._structure(
            self._structure(*_flat(solve.boards)),
            *(self._structure(*_flat(side)) for side in solve.sides),
            self._structure(groups, *_flat(arrays), evaluator.group_count, *evaluator.group_end),
            *solve.tables.regrets,
            *solve.tables.averages,
            solve.part_start,
            len(solve.part_start) - 1,
            solve.sums,
            *(self._scratch(one) for one in (solver._root, solver._scratches[0])),
        )

    def _scratch(self, scratch: Any) -> ctypes.Structure:
        names = (
            "start",
            "plan",
            "values",
            "reach",
            "show",
            "fold",
            "sums",
            "columns",
            "open",
            "ranges",
        )
        return self._structure(*_flat([getattr(scratch, name) for name in names]))

    def _structure(self, *fields: Field) -> ctypes.Structure:
        """A C structure of pointers and 64-bit integers, which keeps its arrays."""
        kinds: list[tuple[str, Any]] = []
        values: list[Any] = []
        for number, value in enumerate(fields):
            is_integer = isinstance(value, int)
            kinds.append((f"field{number}", ctypes.c_int64 if is_integer else ctypes.c_void_p))
            if isinstance(value, np.ndarray):
                values.append(value.ctypes.data)
            else:
                values.append(value if is_integer else ctypes.addressof(value))
        structure = type("Fields", (ctypes.Structure,), {"_fields_": kinds})(*values)
        self._kept.extend([structure, *fields])
        return structure  # type: ignore[no-any-return]

    def advance(self, iterations: int) -> None:
        """The same as `VectorSolver.advance`."""
        jobs = np.array(self._solver.jobs(iterations), np.float64)
        self._library.run(
            ctypes.byref(self._solve), ctypes.c_void_p(jobs.ctypes.data), ctypes.c_int64(len(jobs))
        )
        self._solver.iteration += iterations


def _flat(fields: Any) -> list[Field]:
    """Arrays and integers, with pairs of arrays one after the other."""
    found: list[Field] = []
    for value in fields:
        found += list(value) if isinstance(value, tuple) else [value]
    return found
