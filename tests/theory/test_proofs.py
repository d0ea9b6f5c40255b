"""Each proof page is about a theorem and holds a numerical check that runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from offenders import check_all

from whit.theory import THEOREMS

FOLDER = Path(__file__).parents[2] / "src" / "whit" / "theory" / "proofs"
PAGES = sorted(FOLDER.glob("*.md"))
BLOCK = re.compile(r"^```python\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def test_every_page_proves_a_theorem_and_every_promised_page_is_there():
    assert {page.stem for page in PAGES} == {entry.key for entry in THEOREMS.values() if entry.proof}


def lacks(text: str, title: str) -> list[str]:
    """The parts that a page does not have."""
    titled = [] if text.startswith(f"# {title}\n") else ["title"]
    return titled + [part for part in ("**Claim.**", "**Proof.**", "∎", "**Check.**") if part not in text]


def test_a_page_has_a_claim_a_proof_and_a_check():
    texts = {page.stem: (page.read_text(encoding="utf-8"), THEOREMS[page.stem].title) for page in PAGES}
    check_all(texts, lambda page: lacks(*page))


def test_a_part_that_a_page_does_not_have_is_found():
    assert lacks("# Title\n**Claim.** **Proof.** ∎", "Title") == ["**Check.**"]
    assert lacks("# Title\n**Claim.** ∎ **Check.**", "Other") == ["title", "**Proof.**"]


@each_page
def test_the_check_of_a_page_asserts_and_holds(page):
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert any("assert " in block for block in blocks)
    for block in blocks:
        exec(compile(block, page.name, "exec"), {"__name__": "__main__"})
