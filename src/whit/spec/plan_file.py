"""Plans as files, and the concern that somebody has about one.

A whole plan is TOML, and its queries may be CSV, one row for each, in a file beside it that `queries` names.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from typing import Any

from whit import plans
from whit.errors import InvalidInput, WhitError, require, unknown_name
from whit.setting import UnitOfPrivacy
from whit.spec.audit_file import audit_in
from whit.spec.given import Given
from whit.spec.toml import Entry, line_of, parsed, read, read_text

CENSUS = "census-2020"
"""The word for the plan of the 2020 Census redistricting data."""

CONCERN = ("about", "place", "whole_record", "presence", "scenario")
"""By what a concern is named."""

_CONCERN = "Use --about race, --place 'Block within Tract', --whole-record, --presence, or --scenario A for the Census."
_LISTS = ("budget", "unprotected", "query")
_QUERIES = "Use load_plan(path), give the name of a CSV file beside the plan, and leave out [[query]]."


def plan_named(file: str) -> plans.Plan:
    """The plan of a file, or that of the Census."""
    named: object = file  # an array, passed in spite of the annotation, has no single answer to whether it is a word
    return plans.census_2020.plan() if isinstance(named, str) and named == CENSUS else load_plan(file)


def load_plan(path: str | PathLike[str]) -> plans.Plan:
    """The plan in a TOML file; its queries may be in a CSV file beside it."""
    return _plan(read(path))


def plan_from_toml(text: str, name: str = "the plan") -> plans.Plan:
    """The plan in this TOML text, which messages call by a name."""
    return _plan(parsed(text, name))


def plan_from_csv(
    text: str, *, name: str, unit: UnitOfPrivacy, levels: list[str] | tuple[str, ...], **head: Any
) -> plans.Plan:
    """The plan whose queries are in this CSV text; what is not in a table is given by name, as for Plan.of.

    >>> from whit.setting import PERSON
    >>> text = "name,attributes,level,sigma" + chr(10) + "sex by age,sex;age,County,10"
    >>> plan_from_csv(text, name="a table", unit=PERSON, levels=["County"])
    <a table: 1 queries of 1 kinds>
    """
    return plans.Plan.of(_queries(text), name=name, unit=unit, levels=levels, **head)


def plan_to_toml(plan: plans.Plan) -> str:
    """The plan as TOML text; plan_from_toml reads it back."""
    tables = plans.tables_of(plan)
    blocks = [_lines({name: value for name, value in tables.items() if name not in _LISTS})]
    blocks += [f"[[{name}]]\n{_lines(row)}" for name in _LISTS for row in tables[name]]
    return "\n".join(blocks)


def plan_to_csv(plan: plans.Plan) -> str:
    """The queries of a plan as CSV text; plan_from_csv reads it back."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(plans.rows_of(plan))
    return out.getvalue()


def concern_of(given: Given) -> plans.Concern:
    """The one concern that is named.

    >>> print(concern_of(Given({"about": "race", "place": "Block within Tract"})))
    race; Block within Tract
    """
    given.only(CONCERN)
    named = [key for key in CONCERN if key in given and not (key == "place" and "about" in given)]
    if len(named) != 1:
        raise InvalidInput("the concern", "must be named once", given.keys(named), _CONCERN)
    if named == ["scenario"]:
        letter, known = given.words("scenario").upper(), plans.census_2020.SCENARIOS
        if letter not in known:
            raise unknown_name(given.place("scenario"), letter, known, parameter="scenario")
        return known[letter]
    if named[0] in ("whole_record", "presence"):
        return plans.WholeRecord() if named[0] == "whole_record" else plans.Presence()
    attributes = tuple(name.strip() for name in given.words("about").split(",")) if "about" in given else ()
    with given.placed(attributes="about"):
        return plans.About(attributes, _place(given))


def _place(given: Given) -> plans.Within | plans.Anywhere | plans.Settled:
    if "place" not in given:
        return plans.Settled()
    text = given.words("place")
    if text.lower() == "anywhere":
        return plans.Anywhere()
    level, within, larger = (part.strip() for part in text.partition(" within "))
    if not within:
        raise given.refuse("place", "must name a place within a larger one", "Use 'Block within Tract', or 'anywhere'.")
    return plans.Within(level, larger)


def _plan(whole: Given) -> plans.Plan:
    assert isinstance(whole.source, Entry)  # as read and parsed make it
    tables = {name: value for name, value in whole.values.items() if name not in (*_LISTS, "queries")}
    lists = {name: [dict(row.values) for row in whole.tables(name)] for name in _LISTS if name in whole}
    queries = _beside(whole, whole.source) if "queries" in whole else None
    with _lined(whole.source):
        found = plans.plan_of({**tables, **lists}, queries)
    rows = whole.tables("unprotected") if "unprotected" in whole else ()
    open_parts = tuple(_published(*each) for each in zip(found.unprotected, rows, strict=True))
    return replace(found, unprotected=open_parts) if rows else found


def _published(part: plans.Unprotected, row: Given) -> plans.Unprotected:
    """What has no noise, with its numbers where it names a table."""
    if not part.file:
        return part
    table = audit_in(replace(row, values={"file": row.values["file"]}))
    return replace(part, published=table.task.publication)


@contextmanager
def _lined(source: Entry) -> Iterator[None]:
    """Put file and line before what is wrong with a plan, where its parameter leads to a line."""
    try:
        yield
    except WhitError as wrong:
        path = tuple(int(part) if part.isdigit() else part for part in wrong.parameter.split("."))
        line = next((at for end in range(len(path), 0, -1) if (at := line_of(source.text, path[:end]))), None)
        where = f"{source.file}, line {line}" if wrong.parameter and line else source.file
        raise wrong.renamed(f"{where}: {wrong.name}") from wrong


def _beside(whole: Given, source: Entry) -> plans.Table:
    if "query" in whole or not source.folder:
        raise whole.refuse("queries", "must name a file beside the plan", _QUERIES)
    name = whole.words("queries")
    with whole.placed(file="queries"):
        text = read_text(name, beside=source.folder)
    try:
        return _queries(text)
    except WhitError as wrong:
        raise wrong.renamed(f"{name}: {wrong.name}") from wrong


def _queries(text: str) -> plans.Table:
    """The rows that are not empty, without the mark that some spreadsheets put in front, as queries."""
    way_out = "Give what is in the file, as a text, and not its name."
    require(isinstance(text, str), name="the table", rule="must be a text", value=text, way_out=way_out)
    try:
        rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
        return plans.queries_of(row for row in rows if row)
    except csv.Error as wrong:
        raise InvalidInput("the table", "must be CSV", str(wrong), "Check quotes and separators.") from wrong


def _lines(values: Mapping[str, object]) -> str:
    return "".join(f"{name} = {_as_toml(value)}\n" for name, value in values.items())


def _as_toml(value: object) -> str:
    """A value as TOML; a JSON text is one, except for the one character that TOML does not take as it is."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_as_toml(name)} = {_as_toml(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_as_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
