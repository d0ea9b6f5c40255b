"""One setting, a promise with all that is asked of it: the answers as plain values, and what they rest on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from whit import mechanisms
from whit.errors import InvalidInput, NotImplied, TooCostly, Unreachable, WhitError, unknown_name
from whit.guarantees import PureDP
from whit.ledger import book_of
from whit.numerics import nearest_up
from whit.policy import limits
from whit.setting import Neighbours, When
from whit.spec import NEIGHBOURS, Form, Given, Questions, Series, Source, assess_series, kinds, limits_of, pairs, plain
from whit.theory import Answer, Direction, Finding
from whit.version import VERSION

Plain = dict[str, Any]
"""Plain values by name, as JSON has them."""

ADVERSARY = ("prior", "knows", "block")
"""The words of a setting that are about the adversary."""

ASKED = ("failure", "level")
"""The words that are about the questions."""

BETWEEN = "between"
"""The word for the relation between datasets that a total is about, beside that of each charge."""

OF_A_KIND = ("kind", "parameter", "count")
"""The words of a table that names the kind of each promise in a column."""

TOTALS = ("total", "total_delta")
"""The words of what a unit was charged, in grains of its book."""

GRAINS = {"total": Fraction(1, 10**12), "total_delta": Fraction(1, 10**18)}
"""What the whole numbers of a total count: a charge is rounded up to such a grain, and grains add up exactly."""

MOST_GRAINS = 2**63 - 1
"""The most grains of a charge or a total."""

QUESTIONS = ("posterior", "ratio", "difference", "power")
"""What is asked of every setting; the posterior is asked once more, for every moment."""


@dataclass(frozen=True)
class Cells(Source):
    """Names and values from the cells of a row.

    Attributes:
        columns: the column of each word that is one.
    """

    columns: Mapping[str, str] = field(default_factory=dict)

    def key(self, key: str) -> str:
        """The column of a word; a word that is the same for all rows goes by itself."""
        return f"column {self.columns[key]}" if key in self.columns else key


@dataclass(frozen=True)
class Setting:
    """What a row says, by word, and from which columns."""

    words: Mapping[str, object]
    columns: Mapping[str, str] = field(default_factory=dict)

    def given(self, words: Mapping[str, object]) -> Given:
        """Some of the words with their places."""
        return Given(words, Cells(self.columns))

    def spelled(self) -> Setting:
        """The same where a kind, its parameter and a count are the words that they stand for."""
        if "kind" not in self.words:
            return self
        words, columns = dict(self.words), dict(self.columns)
        named = words.pop("kind")
        kind = plain(str(named))
        if kind not in heads():
            raise unknown_name(f"column {columns['kind']}", named, [each.replace("_", "-") for each in heads()])
        for old, new in (("parameter", kind), ("count", "releases")):
            if old in words:
                words[new], columns[new] = words.pop(old), columns[old]
        return Setting(words, columns)

    @property
    def text(self) -> str:
        """The words as one text, the same for the same words."""
        return json.dumps(self.words, sort_keys=True, default=str)


def heads() -> list[str]:
    """The words that kinds of promise are stated by, each with its parameter."""
    return [mechanisms.stated_by(kind)[0].word for kind in kinds()]


def charge_of(setting: Setting) -> Plain:
    """What a release is charged for the neighbours of the total, in whole grains, rounded up."""
    setting = setting.spelled()
    words = dict(setting.words)
    book, asked = book_of(str(words.pop("book"))), _between(words)
    series = Form(promise=(setting.given(words),)).series
    _require_known(setting, series, asked)
    amount = book.charge(series.together, asked)
    if amount is None:
        way_out = "Use another book: pure, zcdp, gdp, renyi@8 or sums@1e-6."
        raise NotImplied("the promise", f"must have a charge in the book {book.word}", series.words, way_out)
    grains = {name: -(-part // GRAINS[name]) for name, part in zip(TOTALS, amount, strict=False)}
    if max(grains.values()) > MOST_GRAINS:
        rule = f"must be at most {MOST_GRAINS} grains"
        raise InvalidInput("a charge", rule, max(grains.values()), "Leave out what gives no protection.")
    return dict(grains)


def _between(words: dict[str, object]) -> Neighbours:
    """The neighbours of the total, which are taken out of the words."""
    return Given({"neighbours": words.pop(BETWEEN)}).word("neighbours", NEIGHBOURS)


def _require_known(setting: Setting, series: Series, asked: Neighbours) -> None:
    """Refuse a charge that says nothing about the neighbours of the total."""
    try:
        PureDP(0.0, neighbours=series.named or asked).under(asked)  # of noise too: what is named is what was checked
        series.under(asked)
    except NotImplied as wrong:
        name = setting.given(setting.words).key("neighbours")
        rule = f"must be such that the charge also holds under {asked.word}, for which the total is"
        way_out, suggested = "Leave out what says nothing about them.", {}
        if asked is not Neighbours.REPLACE:
            way_out = "Ask for totals under a replaced record with {same}, or leave out what says nothing about others."
            suggested = {"same": {"neighbours": Neighbours.REPLACE.word}}
        raise NotImplied(name, rule, series.neighbours.word, way_out, suggested=suggested) from wrong


def answer_of(setting: Setting) -> Plain:
    """The answers of one setting: numbers by question, share of the limit, direction, and what they rest on."""
    setting = setting.spelled()
    words = dict(setting.words)
    asked = {name: words.pop(name) for name in ASKED if name in words}
    who = {name: words.pop(name) for name in ADVERSARY if name in words}
    limit = words.pop("limit", None)
    total = "book" in words
    series = _total(words) if total else Form(promise=(setting.given(words),)).series
    form = Form(adversary=(setting.given({"prior": 0.5, **who}),), questions=(setting.given(asked),) if asked else ())
    found = _answers(series, form)
    row: Plain = {name: _number(each) for name, each in found.items()}
    if limit is not None:
        risks = _risks(setting, str(limit), series, form.asked.failure)
        row |= _used(risks)
        found |= {f"limit.{at}": risk for at, (_, risk) in enumerate(risks) if risk is not None}
    row |= {"neighbours": series.neighbours.word} if total else {}
    return {**row, "direction": _direction(found), "basis": _basis(found)}


def basis_id(basis: Plain) -> str:
    """A short name of what answers rest on: the same for the same basis, in every engine and every run."""
    return hashlib.sha256(json.dumps(basis, sort_keys=True).encode()).hexdigest()[:12]


def _total(words: dict[str, object]) -> Series:
    """What the total of a unit promises."""
    book, named = book_of(str(words["book"])), _between(words)
    grains = {name: int(str(words[name])) for name in TOTALS if name in words}
    if max(grains.values()) >= MOST_GRAINS:
        raise InvalidInput(
            "a total", f"must be below {MOST_GRAINS} grains", "more", "Leave out what gives no protection."
        )
    return Series(book.promise(tuple(count * GRAINS[name] for name, count in grains.items()), named))


def _answers(series: Series, form: Form) -> dict[str, Answer]:
    """The answers at the end by question, and the posterior at every moment."""
    failure, level = form.asked.failure, form.asked.level
    [asker] = form.askers
    found = assess_series(series, asker, Questions(failure=failure, level=level, names=QUESTIONS))
    watching = replace(asker, adversary=replace(asker.adversary, when=When.EVER))
    ever = assess_series(series, watching, Questions(failure=failure, names=("posterior",)))
    return {
        "posterior": found.posterior,
        "posterior_ever": ever.posterior,
        "ratio": found.ratio,
        "difference": found.difference,
        "power": found.power,
    }


def _number(answer: Answer) -> float | None:
    """The number on its safe side; nothing where there is no answer."""
    return None if answer.worst is None else float(answer.worst)


def _risks(setting: Setting, text: str, series: Series, failure: float) -> list[tuple[limits.Limit, Finding | None]]:
    """The limits of a text, with semicolons between them, and the risk of each; nothing where none is implied."""
    with setting.given({"limit": text}).placed():
        several = _limits(text)
    found: list[tuple[limits.Limit, Finding | None]] = []
    for limit in several:
        risk = None
        with suppress(NotImplied, TooCostly, Unreachable):
            risk = limit.risk(series.together, failure=failure, neighbours=series.relation)
        found.append((limit, risk))
    return found


@lru_cache(maxsize=1024)
def _limits(text: str) -> tuple[limits.Limit, ...]:
    """The limits of a text; most tables have one text in all rows."""
    return tuple(limit for each in text.split(";") for _, limit in limits_of(pairs("a limit", each)))


@lru_cache(maxsize=1024)
def _least(limit: limits.Limit) -> float:
    """The risk that a limit speaks of where there is no release at all."""
    nothing = limit.risk(PureDP(0.0))
    return float(nothing.value if nothing.lower is None else nothing.lower)


def _used(risks: list[tuple[limits.Limit, Finding | None]]) -> Plain:
    """The largest share of a limit that is used, and whether every risk is shown to be within its limit."""
    shares = [None if risk is None else _share(limit, risk) for limit, risk in risks]
    within = all(
        limit.void() if risk is None else risk.upper is not None and float(risk) <= limit.largest
        for limit, risk in risks
    )
    known = [each for each in shares if each is not None]
    return {"limit_used": max(known) if len(known) == len(shares) else None, "within": within}


def _share(limit: limits.Limit, risk: Finding) -> float | None:
    """How much of the room of a limit a risk takes, rounded up; the room begins where there is no release at all.

    It is at most 1 exactly where the risk is within the limit.
    """
    if risk.upper is None:
        return None
    least, worst = Fraction(_least(limit)), float(risk.upper_bound())
    room = Fraction(limit.largest) - least
    if worst == float("inf") or room <= 0:
        return 0.0 if least >= Fraction(min(worst, 1e308)) else float("inf")
    return max(0.0, nearest_up((Fraction(worst) - least) / room))


def _direction(found: Mapping[str, Answer]) -> str | None:
    """On which side of the truth the numbers lie; nothing where there are none."""
    sides = [each.worst.bound.direction for each in found.values() if each.worst is not None]
    return Direction.combine(*sides).value if sides else None


def _basis(found: Mapping[str, Answer]) -> Plain:
    """What the numbers rest on: theorems and failures by question, and why a question has no answer."""
    answered = {name: each.worst.basis for name, each in found.items() if each.worst is not None}
    refused = {name: each for name, each in found.items() if each.worst is None}
    failures = {
        name: [{"probability": each.probability, "over": each.over.name} for each in basis.failures]
        for name, basis in answered.items()
    }
    return {
        "whit": VERSION,
        "theorems": {name: list(basis.theorems) for name, basis in answered.items()},
        "failures": {name: each for name, each in failures.items() if each},
        "unanswered": {name: _reason(each) for name, each in refused.items()},
    }


def _reason(answer: Any) -> str:
    """Why there is no answer, without the values of this setting: the same sentence stands for many rows."""
    refusal = answer.refusal
    return f"{refusal.name} {refusal.rule}" if isinstance(refusal, WhitError) else str(refusal)
