"""The page on the command line, and the first page: every command runs and answers as shown, every option is there."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.apps.cli.group import COMMANDS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall(PAGE) + BLOCK.findall(README)

Step = tuple[str, str, int]
"""A command of the page, what the page shows below it, and its exit code."""


def steps(block: str) -> list[Step]:
    """The commands of a block; `$ echo $?` tells the exit code of the one before it."""
    found: list[Step] = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        if line == "echo $?":
            found[-1] = (*found[-1][:2], int(shown))
        else:
            found.append((line, shown, 0))
    return found


STEPS = [step for kind, block in BLOCKS if kind == "console" for step in steps(block)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the page shows, each under the name in its first line."""
    for kind, block in BLOCKS:
        if kind == "toml":
            (tmp_path / block.partition("\n")[0].removeprefix("# ")).write_text(block, encoding="utf-8")
    (tmp_path / "demo").mkdir()
    shutil.copy(ROOT / "demo" / "release.toml", tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# A few take more than some seconds.
SLOW = ("whit plan census-2020 --scenario A --failure", "whit report", "whit plot posterior-against-prior")


def marked(step: Step):
    return pytest.param(step, id=step[0], marks=[pytest.mark.slow] if step[0].startswith(SLOW) else [])


@pytest.mark.parametrize("step", [marked(step) for step in STEPS])
def test_a_command_of_the_page_runs_and_answers_as_shown(step, folder):
    line, shown, code = step
    [name, *arguments] = shlex.split(line)
    assert name == "whit"
    result = CliRunner().invoke(whit, arguments)
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    if shown:
        assert result.output == shown


def test_commands_were_found_and_every_one_is_among_them():
    assert {shlex.split(line)[1] for line, _, _ in STEPS} == set(COMMANDS)
    assert sum(bool(shown) for _, shown, _ in STEPS) > 5


def test_another_answer_or_another_exit_code_would_be_noticed():
    assert steps("$ whit a\nx\ny\n$ whit b\n$ echo $?\n3\n") == [("whit a", "x\ny\n", 0), ("whit b", "", 3)]


def test_every_option_of_every_command_is_on_the_page():
    context = click.Context(whit)
    for name in COMMANDS:
        command = whit.get_command(context, name)
        assert command is not None
        options = [each for each in command.params if isinstance(each, click.Option)]
        missing = [each.opts[0] for each in options if not re.search(rf"{each.opts[0]}\b(?!-)", PAGE)]
        assert missing == [], name


def test_an_option_of_the_page_exists():
    context = click.Context(whit)
    commands = [command for name in COMMANDS if (command := whit.get_command(context, name)) is not None]
    known = {option for each in commands for parameter in each.params for option in parameter.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) <= known | {"--help", "--version"}
