"""Texts that people read have the voice of docs/voice.md: the habits that it bans are found by their words.

What is read: the pages (Markdown, with the output that they show, without code between single backticks); every string
of the sources with a space in it, so docstrings, messages and the help of commands, an f-string with its gaps as one
sign; every text of a TOML or JSON file. Comments are for those who change the code, and are left alone. A habit is a
pattern of words. Case does not matter, except at the opening of a sentence, and a line break is a space.

The words of others are quoted, and left alone: the left column of a table whose head says before, and titles of papers.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from whit.assessment import QUESTIONS, assess
from whit.guarantees import PureDP
from whit.setting import Adversary
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit, predicate

ROOT = Path(__file__).parents[1]
VOICE = ROOT / "docs" / "voice.md"

OPENING = r"(?:^|(?<=[.!?] )|(?<=\| ))"
COUNTED = "".join(
    rf"(?<!\b{word} )" for word in ("one", "each", "any", "all", "none", "both", "either", "first", "last")
)
PARTICIPLES = "Protected|Told|Known|Given|Shown|Allowed|Refused|Left|Meant|Counted|Covered|Published|Released"

HABITS = {
    "but for": r"(?i:\bbut for\b)",
    "keeps to": r"(?i:\bke(?:ep|eps|pt|eping) to\b)",
    "is told": r"(?i:\b(?:is|are|was|were|be|been|being) (?:never |not |only )?told\b(?! apart| from))",
    "of which": rf"(?i:{COUNTED}\bof wh(?:ich|om)\b)",
    "there is no such": r"(?i:\bthere (?:is|are|was) no such\b)",
    "a participle as a noun": r"(?i:\bthe (?:told|asked|promised|proved|allowed)(?= (?:is|are)\b|[.,;]))",
    "an inverted opening": rf"{OPENING}(?:{PARTICIPLES}) (?:is|are)\b(?! not)",
    "an opening with Of": rf"{OPENING}Of (?:a|an|the(?! [\d{{…])|all|several|many|two|these|those|what|it|them)\b",
    "left below the limit": r"(?i:\bleft below\b)",
    "advice that nobody can follow": r"(?i:\bmay be above 1\b)",
    "at most 100 %": r"(?i:\bat most 100 %)",
    "at most more than": r"(?i:\b(?:at most|at least|about|exactly) (?:more than \d|may (?:exceed|be) ))",
    "too many nines": r"\b99\.9[0-9]+ %",
}
PLANTED = {
    "but for": "It holds, but for a chance of 1 %.",
    "keeps to": "A release that kept to the\nlimit.",
    "is told": "A key that nobody has is never told.",
    "of which": "A promise of which nothing is known.",
    "there is no such": "There is no such file.",
    "a participle as a noun": "The rest follows from the told.",
    "an inverted opening": "Yes. Protected is the person.",
    "an opening with Of": "It is proved. Of a profile this is more.",
    "left below the limit": "What is left below is the margin.",
    "advice that nobody can follow": "unless the failure may be above 1",
    "at most 100 %": "The posterior is at most 100 %.",
    "at most more than": "It is at most more than 99.9 %.",
    "too many nines": "It is 99.96 %.",
}
FINE = (
    "It holds, except with probability 1 %. The two can be told apart; a coin is told from another.",
    "Three bounds, one of which is a sum, and people, each of whom counts. She keeps it; to keep, to hold.",
    "Of 100 people, 3 differ. Of the 3 limits, 2 are met. The promised epsilon is 1. Known limits are listed. Allowed.",
    "The posterior is more than 99.9 %, the level 99.9 %, and the power may be 100 %: nothing is ruled out.",
)

PLACES = ("src/whit", "docs", "README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "demo")
# Texts that still wait for their edit.
LATER: tuple[str, ...] = ()


def habits(text: str) -> list[str]:
    """The banned habits of a text, each with the words around it."""
    line = " ".join(text.split())
    return [
        f"{name}: ...{line[max(found.start() - 40, 0) : found.end() + 40]}..."
        for name, pattern in HABITS.items()
        for found in re.finditer(pattern, line)
    ]


def strings(source: str) -> Iterator[str]:
    """The strings of a Python source with a space in them; the gaps of an f-string are one sign."""
    tree = ast.parse(source)
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.value


def leaves(tree: object) -> Iterator[str]:
    """The texts of a tree."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict | list):
        for each in tree.values() if isinstance(tree, dict) else tree:
            yield from leaves(each)


