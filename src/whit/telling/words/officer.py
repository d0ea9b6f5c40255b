"""The text for those who decide: worst cases in percent, what they hold for, and what must be seen to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from string import Formatter

from whit.semantics.membership import FACTS, OF_A_CURVE
from whit.telling.words.changes import change_passages
from whit.telling.words.language import Language, Passage, Said
from whit.telling.words.numbers import ALMOST_ALL, DIFFERENCES, amount, beyond, given_amount, several, upper
from whit.telling.words.subject import (
    About,
    Subject,
    given,
    key_of,
    methods_of,
    name_of,
    notes_of,
)
from whit.theory import Answer, Direction, Finding, Unit, Verifier, assumed_keys, assumption

GROUPS = (
    ("posterior", "ratio", "difference", "power"),
    ("worst_prior", "expected_posterior"),
    ("advantage", "best_guess", "positive_predictive_value", "success"),
    ("total_variation", "posterior_ratio"),
    ("relative_risk", "absolute_risk"),
)
"""The questions of an assessment, paragraph by paragraph; the first holds the bottom line."""

DISCLOSURE = 4
"""The place of the paragraph about disclosures among them."""

_ROUNDING = 1e-9
"""By how much two bounds on the same number may differ without a reason to tell."""

LEFT_OUT = ("odds",)
"""What says again what the posterior says, for those who check only."""

FIRST = {"ratio": "posterior", "difference": "posterior", "absolute_risk": "relative_risk"}
"""Which answer must come before another, so that the other is short."""

# The adversary's probability of the value has the name that the number of a finding has.
_RENAMED = {"value_belief": "value"}


def officer(subject: Subject, words: Language) -> list[Passage]:
    """The paragraphs for an officer."""
    return [
        *subject.opening,
        *_paragraphs(subject, words),
        fact(subject, words),
        _unanswered(subject, words),
        Passage.joined([words.say(f"method.{name}") for name in methods_of(subject)]),
        *(words.say(f"notes.{note}") for note in notes_of(subject)),
        *_to_see_to(subject, words),
        Passage.joined([words.say("officer.not_covered"), *subject.unprotected]),
    ]


def sentence(answer: Finding, words: Language) -> Passage:
    """One answer as a sentence."""
    finding = answer.bound
    key = f"officer.one.{key_of(finding)}"
    gaps = _gaps(finding, words.templates[key], words) if words.has(key) else None
    if gaps is None or math.isinf(finding.largest):
        key, gaps = "officer.generic", {"name": name_of(finding, words)}
    said = words.say(key, value=amount(answer, words, points=key_of(finding) in DIFFERENCES), **gaps)
    return Passage.joined([said, several(finding, "officer", words), _ask_instead(answer, words)])


def _ask_instead(answer: Finding, words: Language) -> Passage:
    """What to ask where nothing is ruled out without exception."""
    finding = answer.bound
    without_exception = finding.inputs.get("failure") == 0.0 and not finding.basis.failures
    return words.say("officer.ask_failure") if _is_open(finding) and without_exception else Passage("")


def _is_open(finding: Finding) -> bool:
    """Whether a bound rules nothing out."""
    return finding.direction is Direction.AT_MOST and finding.largest == finding.quantity.unit.ceiling


def _says_little(finding: Finding) -> bool:
    """Whether a bound rules out nothing, or next to nothing: that it possibly exceeds 99.9 % holds of no outcome."""
    most = finding.quantity.unit.ceiling
    return finding.direction is Direction.AT_MOST and (
        finding.largest > ALMOST_ALL if most == 1.0 else finding.largest == most
    )


def fact(subject: Subject, words: Language) -> Passage:
    """What the beliefs are about, where it is known."""
    if subject.fact:
        return words.say("officer.own_fact", fact=subject.fact)
    if subject.about is not About.NEIGHBOURS:
        return words.say(f"officer.fact_{subject.about.value}")
    named = next((str(finding.inputs["fact"]) for finding in subject.findings if "fact" in finding.inputs), "")
    if named and named not in (*FACTS.values(), OF_A_CURVE):
        return words.say("officer.own_fact", fact=named)
    return words.say("officer.fact", fact=words.name("fact", named, named)) if named else Passage("")


def failure(finding: Finding, words: Language, *, key: str = "officer") -> Passage:
    """That it always holds, or the chance over which randomness that it does not."""
    if not finding.basis.failures:
        always = "failure" in finding.inputs and (key == "technical" or not _says_little(finding))
        return words.say(f"{key}.always") if always else Passage("")
    said: list[Passage] = []
    name = "failure_asked" if key == "officer" and _says_little(finding) else "failure"
    for each in finding.basis.failures:
        over = words.say(f"over.{each.over.name.lower()}")
        chance = upper(each.probability, Unit.PROBABILITY, finding, "failure", words)
        said += [words.say(f"{key}.{name}", failure=chance, over=over), beyond(finding, each.over, key, words)]
    return Passage.joined(said)


def by_verifier(names: tuple[str, ...]) -> dict[Verifier, list[str]]:
    """Keys of assumptions, by who can check them."""
    return {who: [name for name in names if assumption(name).verifier is who] for who in Verifier}


def changes(who: Verifier, subject: Subject, words: Language) -> tuple[Passage, ...]:
    """What one record changes at most where noise is added, which those who hold the data check."""
    if who is not Verifier.CURATOR:
        return ()
    said = [each for finding in subject.findings for each in change_passages(finding, words)]
    return tuple({each.text: each for each in said}.values())


def _paragraphs(subject: Subject, words: Language) -> list[Passage]:
    """The answers, the bottom line first; what an assessment does not ask comes as it is."""
    answers = dict(subject.answers)
    grouped = {name for group in GROUPS for name in group} | set(LEFT_OUT)
    groups = [[answers[name] for name in group if name in answers] for group in GROUPS]
    groups += [[answer] for name, answer in answers.items() if name not in grouped]
    said = [_paragraph(group, words) for group in groups]
    said[DISCLOSURE] = Passage.joined([said[DISCLOSURE], _larger(answers, words)])
    return said


def _larger(answers: Mapping[str, Answer], words: Language) -> Passage:
    """Why the probability of a disclosure is more than the posterior of the same belief, where the text has both."""
    found = [answers[name].worst for name in ("posterior", "absolute_risk") if name in answers]
    numbers = [each.largest for each in found if each is not None]
    more = len(numbers) == 2 and numbers[0] < numbers[1] * (1.0 - _ROUNDING)
    return words.say("officer.larger") if more else Passage("")


def _paragraph(answers: Sequence[Answer], words: Language) -> Passage:
    """Some answers together; the failure probability comes after each run of answers that share it."""
    some = _worth_saying([answer.worst for answer in answers if answer.worst is not None])
    pieces: list[Passage] = []
    keys = [key_of(each.bound) for each in some]
    for place, each in enumerate(some):
        first = FIRST.get(keys[place], "")
        if first in keys[:place] and math.isfinite(
            each.bound.largest
        ):  # in short, after another answer about the same adversary
            value = amount(each, words, points=keys[place] in DIFFERENCES)
            pieces.append(words.say(f"officer.more.{keys[place]}", value=value))
        else:
            pieces.append(sentence(each, words))
        following = some[place + 1] if place + 1 < len(some) else None
        if following is None or _surely(following) != _surely(each):
            pieces.append(failure(each.bound, words))
    return Passage.joined(pieces)


def _worth_saying(some: list[Finding]) -> list[Finding]:
    """The answers without those that say how far it is from the prior to certainty, and nothing of the release."""
    certain = any(key_of(each.bound) == "posterior" and _says_little(each.bound) for each in some)
    return [each for each in some if not (certain and FIRST.get(key_of(each.bound)) == "posterior")]


def _surely(answer: Finding) -> object:
    """How surely an answer holds, and whether it was asked with a chance of failure at all."""
    return answer.bound.basis.failures, "failure" in answer.bound.inputs, _says_little(answer.bound)


def _gaps(finding: Finding, template: str, words: Language) -> dict[str, Said | Passage | str] | None:
    """What a sentence asks for besides the value; nothing if the finding does not know it."""
    found: dict[str, Said | Passage | str] = {}
    for _, gap, _, _ in Formatter().parse(template):
        if gap in (None, "value"):
            continue
        name = _RENAMED.get(str(gap), str(gap))
        number = given(finding, name)
        if number is None:
            return None
        found[str(gap)] = given_amount(finding, name, number, words)
    return found


def _unanswered(subject: Subject, words: Language) -> Passage:
    names = [words.say(f"question.{name}").text for name in subject.unanswered]
    if not names:
        return Passage("")
    if len(subject.answers) == 1:
        return words.say("officer.no_answer")
    return words.say("officer.unanswered", names=words.listed(names))


def _to_see_to(subject: Subject, words: Language) -> list[Passage]:
    """What must hold, in plain sentences, by who can see to it."""
    lines = []
    for who, names in by_verifier(subject.assumptions).items():
        said = [*changes(who, subject, words), *(Passage(_assumed(name, subject, words)) for name in names)]
        lines += [words.say(f"officer.by_{who.value}", sentences=Passage.joined(said))] if said else []
    return [words.say("officer.see_to"), *lines] if lines else []


def _assumed(name: str, subject: Subject, words: Language) -> str:
    """An assumption in plain words, and which answers need it where not all of them do."""
    numbers = {question: answer.findings for question, answer in subject.answers if answer.findings}
    needing = [question for question, found in numbers.items() if any(name in assumed_keys(each) for each in found)]
    plain = words.name("plain", name, assumption(name).plain)
    if len(needing) in (0, len(numbers)):
        return plain
    rest = [question for question in numbers if question not in needing]
    key, listed = ("needed_for", needing) if len(needing) <= len(rest) else ("not_needed_for", rest)
    questions = [words.say(f"question.{each}").text if words.has(f"question.{each}") else each for each in listed]
    return f"{plain} {words.say(f'officer.{key}', names=words.listed(questions)).text}"
