from __future__ import annotations

import pytest

from whit.errors import InvalidInput
from whit.theory import REFERENCES
from whit.theory.registry import Reference, read_bibliography

ENTRY = """@article{KEY,
  author = {Ahmed, Ana and Berg, Bo},
  title = {On a = b},
  journal = {Journal of Tests 1(2), 3–4},
  year = {1999},
  url = {https://example.org/a?b=c},
}
"""


def read(tmp_path, text: str) -> dict[str, Reference]:
    file = tmp_path / "references.bib"
    file.write_text(text, encoding="utf-8")
    return read_bibliography(str(file))


def test_an_entry_is_read(tmp_path):
    link = "https://example.org/a?b=c"
    expected = Reference("KEY", ("Ahmed", "Berg"), "On a = b", "Journal of Tests 1(2), 3–4", 1999, link)
    assert read(tmp_path, f"{ENTRY}\n{ENTRY.replace('KEY', 'OTHER')}")["KEY"] == expected


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "  author = {Ahmed, Ana and Berg, Bo},\n",
            "",
            "must have an author, a title, a year and a url; got no author",
        ),
        ("  url = {https://example.org/a?b=c},\n", "", "got no url"),
        ("journal", "edition", "must have one of journal, booktitle, howpublished; got 0 of them"),
        ("year = {1999},", "year = {1999", "must have each value on one line, in braces"),
        ("year = {1999},", "year = {19\n99},", "must have each value on one line, in braces"),
        ("}\n", "}\nwords\n", "must have nothing but entries; got words"),
        ("@article{KEY,\n", "", "must have each value on one line"),
    ],
)
def test_an_entry_that_is_not_understood_is_refused(tmp_path, old, new, message):
    with pytest.raises(InvalidInput, match=message):
        read(tmp_path, ENTRY.replace(old, new))


def test_a_key_is_there_once(tmp_path):
    with pytest.raises(InvalidInput, match="reference 'KEY' must be there once; got a second one"):
        read(tmp_path, ENTRY + ENTRY)


@pytest.mark.parametrize(
    ("authors", "short"),
    [(("A",), "A (1999)"), (("A", "B"), "A and B (1999)"), (("A", "B", "C"), "A et al. (1999)")],
)
def test_a_publication_is_cited_by_authors_and_year(authors, short):
    assert Reference("k", authors, "t", "v", 1999, "l").short == short


def test_the_five_papers_are_there():
    assert {"KSZJY25", "KS14", "KR24", "BBRR26", "KAA22"} <= set(REFERENCES)


@pytest.mark.parametrize("entry", REFERENCES.values(), ids=lambda entry: entry.key)
def test_an_entry_is_whole_and_its_key_agrees_with_its_year(entry):
    assert all([entry.authors, entry.title, entry.venue])
    assert entry.link.startswith("https://")
    assert entry.key.endswith(f"{entry.year % 100:02d}")
    assert entry.key.startswith(entry.authors[0][0])
