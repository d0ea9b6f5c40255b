"""The text for those who check: every number with its inputs, theorems, conversions and assumptions."""

from __future__ import annotations

import re

from whit.curves import Curve
from whit.guarantees.conversions import EDGES
from whit.telling.words.language import Language, Passage, Said
from whit.telling.words.numbers import DIGITS, amount, bare, upper
from whit.telling.words.officer import by_verifier, changes, fact, failure
from whit.telling.words.promises import in_parts
from whit.telling.words.subject import Subject, given, methods_of, name_of, notes_of
from whit.theory import Finding, Prose, Tree, Unit, assumption, reference, theorem

_COUNT = {"add_remove": [1.0], "replace": [1.0]}
"""The sensitivity of one count, which goes without saying."""

_PYTHON = re.compile(r"\w\(")
"""A name with a value as Python writes it."""

LARGEST_WHOLE = 1e15
"""Whole numbers below this are written without a point."""


def technical(subject: Subject, words: Language) -> list[Passage]:
    """The paragraphs for those who check."""
    promise = [words.say("technical.promise", promise=_promise(subject, words))] if subject.promise else []
    related = subject.relation
    relation = [] if related is None else [Passage(words.name("neighbours", related.name, related.value))]
    return [
        *subject.opening,
        Passage.joined([*promise, *relation, fact(subject, words)]),
        *(_answer(each, words) for each in _findings(subject)),
        *_unanswered(subject, words),
        *_conversions(subject, words),
        *_theorems(subject, words),
        *_assumptions(subject, words),
        Passage.joined([words.say(f"method.{name}") for name in methods_of(subject)]),
        *(words.say(f"notes.{note}") for note in notes_of(subject)),
        Passage.joined([words.say("technical.not_covered"), *subject.unprotected]),
    ]


def _promise(subject: Subject, words: Language) -> str:
    """The promise as it is called everywhere; by its echo where no name is known but one in Python."""
    if not subject.name or _PYTHON.search(subject.name):
        return _in_words(dict(subject.promise), words)
    return in_parts(subject.name, words) or subject.name


def _in_words(promise: Tree, words: Language) -> str:
    """A promise by its kind and its numbers; of several, in how many releases each."""
    if isinstance(promise, list):
        return words.listed([_in_words(each, words) for each in promise])
    if isinstance(promise, float):
        return words.digits(f"{promise:.15g}")
    if not isinstance(promise, dict):
        return _spaced(str(promise)).lower()
    parts = promise.get("parts")
    if isinstance(parts, list):
        return words.listed([_of_several(each, words) for each in parts if isinstance(each, dict)], "semicolon")
    kind = [_spaced(str(promise["kind"]))] if "kind" in promise else []
    named = {name: v for name, v in promise.items() if name != "kind" and v not in (None, "ADD_REMOVE", _COUNT)}
    return ", ".join([*kind, *(_parameter(name, value, words) for name, value in named.items())])


def _of_several(part: dict[str, Tree], words: Language) -> str:
    """One of several promises, with the number of its releases."""
    one, releases = _in_words(part["promise"], words), int(str(part["releases"]))
    return one if releases == 1 else words.say("technical.each", promise=one, number=words.digits(f"{releases:,}")).text


def _parameter(name: str, value: Tree, words: Language) -> str:
    """A parameter by its name; what is itself made of parameters stands in brackets."""
    said = _in_words(value, words)
    return f"{_spaced(name)} ({said})" if isinstance(value, dict) else f"{_spaced(name)} = {said}"


def _spaced(name: str) -> str:
    """A name in words.

    >>> _spaced("PoissonSubsampled"), _spaced("PureDP"), _spaced("add_remove")
    ('Poisson subsampled', 'Pure DP', 'add remove')
    """
    first, *others = re.sub("(?<=[a-z])(?=[A-Z])", " ", name.replace("_", " ")).split(" ")
    return " ".join([first, *(each if each.isupper() else each.lower() for each in others)])


def _findings(subject: Subject) -> list[Finding]:
    """The findings of every answer; the number of the subject stands for an answer whose name is the only one."""
    names = [name for name, _ in subject.answers]
    own = {name: (number,) for name, number in subject.numbers.items() if names.count(name) == 1}
    return [each for name, answer in subject.answers for each in own.get(name, answer.findings)]


