"""The keys of whit's TOML files, each table with the keys that its reader allows.

A reader says which keys a table may have where it refuses all others. So files with every table are read here, and what
each reader allows is noted; a table that no file here has would be missing, and a test looks for that.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from whit import mechanisms
from whit.plans import tables
from whit.spec import plan_file, promise, read_audit, read_release
from whit.spec.given import Given
from whit.spec.toml import Entry
from whit.telling.reports.hazards import KEYS

RELEASE = """
[release]
name = "a table"
publisher = "an office"
[unit]
name = "person"
[promise]
gaussian = 10
[[adversary]]
name = "somebody"
fact = "a fact"
prior = 0.1
[profile]
constant = { relative = 3 }
capped = { relative = 3, absolute = 0.2 }
box = { relative = 3, inclusion = 0.5 }
difference = { change = 0.5 }
absolute_cap = { absolute = 0.5, value = 0.2 }
table = { table = [[0.1, 1, 3], [1, 1, 2]] }
[limit]
posterior = { limit = 0.5, prior = 0.1 }
ratio = { limit = 9 }
difference = { limit = 0.5 }
power = { limit = 0.2, level = 0.05 }
advantage = { limit = 0.2 }
predictive_value = { limit = 0.9, prior = 0.1, level = 0.05 }
success = { limit = 0.5, baseline = 0.1 }
[questions]
failure = 0.01
[hazards]
trust = "The office sees the records."
[ledger]
path = "office.ledger"
account = "an account"
[audit]
file = "table.csv"
"""

AUDIT = """
[table]
file = "table.csv"
[table.totals]
sex = "Total"
[[together]]
file = "table.csv"
[[equation]]
total = ["Total"]
parts = [["women"], ["men"]]
[[adversary]]
name = "somebody"
knows = [{ cell = ["women"], value = 3 }]
[limit]
values_left = 3
"""

PLAN = """
name = "a plan"
unit = "person"
neighbours = "replace"
levels = ["County"]
[[budget]]
name = "all"
rho = "1/10"
levels = { County = "1" }
[[unprotected]]
name = "the total"
reason = "by law"
[[query]]
name = "sex by age"
attributes = ["sex", "age"]
budget = "all"
level = "County"
share = "1"
"""

TABLE = "sex,value\nwomen,3\nmen,7\nTotal,10\n"


def file_keys() -> list[str]:
    """Each table of each file, with its keys."""
    found: dict[str, set[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "table.csv").write_text(TABLE, encoding="utf-8")
        for name, text, read in (
            ("release", RELEASE, lambda path: read_release(path, hazards=KEYS)),
            ("audit", AUDIT, read_audit),
            ("plan", PLAN, plan_file.load_plan),
        ):
            path = Path(folder, f"{name}.toml")
            path.write_text(text, encoding="utf-8")
            with _noted() as noted:
                read(str(path))
            found |= {f"{name} file, {table}": keys for table, keys in noted.items()}
    words = {kind.__name__: {each.word for each in mechanisms.stated_by(kind)} for kind in promise.kinds()}
    words |= {name: {each.word for each in kind.around.details} for kind, name in _around()}
    found |= {f"promise {name}": keys for name, keys in words.items()} | {"beside a promise": {*promise.BESIDE}}
    return [f"{place}: {', '.join(sorted(keys))}" for place, keys in sorted(found.items())]


def _around() -> Iterator[tuple[Any, str]]:
    """The mechanisms that are made of another one."""
    return ((getattr(mechanisms, name), name) for name in mechanisms.AROUND.values())


@contextmanager
def _noted() -> Iterator[dict[str, set[str]]]:
    """What readers allow by table, while they read inside; where several read one, the first is that of the file.

    A plan has a reader of its own for its tables.
    """
    noted: dict[str, set[str]] = {}
    refuse, require = Given.only, tables._require_columns

    def only(given: Given, known: Collection[str], *, needed: Collection[str] = ()) -> Given:
        if isinstance(given.source, Entry):
            written = {given.spelling.get(key, key) for key in known}
            noted.setdefault(_table(given.source), written)
        return refuse(given, known, needed=needed)

    def columns(given: Mapping[str, object], known: tuple[str, ...], needed: tuple[str, ...]) -> None:
        noted[f"what has {' and '.join(needed)}"] = {*known}
        require(given, known, needed)

    with patch.object(Given, "only", only), patch.object(tables, "_require_columns", columns):
        yield noted


def _table(source: Entry) -> str:
    """The header of a table."""
    names = ".".join(part for part in source.path if isinstance(part, str))
    return f"[{names}]" if names else "its tables"
