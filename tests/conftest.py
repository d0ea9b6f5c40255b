"""What holds for every test: the same examples on every run, and neither accident nor skip passes in silence."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import mpmath
import numpy as np
import pytest

hypothesis.settings.register_profile("ci", derandomize=True, deadline=None)
hypothesis.settings.load_profile("ci")
mpmath.mp.dps = 50

collect_ignore = [] if os.environ.get("WHIT_PEERS") else ["peers"]
"""Live objects of other libraries need an environment with these: `make test-peers` makes it and sets the variable."""

DEAR = Path(__file__).with_name("dear_tests.txt")
"""The tests that take long, as measured: one file says so, since of many only some cases of a test do."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the dear tests, which `make test` leaves out and `make check` runs."""
    listed = set(DEAR.read_text(encoding="utf-8").splitlines()) if DEAR.exists() else set()
    for item in items:
        if item.nodeid in listed:
            item.add_marker(pytest.mark.dear)


def processor_time() -> float:
    """Seconds of processor time of this process and of those it has waited for."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write what the test took to the file that WHIT_TEST_TIMES names: `make times` lists the dear ones by it."""
    start = processor_time()
    outcome = yield
    if times := os.environ.get("WHIT_TEST_TIMES"):
        with Path(times).open("a", encoding="utf-8") as file:
            file.write(f"{processor_time() - start:.3f} {item.nodeid}\n")
    return outcome


@pytest.fixture(autouse=True)
def floating_point_accidents_warn() -> Iterator[None]:
    """Start each test from numpy's own defaults, whatever a test before it set; pytest turns the warning into an error.

    Underflow stays quiet: a probability that is too small for a double is rounded to zero on purpose.
    """
    with np.errstate(divide="warn", over="warn", invalid="warn", under="ignore"):
        yield


def must_run(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Fail what was skipped where the variable CI is set: there, a test that cannot run is no test that passed."""
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} cannot run here, and where CI is set every test must run. {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Look at a test that was skipped."""
    report = yield
    must_run(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Look at a module that was skipped as a whole."""
    report = yield
    must_run(report)
    return report
