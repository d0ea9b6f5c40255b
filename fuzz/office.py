"""A ledger that is in use, and command lines about it by a grammar; some of them about one whose bytes were changed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from click.testing import CliRunner

from fuzz.draw import Draw
from fuzz.questions import options, promise, value_of
from fuzz.readers import new_folder
from whit.apps.cli.group import whit
from whit.errors import WhitError
from whit.ledger import Ledger, verify

WHOLE, BROKEN = "office.ledger", "broken.ledger"
HISTORY = (
    ("init",),
    ("open", "2026", "--population", "p", "--limit", "posterior=0.3, prior=0.1", "--failure", "0.01"),
    ("open", "free", "--population", "q", "--limit", "power=0.5, level=0.05"),
    ("reserve", "2026", "--gaussian", "10", "--what", "one", "--actor", "ada"),
    ("reserve", "2026", "--epsilon", "0.1", "--what", "two", "--actor", "ada"),
    ("plan", "2026", "--epsilon", "0.01", "--what", "three", "--actor", "ada"),
    ("release", "5", "--actor", "ada"),
)
ABOUT_A_RELEASE = ("check", "plan", "record", "reserve")
ABOUT_AN_ENTRY = ("approve", "cancel", "correct", "doubt", "release", "withdraw")
WHY = {"cancel": "--statement", "correct": "--why", "doubt": "--why", "withdraw": "--why"}


def line(draw: Draw, folder: Path) -> list[str]:
    """The words of a command about a ledger, which is put into the folder."""
    name = BROKEN if draw.random() < 0.15 else WHOLE
    (folder / name).write_bytes(_changed(draw, _in_use()) if name == BROKEN else _in_use())
    act = _act(draw, folder, name)
    return ["ledger", *act, "--ledger", str(folder / name), "--actor", draw.choice(("ada", "ben", ""))]


def is_whole(path: Path) -> bool:
    """Whether every hash, link, entry and total of a ledger is in order, whoever was killed while writing it."""
    try:
        with Ledger(path, actor="fuzz") as book:
            verify(book.store)
    except WhitError:
        return False
    return True


def _act(draw: Draw, folder: Path, name: str) -> list[str]:
    account = draw.choice(("2026", "2026", "free", draw.token(())))
    number = draw.choice(("5", "6", "7", draw.whole()))
    how = draw.random()
    if how < 0.5:
        what = ["--what", draw.token(("a table",))]
        return [draw.choice(ABOUT_A_RELEASE), account, *options(promise(draw)), *what, *_perhaps(draw, "--recipient")]
    if how < 0.7:
        act = draw.choice(ABOUT_AN_ENTRY)
        said = [WHY[act], draw.token(("no file was written",))] if act in WHY else []
        return [act, number, *said, *(options(promise(draw)) if act == "correct" else [])]
    if how < 0.8:
        limit = ["--limit", value_of(draw, "limit"), "--failure", draw.number()]
        return ["open", draw.token(("2027",)), "--population", draw.token(("p",)), *limit]
    if how < 0.85:
        return ["quota", account, "--recipient", "r", "--book", draw.choice(("pure=1", "zcdp=0.1", draw.token(())))]
    out = ["--out", str(folder / draw.choice(("lines.jsonl", name, "no/lines.jsonl")))]
    return draw.choice((["status", account], ["status"], ["history", account], ["verify"], ["export", *out], ["init"]))


def _perhaps(draw: Draw, option: str) -> list[str]:
    return [option, draw.token(("r",))] if draw.random() < 0.2 else []


def _changed(draw: Draw, content: bytes) -> bytes:
    """The bytes with some of them others, or with an end that is missing."""
    if draw.random() < 0.3:
        return content[: draw.randrange(len(content))]
    changed = bytearray(content)
    for _ in range(draw.choice((1, 3, 30))):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)


@cache
def _in_use() -> bytes:
    path = new_folder() / WHOLE
    for words in HISTORY:
        found = CliRunner().invoke(whit, ["ledger", *words, "--ledger", str(path)])
        if found.exit_code:
            raise RuntimeError(found.output)
    content = path.read_bytes()
    path.unlink()
    path.parent.rmdir()
    return content
