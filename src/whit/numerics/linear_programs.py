"""Linear programs in floating point: what comes back is a proposal, which the caller checks in whole numbers.

HiGHS does the work. It is used where it is installed, by the extra `audit`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]

MOST_NODES = 5
"""The most cases that a search for whole numbers looks at, if nobody says; it ends at the same point everywhere."""

GAP = 0.05
"""How far from the best a whole point may be, as a share."""

PRIMAL = 4
"""HiGHS's number of the simplex that goes on from the last point when the costs change."""


def solver_is_there() -> bool:
    """Whether HiGHS is installed."""
    return find_spec("highspy") is not None


@dataclass(frozen=True)
class Program:
    """Numbers between ends such that sums of them have given values.

    lows, highs   the ends; infinite where there is none
    rows          of each sum: the places of its numbers, and their coefficients
    right         the value of each sum
    """

    lows: Array
    highs: Array
    rows: Sequence[Sequence[tuple[int, int]]]
    right: Array


@dataclass(frozen=True)
class Proposed:
    """A point that is nearly the best, and nearly the multipliers that show it; no multipliers of whole points."""

    point: Array
    multipliers: Array


class Solver:
    """A program that is asked for its best point for several costs in turn."""

    def __init__(self, program: Program, *, whole: bool = False, most_nodes: int = MOST_NODES) -> None:
        import highspy

        self._whole = whole
        self._size = len(program.lows)
        solver: Any = highspy.Highs  # has no types
        self._highs = solver()
        options: dict[str, object] = {"output_flag": False, "threads": 1, "random_seed": 1}
        options |= {"mip_max_nodes": most_nodes, "mip_rel_gap": GAP} if whole else {"presolve": "off"}
        for name, value in {**options, "simplex_strategy": PRIMAL}.items():
            self._highs.setOptionValue(name, value)
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = self._size, len(program.right)
        model.col_cost_ = np.zeros(self._size)
        model.col_lower_, model.col_upper_ = program.lows, program.highs
        model.row_lower_ = model.row_upper_ = program.right
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = np.cumsum([0, *map(len, program.rows)]).astype(np.int32)
        model.a_matrix_.index_ = np.array([place for row in program.rows for place, _ in row], np.int32)
        model.a_matrix_.value_ = np.array([times for row in program.rows for _, times in row], float)
        model.sense_ = highspy.ObjSense.kMaximize
        if whole:
            model.integrality_ = [highspy.HighsVarType.kInteger] * self._size
        self._highs.passModel(model)
        self._start = highspy.HighsSolution
        self._optimal = highspy.HighsModelStatus.kOptimal

    def best(self, costs: Array, start: Array | None = None) -> Proposed | None:
        """A point that maximises the sum of the numbers, each times its cost; None if the solver has none.

        start   a point that fits, from which a search for whole numbers begins
        """
        self._highs.changeColsCost(self._size, np.arange(self._size, dtype=np.int32), np.asarray(costs, float))
        if start is not None:
            known = self._start()
            known.col_value = start.tolist()
            self._highs.setSolution(known)
        self._highs.run()
        found = self._highs.getSolution()
        if len(found.col_value) != self._size or not (self._whole or self._highs.getModelStatus() == self._optimal):
            return None
        return Proposed(np.array(found.col_value), np.array(found.row_dual))
