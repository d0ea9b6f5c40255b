"""What a report is made from: one TOML file about a release, its unit, its promise, and what is acceptable."""

from __future__ import annotations

import math
import os
from collections.abc import Collection
from dataclasses import dataclass

from whit.curves import largest_loss
from whit.errors import InvalidInput
from whit.setting import UnitOfPrivacy
from whit.spec.account import LedgerAccount
from whit.spec.audit_file import AuditRead
from whit.spec.form import Asker, Form, Questions, asker_of
from whit.spec.given import Given, plain
from whit.spec.promise import Series
from whit.spec.requirement import Requirements
from whit.spec.toml import read
from whit.spec.unit import unit_of

_RELEASE = ("name", "publisher", "description", "readers", "unprotected", "language")
_NEEDED = {
    "release": "name and publisher",
    "unit": "name",
    "promise": "what is promised, such as epsilon = 1",
    "adversary": "name, fact and prior",
}


WRITE_FAILURE = "Write failure = 0.01 in [questions]."
"""The line that a file needs whose release has no bound on beliefs that always holds."""


@dataclass(frozen=True)
class Release:
    """A release as its publisher states it.

    Attributes:
        name: what is released.
        publisher: who releases it.
        description: what it holds, in a sentence or two.
        readers: who will see it.
        unprotected: what is published without noise.
        unit: whom or what the promise is about.
        covers_all: whether the period of the unit holds all releases, and not each of them one; so it is read if the
            file does not say, since that claims less.
        series: the promise; of several, what they come to together.
        askers: the adversaries.
        requirements: what the publisher accepts.
        questions: what is asked.
        hazards: answers to the checklist, by key.
        text: the file itself.
        ledger: the account that it is to be charged to, if the file names one.
        promises: each promise that the file states, with the number of its releases.
        language: the two letters of the language of its report; empty if the file names none.
        is_cover_stated: whether the file says what the period holds.
        table: the table that is published without noise beside it, and what must be left of its cells.
    """

    name: str
    publisher: str
    description: str
    readers: str
    unprotected: tuple[str, ...]
    unit: UnitOfPrivacy
    covers_all: bool
    series: Series
    askers: tuple[Asker, ...]
    requirements: Requirements
    questions: Questions
    hazards: dict[str, str]
    text: str
    ledger: LedgerAccount | None = None
    promises: tuple[Series, ...] = ()
    language: str = ""
    is_cover_stated: bool = True
    table: AuditRead | None = None

    @property
    def leaves_period_open(self) -> bool:
        """Whether the period could hold all releases or each have its own, and the file does not say which."""
        return self.unit != UnitOfPrivacy(self.unit.name) and self.releases > 1 and not self.is_cover_stated

    @property
    def releases(self) -> int:
        """How many releases there are, of all promises."""
        return sum(each.releases for each in self.promises or (self.series,))

    @property
    def protected(self) -> str:
        """What is protected, in words, with how many releases that is about."""
        number = self.releases
        if number == 1:
            return self.unit.sentence
        if self.leaves_period_open:
            return f"{self.unit.sentence[:-1]} (whether it holds all {number:,} releases is not stated)."
        if self.covers_all:
            return f"{self.unit.sentence[:-1]}, over all {number:,} releases together."
        return (
            f"{self.unit.sentence} That is one of {number:,} releases; the risks are those of all {number:,} together."
        )


def read_release(path: str | os.PathLike[str], *, hazards: Collection[str] | None = None) -> Release:
    """The release that a TOML file states.

    Args:
        path: the file.
        hazards: the questions that [hazards] may answer; any if none are named.
    """
    return release_of(read(path), hazards=hazards)


def release_of(whole: Given, *, hazards: Collection[str] | None = None) -> Release:
    """The release that a TOML text states, which was read."""
    form = Form.of(whole)
    _require_tables(whole)
    table = whole.table("release").only(_RELEASE, needed=("name", "publisher"))
    series, about = form.together, unit_of(whole.table("unit"))
    for each in form.questions:
        if "questions" in each:
            raise each.refuse("questions", "is for whit assess, since a report answers all questions")
    return Release(
        name=table.words("name"),
        publisher=table.words("publisher"),
        description=table.words("description"),
        readers=table.words("readers"),
        unprotected=table.list_of_words("unprotected"),
        unit=about.unit,
        covers_all=about.covers_all is not False,
        is_cover_stated=about.covers_all is not None,
        series=series,
        askers=tuple(asker_of(each, needed=("name", "fact")) for each in form.adversary),
        requirements=form.requirements,
        questions=_sure(form, series),
        hazards=_answers(whole.table("hazards"), hazards),
        text=whole.source.text,  # type: ignore[attr-defined]  # the source of a file
        ledger=form.account,
        language=table.words("language"),
        promises=form.promises,
        table=form.table,
    )


def _require_tables(whole: Given) -> None:
    """Refuse a file that lacks a table which every report needs."""
    for name, keys in _NEEDED.items():
        if name not in whole:
            way_out = f"Write [{name}] with {keys} below it. whit init writes a whole file by questions."
            raise InvalidInput(whole.source.about(f"[{name}]"), "must be there for a report", "nothing", way_out)


def _sure(form: Form, series: Series) -> Questions:
    """What is asked; a release without a bound that always holds needs a chance of failure."""
    said = any("failure" in each for each in form.questions)
    if not said and math.isinf(float(largest_loss(series.together, 0.0, neighbours=series.relation))):
        name = form.questions[0].place("failure") if form.questions else form.promise[0].source.about("failure")
        rule = "must be given, since this promise has no bound on beliefs that always holds"
        raise InvalidInput(name, rule, "nothing", WRITE_FAILURE, parameter="failure")
    return form.asked


def _answers(given: Given, known: Collection[str] | None) -> dict[str, str]:
    names = {plain(key): key for key in (given.values if known is None else known)}
    given.only(names)
    return {names[key]: given.words(key) for key in given.values}
