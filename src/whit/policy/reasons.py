"""Whether a number is within a limit, and the sentence that says why; and why no parameter meets a requirement.

An upper bound above a limit does not show that the risk is so large. It shows that whit cannot rule it out, so the
sentence says that the risk may reach the number.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from whit.assessment import promise_name
from whit.curves import Promise
from whit.errors import Unreachable
from whit.numerics import round_up
from whit.policy.verdict import Outcome
from whit.theory import Direction, Finding, Unit, bound_text, following, number_text, sentence

if TYPE_CHECKING:
    from whit.policy.criteria import Criterion
    from whit.policy.families import Family


GIVEN = 12
"""So many digits of a limit are shown, if it has them: one that is rounded could seem to allow what it refuses."""

ADDED_ALONE = "covers a record that is added or removed, and no other change."
"""What is said of a limit that covers no replaced record."""

_A_PROFILE_DOES = "A risk profile with the same number also covers a replaced record, and allows less."
_ANOTHER_CHECK_DOES = (
    "For a replaced record, which may be easier to detect, check again with replace as the neighbours."
)


def outcome_of(number: Finding, limit: float) -> Outcome:
    """Whether a risk is within a limit; an estimate shows nothing, and a lower bound only that it is not."""
    if not number.proved:
        return Outcome.OPEN
    if float(number) > limit:
        return Outcome.BROKEN
    return Outcome.OPEN if number.upper is None else Outcome.KEPT


def reason_of(number: Finding, limit: float, outcome: Outcome, about: str = "") -> str:
    """The risk and what is accepted of it, in one sentence.

    Args:
        number: the risk.
        limit: the largest that is accepted.
        outcome: what is said of them.
        about: the priors that the risk is about, to follow its name.
    """
    unit = number.quantity.unit
    named = replace(number, quantity=replace(number.quantity, name=f"{number.quantity.name}{about}"))
    allowed = number_text(_as_given(limit, float(number)), Direction.ABOUT, unit, digits=17)
    said, at_most = str(named), number.brief().startswith(Direction.AT_MOST.value)
    if at_most and outcome is Outcome.BROKEN:
        said = sentence(named.quantity.name, _may_reach(number))
    elif at_most and outcome is Outcome.KEPT:
        said = sentence(named.quantity.name, _within(number, limit))
    text = f"{said}; the limit is {allowed}."
    return text[:1].upper() + text[1:]


def _may_reach(number: Finding) -> str:
    """What an upper bound above a limit shows: that more than the limit is not ruled out.

    The number is the bound as every other place shows it, rounded up: so it is above the limit in print as well.
    """
    said = f"may reach {number_text(float(number), Direction.AT_MOST, number.quantity.unit)}"
    return f"{said}{following(number.exception, said)}"


def _within(number: Finding, limit: float) -> str:
    """A number within a limit, with as many digits as show that: rounded up to few it may look larger."""
    value, given = float(number), Decimal(repr(_as_given(limit, float(number))))
    digits = next((each for each in range(3, 17) if round_up(value, each) <= given), 17)
    shown = f"is {bound_text(value, Direction.AT_MOST, number.quantity.unit, digits=digits)}"
    return f"{shown}, {number.exception}" if number.exception else shown


def _as_given(limit: float, value: float) -> float:
    """A limit as it was written, since the last digits of a double are rounding; all of them next to the value."""
    given = float(f"{limit:.{GIVEN}g}")
    return given if (given < value) == (limit < value) else limit


def added_alone(promise: Promise, risk: str, *, of_loss: bool) -> tuple[str, ...]:
    """That a limit on an added or removed record covers no replaced one; nothing where replacing changes no more.

    Args:
        promise: the releases together.
        risk: what is limited, in a word or two.
        of_loss: whether it limits a loss, so that a risk profile could have the same number.
    """
    parts = [part for part, _ in promise.composed_of] or [promise]
    changes = [getattr(part, "sensitivity", None) for part in parts]
    if all(each is not None and each.add_remove == each.replace for each in changes):
        return ()
    return (f"The limit on the {risk} {ADDED_ALONE} {_A_PROFILE_DOES if of_loss else _ANOTHER_CHECK_DOES}",)


def stored_above(promise: Promise, limit: float) -> tuple[str, ...]:
    """That epsilons exceed a total only as they are stored: the decimals as written add up to no more than it.

    >>> from whit.guarantees import PureDP
    >>> for each in stored_above(PureDP(0.1).times(10), 1.0):
    ...     print(each)
    The epsilons add up to 1 as written, and exceed it by 5.56e-17 as stored: 0.1 is stored as about
    0.10000000000000000555. State 0.09999 instead.
    """
    parts = [(each.stated_under().get("epsilon"), times) for each, times in promise.composed_of]
    known = [(epsilon, times) for epsilon, times in parts if isinstance(epsilon, float)]
    stored = sum((times * Fraction(epsilon) for epsilon, times in known), Fraction(0))
    written = sum((times * Fraction(repr(epsilon)) for epsilon, times in known), Fraction(0))
    total = Fraction(repr(limit))
    if len(known) < len(parts) or not (written <= total and Fraction(limit) < stored):
        return ()
    one = max((epsilon for epsilon, _ in known), key=lambda epsilon: Fraction(epsilon) / Fraction(repr(epsilon)))
    less = number_text(one * (1 - 1e-4), Direction.AT_LEAST, Unit.NUMBER, digits=4)
    excess = number_text(float(stored - Fraction(limit)), Direction.AT_MOST, Unit.NUMBER)
    said = f"The epsilons add up to {float(written):.12g} as written, and exceed it by {excess} as stored"
    return (f"{said}: {one!r} is stored as about {Decimal(one):.20g}. State {less} instead.",)


def releases_text(family: Family) -> str:
    """How many releases there are, in words."""
    return "1 release" if family.releases == 1 else f"{family.releases:,} releases"


def nothing_fits(family: Family, criterion: Criterion, spent: tuple[Promise, ...]) -> Unreachable:
    """The error about a requirement that no parameter meets."""
    one = family.one(1.0)
    kind = f"a promise by {family.parameter}" if one.is_stated else promise_name(one).partition(",")[0]
    kind, several = family.called or kind, family.called or f"{releases_text(family)} of {kind}"
    alone = bool(family.called) or family.releases == 1
    suggested: dict[str, object] = {"failure": 0.01}
    if criterion.always and not family.bounded:
        rule = "cannot meet this limit without exception, because its privacy loss has no bound"
        if isinstance(criterion.requirement, Promise):
            way_out = "Accept a delta above 0, such as epsilon 1 with delta 1e-6."
            return Unreachable(kind, rule.replace("limit", "promise"), "a delta of 0", way_out)
        way_out = "Allow a failure probability, such as {failure}."
        return Unreachable(kind, rule, "a failure probability of 0", way_out, suggested=suggested)
    rule = f"must have a value with which {several} {'meets' if alone else 'meet'} what is asked"
    ways = ["Allow more"]
    if criterion.failure == 0.0:
        ways.append("allow a failure probability such as {failure}, since some losses have no bound that always holds")
    if spent:
        ways.append("check what counts as spent, which may already exceed it")
    return Unreachable(f"the {family.parameter}", rule, "none", f"{'; '.join(ways)}.", suggested=suggested)
