"""Questions that once took minutes, or warned: each is answered, or refused in a sentence, within seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from stopwatch import at_most

from whit.apps.cli.group import whit

LIMIT = ("--limit", "posterior=0.3, prior=0.1", "--failure", "0.01")
ASKED = [
    ("assess --laplace 0.5 --releases 365", ()),
    ("compare --promise laplace=1,releases=12,sampling-rate=0.21 --promise epsilon=1", ()),
    ("assess --geometric 0.743 --releases 365 --sensitivity 2", ()),
    ("assess --discrete-gaussian 1e4", ()),
    ("assess --discrete-gaussian 1e16 --releases 1000000000", ()),
    ("check --laplace 1e308 --releases 4", LIMIT),
    ("assess --mu 1e308 --releases 1000", ()),
    ("assess --randomized-response 1e308 --releases 1000000", ()),
    ("assess --laplace 1e-5 --releases 4 --sampling-rate 1e-3", ()),
    ("assess --laplace 1e-10 --releases 3", ()),
    ("assess --laplace 1e308 --releases 3 --sensitivity 1e-9", ()),
    ("assess --geometric 1e308", ()),
    ("assess --promise discrete-gaussian=100,releases=1000000000 --promise epsilon=0.1,delta=7e-11", ()),
    ("assess --promise discrete-gaussian=1e6,releases=1000000000000 --promise epsilon=0.1", ()),
    ("assess --promise epsilon=5814.4,releases=1000000 --promise epsilon=1.44e-5,releases=2 --prior 0.1", ()),
    ("plan rho15.toml --presence", ()),
    ("plan rho120.toml --presence", ()),
    ("plan many.toml --whole-record", ()),
    ("check --epsilon 0.1 --profile table=profile.csv", ()),
    ("report long.toml --out long.pdf", ()),
    ("claim gaussian=1e-200,sampling_rate=0.1", ()),
    ("claim gaussian=0.1,sampling_rate=0.1,releases=100", ()),
    ("assess --gaussian 1e8 --sampling-rate 0.1 --releases 100", ()),
    ("assess --gaussian 1e-8 --sampling-rate 0.1 --releases 100", ()),
    ("assess --epsilon 0.0093 --releases 1000000 --promise epsilon=0.5,releases=2", ()),
]
PLAN = """name = "a plan"
unit = "person"
levels = ["Town"]
[[query]]
name = "age"
attributes = ["age"]
level = "Town"
rho = "{}"
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    demo = (Path(__file__).parents[3] / "demo" / "release.toml").read_text("utf-8")
    (tmp_path / "long.toml").write_text(demo.replace("an employer", "x" * 100_000))
    for power in (15, 120):
        (tmp_path / f"rho{power}.toml").write_text(PLAN.format(f"1e{power}"))
    kinds = (f"q{at},age,Town,{0.001 * (1 + at / 7)!r},laplace\n" for at in range(1000))
    (tmp_path / "kinds.csv").write_text(f"name,attributes,level,epsilon,mechanism\n{''.join(kinds)}")
    (tmp_path / "many.toml").write_text(PLAN.partition("[[query]]")[0] + 'queries = "kinds.csv"\n')
    rows = "".join(f"{at / 5001:.6f},0.5,2\n" for at in range(1, 5001))
    (tmp_path / "profile.csv").write_text(f"inclusion,value,relative\n{rows}")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("words", "more"), ASKED, ids=[words for words, _ in ASKED])
def test_a_question_that_took_minutes_takes_seconds(here, words, more):
    with at_most(seconds=15):
        found = CliRunner().invoke(whit, [*words.split(), *more])
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    assert found.exit_code in (0, 1, 2, 3)
    assert "nan" not in found.output.split()
