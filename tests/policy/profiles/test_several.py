"""Several profiles at once: the strictest wins, and says so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.policy.profiles import Strictest, box, capped, constant, custom, difference, strictest

MEMBERS = {
    "patients": capped(relative=2.0, absolute=0.1, value=1.0),
    "staff": box(1.5, inclusion=(0.5, 1.0), value=(0.0, 0.5)),
}


def test_the_smallest_limit_holds_and_is_named() -> None:
    both = strictest(MEMBERS)
    assert list(both.limit([0.8, 0.8, 0.2], [1.0, 0.3, 0.3])) == [2.0, 1.5, math.inf]
    assert list(both.which([0.8, 0.8, 0.2], [1.0, 0.3, 0.3])) == ["patients", "staff", ""]


def test_the_epsilon_is_the_smallest_of_all_and_its_member_is_named() -> None:
    profiles = {"ratio": constant(2.0), "difference": difference(0.2), "loose": constant(9.0)}
    both = strictest(profiles)
    epsilons = {name: profile.closed_form().epsilon for name, profile in profiles.items()}
    closed = both.closed_form()
    assert closed is not None
    assert closed.epsilon == min(epsilons.values())
    assert both.binding_member() == min(epsilons, key=epsilons.__getitem__)


def test_without_a_closed_form_of_all_there_is_none() -> None:
    both = strictest({"ratio": constant(2.0), "function": custom(lambda _p, _q: 3.0)})
    assert both.closed_form() is None
    assert both.binding_member() is None
    assert not both.proved


def test_the_domain_holds_those_of_all() -> None:
    assert strictest(MEMBERS).domain.inclusion == (0.0, 1.0)
    assert strictest({"staff": MEMBERS["staff"]}).domain == MEMBERS["staff"].domain


def test_notices_carry_the_names() -> None:
    said = strictest({"all": constant(3.0)}).notices()
    assert all(sentence.startswith("all: ") for sentence in said)
    assert said


def test_arrays_of_names_have_the_shape_of_the_beliefs() -> None:
    assert strictest(MEMBERS).which(np.full((2, 3), 0.8), 0.3).shape == (2, 3)


def test_what_is_no_profile_is_refused() -> None:
    with pytest.raises(InvalidInput, match="the profile 'patients' must be a risk profile"):
        strictest({"patients": 3.0})  # type: ignore[dict-item]
    with pytest.raises(InvalidInput, match="members must be profiles by name"):
        strictest({})
    with pytest.raises(InvalidInput, match="members must be profiles by name"):
        strictest([constant(2.0)])  # type: ignore[arg-type]


@pytest.mark.parametrize("members", [3, (3,), (("a",),), "ab"])
def test_members_are_pairs_of_a_name_and_a_profile(members):
    with pytest.raises(InvalidInput, match="members must be profiles by name"):
        Strictest(members)


def test_several_profiles_are_at_least_one() -> None:
    with pytest.raises(InvalidInput, match="members must be profiles by name"):
        strictest({})
