"""How a mechanism answers: by its curve, with itself among the inputs."""

from __future__ import annotations

import pytest

from whit.errors import NotImplied
from whit.mechanisms import Laplace, RandomizedResponse, SimpleRandomSample
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction, Finding

MECHANISM = Laplace(2.0, sensitivity=Sensitivity(add_remove=1, replace=2))


@pytest.mark.parametrize(
    ("question", "argument", "name"),
    [
        ("delta", 0.1, "epsilons"),
        ("epsilon", 0.1, "deltas"),
        ("power", 0.1, "levels"),
        ("log_power", -3.0, "log_levels"),
        ("tail", 0.1, "losses"),
    ],
)
def test_a_question_is_put_to_the_curve_of_the_relation(question: str, argument: float, name: str) -> None:
    for relation in (Neighbours.ADD_REMOVE, Neighbours.REPLACE):
        answer = getattr(MECHANISM, question)(argument, neighbours=relation)
        assert answer.direction is Direction.EXACTLY
        assert answer.lower <= answer.upper
        assert float(answer) == float(getattr(MECHANISM.curve(relation), question)(argument))
        assert answer.inputs[name] == argument
        assert answer.inputs["neighbours"] == relation.name
        assert answer.inputs["promise"] == MECHANISM.to_dict() | {"sensitivity": MECHANISM.sensitivity.to_dict()}
        assert "curve" not in answer.inputs
    assert float(getattr(MECHANISM, question)(argument)) == float(getattr(MECHANISM.curve(), question)(argument))


def test_an_answer_survives_being_written_and_read() -> None:
    delta = MECHANISM.delta([0.1, 0.2])
    assert Finding.from_json(delta.to_json()) == delta
    deviation = MECHANISM.standard_deviation()
    assert Finding.from_json(deviation.to_json()) == deviation


def test_the_first_relation_is_taken_if_none_is_named() -> None:
    assert MECHANISM.relation() is Neighbours.ADD_REMOVE
    assert RandomizedResponse(1.0).relation() is Neighbours.LOCAL


def test_what_is_no_number_has_no_error() -> None:
    with pytest.raises(NotImplied, match="the standard deviation of the noise is not defined for .* Ask a mechanism"):
        SimpleRandomSample(1, 2).standard_deviation()
