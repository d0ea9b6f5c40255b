"""Runs tests in copies of this process, which start at once: what all tests need is loaded before the copy is made."""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import signal
import sys
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import hypothesis
import pytest

LARGE = ("numpy", "mpmath", "hypothesis.strategies", "hypothesis.core", "_hypothesis_pytestplugin", "pytest_cov.plugin")
_KILLED_BY_CLOCK = (-signal.SIGPROF, -signal.SIGKILL)


def in_child(work: Callable[..., int], *arguments: object, seconds: float, **options: object) -> int | None:
    """What work returns in a copy of this process; None if it takes too long."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            os.setsid()
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1)
            os.dup2(silent, 2)
            code = work(*arguments, **options)
        finally:
            os._exit(code)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return None if code in _KILLED_BY_CLOCK else code
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def load_what_lies_below(package: str, root: Path) -> None:
    """Load the large libraries, and the packages of whit that cannot depend on this one."""
    sys.path[:0] = [str(root / "src")]
    for name in LARGE:
        importlib.import_module(name)
    contracts = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = [layer for each in contracts if each["id"] == "layers" for layer in each["layers"]]
    level = next(at for at, layer in enumerate(layers) if f"({package})" in layer)
    for layer in reversed(layers[level + 1 :]):
        for part in layer.split("|"):
            _load("whit." + part.strip(" ()"))


def _load(name: str) -> None:
    with contextlib.suppress(ImportError):  # a library that few need is not there
        module = importlib.import_module(name)
        for each in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
            _load(each.name)


def run_tests(options: Sequence[str], root: Path, *plugins: object) -> int:
    """What pytest returns; without the plugins that these tests do not need, which load slowly."""
    os.chdir(root)
    os.environ |= {"PYTHONPATH": f"{root / 'src'}:{root}", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    sys.path[:0] = [str(root / "src"), str(root)]
    quiet = ["-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", "--rootdir", str(root)]
    needed = ["-p", "_hypothesis_pytestplugin", "-p", "pytest_cov", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return int(pytest.main([*quiet, *needed, *options], plugins=list(plugins)))


class Clock:
    """Ends the process where a test takes far more processor time than before, and looks for no smallest example."""

    def __init__(self, times: Mapping[str, float]) -> None:
        self.times = times

    def pytest_sessionstart(self) -> None:
        """The examples of every run, of which the first that fails is enough."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        every = hypothesis.settings.get_profile("ci")
        hypothesis.settings.register_profile("mutants", every, phases=phases, report_multiple_bugs=False)
        hypothesis.settings.load_profile("mutants")

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Eight times what the test took before, and some seconds for what it is the first to need."""
        signal.setitimer(signal.ITIMER_PROF, 5 + 8 * self.times.get(item.nodeid, 1.0))


class Times:
    """Notes how long each test takes."""

    def __init__(self, file: Path) -> None:
        self.file = file.open("a", encoding="utf-8")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One line a test."""
        if report.when == "call" and report.passed:
            self.file.write(f"{report.nodeid}\t{report.duration:.4f}\n")
            self.file.flush()
