"""Every command on a page runs and answers as shown; the page on the command line has every command and option."""

from __future__ import annotations

import re
import shlex
import shutil
from operator import eq
from pathlib import Path

import click
import pytest
from shell_pages import Saved, Step, answers, run_session, run_step, session

from whit.apps.cli import whit
from whit.apps.cli.group import COMMANDS
from whit.theory import theorem

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference" / "command-line.md"
PAGE = REFERENCE.read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
SINGLE = [*session(PAGE), *session(README)]
"""On these two pages a command does not need the one before it."""

STEPS = [each for each in SINGLE if isinstance(each, Step)]
SESSIONS = sorted(
    path
    for path in DOCS.glob("**/*.md")
    if path != REFERENCE and any(isinstance(each, Step) for each in session(path.read_text(encoding="utf-8")))
)
"""The other pages: a reader goes through them from top to bottom, in one folder."""

# A few take more than some seconds.
SLOW = (
    "whit plan census-2020 --scenario A --failure",
    'whit plan census-2020 --place "Block within Tract" --failure',
    "whit papers",
    "whit plot posterior-against-prior",
    "whit report",
)


def slow(step: Step) -> bool:
    return step.line.startswith(SLOW)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, but for the file that comes with the project."""
    (tmp_path / "demo").mkdir()
    shutil.copy(ROOT / "demo" / "release.toml", tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def marked(step: Step):
    return pytest.param(step, id=step.line, marks=[pytest.mark.slow] if slow(step) else [])


@pytest.mark.parametrize("step", [marked(step) for step in STEPS])
def test_a_command_of_the_page_runs_and_answers_as_shown(step, folder):
    for each in SINGLE:
        if isinstance(each, Saved):
            (folder / each.name).write_text(each.text, encoding="utf-8")
    assert run_step(step, alike=eq) == step.code


def page_name(path: Path) -> str:
    return path.relative_to(DOCS).as_posix()


@pytest.mark.parametrize("path", SESSIONS, ids=page_name)
def test_the_quick_commands_of_a_page_run_in_its_order_and_answer_as_shown(path, folder):
    page = path.read_text(encoding="utf-8")
    quick = sum(isinstance(each, Step) and not slow(each) for each in session(page))
    assert run_session(page, folder, leave_out=slow) == quick


@pytest.mark.slow
@pytest.mark.parametrize("path", SESSIONS, ids=page_name)
def test_all_commands_of_a_page_run_in_its_order_and_answer_as_shown(path, folder):
    assert run_session(path.read_text(encoding="utf-8"), folder, leave_out=lambda _: False) > 0


def test_commands_were_found_and_every_one_is_among_them():
    assert {shlex.split(step.line)[1] for step in STEPS} == set(COMMANDS)
    assert sum(bool(step.shown) for step in STEPS) > 5
    assert {"tutorials", "explanation"} <= {path.parent.name for path in SESSIONS}


def test_every_command_of_the_front_pages_shows_its_answer():
    for page in (README, (DOCS / "index.md").read_text(encoding="utf-8")):
        shown = {each.line: each.shown for each in session(page) if isinstance(each, Step)}
        assert shown
        assert [line for line, answer in shown.items() if not answer.strip()] == []


PRACTICE = """
Save it as `wanted.toml`:

```toml
limit = 1
```

```console
$ make demo
done
$ whit a \\
    --b
x
y
$ whit b
$ echo $?
3
```

```toml
# other.toml
```
"""


def test_files_commands_answers_and_exit_codes_of_a_page_are_found_in_order():
    assert list(session(PRACTICE)) == [
        Saved("wanted.toml", "limit = 1\n"),
        Step("whit a --b", "x\ny\n"),
        Step("whit b", code=3),
        Saved("other.toml", "# other.toml\n"),
    ]


def test_another_answer_would_be_noticed_but_for_line_breaks_and_what_is_left_out():
    assert answers("one\ntwo three\n", "one two\nthree\n")
    assert answers("one\n...\nthree\n", "one\ntwo\nthree\n")
    assert not answers("one\n...\nthree\n", "one\ntwo\nfour\n")
    assert not answers("one\nthree\n", "one\ntwo\nthree\n")


def test_another_exit_code_or_another_answer_of_a_command_would_be_noticed(folder):
    line = "whit check --epsilon 2 --limit difference=0.2"
    assert run_step(Step(line, code=1)) == 1
    with pytest.raises(AssertionError, match="ended with 1"):
        run_step(Step(line))
    with pytest.raises(AssertionError, match=r"prints\nNot allowed: "):
        run_step(Step(line, "Kept.\n", code=1))


def test_a_theorem_that_a_page_sends_its_reader_to_exists():
    pages = [path.read_text(encoding="utf-8") for path in DOCS.glob("**/*.md")]
    named = {key for page in pages for key in re.findall(r"whit theorem\s+([a-z][a-z-]+)", page)}
    assert "zcdp-tails" in named
    assert all(theorem(key).key == key for key in named)


def every_command() -> dict[str, click.Command]:
    """All commands by their names, those inside of others too."""
    context = click.Context(whit)
    found: dict[str, click.Command] = {}
    for name in COMMANDS:
        command = whit.get_command(context, name)
        assert command is not None
        inside = command.commands if isinstance(command, click.Group) else {}
        found |= {name: command} | {f"{name} {each}": inner for each, inner in inside.items()}
    return found


def without_place(page: str) -> list[str]:
    """The commands that have no row in the first table of the page, or no section of their own."""
    rows = re.findall(r"^\| \[`([\w-]+)`\]\(#([\w-]+)\) \|", page, flags=re.MULTILINE)
    sections = re.findall(r"^## (.+)$", page, flags=re.MULTILINE)
    return [name for name in COMMANDS if (name, name) not in rows or name not in sections]


def test_every_command_has_a_row_and_a_section_on_the_page():
    assert without_place(PAGE) == []


@pytest.mark.parametrize("gone", ["| [`audit`](#audit) |", "## audit\n"])
def test_a_command_without_a_row_or_without_a_section_is_found(gone):
    assert PAGE.count(gone) == 1
    assert without_place(PAGE.replace(gone, "")) == ["audit"]


def test_every_option_of_every_command_is_on_the_page():
    context = click.Context(whit)
    for name, command in every_command().items():
        options = [each for each in command.get_params(context) if isinstance(each, click.Option)]
        missing = [each.opts[0] for each in options if not re.search(rf"{each.opts[0]}\b(?!-)", PAGE)]
        assert missing == [], name


def test_an_option_of_the_page_exists():
    context = click.Context(whit)
    known = {
        option
        for each in every_command().values()
        for parameter in each.get_params(context)
        for option in parameter.opts
    }
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) <= known | {"--help", "--version"}
