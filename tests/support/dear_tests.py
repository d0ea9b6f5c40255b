"""List the tests that take long, from what each test took.

    WHIT_TEST_TIMES=build/times.txt python -m pytest -m "not slow and not web"
    python tests/support/dear_tests.py build/times.txt

Rules of the house and pages are not listed, however long they take: a change is most likely to break these.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
LIST = TESTS / "dear_tests.txt"
# A test that takes more processor time than this, in seconds, is dear.
MOST = 0.4


def is_of_the_house(test: str) -> bool:
    """Whether it lies beside the folders, or with the sources."""
    return test.startswith("src/") or test.count("/", 0, test.index("::")) == 1


def dear(times: list[str]) -> list[str]:
    """The names of the tests that took long, in order; of one that ran several times, by the last."""
    took = {test: float(seconds) for seconds, test in (line.split(" ", 1) for line in times)}
    return sorted(test for test, seconds in took.items() if seconds > MOST and not is_of_the_house(test))


def main() -> int:
    """Write the list; say how much is in it."""
    listed = dear(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines())
    LIST.write_text("".join(f"{test}\n" for test in listed), encoding="utf-8")
    sys.stdout.write(f"{len(listed)} tests take more than {MOST} s of processor time.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
