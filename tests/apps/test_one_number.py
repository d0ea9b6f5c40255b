"""One release file, one number: every command, the report, the sheet, the interface for programs and Python agree."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from whit import Adversary, ApproxDP, Gaussian, assess
from whit.apps.asking import ask
from whit.apps.cli import whit
from whit.mechanisms import PoissonSubsampled, compose
from whit.setting import Neighbours

DEMO = Path(__file__).resolve().parents[2] / "demo" / "release.toml"
ABOUT = '[release]\nname = "Tables"\npublisher = "An office"\n[unit]\nname = "person"\n'
PROMISES = {
    "epsilon and delta": "epsilon = 0.5\ndelta = 1e-6\nreleases = 2\n",
    "noise": "gaussian = 8\nreleases = 4\n",
    "training": "gaussian = 1\nsampling_rate = 0.01\nreleases = 1000\n",
}
REST = """
[[adversary]]
name = "an employer"
fact = "an applicant is in treatment"
prior = 0.1
[limit.posterior]
limit = 0.4
prior = 0.1
[limit.power]
limit = 0.3
level = 0.05
[profile.capped]
relative = 3.0
absolute = 0.25
[questions]
failure = 0.01
"""
COMMANDS = ("assess", "check", "explain")
QUESTIONS = ("posterior", "power")
VALUES = {
    "epsilon and delta": compose(ApproxDP(0.5, 1e-6), ApproxDP(0.5, 1e-6)),
    "noise": Gaussian(8.0).times(4),
    "training": PoissonSubsampled(Gaussian(1.0), 0.01).times(1000),
}
MANY = {
    "one": ["epsilon and delta"],
    "two": ["epsilon and delta", "noise"],
    "the same twice": ["noise", "noise"],
    "three": ["epsilon and delta", "noise", "training"],
}


def stated(names: list[str]) -> str:
    return ABOUT + "".join(f"[[promise]]\n{PROMISES[name]}" for name in names) + REST


FILES = {
    "demo": DEMO.read_text(encoding="utf-8"),
    **{name: stated(kinds) for name, kinds in MANY.items()},
    "both sides": stated(MANY["two"]).replace("failure = 0.01", "failure = 0.01\nsides = 2"),
}
WORDS = {"KEPT": "Allowed", "BROKEN": "Not allowed", "OPEN": "Not shown"}


def command(*arguments: str) -> str:
    result = CliRunner().invoke(whit, list(arguments))
    assert result.exit_code in (0, 1, 3), result.output
    return result.stdout


@dataclass(frozen=True)
class Asked:
    """A release file, its report, and the documents of the commands about it."""

    name: str
    file: Path
    report: dict[str, Any]
    documents: dict[str, dict[str, Any]]

    def archived(self, who: str) -> dict[str, float]:
        """The numbers that the report keeps about somebody, by question."""
        own = [each for each in self.report["findings"] if each["asked_by"] == who]
        return {each["question"]: each["finding"]["value"] for each in own if each["question"] != "worst_prior"}


@pytest.fixture(params=FILES, scope="module")
def release(request, tmp_path_factory) -> Asked:
    file = tmp_path_factory.mktemp("release") / "release.toml"
    file.write_text(FILES[request.param], encoding="utf-8")
    out = file.with_suffix(".json")
    command("report", str(file), "--sheet", "--out", str(out), "--date", "2026-01-31")
    report = json.loads(out.read_text(encoding="utf-8"))
    documents = {name: json.loads(command(name, "--from", str(file), "--json")) for name in COMMANDS}
    return Asked(request.param, file, report, documents)


def numbers(found: dict[str, Any]) -> dict[tuple[str, str], float]:
    """The numbers of a document by who asks and what."""
    answers = [each for each in found["answers"] if "finding" in each]
    return {(each.get("by", ""), each["name"]): each["finding"]["value"] for each in answers}


def test_assess_and_explain_have_the_numbers_of_the_report(release):
    asked = numbers(release.documents["assess"])
    assert asked == numbers(release.documents["explain"])
    people = {each["asked_by"] for each in release.report["findings"]} - {"publisher"}
    assert people
    for who in people:
        known = {name: value for name, value in release.archived(who).items() if (who, name) in asked}
        assert {"power"} < known.keys()
        assert known == {name: asked[who, name] for name in known}


def test_check_has_the_verdicts_and_the_numbers_of_the_report(release):
    found, sheet = release.documents["check"], release.report["sheet"]
    assert found["result"]["verdict"] == sheet["stamp"]["word"]
    [table] = [
        each["blocks"][0]["table"] for each in sheet["below"] if each["title"] == "The release beside each limit"
    ]
    verdicts = [row[-1].partition(" ")[2] for row in table["rows"]]
    assert [WORDS[part["outcome"]] for part in found["result"]["parts"]] == verdicts
    kept = {each["finding"]["value"] for each in release.report["findings"] if each["asked_by"] == "publisher"}
    values = [each["finding"]["value"] for each in found["answers"] if each["finding"]["quantity"]["key"] in QUESTIONS]
    assert values
    assert kept.issuperset(values)


def test_the_interface_for_programs_has_the_same_numbers(release):
    sent = {"name": "release.toml", "text": release.file.read_text(encoding="utf-8")}
    found = ask("assess", {"from": sent}).answers.document()
    assert numbers(found) == numbers(release.documents["assess"])


def test_python_has_the_same_numbers(release):
    if release.name not in MANY:
        return
    promised = compose(*(VALUES[name] for name in MANY[release.name]))
    found = assess(promised, Adversary(prior=0.1), failure=0.01, level=0.05, neighbours=Neighbours.ADD_REMOVE)
    asked = numbers(release.documents["assess"])
    assert float(found.posterior.worst) == pytest.approx(asked["an employer", "posterior"], rel=1e-9)
    assert float(found.power.worst) == pytest.approx(asked["an employer", "power"], rel=1e-9)


def test_people_and_officers_read_the_same_number_on_its_safe_side(release):
    asked = numbers(release.documents["assess"])
    if release.documents["assess"]["asked"]["sides"] == 2:
        return  # sentences about two ends are others
    for who in {by for by, name in asked if name == "posterior"}:
        picked = ("--from", str(release.file), "--adversary", who)
        texts = {each: command("explain", *picked, "--audience", each) for each in ("public", "officer", "technical")}
        for audience, digits in (("officer", 3), ("technical", 6)):
            assert f"at most {rounded_up(asked[who, 'posterior'], digits)} %" in texts[audience]
        [[most, of]] = re.findall(r"Afterwards, they think it is at most (\d+) out of ([\d,]+)", texts["public"])
        most, of = int(most), int(of.replace(",", ""))
        assert asked[who, "posterior"] <= most / of < asked[who, "posterior"] + 1 / of


def percentages(text: str) -> set[str]:
    return set(re.findall(r"([\d.,]+)\s%", text))


def sentences_on(sheet: dict[str, Any], people: set[str]) -> dict[str, str]:
    """What the sheet says of each adversary whom it names: from which prior to which posterior, and how surely."""
    said = [block["paragraph"] for block in sheet["beside"][0]["blocks"]]
    return {who: text for who in people for text in said if text.lower().startswith(who.lower())}


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_sheet_and_the_text_for_officers_have_the_same_numbers(release, language, tmp_path):
    """Prior, posterior and exception of the one sentence are those of the other, digit for digit."""
    if language != "en" and release.name not in ("demo", "two"):
        return  # the words differ, and the numbers come from one place
    report, out = release.report, tmp_path / "sheet.json"
    if language != "en":
        written = ("--language", language, "--out", str(out), "--date", "2026-01-31")
        command("report", str(release.file), "--sheet", *written)
        report = json.loads(out.read_text(encoding="utf-8"))
    people = {by for by, _ in numbers(release.documents["explain"])}
    said = sentences_on(report["sheet"], people)
    assert said
    for who, sentence in said.items():
        picked = ("--from", str(release.file), "--adversary", who, "--audience", "officer", "--language", language)
        explained = command("explain", *picked)
        [prior, posterior, failure] = re.findall(r"([\d.,]+)\s%", sentence)[:3]
        first = next(each for each in explained.split("\n\n") if "%" in each)
        assert {prior, posterior, failure} <= percentages(first)
        exact = numbers(release.documents["explain"])[who, "posterior"]
        assert Decimal(posterior.replace(",", ".")) == Decimal(rounded_up(exact, 3))


def test_a_picture_of_several_promises_shows_the_number_of_all_together(release, tmp_path):
    if release.name != "two":
        return
    drawn = ("plot", "posterior-against-prior", "--from", str(release.file), "--out", str(tmp_path / "x.svg"))
    shown = rounded_up(numbers(release.documents["assess"])["an employer", "posterior"], 3)
    assert f"from 10 % to at most {shown} %" in command(*drawn)
    alt = command(*drawn, "--promise", "name=another, epsilon=1")
    assert f"from 10 % to at most {shown} %" in alt
    assert "another: from 10 % to at most 23.2 %" in alt


def rounded_up(share: float, digits: int) -> str:
    """A share in percent, with so many digits."""
    percent = Decimal(share) * 100
    place = Decimal(1).scaleb(percent.adjusted() + 1 - digits)
    return f"{percent.quantize(place, ROUND_CEILING).normalize():f}"
