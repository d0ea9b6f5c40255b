"""Proposals of HiGHS: near the best point, which is known by hand, and nothing where there is none."""

from __future__ import annotations

import numpy as np
import pytest

from whit.numerics.linear_programs import Program, Solver, solver_is_there

# x + y + z = 10, x - y = 2, all between 0 and 6: x = y + 2 and z = 8 - 2 y, so y lies between 1 and 4.
ROWS = [[(0, 1), (1, 1), (2, 1)], [(0, 1), (1, -1)]]
PROGRAM = Program(np.zeros(3), np.full(3, 6.0), ROWS, np.array([10.0, 2.0]))


def test_the_solver_is_installed_where_the_tests_run():
    assert solver_is_there()


def test_the_best_points_are_those_found_by_hand_one_after_the_other():
    solver = Solver(PROGRAM)
    assert solver.best(np.array([0.0, 0.0, 1.0])).point == pytest.approx([3.0, 1.0, 6.0])
    assert solver.best(np.array([0.0, 0.0, -1.0])).point == pytest.approx([6.0, 4.0, 0.0])


def test_the_multipliers_show_that_no_point_is_better():
    found = Solver(PROGRAM).best(np.array([0.0, 0.0, -1.0]))
    # Adding up the sums with the multipliers leaves a cost that every point between the ends bears.
    rest = np.array([0.0, 0.0, -1.0]) - found.multipliers @ np.array([[1, 1, 1], [1, -1, 0]])
    bound = found.multipliers @ PROGRAM.right + np.maximum(rest, 0.0) @ PROGRAM.highs
    assert bound == pytest.approx(0.0, abs=1e-9)


def test_a_whole_point_is_looked_for_from_one_that_fits():
    # 2 x + z = 3 with whole numbers: x is 0 or 1.
    program = Program(np.zeros(2), np.full(2, 5.0), [[(0, 2), (1, 1)]], np.array([3.0]))
    assert Solver(program).best(np.array([1.0, 0.0])).point == pytest.approx([1.5, 0.0])
    found = Solver(program, whole=True).best(np.array([1.0, 0.0]), np.array([0.0, 3.0]))
    assert found.point == pytest.approx([1.0, 1.0])


def test_where_no_point_fits_there_is_no_proposal():
    program = Program(np.zeros(1), np.ones(1), [[(0, 1)]], np.array([2.0]))
    assert Solver(program).best(np.ones(1)) is None
