"""The text for everybody: the gist, the chances with and without taking part, and what is not protected."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from whit.telling.words.language import Language, Passage, Said
from whit.telling.words.numbers import (
    TOTALS,
    WORDS,
    End,
    Start,
    alone,
    amount,
    beyond,
    decimal,
    end_text,
    several,
    smallest_total,
    start_text,
)
from whit.telling.words.subject import About, Subject, given, key_of, methods_of, notes_of, relation_of
from whit.theory import Direction, Finding, Unit

SIZES = ((Decimal("0"), "none"), (Decimal("0.01"), "hardly"), (Decimal("0.1"), "small"), (Decimal("0.3"), "clear"))
"""The words of the gist by the largest step in the text: up to one in a hundred it is hardly any difference."""

SURE = 0.95
"""A chance from which on the gist says that somebody could be given away."""

_FROM = {"power": "level", "posterior": "prior", "expected_posterior": "prior"}
_NOTES = (
    "approximate",
    "block",
    "composition",
    "noise_known",
    "noise_unknown",
    "noise_in_part",
    "shuffled",
    "all_data",
)
_STARTS = {"positive_predictive_value": "level", "success": "baseline"}
"""What a sentence about one finding starts from, where it needs to say so."""

_CHANCES = ("difference", "largest_difference")
_IMPERSONAL = ("releases", "deviation", "crossing")


@dataclass(frozen=True)
class Pair:
    """Two chances that belong together: what is so without, and what the release makes of it."""

    start: Start
    end: End

    @classmethod
    def of(cls, answer: Finding | None) -> Pair | None:
        """The pair that an answer tells; none where it does not say what it started from."""
        if answer is None:
            return None
        finding = answer.bound
        part = _FROM.get(key_of(finding), "")
        value = given(finding, part)
        if value is None or (part == "level" and value == 1.0):  # an alarm that is always raised tells nothing
            return None
        return cls(Start(finding, f"inputs.{part}", value), End(finding, finding.largest))

    @property
    def is_average(self) -> bool:
        """Whether it is an average over the results; a single one may say more."""
        return key_of(self.end.finding) == "expected_posterior"

    @property
    def total(self) -> int:
        """The total of both chances."""
        return smallest_total([self.start.value], [self.end.value])


def public(subject: Subject, words: Language) -> list[Passage]:
    """The paragraphs for everybody."""
    numbers = {key_of(each.bound): each for each in subject.numbers.values()}
    test, belief = _own_test(subject, numbers.get("power")), numbers.get("posterior", numbers.get("expected_posterior"))
    pairs = [pair for pair in (Pair.of(test), Pair.of(belief)) if pair is not None]
    if not any(pair.start.value < 1.0 for pair in pairs):
        settled = [words.say("belief.settled")] if pairs else _alone(subject, words)
        return [*settled, *_rest(subject, words)]
    relation = _relation(subject)
    presence = relation == "add_remove" and subject.about is About.NEIGHBOURS
    named = "fact" if subject.fact and presence else relation  # a test is about presence alone
    about = [_who(subject, test, words), _test(Pair.of(test), relation, named, words)]
    return [
        _gist(pairs, relation, words, may_be_sure=_may_be_sure(belief, subject)),
        *subject.opening,
        Passage.joined(about),
        _belief(belief, subject, words),
        *([_one(numbers["success"].bound, words)] if "success" in numbers else []),
        *_rest(subject, words),
    ]


def _relation(subject: Subject) -> str:
    return "neutral" if subject.relation is None else subject.relation.name.lower()


def _own_test(subject: Subject, test: Finding | None) -> Finding | None:
    """The test, unless it is about other neighbours than the adversary asks about."""
    if test is None or subject.about is About.NEIGHBOURS:
        return test
    return test if relation_of(test.bound) is subject.relation else None


def _who(subject: Subject, test: Finding | None, words: Language) -> Passage:
    """Somebody, and what they want to know: what the release protects, a fact, or a guess about a value."""
    relation, fact = _relation(subject), {"fact": subject.fact} if subject.fact else {}
    if subject.about is About.NEIGHBOURS or (subject.about is About.VALUE and test is not None):
        key = f"fact_{relation}" if fact and words.has(f"who.fact_{relation}") else relation
        return words.say(f"who.{key}", **(fact if key != relation else {}))
    key = subject.about.value
    who = words.say(f"who.fact_{key}" if fact else f"who.{key}", **fact)
    return who if test is None else Passage.joined([who, words.say("who.presence")])


def _may_be_sure(belief: Finding | None, subject: Subject) -> bool:
    """Whether no number limits what a single result may do to the belief, of somebody who is not sure before."""
    pair = Pair.of(belief)
    return "posterior" in subject.unanswered and (pair is None or 0.0 < pair.start.value < 1.0)


def _gist(pairs: list[Pair], relation: str, words: Language, *, may_be_sure: bool) -> Passage:
    """The largest of the steps, in a word; nothing where only an average is known."""
    size = _size([pair for pair in pairs if pair.start.value < 1.0], may_be_sure=may_be_sure)
    if not size:
        return Passage("")
    directions = {pair.end.finding.direction for pair in pairs}
    weakest = next((each for each in (Direction.ABOUT, Direction.AT_LEAST) if each in directions), Direction.AT_MOST)
    return words.say(f"gist.{relation}.{size}", lead=words.say(f"lead.{WORDS[weakest]}"))


def _size(pairs: list[Pair], *, may_be_sure: bool) -> str:
    """The size of the largest step; an average has none, as a single result may say more."""
    ranked = [pair for pair in pairs if not pair.is_average]
    tested = any(key_of(pair.end.finding) == "power" for pair in ranked)
    if tested and all(pair.end.value == 1.0 for pair in pairs):
        return "open"
    if may_be_sure or any(pair.end.value >= SURE for pair in ranked):
        return "sure"
    if not ranked:
        return ""
    step = max(decimal(pair.end.value) - decimal(pair.start.value) for pair in ranked)
    return next((name for limit, name in SIZES if step <= limit), "large")


def _test(pair: Pair | None, relation: str, named: str, words: Language) -> Passage:
    """How many results lead somebody to believe it, without and with; "it" is what the promise protects, or a fact."""
    if pair is None:
        return Passage("")
    total = pair.total
    tiny = pair.start.value * TOTALS[-1] < 1.0
    if pair.start.value == 0.0 or tiny:
        without = words.say(f"test.{'never' if pair.start.value == 0.0 else 'hardly_ever'}.{named}")
    else:
        without = words.say(f"test.without.{named}", without=start_text(pair.start, total, words))
    told = end_text(pair.end, total, words)
    nearly = _is_nearly_sure(told)
    after = words.say(f"test.nearly.{relation}") if nearly else words.say(f"test.with.{relation}", **{"with": told})
    return Passage.joined([without, after, several(pair.end.finding, "public", words)])


def _belief(answer: Finding | None, subject: Subject, words: Language) -> Passage:
    """What somebody thinks before the result and after it, and how often that fails."""
    pair = Pair.of(answer)
    may_be_sure = _may_be_sure(answer, subject)
    if answer is None or pair is None:
        return words.say("belief.open") if may_be_sure else Passage("")
    if pair.start.value in (0.0, 1.0):
        return words.say("belief.settled")
    total, fact = pair.total, subject.fact
    about = _relation(subject) if subject.about is About.NEIGHBOURS else subject.about.value
    start = start_text(pair.start, total, words)
    known = words.say("belief.before.fact", fact=fact, before=start) if fact else None
    before = known or words.say(f"belief.before.{about}", before=start)
    after = _after(answer, pair, total, words)
    exception = _exception(pair, after, words, may_be_sure=may_be_sure)
    return Passage.joined([before, after, exception, several(pair.end.finding, "public", words)])


def _is_nearly_sure(said: Passage) -> bool:
    """Whether a text says that a chance may be all but all: then it limits nothing."""
    return any(number.part == "exceeded" for number in said.numbers)


def _after(answer: Finding, pair: Pair, total: int, words: Language) -> Passage:
    average = pair.is_average
    if pair.end.value == 1.0:
        return words.say("belief.average_open" if average else "belief.open")
    shown = answer.is_two_sided and math.floor(decimal(answer.below.largest) * total) > 0
    if shown and math.ceil(pair.end.value * total) < total:
        ends = [end_text(End(each, each.largest), total, words) for each in (answer.below, answer.bound)]
        low, high = (each.numbers[0] for each in ends)  # without the words of their directions
        return words.say("belief.between", low=low, high=high)
    said = end_text(pair.end, total, words)
    if _is_nearly_sure(said) and not average:
        return words.say("belief.nearly", after=said)
    return words.say("belief.average" if average else "belief.after", after=said)


def _exception(pair: Pair, after: Passage, words: Language, *, may_be_sure: bool) -> Passage:
    """That it holds always, how often it may not, or that nothing does; of an average, what single results may do."""
    finding, nothing = pair.end.finding, pair.end.value == 1.0
    if pair.is_average:
        return words.say("belief.single") if may_be_sure and not nothing else Passage("")
    if nothing:
        without_exception = finding.inputs.get("failure") == 0.0 and not finding.basis.failures
        return words.say("belief.not_always") if without_exception else Passage("")
    if _is_nearly_sure(after):
        return Passage("")
    if finding.basis.failures:
        return _unless(finding, "belief.failure", words)
    # Where hardly anything is ruled out, there is nothing to be said about how surely.
    return words.say("belief.always") if pair.end.value < SURE else Passage("")


def _unless(finding: Finding, key: str, words: Language) -> Passage:
    """How often a statement may be false; nothing where it always holds."""
    said: list[Passage] = []
    for each in finding.basis.failures:
        chance = alone(finding, "failure", each.probability, words)
        said += [words.say(key, failure=chance), beyond(finding, each.over, "belief", words)]
    return Passage.joined(said)


def _alone(subject: Subject, words: Language) -> list[Passage]:
    """Answers that are no chances with and without: one sentence each."""
    if not subject.findings:
        return list(subject.opening) or [words.say("public.no_answer")]
    findings = [each.bound for each in subject.numbers.values()]
    findings += [each.worst.bound for _, each in subject.answers if each.worst is not None and len(each.findings) > 1]
    who = [words.say(f"who.{_relation(subject)}")] if any(_personal(each) for each in findings) else []
    return [*subject.opening, Passage.joined([*who, *(_one(each, words) for each in findings)])]


def _personal(finding: Finding) -> bool:
    """Whether the sentence about it speaks of somebody who wants to know."""
    return key_of(finding) not in ("other", *_IMPERSONAL)


def _one(finding: Finding, words: Language) -> Passage:
    """A finding by itself, in a sentence of its own or in that of its unit."""
    key = key_of(finding)
    chance = finding.quantity.unit is Unit.PROBABILITY or key in _CHANCES
    if finding.largest == math.inf or (chance and finding.largest == 1.0):
        return words.say("public.unlimited" if _personal(finding) else "public.other_unlimited")
    value = _chance(finding, words) if chance else amount(finding, words)
    gaps: dict[str, Said | Passage | str] = {"value": value}
    start = given(finding, _STARTS[key]) if key in _STARTS else None
    if start is not None:
        gaps[_STARTS[key]] = alone(finding, f"inputs.{_STARTS[key]}", start, words)
    own = words.has(f"public.one.{key}") and (key not in _STARTS or start is not None)
    said = words.say(f"public.one.{key}" if own else f"public.other.{'chance' if chance else 'number'}", **gaps)
    exception = _unless(finding, "public.limit_failure" if key == "releases" else "public.failure", words)
    return Passage.joined([said, exception, several(finding, "public", words)])


def _chance(finding: Finding, words: Language) -> Passage:
    value = min(max(finding.largest, 0.0), 1.0)
    if key_of(finding) == "worst_prior":  # a place, and no bound
        return words.say("chance.about", chance=alone(finding, "value", value, words))
    return end_text(End(finding, value), smallest_total([], [value]), words)


def _rest(subject: Subject, words: Language) -> list[Passage]:
    """What kind of numbers these are, what applies to them, and what is not covered."""
    directions = {each.bound.direction for each in subject.numbers.values() if _personal(each.bound)}
    kind = "lower" if directions == {Direction.AT_LEAST} else "upper"
    kind = "estimate" if Direction.ABOUT in directions else kind
    limits = [words.say(f"public.{kind}")] if directions else []
    parted = len({methods for _, methods in subject.parts}) > 1
    known = [note for note in notes_of(subject) if note in _NOTES and not (parted and note == "noise_in_part")]
    notes = [words.say(f"public.notes.{note}") for note in known]
    method = _of_each(subject, words) if parted else _made(methods_of(subject), words)
    covered = "not_covered_outside" if "block" in notes_of(subject) else "not_covered"
    closing = Passage.joined([words.say(f"public.{covered}"), *subject.unprotected])
    return [Passage.joined([*limits, *notes]), method, closing]


def _made(methods: tuple[str, ...], words: Language) -> Passage:
    """How a result is made, from the outside in."""
    return Passage.joined([words.say(f"public.method.{name}") for name in methods])


def _of_each(subject: Subject, words: Language) -> Passage:
    """The same of each of several promises, by name; of some only the promise may be known."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, methods in subject.parts:
        alike.setdefault(methods, []).append(name)
    said = []
    for methods, several_names in alike.items():
        names = words.listed(several_names)
        if methods:
            said.append(words.say("public.part", names=names, method=_made(methods, words)))
        else:
            said.append(words.say("public.part_promised", names=names))
    return Passage.joined(said)
