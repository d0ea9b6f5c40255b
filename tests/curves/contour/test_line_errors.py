"""The errors that one line states, where they are made large on purpose: each covers what it is about."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest

from whit.curves.contour import Composition, GaussianKind, RandomizedResponseKind
from whit.curves.contour.floating import ELEMENTARY
from whit.curves.contour.inversion import Answer, Line, invert
from whit.curves.contour.question import COMPLEMENT, LOWER_TAIL, PROFILE, UPPER_TAIL, LatticeQuestion, Question
from whit.curves.contour.saddle import chernoff_table

EPSILON, COPIES, MU = 0.8, 3, 0.6
LINES = {"profile": (PROFILE, 1.3), "rest": (COMPLEMENT, -0.4), "upper": (UPPER_TAIL, 0.9), "lower": (LOWER_TAIL, -1.7)}


def truth(name: str, x: float) -> mp.mpf:
    """The answer at x, with forty digits: a sum over the losses of the responses."""
    keep, v = 1 / (1 + mp.exp(-mp.mpf(EPSILON))), mp.mpf(MU) ** 2
    tail, null = mp.mpf(0), mp.mpf(0)
    for kept in range(COPIES + 1):
        mass = mp.binomial(COPIES, kept) * keep**kept * (1 - keep) ** (COPIES - kept)
        gap = (2 * kept - COPIES) * mp.mpf(EPSILON) - mp.mpf(x)
        tail += mass * mp.ncdf((gap + v / 2) / mp.mpf(MU))
        null += mass * mp.exp(-gap) * mp.ncdf((gap - v / 2) / mp.mpf(MU))
    return {"profile": tail - null, "rest": 1 - tail + null, "upper": tail, "lower": 1 - tail}[name]


def line_of(name: str, x: float, careless: float) -> tuple[Answer, mp.mpf]:
    """A line that takes the answer for e^careless times as large, and so may err by so much more; and the truth."""
    question, tilt = LINES[name]
    composition = Composition({RandomizedResponseKind(EPSILON): COPIES, GaussianKind(MU): 1})
    xs = np.array([x])
    about = np.array([float(mp.log(truth(name, x))) + careless])
    line = Line(composition, question, tilt, 0.0, xs, about)
    return invert(line, chernoff_table(composition, question, xs)), truth(name, x)


@pytest.mark.parametrize("careless", [0.0, 20.0, 30.0, 34.0])
@pytest.mark.parametrize("x", [-0.7, 0.4, 2.9])
@pytest.mark.parametrize("name", list(LINES))
def test_the_truth_lies_within_the_errors_of_a_line_however_careless(name: str, x: float, careless: float) -> None:
    answer, exact = line_of(name, x, careless)
    share = exact / mp.exp(mp.mpf(float(answer.log_scale[0])))
    value, either = mp.mpf(float(answer.value[0])), float(answer.round_off[0]) + answer.truncation
    room = 1 + float(answer.scale_error[0])
    assert (value - either - float(answer.aliasing[0])) / room <= share <= (value + either) * room


@pytest.mark.parametrize("name", list(LINES))
def test_without_aliasing_and_truncation_a_careless_line_would_be_wrong(name: str) -> None:
    misses = []
    for x in (-0.7, 0.4, 2.9):
        answer, exact = line_of(name, x, 34.0)
        share = float(exact / mp.exp(mp.mpf(float(answer.log_scale[0]))))
        misses.append(abs(float(answer.value[0]) - share) > 10 * float(answer.round_off[0]))
    assert any(misses)


def log_weight(question: Question, c: float) -> mp.mpf:
    """log |w(c)| with forty digits, from the definition of the weights."""
    s = mp.mpf(c)
    if not isinstance(question, LatticeQuestion):
        return -mp.log(abs(s * (s + 1) if question.two_poles else s))
    spacing = mp.mpf(question.spacing)
    a, b = mp.exp(-s * spacing), mp.exp(-spacing)
    weight = (1 - b) * a / ((1 - a) * (1 - a * b)) if question.two_poles else 1 / (1 - a)
    return mp.log(abs(spacing * weight))


@pytest.mark.parametrize("spacing", [None, 1e-12, 0.3, 4.0])
@pytest.mark.parametrize("name", list(LINES))
def test_the_log_of_a_weight_is_rounded_by_no_more_than_its_size_says(name: str, spacing: float | None) -> None:
    question, tilt = LINES[name]
    asked = question if spacing is None else LatticeQuestion.of(question, spacing)
    sizes = 10.0 ** np.linspace(-12, 0, 13) if name == "rest" else 10.0 ** np.linspace(-12, 2, 15)
    for size in sizes:
        c = math.copysign(float(size) * 0.77, tilt)
        computed = mp.mpf(float(asked.log_weight(np.array([c]))[0]))
        allowed = 2 * ELEMENTARY * (asked.weight_size(c) + 1)
        assert abs(computed - log_weight(asked, c)) <= allowed
