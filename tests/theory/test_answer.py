from __future__ import annotations

from dataclasses import dataclass

import pytest

from whit.theory import Answer, Basis, Direction, Finding, Quantity, Unit

POWER = Quantity("power", Unit.PROBABILITY)
FINDINGS = tuple(Finding(POWER, each, Direction.AT_MOST, {}, Basis.of("neyman-pearson")) for each in (0.25, 0.75))


@dataclass(frozen=True, repr=False)
class Several(Answer):
    """Some findings, and words of more than one line."""

    parts: tuple[Finding, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.parts

    def __str__(self) -> str:
        return "first line\nsecond line"


def test_an_answer_is_read_by_its_first_finding_unless_it_says_otherwise():
    assert Several(FINDINGS).worst is FINDINGS[0]


def test_an_answer_without_findings_has_no_worst():
    assert Several(()).worst is None
    assert Several(()).to_dict() == {"findings": []}


def test_an_answer_as_a_tree_is_the_trees_of_its_findings():
    assert Several(FINDINGS).to_dict() == {"findings": [each.to_dict() for each in FINDINGS]}


def test_the_repr_of_an_answer_is_one_short_line():
    assert repr(Several(FINDINGS)) == "<Several: first line>"


def test_an_answer_says_what_its_findings_are():
    with pytest.raises(TypeError, match="abstract.*findings"):
        Answer()  # type: ignore[abstract]
