"""What is known of a definition is said with a reason and a citation that exists."""

from __future__ import annotations

import pytest

from whit.errors import UnknownKey
from whit.guarantees import Known, Property, PureDP, ZeroConcentratedDP


def test_a_property_reads_as_a_sentence():
    known = Property(Known.NO, "It breaks.", "KAA22", "Example 5.8")
    assert str(known) == "no: It breaks. (KAA22, Example 5.8)"


def test_a_citation_that_nobody_knows_is_refused():
    with pytest.raises(UnknownKey, match="No reference has the key NOBODY99"):
        Property(Known.YES, "It holds.", "NOBODY99", "Theorem 1")


def test_the_classical_definitions_have_all_four():
    for kind in (PureDP, ZeroConcentratedDP):
        answers = vars(kind.properties).values()
        assert {answer.known for answer in answers} == {Known.YES}
