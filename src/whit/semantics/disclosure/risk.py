"""Relative and absolute risk of disclosure: how far the belief that a person is in the data with a value can rise.

The adversary believes that the person is in the data with probability `inclusion`, and then has the sensitive value
with probability `value`; what they believe of the others does not depend on either. A promise that allows failures
bounds the risk except with a probability over outputs that the adversary expects of data with that person and value in
it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Promise, mixed_loss, sure_loss
from whit.errors import NotImplied
from whit.numerics import Bracket, add_up, paired, probability_array
from whit.semantics.disclosure.bound import BELIEF_WAY_OUT, RELATIVE_RISK, Array, posterior_up, risk_up
from whit.setting import FAILURE_WAY_OUT, Neighbours
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Tree, Unit, echo

_SWAP = "Pass swap=PureDP(1.0, neighbours=Neighbours.REPLACE), or leave it out."


@dataclass(frozen=True)
class Losses:
    """The two losses, each met except with the same failure probability, and what they rest on."""

    inclusion: Array
    swap: Array
    direction: Direction
    basis: Basis


def losses(promise: Promise, failure: ArrayLike, swap: Promise | None, *, inclusion: Array, value: Array) -> Losses:
    """The losses that these beliefs need: an inclusion of 1 needs none of adding, a value of 1 none of replacing."""
    added = [_added(promise, failure)] if np.any(inclusion < 1.0) else []
    needed = np.any(value < 1.0) and np.any(inclusion > 0.0)
    return _together(added, _swapped(promise, failure, swap) if needed else [], failure)


def added_loss(promise: Promise, failure: ArrayLike) -> Losses:
    """The loss of adding or removing alone, for questions about inclusion."""
    return _together([_added(promise, failure)], [], failure)


def swapped_loss(promise: Promise, failure: ArrayLike, swap: Promise | None) -> Losses:
    """The loss of replacing alone, for questions about a value."""
    return _together([], _swapped(promise, failure, swap), failure)


def _together(added: list[Finding], swapped: list[Finding], failure: ArrayLike) -> Losses:
    """Each loss by the least of the bounds on it; 0 where none was needed."""
    found = [*added, *swapped]
    direction = Direction.combine(Direction.AT_MOST, *(each.direction for each in found))
    return Losses(_least(added, failure), _least(swapped, failure), direction, _basis(found, failure))


def _added(promise: Promise, failure: ArrayLike) -> Finding:
    """The loss of adding or removing the person, as mixtures keep it."""
    try:
        return mixed_loss(promise, failure, Neighbours.ADD_REMOVE)
    except NotImplied as unknown:
        rule = "needs the loss of adding or removing a record where the inclusion is below 1"
        way_out = "Use {inclusion} for a person known to be in the data, or a promise about adding and removing."
        raise NotImplied("a disclosure risk", rule, promise, way_out, suggested={"inclusion": 1}) from unknown


def _swapped(promise: Promise, failure: ArrayLike, swap: Promise | None) -> list[Finding]:
    """Bounds on the loss of replacing the record: what was said of it, and what is known or follows."""
    found = [] if swap is None else [mixed_loss(swap, failure, Neighbours.REPLACE)]
    for bound in (_replaced, _twice):
        try:
            return [*found, bound(promise, failure)]
        except NotImplied:
            continue
    if found:
        return found
    rule = "needs the loss of replacing a record where the value is below 1"
    raise NotImplied("a disclosure risk", rule, promise, _SWAP)


def _replaced(promise: Promise, failure: ArrayLike) -> Finding:
    """What is known of a replacement itself; of a bare curve nothing is, as it is taken to be about adding."""
    if promise.relation() is None:
        raise NotImplied("the loss of replacing", "is not known of a bare curve", promise, _SWAP)
    return mixed_loss(promise, failure, Neighbours.REPLACE)


def _twice(promise: Promise, failure: ArrayLike) -> Finding:
    """Replacing is removing and adding: a loss that is never exceeded is exceeded by a replacement at most twice."""
    sure = sure_loss(promise, Neighbours.ADD_REMOVE)
    doubled = np.broadcast_to(add_up(sure.value, sure.value), np.shape(failure))
    return replace(sure, value=doubled, basis=sure.basis | Basis.of("replacing-is-removing-and-adding"))


def _least(bounds: list[Finding], failure: ArrayLike) -> Array:
    return np.asarray(
        np.min([np.asarray(each.value) for each in bounds], axis=0) if bounds else np.zeros(np.shape(failure))
    )


def _basis(found: list[Finding], failure: ArrayLike) -> Basis:
    """The theorems behind all of them; they hold together except with one failure probability, if any needs one."""
    chance = float(np.max(np.asarray(failure, dtype=np.float64), initial=0.0))
    fails = any(each.basis.failures for each in found)
    return Basis(
        theorems=tuple(key for each in found for key in each.basis.theorems),
        failures=(Failure(chance, Randomness.BELIEF),) if fails else (),
        slack=max((each.basis.slack for each in found), default=0.0),
        truncation=float(np.sum([each.basis.truncation for each in found])),
    )


ABSOLUTE_RISK = Quantity("probability of disclosure after the release", Unit.PROBABILITY, key="absolute_risk")
INCLUSION_PART = Quantity("relative risk that the person's presence is disclosed", Unit.NUMBER)
VALUE_PART = Quantity("relative risk that the value of a person in the data is disclosed", Unit.NUMBER)
INCLUSION_RATIO = Quantity("likelihood ratio of a person with the value against the person's absence", Unit.NUMBER)
VALUE_RATIO = Quantity("likelihood ratio of the value against other values", Unit.NUMBER)


def relative_risk(
    promise: Promise, *, inclusion: ArrayLike, value: ArrayLike, failure: ArrayLike = 0.0, swap: Promise | None = None
) -> Finding:
    """Posterior over prior that the person is in the data with the sensitive value, at its largest.

    The loss of replacing the record is taken from what is promised, if it is known there; it is at most twice the loss
    that is never exceeded by adding or removing one. A smaller one can be given as a promise under Neighbours.REPLACE.

    Args:
        promise: a promise or a mechanism.
        inclusion: the adversary's probability that the person is in the data.
        value: the adversary's probability of the sensitive value, given that the person is in the data.
        failure: the chance that the statement may be false.
        swap: what is promised of replacing the record, if it is more than follows from the rest.

    >>> from whit.guarantees import PureDP
    >>> print(relative_risk(PureDP(1.0), inclusion=0.05, value=0.1))
    relative risk of disclosure is at most 2.78
    >>> from whit.mechanisms import Geometric
    >>> print(relative_risk(Geometric(1.0), inclusion=1.0, value=0.1))  # one count: replacing costs no more than adding
    relative risk of disclosure is at most 2.32
    """
    p, q, chance = _beliefs(inclusion, value, failure)
    known = losses(promise, chance, swap, inclusion=p, value=q)
    inputs = _inputs(promise, swap, inclusion=inclusion, value=value, failure=failure)
    return _finding(
        RELATIVE_RISK, risk_up(known.inclusion, known.swap, p, q), "disclosure-relative-risk", known, inputs
    )


def absolute_risk(
    promise: Promise, *, inclusion: ArrayLike, value: ArrayLike, failure: ArrayLike = 0.0, swap: Promise | None = None
) -> Finding:
    """Posterior probability that the person is in the data with the sensitive value, at its largest.

    >>> from whit.guarantees import PureDP
    >>> print(absolute_risk(PureDP(1.0), inclusion=0.05, value=0.1))
    probability of disclosure after the release is at most 1.39 %
    """
    p, q, chance = _beliefs(inclusion, value, failure)
    known = losses(promise, chance, swap, inclusion=p, value=q)
    inputs = _inputs(promise, swap, inclusion=inclusion, value=value, failure=failure)
    bound = posterior_up(known.inclusion, known.swap, p, q)
    found = _finding(ABSOLUTE_RISK, bound, "disclosure-relative-risk", known, inputs)
    # Finite losses make nobody certain who was not.
    certain = (p * q == 1.0) | np.isinf(known.inclusion) | np.isinf(known.swap)
    return replace(found, short_of_certainty=bool(np.any(bound == 1.0) and not np.any((bound == 1.0) & certain)))


def relative_risk_at_any_prior(promise: Promise, *, failure: ArrayLike = 0.0, swap: Promise | None = None) -> Finding:
    """The relative risk that no inclusion and no value exceeds: e to the larger of the two losses.

    >>> from whit.guarantees import PureDP
    >>> print(relative_risk_at_any_prior(PureDP(0.5)))
    relative risk of disclosure is at most 2.72
    """
    chance = _chance(failure)
    half = np.full(chance.shape, 0.5)  # a belief that needs both losses
    known = losses(promise, chance, swap, inclusion=half, value=half)
    bound = _exp_up(np.maximum(known.inclusion, known.swap))
    return _finding(RELATIVE_RISK, bound, "disclosure-any-prior", known, _inputs(promise, swap, failure=failure))


def inclusion_part(promise: Promise, *, inclusion: ArrayLike, failure: ArrayLike = 0.0) -> Finding:
    """Posterior over prior that the person is in the data, whatever the value: the first factor of the relative risk.

    With a failure, the chance is over outputs that the adversary expects of data with the person in it.

    >>> from whit.guarantees import PureDP
    >>> print(inclusion_part(PureDP(1.0), inclusion=0.05))
    relative risk that the person's presence is disclosed is at most 2.51
    """
    p, one, chance = _beliefs(inclusion, 1.0, failure)
    known = added_loss(promise, chance)
    bound = risk_up(known.inclusion, known.swap, p, one)
    inputs = _inputs(promise, None, inclusion=inclusion, failure=failure)
    return _finding(INCLUSION_PART, bound, "disclosure-split", known, inputs)


def value_part(promise: Promise, *, value: ArrayLike, failure: ArrayLike = 0.0, swap: Promise | None = None) -> Finding:
    """Posterior over prior of the value, for a person who is in the data: the second factor of the relative risk.

    >>> from whit.guarantees import PureDP
    >>> print(value_part(PureDP(1.0), value=0.1))
    relative risk that the value of a person in the data is disclosed is at most 4.51
    """
    q, one, chance = _beliefs(value, 1.0, failure)
    known = swapped_loss(promise, chance, swap)
    bound = risk_up(known.inclusion, known.swap, one, q)
    inputs = _inputs(promise, swap, value=value, failure=failure)
    return _finding(VALUE_PART, bound, "disclosure-split", known, inputs)


def inclusion_ratio(promise: Promise, *, failure: ArrayLike = 0.0) -> Finding:
    """How many times as likely an output is with the person and the sensitive value as without the person.

    >>> from whit.guarantees import PureDP
    >>> print(inclusion_ratio(PureDP(1.0)))
    likelihood ratio of a person with the value against the person's absence is at most 2.72
    """
    known = added_loss(promise, _chance(failure))
    inputs = _inputs(promise, None, failure=failure)
    return _finding(INCLUSION_RATIO, _exp_up(known.inclusion), "disclosure-likelihood-ratios", known, inputs)


def value_ratio(promise: Promise, *, failure: ArrayLike = 0.0, swap: Promise | None = None) -> Finding:
    """How many times as likely an output is with the sensitive value as with another value of the same person."""
    known = swapped_loss(promise, _chance(failure), swap)
    inputs = _inputs(promise, swap, failure=failure)
    return _finding(VALUE_RATIO, _exp_up(known.swap), "disclosure-likelihood-ratios", known, inputs)


def _finding(quantity: Quantity, bound: Array, key: str, known: Losses, inputs: dict[str, Tree]) -> Finding:
    """The finding, by the theorem and whatever the losses rest on."""
    fails = Basis.of("disclosure-with-failure") if known.basis.failures else Basis()
    direction = Direction.combine(Direction.AT_MOST, known.direction)
    return Finding(quantity, bound, direction, inputs, known.basis | Basis.of(key) | fails)


def _beliefs(first: ArrayLike, second: ArrayLike, failure: ArrayLike) -> tuple[Array, Array, Array]:
    """Two beliefs and the chance of failure, of shapes that broadcast; a loss is looked up once for each chance."""
    p, q = (probability_array(name, x, BELIEF_WAY_OUT) for name, x in (("inclusion", first), ("value", second)))
    chance = _chance(failure)
    paired("Use numbers, or arrays of one shape.", inclusion=p, value=q, failure=chance)
    return p, q, chance


def _chance(failure: ArrayLike) -> Array:
    return probability_array("failure", failure, FAILURE_WAY_OUT)


def _exp_up(loss: Array) -> Array:
    return Bracket.exact(loss).exp().upper


def _inputs(promise: Promise, swap: Promise | None, **beliefs: object) -> dict[str, Tree]:
    """What was asked; `swap` only where something was said of it."""
    said = beliefs if swap is None else {**beliefs, "swap": swap}
    return {"promise": echo(promise), **{name: echo(belief) for name, belief in said.items()}}
