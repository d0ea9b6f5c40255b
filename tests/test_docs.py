"""The documentation runs, and its links lead somewhere."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from offenders import check_all

ROOT = Path(__file__).parents[1]

FENCE = re.compile(r"^```([^`\n]*)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?)\s*$", flags=re.MULTILINE)


def pages() -> list[Path]:
    """Every page a reader may open."""
    patterns = ["*.md", "docs/**/*.md", "tests/**/*.md", "src/**/*.md"]
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern))


def python_blocks(text: str) -> list[tuple[int, str]]:
    """The python blocks of a page, each with the line on which its code starts, counted from 0."""
    return [(text.count("\n", 0, m.start(2)), m[2]) for m in FENCE.finditer(text) if m[1] == "python"]


def run_block(source: str, name: str, line: int, namespace: dict[str, object]) -> None:
    """Run a block: a session with prompts must print what it shows, anything else must not fail."""
    if source.lstrip().startswith(">>>"):
        run_session(source, name, line, namespace)
    else:
        exec(compile("\n" * line + source, name, "exec"), namespace)


def run_session(source: str, name: str, line: int, namespace: dict[str, object]) -> None:
    session = doctest.DocTestParser().get_doctest(source, namespace, name, name, line)
    session.globs = namespace  # doctest made a copy, but what one block defines is there for the next
    report: list[str] = []
    flags = doctest.NORMALIZE_WHITESPACE | doctest.FAIL_FAST
    runner = doctest.DocTestRunner(optionflags=flags, verbose=False)
    results = runner.run(session, out=report.append, clear_globs=False)
    assert results.failed == 0, "".join(report)


def run_page(text: str, name: str) -> dict[str, object]:
    """Run the blocks of a page in order, and return the names they leave behind."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    for line, source in python_blocks(text):
        run_block(source, name, line, namespace)
    return namespace


def anchors(text: str) -> set[str]:
    """The anchors that the headings of a page get: lower case, hyphens for spaces, no punctuation."""
    titles = HEADING.findall(FENCE.sub("", text))
    return {re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-") for title in titles}


def dead_links(page: Path) -> list[str]:
    """The relative links of a page that lead to no file, or to no heading of it."""
    links = LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    return [link for link in links if not re.match(r"\w+:", link) and not leads_somewhere(page, link)]


def leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    return target.exists() and (not anchor or anchor in anchors(target.read_text(encoding="utf-8")))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


PAGES = pages()
# The checks of proof pages are run by tests/theory/test_proofs.py.
PROOFS = ROOT / "src" / "whit" / "theory" / "proofs"
PAGES_WITH_CODE = [page for page in PAGES if page.parent != PROOFS and python_blocks(page.read_text(encoding="utf-8"))]


def test_pages_and_code_were_found():
    assert ROOT / "README.md" in PAGES_WITH_CODE
    assert any(relative(page).startswith("docs/") for page in PAGES)


@pytest.mark.parametrize("page", PAGES_WITH_CODE, ids=relative)
def test_the_code_on_the_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # an example may write a file; it does not stay
    assert run_page(page.read_text(encoding="utf-8"), relative(page))["__name__"] == "__main__"


def test_the_links_on_the_pages_lead_somewhere():
    check_all({relative(page): page for page in PAGES}, dead_links)


def test_blocks_of_a_page_share_their_names():
    page = "```python\nx = 1\n```\n```python\n>>> y = x + 1\n>>> y\n2\n```\n```python\nz = y + 1\n```\n"
    assert run_page(page, "page")["z"] == 3


def test_a_block_that_fails_is_found_with_its_line():
    with pytest.raises(ZeroDivisionError, match="division by zero") as caught:
        run_page("words\n\n```python\nx = 1\nx / 0\n```\n", "page")
    assert caught.traceback[-1].lineno + 1 == 5


def test_a_session_that_prints_something_else_is_found():
    with pytest.raises(AssertionError, match="(?s)line 2, in page.*Expected:.*3.*Got:.*2"):
        run_page("```python\n>>> 1 + 1\n3\n```\n", "page")


def test_a_dead_link_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Here it is\n[a](page.md#here-it-is) [b](#here-it-is) [c](gone.md) [d](#gone) [e](https://x.org)")
    assert dead_links(page) == ["gone.md", "#gone"]


def overruled(texts: dict[str, str]) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The pairs of an earlier decision and a later one: as the earlier page says, and as the later one says."""
    early = {(page[:4], later) for page in texts for later in re.findall(r"Overruled by \[(\d{4})\]", texts[page])}
    late = {(old, page[:4]) for page in texts for old in re.findall(r"overrules [^.]*?\[(\d{4})\]", texts[page])}
    return early, late


def test_a_decision_and_the_one_that_overrules_it_both_say_so():
    folder = ROOT / "docs" / "decisions"
    early, late = overruled({path.name: path.read_text(encoding="utf-8") for path in folder.glob("[0-9]*.md")})
    assert early == late
    assert ("0006", "0007") in early


def test_a_decision_that_is_overruled_in_silence_is_found():
    texts = {"0001-a.md": "Nothing.", "0002-b.md": "This page overrules the end of [0001](0001-a.md)."}
    assert overruled(texts) == (set(), {("0001", "0002")})
