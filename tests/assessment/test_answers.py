"""What comes back from an assessment: the findings of all answers, and reasons where there is none."""

from __future__ import annotations

import json

from whit.assessment import Unanswered, Unasked, assess
from whit.errors import NotImplied
from whit.guarantees import ApproxDP, PureDP
from whit.setting import Adversary


def refusal() -> NotImplied:
    return NotImplied("the posterior", "is not bounded", 1.0, "Ask with a failure.")


def test_reasons_are_equal_if_they_say_the_same():
    assert Unanswered(refusal()) == Unanswered(refusal()) == Unanswered(str(refusal()))
    assert len({Unanswered(refusal()), Unanswered(refusal())}) == 1
    assert Unanswered("too dear") not in (Unanswered("not implied"), Unasked("too dear"), "too dear")


def test_a_question_without_an_answer_has_no_finding_and_says_why():
    without = Unanswered(refusal())
    assert without.findings == ()
    assert without.worst is None
    assert without.to_dict() == {"unanswered": without.reason}
    assert str(without) == f"not answered: {refusal()}"
    assert repr(without) == f"<Unanswered: {without}>"


def test_an_assessment_is_made_of_the_findings_of_its_answers():
    found = assess(ApproxDP(1.0, 1e-6), questions=["posterior", "power", "advantage"])
    assert found.findings == (*found.power.findings, *found.advantage.findings)
    assert found.worst is found.power


def test_an_assessment_is_a_tree_that_json_can_hold():
    found = assess(PureDP(1.0), Adversary(prior=0.3), questions=["posterior", "worst_prior"])
    tree = found.to_dict()
    assert list(tree) == ["posterior", "worst_prior"]
    assert tree["posterior"] == found.posterior.to_dict()
    assert json.loads(json.dumps(tree)) == tree
