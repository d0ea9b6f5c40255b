"""A draft is a release file that reads back as it was answered, whatever letters the answers have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.guarantees import ZeroConcentratedDP
from whit.spec import Draft, parsed, release_of

WORDS = st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1)


@given(name=WORDS, fact=WORDS)
def test_texts_read_back(name: str, fact: str) -> None:
    found = release_of(parsed(Draft(name=name, fact=f"x{fact}x").text(), "r.toml"))
    assert found.name == " ".join(name.split())
    assert found.askers[0].fact == " ".join(f"x{fact}x".split())


def test_numbers_read_back() -> None:
    draft = Draft(
        promise={"rho": 1e-300}, releases=7, period="one year", covers="each release", failure=1e-9, prior=0.3
    )
    found = release_of(parsed(Draft(**{**vars(draft), "posterior": 0.9}).text(), "r.toml"))
    assert (found.series.one, found.series.releases) == (ZeroConcentratedDP(1e-300), 7)
    assert found.questions.failure == 1e-9
    assert not found.covers_all


@pytest.mark.parametrize("text", ["two\nlines", "a\x00b", "\ud800"])
def test_what_toml_cannot_hold_on_a_line_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="an answer must be a text of one line"):
        Draft(name=text).text()
