"""Files of every kind, broken by a grammar, and read in process: TOML, CSV, JJ, JSON, JSON Lines, YAML."""

from __future__ import annotations

import atexit
import io
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from fuzz.draw import Draw
from whit import spec
from whit.exchange import learn_from_file, releases_in_file
from whit.ledger import Ledger, export, restore
from whit.setting import PERSON
from whit.telling.reports import HAZARDS
from whit.theory import Finding

SEEDS = Path(__file__).parent / "seeds"
IN_MEMORY = "/dev/shm"
WORDS = (
    *(
        "[promise]",
        "[[adversary]]",
        "[limit.power]",
        "[profile.capped]",
        "[[query]]",
        "[[budget]]",
        "[table]",
        "epsilon",
    ),
    *("delta", "rho", "mu", "gaussian", "laplace", "releases", "sensitivity", "neighbours", "prior", "knows", "limit"),
    *("level", "relative", "absolute", "inclusion", "value", "failure", "sides", "name", "unit", "period", "levels"),
    *("shares", "share", "attributes", "budget", "change", "count", "posterior", "power", "difference", "any_belief"),
    *("everyone_else", "add_remove", "replace", "local", "histogram", "interval", "values_left", "flag", "Total", "c"),
    *(
        "sampling_rate",
        "threshold",
        "shuffled",
        "runs",
        "strategy",
        "matrix",
        "outcomes",
        "against",
        "covariance",
        "[1, 2]",
    ),
    *(
        "{a = 1}",
        "[]",
        "true",
        "1979-05-27",
        "null",
        ":",
        "-",
        ",",
        "=",
        "\n",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        "#",
        "'''",
    ),
)


@dataclass(frozen=True)
class Reader:
    """A target: its seeds, and what reads a text of its kind and returns what it would print."""

    name: str
    read: Callable[[str], str]

    @property
    def seeds(self) -> tuple[str, ...]:
        """The texts that inputs are made from."""
        return _seeds(self.name)

    def drawn(self, draw: Draw) -> str:
        """One input: a kept text with some changes."""
        draw.begin()
        return draw.mutated(draw.choice(self.seeds), WORDS, self.seeds)


@cache
def _seeds(name: str) -> tuple[str, ...]:
    return tuple(path.read_text("utf-8") for path in sorted((SEEDS / name).iterdir()))


def new_folder() -> Path:
    """A folder in memory where the system has one: on a disk, opening a file takes longer than reading it."""
    return Path(mkdtemp(prefix="whit-fuzz-", dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None))


@cache
def _folder() -> Path:
    made = new_folder()
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def _on_disk(name: str, text: str) -> Path:
    path = _folder() / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def _release(text: str) -> str:
    """A release file, with what a report would ask of it."""
    return repr(spec.release_of(spec.parsed(text, "r.toml"), hazards=[each.key for each in HAZARDS]))


def _plan(text: str) -> str:
    plan = spec.plan_from_toml(text)
    return spec.plan_to_toml(plan)


def _plan_csv(text: str) -> str:
    plan = spec.plan_from_csv(text, name="x", unit=PERSON, levels=("Region", "Town"))
    return spec.plan_to_csv(plan)


def _audit_toml(text: str) -> str:
    _on_disk("two_way.csv", (SEEDS / "table_csv" / "two_way.csv").read_text())
    return str(spec.read_audit(_on_disk("audit.toml", text)).task.readers)


def _registry(text: str) -> str:
    return str(learn_from_file(_on_disk("record.yaml", text)))


def _imported(text: str) -> str:
    noise = "__function__" in text  # serialized noise needs the distance of neighbours
    return str(learn_from_file(_on_disk("object.json", text), d_in=1.0 if noise else None))


def _ledger(text: str) -> str:
    """Lines into a ledger in memory; what is taken comes out the same."""
    path = _folder() / "restored.ledger"
    path.unlink(missing_ok=True)
    with Ledger.create(path, actor="fuzz") as book:
        found = restore(book.store, text.splitlines())
        again = io.StringIO()
        export(book.store, again)
    return f"{found} {again.getvalue()}"


READERS: Sequence[Reader] = (
    Reader("release_toml", _release),
    Reader("plan_toml", _plan),
    Reader("plan_csv", _plan_csv),
    Reader("audit_toml", _audit_toml),
    Reader("table_csv", lambda text: str(spec.audit_of(text, "t.csv").task.publication)),
    Reader("table_jj", lambda text: str(spec.audit_of(text, "t.jj").task.publication)),
    Reader("releases_csv", lambda text: str(releases_in_file(_on_disk("releases.csv", text)))),
    Reader("import_json", _imported),
    Reader("finding_json", lambda text: str(Finding.from_json(text))),
    Reader("ledger_lines", _ledger),
    Reader("registry_yaml", _registry),
)
