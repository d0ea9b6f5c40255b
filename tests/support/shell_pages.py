"""The shell sessions of a page: what they run, what they show, and the files that the page has its reader save."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from click.testing import CliRunner

from whit.apps.cli import whit

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
SAVED = re.compile(r"[Ss]ave (?:it|this|that) as `([\w.-]+)`[^`]*\Z")
"""The end of the words before a block that is a file."""

NAMED = re.compile(r"# ([\w-]+\.\w+)\n")
"""The first line of a block that is a file, the other way to name it."""

NOT_OURS = ("python3 -m pip ", "python3 -m venv ", ". ", "make ", "cd ")
"""Commands of other programs that a page may show; they are not run."""


@dataclass(frozen=True)
class Step:
    """A command of a page, what the page shows below it, and its exit code."""

    line: str
    shown: str = ""
    code: int = 0


@dataclass(frozen=True)
class Saved:
    """A file that the page has its reader save."""

    name: str
    text: str


def steps(block: str) -> list[Step]:
    """The commands of a block that are whit's, also over several lines; `$ echo $?` tells the exit code of the last."""
    found: list[Step] = []
    for part in re.split(r"^\$ ", re.sub(r" \\\n *", " ", block), flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        if line == "echo $?":
            found[-1] = replace(found[-1], code=int(shown))
        elif not line.startswith(NOT_OURS):
            found.append(Step(line, shown))
    return found


def session(page: str) -> Iterator[Step | Saved]:
    """What a reader of the page does, in order: files saved, commands typed."""
    last = 0
    for block in BLOCK.finditer(page):
        kind, text, before = block[1], block[2], page[last : block.start()]
        last = block.end()
        name = SAVED.search(before) or NAMED.match(text)
        if kind == "console":
            yield from steps(text)
        elif name and kind != "python":
            yield Saved(name[1], text)


def answers(shown: str, printed: str) -> bool:
    """Whether a command printed what a page shows, but for line breaks, and for what ... stands for."""
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    return doctest.OutputChecker().check_output(shown, printed, flags)


def run_step(step: Step, *, alike: Callable[[str, str], bool] = answers) -> int:
    """Run a command in the present folder, see that it ends and answers as shown, and return its exit code."""
    [name, *arguments] = shlex.split(step.line)
    assert name == "whit", step.line
    result = CliRunner().invoke(whit, arguments)
    assert result.exit_code == step.code, f"$ {step.line}\nended with {result.exit_code}\n{result.output}"
    assert result.exception is None or isinstance(result.exception, SystemExit)
    # On a busy machine a command may say in between that it is still at work.
    said = re.sub(r"^.*: still at work after .*\n", "", result.output, flags=re.MULTILINE)
    assert not step.shown or alike(step.shown, said), f"$ {step.line}\nprints\n{result.output}"
    return result.exit_code


def run_session(page: str, folder: Path, *, leave_out: Callable[[Step], bool]) -> int:
    """Do what a reader of the page does, in a folder that is the present one; tells how many commands were run."""
    done = 0
    for each in session(page):
        if isinstance(each, Saved):
            (folder / each.name).write_text(each.text, encoding="utf-8")
        elif not leave_out(each):
            run_step(each)
            done += 1
    return done
