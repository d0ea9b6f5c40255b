"""How many releases keep a limit on the posterior, on its ratio to the prior or on its difference from it.

`releases_until` takes what is promised of one release, the risk that is limited and a rule by which releases add up,
and looks for the largest number of them after which the limit is still met, except with the failure probability.
Nothing is inverted: that the limit is kept is checked at the number found, and that it is not shown to be kept at the
next one.

`sides=1` limits the rise of the probability of what is true, `sides=2` also the fall, as in `bounds`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from whit.curves import (
    Array,
    CompositionRule,
    OwnComposition,
    Promise,
    require_promise,
    sure_loss,
)
from whit.errors import InvalidInput, NotImplied, Unreachable, require
from whit.numerics import count, largest_true, number, probability
from whit.semantics.membership import bayes
from whit.semantics.membership.any_prior import LARGEST_DIFFERENCE, LARGEST_RATIO
from whit.semantics.membership.bounds import POSTERIOR_OF_TRUTH, PRIOR_WAY_OUT, compared, known_loss, randomness
from whit.setting import Knowledge, Neighbours, When, one_or_two
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Tree, Unit, echo, number_text

RELEASES = Quantity("number of releases within the limit", Unit.NUMBER, key="releases", certain=True)
CHANCE_BEYOND = Quantity("probability that the limit is exceeded", Unit.PROBABILITY)

MOST_COUNTED = 2**53
"""From here on, a double cannot tell a number from the next."""

MOST = 10**6
"""The largest number of releases that is looked at, unless told otherwise."""

# What a rule that says nothing of so many releases leaves possible.
_NOTHING = Finding(CHANCE_BEYOND, 1.0, Direction.AT_MOST, {}, Basis.of("releases-within-limit"))

_LIMIT = "Use a limit such as 0.8 on a posterior, 0.2 on a difference or 2 on a ratio."
_FAILURE = "Use the chance that the limit may be exceeded, such as 0.01; 0 asks for what always holds."
_COUNTS = "Use numbers of releases such as [1, 7, 30]."
_OWN = OwnComposition()
_MOST = "Use the largest number of releases to look at, such as 1000."


def counted(name: str, value: object, way_out: str) -> int:
    """A whole number of at least 1 and at most 2^53.

    >>> counted("at_most", 10**400, "Use a number such as 365.")
    Traceback (most recent call last):
    whit.errors.InvalidInput: at_most must be a whole number of at most 2^53; got a larger one. Use a number such as
    365.
    """
    countable = not isinstance(value, Integral) or value <= MOST_COUNTED
    rule = "must be a whole number of at most 2^53"
    require(countable, name=name, rule=rule, value="a larger one", way_out=way_out)
    return count(name, value, way_out)


class Risk(ABC):
    """What is limited: a number that grows with the largest loss."""

    quantity: Quantity
    basis: Basis

    @property
    def start(self) -> float:
        """What it is before any release."""
        return float(self.at(np.asarray(0.0)))

    @abstractmethod
    def at(self, loss: Array) -> Array:
        """The risk where the loss is at most so much, rounded up."""

    def loss_within(self, limit: float) -> float:
        """The largest loss at which the risk is seen to be within the limit; infinite if the limit is never passed.

        >>> round(DifferenceAtAnyPrior().loss_within(0.2), 6)
        0.81093
        """
        bound = number("limit", limit, _LIMIT)
        smallest = self.start
        rule = f"must not be below {smallest:g}, which is there before any release"
        if bound < smallest:
            raise Unreachable("limit", rule, limit, _LIMIT)
        return float(largest_true(lambda loss: np.asarray(self.at(loss) <= bound), 0.0, math.inf))


@dataclass(frozen=True)
class PosteriorFrom(Risk):
    """The posterior of the truth, from a prior."""

    prior: float

    quantity = POSTERIOR_OF_TRUTH
    basis = Basis.of("posterior-bounds")

    def __post_init__(self) -> None:
        object.__setattr__(self, "prior", probability("prior", self.prior, PRIOR_WAY_OUT))

    def at(self, loss: Array) -> Array:
        """p / (p + (1 - p) e^-loss)."""
        return bayes.applied(bayes.posterior_up, self.prior, loss)


@dataclass(frozen=True)
class DifferenceAtAnyPrior(Risk):
    """The posterior minus the prior, at the prior where that is largest."""

    quantity = LARGEST_DIFFERENCE
    basis = Basis.of("difference-bounds")

    def at(self, loss: Array) -> Array:
        """tanh(loss / 4)."""
        return bayes.change_up(loss)


@dataclass(frozen=True)
class RatioAtAnyPrior(Risk):
    """The posterior over the prior, at the small priors where that is largest."""

    quantity = LARGEST_RATIO
    basis = Basis.of("ratio-bounds")

    def at(self, loss: Array) -> Array:
        """e^loss."""
        return bayes.factor_up(loss)


@dataclass(frozen=True)
class ReleasesWithin:
    """How many releases keep a limit, and the check of it.

    Attributes:
        count: the number of releases; 0 if the limit is not shown to be kept after one, infinite if it is always kept.
        limited: what is limited, and at which number, in words.
        checked: the numbers of releases at which the limit was checked last: the one found, and the next if it is not
            kept there.
        chances: the largest probability, after each of them, that the limit is exceeded.
    """

    count: Finding
    limited: str
    checked: tuple[int, ...]
    chances: Finding

    @property
    def first_beyond(self) -> int:
        """The first number of releases after which the limit is not shown to be kept; refused if there is none."""
        if len(self.checked) == 2:
            return self.checked[1]
        rule = "is not among the numbers that were looked at"
        raise NotImplied("the first number of releases beyond the limit", rule, str(self), "Look further, with most=.")

    def __float__(self) -> float:
        """The number of releases."""
        return float(self.count)

    def __str__(self) -> str:
        """One sentence."""
        found = float(self.count)
        if math.isinf(found):
            return f"After any number of releases, {self.limited}."
        if found == 0:
            return f"Not shown, not even after one release: {self.limited}."
        after = f"After {int(found)} releases" if found > 1 else "After one release"
        if len(self.checked) == 1:
            return f"{after}, {self.limited}. More releases were not looked at."
        return f"{after}, {self.limited}. After {self.checked[1]} this is no longer shown."


def releases_until(
    promise: Promise,
    risk: Risk,
    limit: float,
    *,
    failure: float = 0.0,
    sides: int = 1,
    rule: CompositionRule = _OWN,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    when: When = When.END,
    most: int = MOST,
) -> ReleasesWithin:
    """The largest number of releases after which a risk is still within its limit, except with the failure probability.

    >>> from whit.guarantees import PureDP, ZeroConcentratedDP
    >>> print(releases_until(PureDP(0.05), PosteriorFrom(0.5), 0.8))
    After 27 releases, the posterior probability of the truth is at most 80 %. After 28 this is no longer shown.
    >>> days = releases_until(ZeroConcentratedDP(0.01), DifferenceAtAnyPrior(), 0.98, failure=0.01, sides=2)
    >>> days.first_beyond
    246
    """
    chance, last = probability("failure", failure, _FAILURE), counted("most", most, _MOST)
    threshold = _risk(risk).loss_within(limit)
    inputs = _inputs(promise, risk, chance, sides, rule, neighbours, knows, when) | {"limit": limit, "most": last}
    limited, allowed = _limited(risk, limit, chance), Failure(chance, randomness(knows))
    if math.isinf(threshold) or _tells_nothing(promise, neighbours):
        never = [replace(_NOTHING, value=0.0)]
        return _within(math.inf, (1,), _joined(never, inputs, _risk_basis(risk, knows, when)), limited, allowed)

    def beyond(releases: int) -> Finding:
        together = _together(rule, promise, releases)
        if together is None:
            return _NOTHING
        sure = sure_loss(together, neighbours)
        if float(sure) <= threshold:
            return replace(sure, quantity=CHANCE_BEYOND, value=0.0)
        return compared(together, knows, neighbours, when).beyond(threshold, sides=sides, neighbours=neighbours)

    def kept(releases: int) -> bool:
        return releases == 0 or bool(beyond(releases).value <= chance)

    found = _last_kept(kept, last)
    checked = (last,) if found == last else (found, found + 1)
    chances = [beyond(releases) if releases else replace(_NOTHING, value=0.0) for releases in checked]
    together = _joined(chances, inputs, rule.basis(promise) | _risk_basis(risk, knows, when))
    return _within(float(found), checked, together, limited, allowed)


def risk_over_releases(
    promise: Promise,
    risk: Risk,
    counts: Sequence[int] | NDArray[np.integer],
    *,
    failure: float = 0.0,
    sides: int = 1,
    rule: CompositionRule = _OWN,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
    when: When = When.END,
) -> Finding:
    """The largest risk after each number of releases, except with the failure probability.

    >>> from whit.guarantees import ZeroConcentratedDP
    >>> week = risk_over_releases(ZeroConcentratedDP(0.01), PosteriorFrom(0.5), [1, 7], failure=0.01, sides=2)
    >>> print(week)
    posterior probability of the truth is at most 77.5 % (the largest of 2 values), except with probability 1 %
    """
    numbers = _listed(counts)
    chance = probability("failure", failure, _FAILURE)
    inputs = _inputs(promise, _risk(risk), chance, sides, rule, neighbours, knows, when) | {"counts": echo(numbers)}

    def loss_after(releases: int) -> Finding | None:
        together = _together(rule, promise, releases)
        if together is None:
            return None
        return known_loss(together, chance, sides=sides, neighbours=neighbours, knows=knows, when=when)

    losses = [loss_after(releases) for releases in numbers]
    values = np.array([math.inf if loss is None else float(loss) for loss in losses])
    basis = Basis.of("releases-within-limit") | rule.basis(promise) | _risk_basis(risk, knows, when)
    for loss in losses[-1:]:
        basis = basis if loss is None else basis | loss.basis
    direction = Direction.combine(Direction.AT_MOST, *(loss.direction for loss in losses if loss is not None))
    found = risk.at(values)
    short = risk.quantity.unit is Unit.PROBABILITY and bayes.rounded_to_one(found, np.asarray(risk.start), values)
    return Finding(risk.quantity, found, direction, inputs, basis, short_of_certainty=short)


def _within(found: float, checked: tuple[int, ...], chances: Finding, limited: str, failure: Failure) -> ReleasesWithin:
    """The answer, with its chance of failure."""
    basis = chances.basis | Basis(failures=(failure,))
    direction = Direction.ABOUT if chances.direction is Direction.ABOUT else Direction.AT_LEAST
    return ReleasesWithin(Finding(RELEASES, found, direction, chances.inputs, basis), limited, checked, chances)


def _last_kept(kept: Callable[[int], bool], most: int) -> int:
    """The last number that is kept, by doubling and halving; 0 if not even one is."""
    if not kept(1):
        return 0
    low, high = 1, 2
    while high < most and kept(high):
        low, high = high, 2 * high
    if high >= most:
        if kept(most):
            return most
        high = most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if kept(middle) else (low, middle)
    return low


def _tells_nothing(promise: Promise, neighbours: Neighbours | None) -> bool:
    """Whether both datasets are known to give the same output: then no number of releases says more."""
    return float(promise.delta(0.0, neighbours=neighbours)) == 0.0


def _together(rule: CompositionRule, promise: Promise, releases: int) -> Promise | None:
    """What so many releases promise together; nothing where the rule does not reach them."""
    try:
        return rule(promise, releases)
    except Unreachable:
        return None


def _joined(answers: Sequence[Finding], inputs: Mapping[str, Tree], basis: Basis) -> Finding:
    """The chances of several numbers of releases as one finding."""
    direction = Direction.combine(Direction.AT_MOST, *(answer.direction for answer in answers))
    whole = Basis.of("releases-within-limit") | basis | answers[0].basis
    return Finding(CHANCE_BEYOND, np.array([float(answer) for answer in answers]), direction, inputs, whole)


def _limited(risk: Risk, limit: float, failure: float) -> str:
    """What is limited, at which number and with which failure, in words."""
    said = f"the {risk.quantity.name} is at most {number_text(limit, Direction.AT_MOST, risk.quantity.unit)}"
    chance = number_text(failure, Direction.AT_MOST, Unit.PROBABILITY)
    return f"{said}, except with probability {chance}" if failure > 0.0 else said


def _risk(risk: object) -> Risk:
    if isinstance(risk, Risk):
        return risk
    way_out = "Use PosteriorFrom(prior=0.5), DifferenceAtAnyPrior() or RatioAtAnyPrior()."
    raise InvalidInput("risk", "must say what is limited", risk, way_out)


def _listed(counts: object) -> list[int]:
    flat = counts.ndim == 1 if isinstance(counts, np.ndarray) else not isinstance(counts, str)
    listed = list(counts) if flat and isinstance(counts, Sequence | np.ndarray) else []
    require(len(listed) > 0, name="counts", rule="must be a list of whole numbers", value=counts, way_out=_COUNTS)
    return [counted("counts", releases, _COUNTS) for releases in listed]


def _require_rule(rule: object) -> None:
    known = callable(rule) and callable(getattr(rule, "basis", None)) and not isinstance(rule, type)
    way_out = "Use a rule such as OwnComposition() or OptimalComposition(1e-6)."
    require(known, name="rule", rule="must say how releases add up", value=rule, way_out=way_out)


def _risk_basis(risk: Risk, knows: Knowledge, when: When) -> Basis:
    """The theorem that turns the loss into the risk."""
    known = Knowledge.checked(knows) is Knowledge.EVERYONE_ELSE
    basis = risk.basis if known else Basis.of("beliefs-when-the-rest-is-random")
    return basis | Basis.of("at-every-moment") if When.checked(when) is When.EVER else basis


def _inputs(
    promise: Promise,
    risk: Risk,
    failure: float,
    sides: int,
    rule: CompositionRule,
    neighbours: Neighbours | None,
    knows: Knowledge,
    when: When,
) -> dict[str, Tree]:
    """What an answer came from."""
    _require_rule(rule)
    named = {"promise": require_promise(promise), "risk": risk, "failure": failure, "sides": one_or_two(sides)}
    named |= {"rule": rule, "neighbours": neighbours, "knows": Knowledge.checked(knows).name}
    named |= {"when": when.name} if When.checked(when) is When.EVER else {}
    return {name: echo(value) for name, value in named.items()}
