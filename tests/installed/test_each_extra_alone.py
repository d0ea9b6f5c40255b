"""The wheel in a bare environment with each extra alone: what the extra is for works, without a compiler.

Each environment is made by pip from the package index, so all of these are slow.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
import venv
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
# Tools of developers run from the repository, not from the wheel.
OF_DEVELOPERS = {"dev", "docs"}
WORKS = {
    "": [
        "whit assess --epsilon 1",
        "whit ledger init",
        'whit ledger open homes --population all --limit "posterior=0.3, prior=0.1" --failure 0.01 --actor ada',
        'whit ledger reserve homes --gaussian 10 --what "table 1" --actor ada',
        "whit ledger release 3 --actor ada",
        "whit ledger check homes --gaussian 0.1 && exit 9 || test $? = 1",
        "whit ledger status && whit ledger history homes && whit ledger verify",
    ],
    "audit": ["python -c 'import highspy'", "whit audit --help"],
    "charts": ["whit plot posterior-against-prior --epsilon 1 --out picture.svg"],
    "exchange": ["whit import record.yaml"],
    "notebooks": ["python -c 'from whit import PureDP, assess; assess(PureDP(1)).to_frame()'"],
    "postgres": ["python -c 'import psycopg'"],
    "reports": ["whit report release.toml --out report.pdf"],
    "tables": ["whit annotate table.csv --out risks.parquet"],
    "web": ["whit web --help"],
}
RECORD = """\
url_slug: visits-2026
status: Draft
tier: 2
deployment:
  basic:
    name: Visits
    intended_use: planning
    data_product_type: Summary statistics
    data_product_region: Austria
    description: Visits by month
    publication_date: '2026-05-01'
    data_curators:
    - An office
  dp_variant:
    variant_name: Pure DP
  privacy_loss:
    privacy_unit: person
    privacy_parameters:
      epsilon: 1.0
  administrative:
    notes: ledger head 1234
    registry_authors:
    - Ada
"""
FILES = {
    "record.yaml": RECORD,
    "table.csv": "epsilon\n1.0\n2.0\n",
    "release.toml": (ROOT / "demo" / "release.toml").read_text(encoding="utf-8"),
}


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"])
    return Path(built)


def installed(folder: Path, wheel: Path, extra: str) -> Path:
    """The programs of a bare environment with the wheel and one extra; nothing is compiled."""
    venv.create(folder, with_pip=False)
    what = f"{wheel}[{extra}]" if extra else str(wheel)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(folder / "bin" / "python")]
    bound = ["--only-binary", ":all:", "-c", str(ROOT / "constraints.txt")]
    subprocess.run([*pip, "install", "--quiet", *bound, what], check=True)
    return folder / "bin"


def ran(programs: Path, command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command line in this environment alone, in a folder with the files that it may need."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["PATH"] = str(programs)  # no compiler, and no other whit
    environment["WHIT_LEDGER"] = str(folder / "office.ledger")
    return subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_every_extra_is_tried() -> None:
    assert set(WORKS) - {""} == set(EXTRAS) - OF_DEVELOPERS


@pytest.mark.parametrize("extra", WORKS)
def test_what_an_extra_is_for_works_with_it_alone(extra: str, wheel: Path, tmp_path: Path) -> None:
    programs = installed(tmp_path / "bare", wheel, extra)
    for command in WORKS[extra]:
        found = ran(programs, command, tmp_path)
        assert found.returncode == 0, (command, found.stdout, found.stderr)


def test_without_the_extra_the_command_names_it(wheel: Path, tmp_path: Path) -> None:
    programs = installed(tmp_path / "bare", wheel, "")
    for extra, command in {"charts": WORKS["charts"][0], "web": "whit web", "tables": WORKS["tables"][0]}.items():
        found = ran(programs, command, tmp_path)
        assert found.returncode == 4, (command, found.stdout, found.stderr)
        assert extra in found.stderr
        assert "Traceback" not in found.stderr


def test_the_pages_are_served_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """By the link that is printed, as a person comes in."""
    programs = installed(tmp_path / "bare", wheel, "web")
    command = [str(programs / "whit"), "web", "--port", "18437", "--no-browser"]
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout is not None
            link = next(found for line in server.stdout if (found := re.search(r"http://\S+/enter\S+", line)))
            assert "<h1" in _page(browser, link[0], within=60.0)
            asked = _page(browser, "http://127.0.0.1:18437/api/v1/assess?epsilon=1", within=20.0)
            # e/(1 + e), the posterior from a half.
            assert "0.73105857863000" in asked
        finally:
            server.terminate()


def _page(browser: urllib.request.OpenerDirector, address: str, *, within: float) -> str:
    """What an address has, once it answers; a status that is not 200 is an error."""
    end = time.monotonic() + within
    while True:
        try:
            with browser.open(address, timeout=20) as found:
                return str(found.read(), "utf-8")
        except urllib.error.HTTPError:
            raise
        except urllib.error.URLError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
