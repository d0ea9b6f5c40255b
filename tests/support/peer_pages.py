"""Pages about other libraries, run against these: sessions in blocks that are marked as `pycon`."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGES = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def run_sessions(page: str) -> int:
    """Run the sessions of a page in `docs` in order, one after the other, and say how many there were."""
    text = (PAGES / page).read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "__main__"}
    found = list(BLOCK.finditer(text))
    for block in found:
        session = doctest.DocTestParser().get_doctest(block[1], names, page, page, text.count("\n", 0, block.start(1)))
        session.globs = names  # what one block defines is there for the next
        report: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS, verbose=False)
        assert runner.run(session, out=report.append, clear_globs=False).failed == 0, "".join(report)
    return len(found)
