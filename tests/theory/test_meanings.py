"""The glossary is read whole: every row of its page, once, without the marks of Markdown."""

from __future__ import annotations

from pathlib import Path

from whit.theory import glossary

PAGE = Path(__file__).parents[2] / "src" / "whit" / "theory" / "glossary.md"


def test_every_row_of_the_page_is_a_word_with_its_meaning():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and not line.startswith("| word ")]
    found = [(word, meaning) for chapter in glossary() for word, meaning in chapter.meanings]
    assert [f"| {word} | {meaning} |" for word, meaning in found] == [
        row.replace("*", "").replace("`", "") for row in rows
    ]
    assert [f"## {chapter.title}" for chapter in glossary()] == [line for line in lines if line.startswith("## ")]


def test_no_word_has_two_meanings():
    words = [word for chapter in glossary() for word, _ in chapter.meanings]
    assert len(words) == len(set(words)) > 50
