"""Accountants of Opacus, by their history and their state."""

from __future__ import annotations

import pytest

from whit.errors import InvalidInput
from whit.exchange import OpenPoint, from_opacus, learn
from whit.mechanisms import Gaussian, PoissonSubsampled, compose
from whit.setting import Sensitivity

NOISE = Gaussian(1.0, sensitivity=Sensitivity(add_remove=1.0, replace=2.0))
HISTORY = [(1.0, 0.01, 1000)]


def test_a_history_is_noise_on_poisson_samples():
    found = from_opacus(HISTORY)
    assert found.promise == PoissonSubsampled(NOISE, 0.01).times(1000)
    assert OpenPoint.SAMPLING in found.open


def test_noise_that_changes_may_have_been_chosen_on_the_way():
    assert OpenPoint.ADAPTIVITY in from_opacus([(1.0, 0.01, 10), (1.5, 0.01, 10)]).open
    assert OpenPoint.ADAPTIVITY not in from_opacus([(1.0, 0.01, 10), (1.0, 0.01, 20)]).open


def test_the_state_is_read_as_the_history_is():
    state = {"history": [list(HISTORY[0])], "mechanism": "rdp"}
    assert learn(state).promise == from_opacus(HISTORY).promise


def test_phases_compose_and_a_full_batch_has_no_sample():
    found = from_opacus([*HISTORY, (1.0, 1, 3)]).promise
    expected = compose(PoissonSubsampled(NOISE, 0.01).times(1000), NOISE.times(3))
    assert float(found.epsilon(1e-6)) == float(expected.epsilon(1e-6))


@pytest.mark.parametrize(
    ("history", "words"),
    [
        ([], "must have a phase"),
        ([(1.0, 0.01)], r"history\[0\] must be \(noise multiplier"),
        ([(1.0, "x", 3)], r"history\[0\]\[1\] must be a finite number"),
        ([(1.0, 0.1, 2.5)], r"history\[0\]\[2\] must be a whole number"),
        ("none", "must be a list of phases"),
        ({"mechanism": "rdp"}, "state.history must be there"),
    ],
)
def test_what_is_no_history_is_refused_with_its_place(history, words):
    with pytest.raises(InvalidInput, match=words):
        from_opacus(history)
