"""Sentences about void and narrow profiles."""

from __future__ import annotations

from whit.policy.profiles import ClosedForm, Domain
from whit.policy.profiles.notice import tight, void


def test_a_limit_is_void_from_its_reciprocal_on() -> None:
    assert void(4.0, Domain()) == (
        "Where the prior is 0.25 or more, a relative risk of 4 allows certainty. There the profile limits nothing.",
    )
    assert void(4.0, Domain((0.0, 0.25))) == ()
    assert "everywhere" in void(4.0, Domain((0.5, 1.0), (0.5, 1.0)))[0]


def test_room_is_narrow_below_a_hundredth() -> None:
    assert tight(ClosedForm(0.02, (1.0, 0.0), "profile-constant")) == ()
    assert tight(ClosedForm(0.005, (1.0, 0.1), "profile-constant")) == (
        "At inclusion 1 and value 0.1 the profile leaves hardly any room: epsilon is 0.005 at most.",
    )
    assert "no gain at all" in tight(ClosedForm(0.0, (1.0, 0.1), "profile-constant"))[0]
