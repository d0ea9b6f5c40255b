"""One number is one text in one output, on its safe side: in a report, on its sheet, and in what the commands say.

The numbers are those of the archive of a report. A percentage next to one of them, by less than a unit in its own last
place, must be that number as it is rounded to its safe side, or a number that the file states.
"""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.spec import parsed, release_of
from whit.telling.reports import document_of
from whit.telling.reports.formats import as_markdown

DATE = datetime.date(2026, 1, 31)
PROMISES = ("gaussian = {sigma}", "laplace = {sigma}", "epsilon = {epsilon}", "rho = {rho}", "mu = {epsilon}")
SEEDS = range(12)
COMMANDS = (("check",), ("assess",), ("explain", "--audience", "officer"))
PERCENT = re.compile(r"(?<![\d.,])(\d+(?:[.,]\d+)?)\s?%")


@cache
def file_of(seed: int) -> tuple[str, frozenset[Decimal]]:
    """A release at random, and the percentages that it states."""
    draw = random.Random(seed)
    prior, other, level, failure = (draw.choice(of) for of in ((0.05, 0.1, 0.3), (0.2, 0.5), (0.01, 0.05), (0.01,)))
    posterior, power = draw.choice((0.35, 0.5, 0.7)), draw.choice((0.1, 0.3, 0.8))
    drawn = {"sigma": draw.uniform(1.0, 8.0), "epsilon": draw.uniform(0.1, 1.5), "rho": draw.uniform(0.005, 0.2)}
    knows = [draw.choice(("any_belief", "everyone_else")) for _ in range(3)]
    promise = draw.choice(PROMISES).format(
        **{name: round(number, 2 + (name == "rho")) for name, number in drawn.items()}
    )
    text = f"""\
[release]
name = "Visits"
publisher = "Agency"
[unit]
name = "person"
[promise]
{promise}
releases = {draw.choice((1, 4))}
[[adversary]]
name = "an employer"
fact = "an applicant was there"
prior = {prior}
knows = "{knows[0]}"
[[adversary]]
name = "a neighbour"
fact = "the person next door was there"
prior = {other}
knows = "{knows[1]}"
[limit.posterior]
limit = {posterior}
prior = {prior}
knows = "{knows[2]}"
[limit.power]
limit = {power}
level = {level}
[questions]
failure = {failure}
level = {level}
"""
    given = {prior, other, level, failure, posterior, power}
    return text, frozenset(Decimal(repr(each)) * 100 for each in given)


def safely(value: float, *, down: bool = False) -> Decimal:
    """A share as a percentage in three digits, by the decimal module; next to 100 % in as many as tell it apart."""
    exact = Decimal(repr(value))
    nines = -(1 - exact).adjusted() - 1 if Decimal("0.5") < exact < 1 else 0
    rounding = Context(prec=max(3, nines + 2), rounding=ROUND_FLOOR if down else ROUND_CEILING)
    return rounding.plus(exact) * 100


def numbers(tree: Any) -> Iterable[tuple[float, bool]]:
    """Every share of the archive that is more than an estimate, and whether it is a lower end."""
    for each in tree:
        found = each["finding"]
        if found["direction"] == "ABOUT":
            continue
        safe_is_lower = found["direction"] == "AT_LEAST"
        for end in ("lower", "upper"):
            several = found[end] if isinstance(found[end], list) else [found[end]]
            shares = (number for number in several if isinstance(number, float) and 1e-4 < number < 1.0)
            yield from ((number, safe_is_lower and end == "lower") for number in shares)


def misfits(text: str, tree: Any, given: Iterable[Decimal]) -> list[str]:
    """The percentages in a text that are one of the numbers, rounded in another way than to its safe side."""
    known = list(numbers(tree))
    right = {safely(number, down=lower) for number, lower in known} | set(given) | {Decimal("99.9"), Decimal(100)}
    wrong = []
    for said in set(PERCENT.findall(text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " "))):
        shown = Decimal(said.replace(",", "."))
        unit = Decimal(1).scaleb(shown.as_tuple().exponent)
        close = [number for number, _ in known if abs(Decimal(repr(number)) * 100 - shown) < unit]
        if close and shown not in right and "." in said.replace(",", "."):
            wrong.append(f"{said} % for {close}")
    return wrong


@pytest.mark.parametrize(
    ("seed", "language"),
    [*((seed, "en") for seed in SEEDS), *((seed, other) for seed in (1, 2, 3) for other in ("de", "fr"))],
)
def test_a_report_has_one_text_for_one_number(seed: int, language: str) -> None:
    text, given = file_of(seed)
    document = document_of(release_of(parsed(text, "release.toml")), date=DATE, language=language)
    said = re.sub(
        r"\| .*\(20\d\d\) \|.*", "", as_markdown(document, "report")[0]
    )  # other publishers have other numbers
    assert len(PERCENT.findall(said)) > 30
    assert misfits(said, document.findings, given) == []


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_command_has_the_text_of_the_report(seed: int, command: tuple[str, ...], tmp_path) -> None:
    text, given = file_of(seed)
    (tmp_path / "release.toml").write_text(text, encoding="utf-8")
    found = CliRunner().invoke(whit, [*command, "--from", str(tmp_path / "release.toml")])
    assert found.exit_code in (0, 1), found.output
    document = document_of(release_of(parsed(text, "release.toml")), date=DATE, sheet=True)
    assert misfits(found.stdout, document.findings, given) == []


def test_a_second_rounding_is_found() -> None:
    tree = [{"finding": {"direction": "AT_MOST", "lower": None, "upper": 0.36237}}]
    assert misfits("at most 36.3 %, beside 36.3 %", tree, ()) == []
    assert misfits("at most 36.3 %, and may reach 36.2 %", tree, ()) == ["36.2 % for [0.36237]"]
    assert misfits("at most 36.24 %", tree, ()) == ["36.24 % for [0.36237]"]
    assert misfits("höchstens 36,2\N{NO-BREAK SPACE}%", tree, ()) == ["36,2 % for [0.36237]"]
    assert misfits("the prior is 36.2 %", tree, (Decimal("36.2"),)) == []