def page(text: str) -> Iterator[str]:
    """The lines of a page that are joined to paragraphs: without code in a line, and without what a table quotes."""
    quoted = False
    paragraph: list[str] = []
    for line in [*text.splitlines(), ""]:
        quoted = line.startswith("| before") or (quoted and line.startswith("|"))
        shown = re.sub(r"`[^`]*`", "…", line)
        if line.startswith("|"):
            yield "|".join(shown.split("|")[2:]) if quoted else shown
        elif line.strip():
            paragraph.append(shown)
        else:
            yield " ".join(paragraph)
            paragraph = []


def texts(path: Path) -> Iterator[str]:
    """All that people may read of a file."""
    if path.suffix == ".py":
        yield from (text for text in strings(path.read_text(encoding="utf-8")) if " " in text)
    elif path.suffix == ".toml":
        yield from leaves(tomllib.loads(path.read_text(encoding="utf-8")))
    elif path.suffix == ".json":
        yield from leaves(json.loads(path.read_text(encoding="utf-8")))
    elif path.suffix == ".md":
        yield from page(path.read_text(encoding="utf-8"))
    elif path.suffix == ".ipynb":
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            yield from page("".join(cell["source"])) if cell["cell_type"] == "markdown" else cell["source"]
    elif path.suffix == ".html":
        yield from shown_in_a_browser(path.read_text(encoding="utf-8"))
    elif path.suffix == ".js":
        yield from (found[2] for found in SCRIPTED.finditer(path.read_text(encoding="utf-8")))


SCRIPTED = re.compile(r"""(["'`])((?:(?!\1)[^\\]|\\.)* (?:(?!\1)[^\\]|\\.)*)\1""")
"""A string of a script with a space in it."""


def shown_in_a_browser(source: str) -> Iterator[str]:
    """The texts of a template: what stands between its tags, and what its expressions and attributes quote."""
    source = re.sub(r"(?s)<(style|script)\b.*?</\1>|<!--.*?-->|\{#.*?#\}", " ", source)
    inside = re.findall(r"(?s)<[a-z][^>]*>|\{[{%].*?[%}]\}", source)
    yield from (" ".join(found[2].split()) for each in inside for found in SCRIPTED.finditer(each))
    for text in re.split(r"(?s)</?(?:p|li|h\d|td|th|div|dd|dt|label|legend|summary|option)\b[^>]*>", source):
        yield " ".join(re.sub(r"(?s)<[^>]*>|\{[{%].*?[%}]\}", "…", text).split())


def files(place: str) -> list[Path]:
    """The files of a place, without those that wait."""
    start = ROOT / place
    found = [start] if start.is_file() else sorted(start.rglob("*"))
    return [each for each in found if each.is_file() and not any(each.is_relative_to(ROOT / one) for one in LATER)]


def found_in(path: Path) -> list[str]:
    """The banned habits of all texts of a file."""
    return [one for text in texts(path) for one in habits(text)]


@pytest.mark.parametrize("place", PLACES)
def test_no_text_has_a_banned_habit(place):
    read = files(place)
    assert read or place in LATER
    found = {path.relative_to(ROOT).as_posix(): found_in(path) for path in read}
    assert {name: said for name, said in found.items() if said} == {}


@pytest.mark.parametrize("name", HABITS)
def test_a_planted_habit_is_found(name):
    found = habits(f"A sentence before. {PLANTED[name]} And one after.")
    assert [one.partition(":")[0] for one in found] == [name]
    assert habits(PLANTED[name])


@pytest.mark.parametrize("text", FINE)
def test_ordinary_words_are_left_alone(text):
    assert habits(text) == []


