"""Command lines by a grammar, in process and as real processes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner

from fuzz import office
from fuzz.draw import Draw
from fuzz.questions import options, promise, words
from fuzz.readers import READERS
from whit.apps.cli.group import whit

PICTURES = ("profile-curve", "loss-curve", "level-and-power", "posterior-against-prior", "risk-over-releases")
CODES = (0, 1, 2, 3, 4)
"""What a command may return, unless it is interrupted."""

_BY_NAME = {each.name: each for each in READERS}


def drawn(draw: Draw, folder: Path) -> list[str]:
    """The words of a command line; files that it names are written into the folder."""
    how = draw.random()
    if how < 0.62:
        command, values = words(draw)
        line = [command.replace("_", "-"), *options(values)]
        if command == "plan":
            line.insert(1, draw.choice(("census-2020", _file(draw, folder, "plan_toml", "plan.toml"))))
        if command in ("catalogue", "theorem") and "key" in values:
            line = [command, str(values["key"])]
    elif how < 0.85:
        draw.begin()
        line = _on_file(draw, folder)
    elif how < 0.93:
        draw.begin()
        line = office.line(draw, folder)
    else:
        draw.begin()
        target = str(folder / draw.choice(("a.svg", "a.png", "a.html", "a.pdf", "a.xyz", "no/a.svg")))
        line = ["plot", draw.choice((*PICTURES, draw.number())), *options(promise(draw)), "--out", target]
    if draw.random() < 0.3:
        line.append("--json")
    if draw.random() < 0.15 * draw.wildness:
        line[draw.randrange(len(line))] = draw.token(("--why", "--", "-h", "--failure"))
    return [each.encode("utf-8", "replace").decode().replace("\0", "") for each in line]


def shown(line: Sequence[str], folder: Path) -> str:
    """The words of a command line, and what is in the files that they name."""
    named = (Path(word) for word in line if word.startswith(str(folder)) and not word.endswith(".ledger"))
    texts = (path.read_bytes().decode("utf-8", "replace") for path in named if path.is_file())
    return "\n".join((" ".join(line), *texts))


def _file(draw: Draw, folder: Path, kind: str, name: str) -> str:
    """A file that is drawn from the grammar of its kind."""
    text = _BY_NAME[kind].drawn(draw) if draw.random() < 0.8 else draw.choice(_BY_NAME[kind].seeds)
    (folder / name).write_bytes(text.encode("utf-8", "replace"))
    return str(folder / name)


def _on_file(draw: Draw, folder: Path) -> list[str]:
    """A command that reads a file, and perhaps writes one."""
    how = draw.randrange(7)
    if how == 0:
        command = draw.choice(("assess", "check", "explain"))
        return [command, "--from", _file(draw, folder, "release_toml", "r.toml")]
    if how == 1:
        out = str(folder / draw.choice(("out.json", "out.md", "out.html", "r.toml", "no/out.md", "out.txt")))
        return ["report", _file(draw, folder, "release_toml", "r.toml"), "--out", out, "--date", "2026-01-31"]
    if how == 2:
        return ["import", _file(draw, folder, *draw.choice((("import_json", "o.json"), ("registry_yaml", "r.yaml"))))]
    if how == 3:
        return ["import", _file(draw, folder, "releases_csv", "releases.csv")]
    if how == 4:
        kind, name = draw.choice((("table_csv", "t.csv"), ("table_jj", "t.jj")))
        more = draw.choice(([], ["--out", str(folder / "cells.csv")], ["--certificates", str(folder / "proofs.json")]))
        return ["audit", _file(draw, folder, kind, name), *more]
    if how == 5:
        lines = _file(draw, folder, "ledger_lines", "lines.jsonl")
        return ["ledger", "import", lines, "--ledger", str(folder / f"new-{draw.randrange(10**9)}.ledger")]
    return ["check", "--epsilon", "1", "--requirements", _file(draw, folder, "release_toml", "r.toml")]


def invoked(line: Sequence[str], folder: Path) -> str:
    """What a command prints, in this process; an error that whit does not raise on purpose is raised again."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        found = CliRunner().invoke(whit, list(line))
    finally:
        os.chdir(before)
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    if found.exit_code not in CODES:
        raise RuntimeError(f"exit code {found.exit_code}")
    return found.output
