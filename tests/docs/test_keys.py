"""The key of a theorem, written as code, leads to its page; other code does not."""

from __future__ import annotations

import pytest
from _generate.keys import page_of

from whit.theory import THEOREMS


def test_a_key_has_its_page():
    keys = [key for key in THEOREMS if "-" in key]
    assert [page_of(key) for key in keys] == [f"reference/theorems/{key}" for key in keys]


@pytest.mark.parametrize("text", ["cells", "no-such-theorem", "whit theorem zcdp-tails", "--rho", ""])
def test_other_code_has_none(text):
    assert page_of(text) is None