def _answer(answer: Finding, words: Language) -> Passage:
    """One number: what it is, what it was given, how it may fail, and what it rests on."""
    finding, basis = answer.bound, answer.bound.basis
    pieces = [
        words.say("technical.value", name=name_of(finding, words), value=_value(answer, words)),
        _inputs(finding, words),
        failure(finding, words, key="technical"),
    ]
    for name, number in (("truncation", basis.truncation), ("slack", basis.slack)):
        if number > 0.0:
            shown = upper(number, Unit.NUMBER, finding, name, words)
            pieces.append(words.say(f"technical.{name}", number=shown))
    return Passage.joined([*pieces, words.say("technical.rests_on", keys=words.listed(basis.theorems))])


def _value(answer: Finding, words: Language) -> Passage:
    """The number with its direction; a prior that a ratio or a rise only grows towards is never reached."""
    finding = answer.bound
    if finding.quantity.towards(finding.largest):
        return words.say("technical.towards", number=bare(finding, finding.direction, words))
    return amount(answer, words, DIGITS)


def _inputs(finding: Finding, words: Language) -> Passage:
    """The numbers that a finding was given, by name."""
    listed = []
    for name in finding.inputs:
        number = given(finding, name)
        if number is not None:
            listed.append(words.say("technical.input", name=name, value=_exactly(finding, name, number, words)))
    return (
        words.say("technical.inputs", inputs=Passage.joined(listed, words.templates["list.semicolon"]))
        if listed
        else Passage("")
    )


def _exactly(finding: Finding, name: str, number: float, words: Language) -> Said:
    whole = number.is_integer() and abs(number) < LARGEST_WHOLE
    return Said(words.digits(repr(int(number) if whole else number)), number, finding, f"inputs.{name}")


def _unanswered(subject: Subject, words: Language) -> list[Passage]:
    lines = [
        words.say("technical.reason", name=words.say(f"question.{name}"), reason=each.reason)
        for name, each in subject.unanswered.items()
    ]
    return [words.say("technical.unanswered"), *lines] if lines else []


def _conversions(subject: Subject, words: Language) -> list[Passage]:
    """The theorems that lead from one kind of promise to another."""
    steps = {edge.theorem for edge in EDGES if edge.source is not Curve}
    used = [
        words.say("technical.conversion", key=key, title=words.name("theorem", key, theorem(key).title))
        for key in subject.basis
        if key in steps
    ]
    if not used:
        return [words.say("technical.no_conversion")]
    return [words.say("technical.conversions", conversions=Passage.joined(used, words.templates["list.semicolon"]))]


def _theorems(subject: Subject, words: Language) -> list[Passage]:
    lines = [_cited(key, words) for key in subject.basis]
    return [words.say("technical.theorems"), *lines] if lines else []


def _cited(key: str, words: Language) -> Passage:
    entry = theorem(key)
    publication = reference(entry.reference).short
    title = words.name("theorem", key, entry.title)
    cited = words.say("technical.theorem", key=key, title=title, reference=publication, locator=entry.locator)
    corrected = [words.say("technical.corrected", corrected=entry.corrected)] if entry.corrected else []
    return Passage.joined([cited, *corrected, *([words.say("technical.proof")] if entry.proof else [])])


def _assumptions(subject: Subject, words: Language) -> list[Passage]:
    """What is assumed, exactly, by who must verify it."""
    lines = []
    for who, names in by_verifier(subject.assumptions).items():
        said = [Passage(each.text) for each in changes(who, subject, words)]  # as exact as the theorems, and quoted
        said += [_assumption(name, subject, words) for name in names]
        lines += [words.say(f"technical.{who.value}", sentences=Passage.joined(said))] if said else []
    return [words.say("technical.assumptions"), *lines] if lines else []


def _assumption(name: str, subject: Subject, words: Language) -> Passage:
    """One assumption, exactly, with the theorems that need it."""
    exact = " ".join(Prose(words.name("exact", name, assumption(name).exact.source)).split())
    keys = words.listed(key for key in subject.basis if name in theorem(key).assumptions)
    return words.say("technical.assumption", key=name, keys=keys, exact=exact)
