"""The questions of an assessment, the most useful first, and what each answer says in one plain sentence.

The command line and notebooks read them here.

Every number is rounded to the safe side. Counts are out of 100, or of as many as it takes to tell one person from none
and from all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from whit.assessment.population import number_of_people, people_beyond
from whit.semantics.membership import WORST_FOR_DIFFERENCE, WORST_FOR_RATIO
from whit.setting import Adversary, Knowledge, Neighbours, When
from whit.theory import NEARLY_CERTAIN, ROUNDED, Direction, Finding, Quantity, Unit, bound_text, exact_text, number_text

ORDER = (
    "posterior",
    "expected_posterior",
    "power",
    "success",
    "positive_predictive_value",
    "advantage",
    "best_guess",
    "ratio",
    "difference",
    "odds",
    "absolute_risk",
    "relative_risk",
    "total_variation",
    "posterior_ratio",
    "worst_prior",
)
"""The questions, the most useful first."""

NOTHING = "Nothing is ruled out."
"""What is said where the bound is the largest that there can be."""

CERTAIN = "Nothing is ruled out: the adversary may become certain."
"""The same of a belief."""

SURE = "The adversary is certain before the release and stays so."
"""What is said of a belief from a prior of 100 %."""

_TOTALS = (100, 1_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True)
class Asked:
    """What the answers of one adversary start from.

    Attributes:
        prior: the probability of the fact before the release.
        level: the false-positive rate of tests.
        baseline: how often a guess about the record is right without the release, if that is asked.
        neighbours: the relation between the datasets.
        of_value: whether the fact is a value, which has absence and every other value as its opposites.
    """

    prior: float = 0.5
    level: float = 0.05
    baseline: float | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    of_value: bool = False


_POWER = {
    Neighbours.ADD_REMOVE: "The best test finds {count} people in the data",
    Neighbours.REPLACE: "The best test recognises the true record in {often}",
    Neighbours.LOCAL: "The best test recognises the true answer in {often}",
}
"""What the best test achieves, by what is compared."""

_POWER_OF_VALUE = "The best test detects the difference in {often}"
"""The same, where several relations are compared at once."""

_SENTENCES: Mapping[str, str] = {
    "posterior": "The adversary's belief in the truth goes from {prior} to {chance}",
    "expected_posterior": "On average over all outcomes, the belief in the truth goes from {prior} to {chance}",
    "power": "{found}, with {level} false alarms",
    "success": "A guess about the record is right in {chance} of cases, against {baseline} without the release",
    "positive_predictive_value": "When a test with {level} false alarms says yes, it is right in {often}",
    "advantage": "The rate of hits of the best test exceeds its rate of false alarms by {points}",
    "best_guess": "The best guess about the fact is right in {chance} of cases, against {guess} without the release",
    "ratio": "The belief in the truth grows to {amount} times the prior",
    "difference": "The belief in the truth rises by {points}",
    "odds": "The odds of the truth become {amount} to 1",
    "absolute_risk": "The belief that the person is in the data with the value reaches {chance}",
    "relative_risk": "Presence in the data with the value becomes {amount} times as probable",
    "total_variation": "Including the person's record shifts any conclusion by {points}",
    "posterior_ratio": "The belief in the person's true record is {amount} times what it is without the record",
}
_OF_BELIEFS = ("posterior", "expected_posterior", "positive_predictive_value", "best_guess", "odds")
"""Questions about the belief itself, which a prior of 100 % settles."""

_TWO_SIDED = {
    "posterior": "The adversary's belief in the fact goes from {prior} to {chance}",
    "ratio": "The belief in the fact becomes {amount} times the prior",
    "difference": "The belief in the fact changes by {points}",
    "odds": "The odds of the fact become {amount} to 1",
}


def in_a_sentence(name: str, found: Finding, asked: Asked) -> str:
    """What the answer to a question says, in one plain sentence; nothing where there are no words for it.

    Args:
        name: the question.
        found: its answer.
        asked: what it starts from.

    >>> from whit.guarantees import PureDP
    >>> from whit.semantics import testing
    >>> in_a_sentence("power", testing.power(PureDP(1.0), 0.05), Asked())
    'The best test finds at most 14 of 100 people in the data, with 5 % false alarms.'
    """
    if found.quantity in WORST_PRIORS:
        return f"{WORST_PRIORS[found.quantity]} {_from(found)}."
    found = found.in_words
    template = (_TWO_SIDED if found.is_two_sided else _SENTENCES).get(name) or _SENTENCES.get(name, "")
    template = template.replace("{found}", _POWER_OF_VALUE if asked.of_value else _POWER[asked.neighbours])
    if not template:
        return ""
    if rules_nothing_out(name, found, asked):
        return CERTAIN if name == "posterior" else NOTHING
    if asked.prior == 1.0 and name in _OF_BELIEFS and found.largest >= found.quantity.unit.ceiling:
        return SURE
    gaps: dict[str, Any] = {
        "prior": input_text(asked.prior),
        "level": input_text(asked.level),
        "baseline": input_text(asked.baseline or 0.0),
        "guess": input_text(max(asked.prior, 1.0 - asked.prior)),
    }
    for gap, spelled in _GAPS.items():
        gaps |= {gap: spelled(found)} if f"{{{gap}}}" in template else {}
    said = template.format_map(gaps)
    return f"{_rounding_after_its_clause(said)}{exceptions(found)}."


def _rounding_after_its_clause(said: str) -> str:
    """That a number is rounded, said at the end of its clause, where it parts no words that belong together.

    >>> _rounding_after_its_clause("It is right in 48 of 100 (rounded up) cases, with 5 % false alarms")
    'It is right in 48 of 100 cases (rounded up), with 5 % false alarms'
    """
    before, rounded, after = said.partition(ROUNDED)
    clause, comma, rest = after.partition(", ")
    return f"{before}{clause}{rounded}{comma}{rest}"


def worst_priors(ratio: Finding, rise: Finding) -> tuple[str, str]:
    """The worst priors of a fact that is true, in few words and in a sentence; a false one mirrors them."""
    both = f"rise: {place_text(rise)}; ratio: {place_text(ratio)}"
    return both, f"The bound on the rise is largest from {_from(rise)}, that on the ratio from {_from(ratio)}."


def place_text(worst: Finding) -> str:
    """A worst prior, which is a place and no bound: how surely a bound holds there is said with the bound.

    Nobody's belief rises from 0 or from 1; the finding says that such a place is not reached.
    """
    return str(replace(worst, basis=replace(worst.basis, failures=()))).partition(" is ")[2].removeprefix("exactly ")


def _from(worst: Finding) -> str:
    place = place_text(worst)
    return f"priors {place}" if place.startswith("close to") else f"a prior of {place}"


WORST_PRIORS: Mapping[Quantity, str] = {
    quantity: f"If the fact is {truth}, the bound on the {measure} is largest from"
    for measure, both in (("ratio", WORST_FOR_RATIO), ("rise", WORST_FOR_DIFFERENCE))
    for truth, quantity in zip(("true", "false"), both, strict=True)
}
"""How the sentence about each worst prior begins."""


def rules_nothing_out(name: str, found: Finding, asked: Asked) -> bool:
    """Whether the bound is the largest that there can be, so that it says nothing."""
    # Certain from the start, or never.
    if asked.prior == 1.0 or found.short_of_certainty:
        return False
    most = float(found)
    largest = {"ratio": most * asked.prior, "difference": most + asked.prior}.get(name, most)
    ceiling = 1.0 if name in ("ratio", "difference") else found.quantity.unit.ceiling
    return found.bound.direction is Direction.AT_MOST and largest >= ceiling and not found.is_two_sided


def exceptions(found: Finding) -> str:
    """With which probability an answer may fail, and for how many people that is expected; to follow a sentence.

    >>> from whit.mechanisms import Gaussian
    >>> from whit.semantics import membership
    >>> exceptions(membership.posterior(Gaussian(2.0), 0.5, failure=0.01))
    ', except with probability 1 %'
    """
    return f"{found.exception_after}{people_text(found)}"


def people_text(found: Finding) -> str:
    """For how many people an answer is expected to fail, to follow a sentence; nothing where no population is named."""
    numbers = map(number_of_people, people_beyond(found))
    return "".join(f" (expected number of people beyond it: at most {one})" for one in numbers)


def input_text(value: float) -> str:
    """A probability that was given, in percent; the last digits of a double are rounding, and are left out.

    >>> input_text(0.2 * 0.05), input_text(1 - 1e-15)
    ('1 %', 'more than 99.9 %')
    """
    shown = float(f"{value:.12g}")
    if value < 1.0 <= shown:
        return bound_text(value, Direction.EXACTLY, Unit.PROBABILITY)
    return number_text(shown, Direction.ABOUT, Unit.PROBABILITY, digits=6)


_OTHERS = {
    Knowledge.ANY_BELIEF: "any belief about the others",
    Knowledge.EVERYONE_ELSE: "knows everyone else",
}


def adversary_text(asker: Adversary, failure: float, level: float) -> str:
    """Who asks, and what they allow for, in a few words.

    >>> adversary_text(Adversary(prior=0.1), 0.01, 0.05)
    'prior 10 %; any belief about the others; failure probability 1 %; level 5 %'
    """
    known = f"prior {input_text(asker.prior)}"
    if asker.value != 1.0:
        known = f"inclusion {input_text(asker.inclusion)}, value {input_text(asker.value)}"
    moment = "; at every moment" if asker.when is When.EVER else ""
    block = f"; in a block of {asker.block} people" if asker.block > 1 else ""
    guess = "" if asker.baseline is None else f"; baseline {input_text(asker.baseline)}"
    asked = f"failure probability {input_text(failure)}; level {input_text(level)}"
    return f"{known}; {_OTHERS[asker.knows]}{block}{moment}{guess}; {asked}"


def chance_text(found: Finding) -> str:
    """A probability in percent with the word of its direction.

    >>> from whit.guarantees import PureDP
    >>> from whit.semantics import membership
    >>> [chance_text(membership.posterior(PureDP(epsilon), 0.5)) for epsilon in (1.0, 12.0)]
    ['at most 73.2 %', 'possibly more than 99.9 %']
    """
    return _directed(found, lambda value, side: number_text(value, side, Unit.PROBABILITY))


def amount_text(found: Finding) -> str:
    """A number with the word of its direction."""
    return _directed(found, lambda value, side: number_text(value, side, Unit.NUMBER))


def _points(found: Finding) -> str:
    """A difference of probabilities in percentage points; a tiny one as the number that it is."""
    text = _directed(found, _signed)
    number = text.removesuffix(ROUNDED)
    said = f"{number.replace(' %', '')} percentage points" if "%" in number else number
    return f"{said}{text[len(number) :]}"


def _signed(value: float, side: Direction) -> str:
    """A difference in percent, which may be negative."""
    if value >= 0.0:
        return number_text(value, side, Unit.PROBABILITY)
    return f"-{number_text(-value, side.opposite, Unit.PROBABILITY)}"


def _count(found: Finding) -> str:
    """A probability as so many out of so many; in percent where it is too small for that, or too close to 1."""
    total = next((each for each in _TOTALS if _told_apart(float(found), each)), None)
    if total is None or found.is_two_sided or nearly_certain(found):
        return f"{chance_text(found)} of"
    exact = Decimal(repr(float(found))) * total
    number = math.floor(exact) if found.is_lower_end else math.ceil(exact)
    if found.direction is Direction.EXACTLY:
        return f"{number:,} of {total:,}{ROUNDED}" if number != exact else f"exactly {number:,} of {total:,}"
    return f"{found.direction.value} {number:,} of {total:,}"


def _often(found: Finding) -> str:
    """So many cases out of so many, or such a share of them."""
    return f"{_count(found)} cases"


def _told_apart(value: float, total: int) -> bool:
    exact = Decimal(repr(value)) * total
    return value == 0.0 or (exact >= 1 and math.ceil(exact) < total)


def nearly_certain(found: Finding) -> bool:
    """Whether an upper bound on a probability is so close to 1 that its digits say no more."""
    decimal = Decimal(repr(float(found)))
    return found.quantity.unit is Unit.PROBABILITY and NEARLY_CERTAIN < decimal < 1 and not found.is_lower_end


def _directed(found: Finding, spelled: Callable[[float, Direction], str]) -> str:
    """The number with the word of its direction, or both ends where both are bounds."""
    if found.is_two_sided:
        assert found.lower is not None
        assert found.upper is not None
        low, most = float(found.lower), f"more than {spelled(float(NEARLY_CERTAIN), Direction.AT_LEAST)}"
        high = most if nearly_certain(found) else spelled(float(found.upper), Direction.AT_MOST)
        return f"between {spelled(low, Direction.AT_LEAST)} and {high}"
    exact = found.direction is Direction.EXACTLY
    if nearly_certain(found):
        return f"{'' if exact else 'possibly '}more than {spelled(float(NEARLY_CERTAIN), Direction.AT_LEAST)}"
    text = spelled(float(found), found.bound.direction)
    if exact:
        return (
            f"{text}{ROUNDED}" if exact_text(float(found), found.quantity.unit).endswith(ROUNDED) else f"exactly {text}"
        )
    return f"{found.direction.value} {text}"


_GAPS: Mapping[str, Callable[[Finding], str]] = {
    "chance": chance_text,
    "amount": amount_text,
    "points": _points,
    "count": _count,
    "often": _often,
}