@pytest.mark.parametrize("name", HABITS)
@pytest.mark.parametrize(
    ("suffix", "form"),
    [
        (".py", 'def f(x):\n    """A text.\n\n    {}\n    """\n'),
        (".py", "raise InvalidInput('a name', f'must be {{x}}. {}', 3, 'Use 4.')\n"),
        (".py", "option('--name', help='Some help. {}')\n"),
        (".toml", '[a.b]\nplain = """Some text. {}"""\n'),
        (".json", '{{"a": ["Some text. {}"]}}'),
        (".ipynb", '{{"cells": [{{"cell_type": "markdown", "source": ["Some text. {}"]}}]}}'),
        (".html", "<main><p class='a'>Some text. {}</p></main>"),
        (".html", '<p title="Some text. {}">{{{{ x }}}}</p>'),
        (".js", 'const said = "Some text. {}";'),
        (".md", "# Title\n\nSome text. {}\n"),
        (".md", "| a | b |\n|---|---|\n| Some text. | {} |\n"),
        (".md", "```console\n$ whit assess\n{}\n```\n"),
    ],
)
def test_a_habit_is_found_wherever_people_read(tmp_path, name, suffix, form):
    path = tmp_path / f"planted{suffix}"
    planted = PLANTED[name] if form.count('"""') or suffix == ".md" else PLANTED[name].replace("\n", " ")
    path.write_text(form.format(planted), encoding="utf-8")
    assert any(one.startswith(f"{name}:") for one in found_in(path))


def test_what_a_table_quotes_is_left_alone_and_its_answer_is_not():
    quoted = "| before | after |\n|---|---|\n| It is told. | It is known. |\n"
    assert [one for text in page(quoted) for one in habits(text)] == []
    assert [one for text in page(quoted.replace("known", "told")) for one in habits(text)] != []
    assert [one for text in page("A line.\n\n| a | b |\n| It is told. | x |\n") for one in habits(text)] != []


def test_the_page_has_twenty_pairs_and_each_before_has_its_reason():
    _, _, pairs = VOICE.read_text(encoding="utf-8").partition("| before | after |\n|---|---|\n")
    rows = [line.strip("| ").split(" | ") for line in pairs.partition("\n\n")[0].splitlines()]
    assert len(rows) == 20
    assert all(len(row) == 2 and row[0] != row[1] for row in rows)
    assert len([before for before, _ in rows if habits(before)]) >= 15


def test_the_page_names_the_quantities_as_the_answers_do():
    listed = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", VOICE.read_text(encoding="utf-8"), flags=re.MULTILINE))
    found = assess(PureDP(1.0), Adversary(prior=0.1, baseline=0.1))
    named = {name: answer.worst.quantity for name, answer in found if answer.worst is not None}
    assert set(named) == set(QUESTIONS)
    assert {name: each.name for name, each in named.items()} == listed


def test_the_page_says_numbers_as_they_are_printed():
    said = VOICE.read_text(encoding="utf-8")
    once = Basis(("hockey-stick",), (Failure(0.01, Randomness.MECHANISM),))
    risk, noise = Quantity("it", Unit.PROBABILITY), Quantity("it", Unit.NUMBER, certain=True)
    printed = [
        predicate(0.12516, Direction.AT_MOST, Unit.PROBABILITY),
        predicate(0.9996, Direction.AT_MOST, Unit.PROBABILITY),
        predicate(0.9996, Direction.EXACTLY, Unit.PROBABILITY),
        predicate(0.9996, Direction.AT_LEAST, Unit.PROBABILITY),
        predicate(1.0, Direction.AT_MOST, Unit.PROBABILITY),
        str(Finding(risk, 1.0, Direction.AT_MOST, {"failure": 0.0}, Basis.of("hockey-stick"))).removeprefix("it "),
        str(Finding(risk, 0.12516, Direction.AT_MOST, {}, once)).removeprefix("it "),
        str(Finding(noise, 5.5, Direction.AT_LEAST, {}, once)).removeprefix("it "),
    ]
    assert [text for text in printed if f"| {text} |" not in said] == []
