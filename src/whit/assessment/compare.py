"""Several promises side by side: the same questions put to each of them by the same adversary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from whit import assessment
from whit.assessment.answers import Assessment
from whit.assessment.assess import assess_one
from whit.curves import Promise, promise_name
from whit.display import Tabular
from whit.errors import InvalidInput, NotImplied, require, unknown_name
from whit.setting import Adversary, Knowledge, Neighbours
from whit.theory import Answer, Finding, value_text

USUAL = ("posterior", "expected_posterior", "power", "advantage")
"""What is compared unless other questions are asked."""

CONFIDENCE = 0.95
"""The share of cases in which the error of the noise is at most what a column says."""

BY_LOSS, BY_PROFILE = "loss-tail", "tail-from-profile"
"""The theorems that bound a tail: by the law of the loss, and where that is not known for everybody."""

_PROMISES = 'Pass promises by name, such as {"a year": PureDP(1.0), "a decade": PureDP(4.0)}, or a list of them.'
_RELATIONS = {
    Neighbours.ADD_REMOVE: "a record that is added or removed",
    Neighbours.REPLACE: "a record that is replaced",
    Neighbours.LOCAL: "the report that one person sends",
}
_TWICE = "to replace a record is to remove one and to add one, which is up to twice as far"
_NOISY_ALREADY = (
    "a local promise protects what a person answers, also from the curator, and says nothing about presence"
)


@dataclass(frozen=True)
class Compared:
    """One promise among others.

    Attributes:
        name: what it is called.
        promise: the promise.
        neighbours: the relation between datasets that its answers are about; None for a bare curve.
        answers: the answers.
    """

    name: str
    promise: Promise
    neighbours: Neighbours | None
    answers: Assessment

    @property
    def noise(self) -> dict[str, Finding]:
        """How far the noise of one release moves a number, by the name of a column; nothing for other promises."""
        parts = self.promise.composed_of
        one: Any = parts[0][0] if len(parts) == 1 else self.promise
        with suppress(AttributeError, NotImplied):
            error = one.error_quantile(CONFIDENCE)
            return {"standard deviation": one.standard_deviation(), "95 % error": error}
        return {}


@dataclass(frozen=True, repr=False)
class Comparison(Tabular):
    """The same questions put to several promises: a row for each promise, a column for each question.

    Attributes:
        adversary: who asks.
        questions: what is asked, by name.
        rows: the promises with their answers, in the order in which they were given.
    """

    adversary: Adversary
    questions: tuple[str, ...]
    rows: tuple[Compared, ...]

    def __iter__(self) -> Iterator[Compared]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> Assessment:
        """The answers of the promise of this name."""
        known = {each.name: each.answers for each in self.rows}
        if name not in known:
            raise unknown_name("a promise of this comparison", name, list(known))
        return known[name]

    def answers(self, row: Compared) -> tuple[Answer, ...]:
        """The answers of one promise, in the order of the questions."""
        return tuple(getattr(row.answers, name) for name in self.questions)

    @property
    def notice(self) -> str:
        """What keeps the rows from being ranked; empty if nothing does."""
        return " ".join(filter(None, (self._of_relations, self._of_tails)))

    @property
    def _of_tails(self) -> str:
        """Which bounds on noise come from its profile beside others that come from the loss, and so may be looser."""
        if self.adversary.knows is not Knowledge.EVERYONE_ELSE:
            return ""  # then the profile is what there is
        loose: dict[tuple[str, ...], list[str]] = {}
        for at, name in enumerate(self.questions):
            by = {row.name: _theorems(self.answers(row)[at]) for row in self.rows if not row.promise.is_stated}
            rows = tuple(of for of, keys in by.items() if BY_PROFILE in keys)
            if rows and any(BY_LOSS in keys for keys in by.values()):
                loose.setdefault(rows, []).append(name)
        return " ".join(_looser(questions, rows) for rows, questions in loose.items())

    @property
    def _of_relations(self) -> str:
        """That promises about different neighbours are no ranking."""
        relations = [each for each in Neighbours if each in {row.neighbours for row in self.rows}]
        if len(relations) < 2:
            return ""
        about = "; others about ".join(_RELATIONS[each] for each in relations)
        told = f"Some of these promises are about {about}. Their numbers do not rank them"
        reasons = [_TWICE] if {Neighbours.ADD_REMOVE, Neighbours.REPLACE} <= {*relations} else []
        reasons += [_NOISY_ALREADY] if Neighbours.LOCAL in relations else []
        return f"{told}: {'; and '.join(reasons)}."

    def to_rows(self) -> list[dict[str, Any]]:
        """A plain row for each promise; None where a question has no answer, or where a promise is no noise."""
        found = []
        for row in self.rows:
            worst = {name: answer.worst for name, answer in zip(self.questions, self.answers(row), strict=True)}
            numbers = {name: None if each is None else float(each) for name, each in worst.items()}
            noise = {name: each.largest for name, each in row.noise.items()}
            found.append({"promise": row.name, "neighbours": _word(row.neighbours), **numbers, **noise})
        return found

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """The head and the rows of a table, in words; columns on noise only where a promise is noise."""
        noise = list(dict.fromkeys(name for row in self.rows for name in row.noise))
        head = ["promise", "neighbours", *(name.replace("_", " ") for name in self.questions), *noise]
        rows = [
            [
                row.name,
                _word(row.neighbours),
                *map(in_short, self.answers(row)),
                *(value_text(row.noise[name]) if name in row.noise else "no noise stated" for name in noise),
            ]
            for row in self.rows
        ]
        return head, rows

    def _repr_html_(self) -> str:
        """What a notebook shows: the table, and what the answers rest on."""
        return assessment.comparison_html(self)

    def to_dict(self) -> dict[str, Any]:
        """The comparison as a plain tree: every answer with its direction and its theorems."""
        rows = [
            {
                "name": row.name,
                "promise": row.promise.to_dict(),
                "neighbours": _word(row.neighbours),
                "answers": {
                    name: answer.to_dict() for name, answer in zip(self.questions, self.answers(row), strict=True)
                },
            }
            for row in self.rows
        ]
        return {"adversary": self.adversary.to_dict(), "questions": list(self.questions), "rows": rows}

    def __str__(self) -> str:
        """A table in plain columns, and below it what keeps the rows from being ranked."""
        head, cells = self.cells()
        widths = [max(len(line[at]) for line in [head, *cells]) for at in range(len(head))]
        lines = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in [head, *cells]]
        return "\n".join([*lines, *([self.notice] if self.notice else [])])

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.rows)} promises by {', '.join(self.questions)}>"


def _theorems(answer: Answer) -> tuple[str, ...]:
    return () if answer.worst is None else answer.worst.basis.theorems


def is_by_profile(found: Finding) -> bool:
    """Whether a bound on noise, for somebody who knows everyone else, is comes from its profile."""
    return found.inputs.get("knows") == Knowledge.EVERYONE_ELSE.name and BY_PROFILE in found.basis.theorems


def loose_text(name: str, promise: str) -> str:
    """What is said of such a bound that stands alone."""
    return _looser([name], [promise], "other noise has")


def _looser(questions: Sequence[str], rows: Sequence[str], others: str = "other rows have") -> str:
    asked = ", ".join(name.replace("_", " ") for name in questions)
    which = f"The bound on the {asked} of {'; '.join(rows)} comes from the privacy profile ({BY_PROFILE})."
    return f"{which} It may be looser than one from the law of the loss ({BY_LOSS}), as {others} it."


def in_short(answer: Answer) -> str:
    """The number on its safe side with its direction, in few words; an exact one says where it is rounded."""
    return "not answered" if answer.worst is None else answer.worst.brief()


def compare(
    promises: Mapping[str, Promise] | Sequence[Promise],
    adversary: Adversary | None = None,
    *,
    questions: Sequence[str] | None = None,
    neighbours: Mapping[str, Neighbours | None] | Neighbours | None = None,
    **asked: Any,
) -> Comparison:
    """The same questions put to several promises.

    >>> from whit.guarantees import PureDP, ZeroConcentratedDP
    >>> print(compare({"a": PureDP(1.0), "b": ZeroConcentratedDP(0.1)}, questions=["power", "advantage"]))
    promise  neighbours  power           advantage
    a        add-remove  at most 13.6 %  at most 46.3 %
    b        add-remove  at most 13.4 %  at most 22.2 %

    Args:
        promises: promises, mechanisms or curves by name; a list is named by what is promised.
        adversary: who asks; even odds if nobody is named.
        questions: the names of those to answer. Without them: posterior, expected posterior, power and advantage, and
            the success of a guess if the adversary has a baseline.
        neighbours: the relation between datasets, for all or by name; that of each promise if none is named.
        asked: failure, sides, level, people and population, as for `assess`.
    """
    who = Adversary(prior=0.5) if adversary is None else adversary
    if not isinstance(who, Adversary):
        raise InvalidInput("adversary", "must be one Adversary", adversary, "Compare for each adversary by itself.")
    named = _named(promises)
    names = tuple(questions) if questions else (*USUAL, *(("success",) if who.baseline is not None else ()))
    if "worst_prior" in names:
        raise InvalidInput("questions", "must each be one number to compare by", "worst_prior", "Leave it out.")
    relations = dict(neighbours) if isinstance(neighbours, Mapping) else dict.fromkeys(named, neighbours)
    rows = [
        Compared(
            name,
            promise,
            promise.relation(relations.get(name)),
            assess_one(promise, who, neighbours=relations.get(name), questions=names, **asked),
        )
        for name, promise in named.items()
    ]
    return Comparison(who, names, tuple(rows))


def _named(promises: object) -> dict[str, Promise]:
    """The promises by name; two of a list that are called the same are told apart by their number."""
    if isinstance(promises, Mapping):
        found = {str(name): promise for name, promise in promises.items()}
    else:
        several = list(promises) if isinstance(promises, Sequence) else []
        good = all(isinstance(each, Promise) for each in several)
        texts = [promise_name(each) for each in several] if good else [""] * len(several)
        titles = [text if texts.count(text) == 1 else f"{text} ({at})" for at, text in enumerate(texts, start=1)]
        found = dict(zip(titles, several, strict=True)) if good else {"": None}
    known = bool(found) and all(isinstance(each, Promise) for each in found.values())
    require(known, name="what is compared", rule="must be at least one promise", value=promises, way_out=_PROMISES)
    return found


def _word(neighbours: Neighbours | None) -> str:
    return "not stated" if neighbours is None else neighbours.word
