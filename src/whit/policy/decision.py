"""One decision: whether a promise or a mechanism meets a requirement.

The release itself is asked, and never the order of parameters: noise that tells less at one place may tell more at
another. The number that decides is the one that the schools and `assess` report.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from whit.curves import Promise, require_promise
from whit.errors import InvalidInput, NotImplied, TooCostly, WhitError
from whit.guarantees import ApproxDP, Composition
from whit.mechanisms import Composed, Mechanism, Together
from whit.numerics import few
from whit.policy.common_factor import CommonFactor, are_quick
from whit.policy.criteria import Criterion, EveryCriterion
from whit.policy.families import Family, Rule
from whit.policy.family_of import family_of
from whit.policy.planned import Made
from whit.policy.recommendation import Recommendation, Requirement, criterion_of, recommend_by
from whit.policy.verdict import Outcome, Verdict
from whit.setting import Neighbours

_RELEASES = "Use the number of releases about the same people, such as 12."
NOT_SEARCHED = "No remedy was looked for, which would take long: recommend and recommend_together look for one."
"""What is said of several promises where noise on samples is among them, or where they are many."""

_SOME = "Pass at least one, such as limits.difference(0.2)."


def check(
    promise: Promise,
    requirement: Requirement | Sequence[Requirement],
    *,
    releases: int = 1,
    failure: float = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    remedy: bool = False,
) -> Verdict:
    """Whether a promise or a mechanism meets a requirement: KEPT, BROKEN, or OPEN if whit can prove neither.

    KEPT: the safe end of the risk, as the school reports it for the release itself, is at most the limit; for a risk
    profile this is proved for every adversary. BROKEN: the best bound is finite and above it, or the loss of a
    mechanism that is known exactly has no bound. Everything else is OPEN. In print the words are Allowed, Not allowed
    and Not shown.

    Args:
        promise: what is promised of a release, or how it is made; several different ones are composed first.
        requirement: a risk profile, a limit on one risk, or a promise by epsilon and delta; or several, all of them to
            be met.
        releases: how many such releases about the same people there are.
        failure: the chance over the noise that the requirement does not hold; 0 if it must hold always. A promise has a
            delta of its own.
        sides: for limits: 1 to bound rises of the belief, 2 to bound drops as well.
        neighbours: the relation that a limit speaks about; that of the promise if none is named. A risk profile speaks
            about adding and replacing a record, and a promise about its own relation.
        remedy: also look for the parameter with which such a release meets each requirement; of a composition of a few
            promises, for the factor by which the noise of all must grow.

    >>> from whit.guarantees import PureDP
    >>> from whit.policy import limits, profiles
    >>> print(check(PureDP(1.0), limits.posterior(0.3, prior=0.1)))
    Allowed. Posterior probability of the truth at a prior of 10 % is at most 23.2 %; the limit is 30 %.
    >>> check(PureDP(1.0), [limits.posterior(0.3, prior=0.1), profiles.constant(3.0)]).outcome
    Outcome.BROKEN
    """
    require_promise(promise)
    copies = few("releases", releases, _RELEASES)
    if isinstance(requirement, list | tuple) and not requirement:
        raise InvalidInput("requirement", "must not be empty", requirement, _SOME)
    criterion = criterion_of(requirement, failure=failure, sides=sides, neighbours=neighbours)
    parts = criterion.parts if isinstance(criterion, EveryCriterion) else (criterion,)
    together = Made(promise.times(copies))
    found = [_decide(part, together) for part in parts]
    if remedy:
        found = [replace(each, remedy=_remedy(promise, copies, of)) for each, of in zip(found, parts, strict=True)]
        found = [replace(each, notices=(*each.notices, *_not_searched(promise, copies))) for each in found]
    return found[0] if criterion is parts[0] else Verdict.of_all(found)


def _decide(criterion: Criterion, releases: Made) -> Verdict:
    """The verdict; where there is no answer it is OPEN, with the reason, unless any answer would do."""
    try:
        return criterion.settled(releases)
    except (NotImplied, TooCostly) as refusal:
        reason = f"{refusal.name} {refusal.rule}."
        return Verdict(Outcome.OPEN, criterion.requirement, reason[:1].upper() + reason[1:], cause=refusal)


def _not_searched(promise: Promise, releases: int) -> tuple[str, ...]:
    """That no remedy of several promises was looked for, where that would take too long."""
    several = [(part, times * releases) for part, times in promise.composed_of]
    return (NOT_SEARCHED,) if len(several) > 1 and not are_quick(several) else ()


def _remedy(promise: Promise, releases: int, criterion: Criterion) -> Recommendation | None:
    """The parameter with which releases of this kind meet a criterion, if they have one and it is found."""
    if len(promise.composed_of) > 1:
        return _factor(promise, releases, criterion)
    if len(promise.composed_of) == 1:
        ((promise, copies),) = promise.composed_of
        releases *= copies
    with suppress(WhitError):
        return recommend_by(criterion, _family(promise, releases), ())
    return None


def _family(promise: Promise, releases: int) -> Family:
    """Releases like this one, all of it but its parameter: the steps of noise, a rate, a delta stay as they are."""
    stated = not isinstance(promise, Mechanism)
    return family_of(
        type(promise) if stated else promise,
        releases=releases,
        delta=promise.stated_delta if isinstance(promise, ApproxDP) else None,
        neighbours=getattr(promise, "neighbours", None) if stated else None,
        sensitivity=None,
        rule=Rule.OWN,
        total_delta=None,
    )


def _factor(promise: Promise, releases: int, criterion: Criterion) -> Recommendation | None:
    """The factor on the noise of several promises with which all of them meet a criterion, if it is found."""
    several = tuple((part, times * releases) for part, times in promise.composed_of)
    # What is more than its parts, such as a plan with a concern, has no such factor here.
    if type(promise) in (Composed, Composition, Together) and are_quick(several):
        with suppress(WhitError):
            return recommend_by(criterion, CommonFactor(1, several), ())
    return None
