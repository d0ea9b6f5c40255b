"""The privacy loss in the forms that beliefs need: never exceeded, seldom exceeded, and proof against mixing."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import questions
from whit.curves.curve import Curve
from whit.curves.face import Array, Face, LossDistribution, Order
from whit.curves.finite import FinitePair
from whit.curves.profile_points import Search, at_points
from whit.curves.promise import Promise, require_promise
from whit.errors import NotImplied
from whit.numerics import add_up, smallest_crossing
from whit.setting import Neighbours, failures, one_or_two
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, ReportingOnCurve, Unit

LARGEST_LOSS = Quantity("privacy loss", Unit.NUMBER)

FAR = 1e6
"""A loss that may exceed this is taken to have no bound."""

SUMMED = 1e-13
"""More than the relative rounding of a sum of largest losses."""

# So close to the largest loss, relatively, a smaller one is not looked for.
ALIKE = 2e-5
# Where a dear profile could lower a loss by no more than this share of it, it is not asked for.
NEGLIGIBLE = 1e-6
# Where it could lower it by no more than this share, it is asked for only next to the best of the places without it.
NEAR = 1e-3

# Farther out no point of a profile is read; e to this power is a double.
_FARTHEST = 690.0
# Beside a chance above this, a delta that only a dear integral knows is next to nothing.
_SMALLEST_CHANCE = 1e-9


def largest_loss(
    promise: Promise,
    failure: ArrayLike,
    *,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    over: Randomness = Randomness.MECHANISM,
) -> Finding:
    """The smallest t >= 0 for which it is proved that the loss stays below, except with the probability of failure.

    One-sided, P[Z > t] is at most the failure; two-sided, P[Z > t] + P[Z < -t] is; each in both orders, and for
    everybody whom the promise covers. Infinite where nothing is proved. `over` is what the failure is a chance over.

    >>> from whit.guarantees import ApproxDP
    >>> print(largest_loss(ApproxDP(1.0, 1e-6), 0.01))
    privacy loss is at most 1.01, except with probability 1 %
    """
    chances, both = failures(failure), one_or_two(sides)
    relation = require_promise(promise).relation(neighbours)
    curve = _upper_bound(promise.curve(neighbours))
    # Several questions about one adversary need the same loss.
    found, basis = (
        _loss_at(promise, float(chances), both, neighbours)
        if chances.ndim == 0
        else _losses_at(promise, chances, both, neighbours)
    )
    far = Basis.of("far-side") if both == 2 else Basis()
    basis = basis | far | Basis(failures=(Failure(float(np.max(chances)), over),))
    inputs = {"promise": promise, "failure": failure, "sides": sides, "neighbours": relation}
    return Finding(LARGEST_LOSS, found, Direction.combine(curve.direction, Direction.AT_MOST), inputs, basis)


def below_certainty(
    found: Finding, promise: Promise, neighbours: Neighbours | None, *, over_all: bool = False, **given: ArrayLike
) -> Finding:
    """The finding, which says so where an upper bound on a probability is 1 by rounding only.

    A loss that never exceeds a bound makes nobody certain who was not, and no test either.

    >>> from whit.guarantees import PureDP
    >>> from whit.semantics.testing import power
    >>> power(PureDP(60.0), 0.05).short_of_certainty, power(PureDP(60.0), 1.0).short_of_certainty
    (True, False)

    Args:
        found: the finding.
        promise: what it is about.
        neighbours: the relation between datasets.
        over_all: whether it is a chance over all outputs, such as a power: then a loss without a bound makes it certain
            only with all of the chance that it does not start from.
        given: the probabilities that it starts from, such as a prior or a level.
    """
    rounded = found.quantity.unit is Unit.PROBABILITY and found.largest == 1.0 and not found.is_lower_end
    if not rounded or not all(np.all((np.asarray(each) > 0.0) & (np.asarray(each) < 1.0)) for each in given.values()):
        return found
    chance = (1.0 - max((float(np.max(each)) for each in given.values()), default=0.0)) / 2 if over_all else 0.0
    bounded = math.isfinite(float(promise.sure_loss(neighbours).value))  # known at once, and enough
    bounded = bounded or math.isfinite(float(largest_loss(promise, chance, neighbours=neighbours)))
    return replace(found, short_of_certainty=bounded)


def _losses_at(
    promise: Promise, chances: Array | float, sides: int, neighbours: Neighbours | None
) -> tuple[Array, Basis]:
    """The largest of the losses of all whom the promise covers."""
    failures = np.asarray(chances, dtype=np.float64)
    everybody = promise.covered(neighbours, sides=sides)
    losses, basis = _of_one(everybody[0], failures, sides, neighbours)
    for other in everybody[1:]:
        # The loss that was found so far is enough where the tail of the other is at most the chance as well.
        if np.any(_tail_of_one(other, sides, neighbours)(losses) > failures):
            found, rests_on = _of_one(other, failures, sides, neighbours)
            losses, basis = np.maximum(losses, found), basis | rests_on
    if all(each.knows_tail(neighbours) for each in everybody):
        return losses, basis
    # The loss that is never exceeded bounds everybody too, and the profile is read beside it, not at it.
    sure = promise.sure_loss(neighbours)
    return np.minimum(losses, sure.value), basis | sure.basis


_loss_at = lru_cache(maxsize=64)(_losses_at)


def _of_one(promise: Promise, chances: Array, sides: int, neighbours: Neighbours | None) -> tuple[Array, Basis]:
    curve = promise.curve(neighbours)
    if promise.knows_tail(neighbours):
        return _by_tail(promise, curve, chances, sides, neighbours)
    return _by_profile(curve, chances, sides), curve.basis | Basis.of("tail-from-profile")


def tail_bound(promise: Promise, *, sides: int = 1, neighbours: Neighbours | None = None) -> Callable[[Array], Array]:
    """The numbers of `beyond` as a function of the threshold: a search needs nothing else of a finding.

    >>> from whit.curves import GaussianLoss
    >>> float(tail_bound(Curve.exact(GaussianLoss(1.0)))(np.asarray(0.5)).round(6))
    0.5
    """
    tails = [_tail_of_one(each, sides, neighbours) for each in promise.covered(neighbours, sides=sides)]
    return tails[0] if len(tails) == 1 else lambda t: np.max([tail(t) for tail in tails], axis=0)


def _tail_of_one(promise: Promise, sides: int, neighbours: Neighbours | None) -> Callable[[Array], Array]:
    curve = promise.curve(neighbours)
    if _is_of_curve(promise, curve):
        kernel = _tail_question(sides).kernel
        return lambda t: np.minimum(kernel(curve, t).upper, 1.0)
    return lambda t: promise.chances_beyond(t, sides=sides, neighbours=neighbours)


def sure_loss(promise: Promise, neighbours: Neighbours | None = None) -> Finding:
    """The loss that is never exceeded; infinite where there is none.

    >>> from whit.guarantees import PureDP
    >>> print(sure_loss(PureDP(1.0), Neighbours.REPLACE))
    privacy loss is at most 2
    """
    found = require_promise(promise).sure_loss(neighbours)
    inputs = {"promise": promise, "failure": 0.0, "neighbours": promise.relation(neighbours)}
    return replace(found, quantity=LARGEST_LOSS, inputs=inputs, basis=promise.step_to(neighbours) | found.basis)


def mixed_loss(
    promise: Promise, failure: ArrayLike, neighbours: Neighbours | None = None, *, sides: int = 1
) -> Finding:
    """The loss between neighbours in a form that stays true of adversaries who do not know the other records.

    They compare mixtures of the laws of the output, so a failure is a chance over the other records too. Without one it
    is the sure loss.
    """
    # Several questions about one adversary need it.
    if isinstance(failure, float | np.ndarray) and np.ndim(failure) == 0:
        relation = require_promise(promise).relation() if neighbours is None else neighbours
        return _mixed_at(promise, float(failure), relation, sides)
    return _mixed_loss(promise, failure, neighbours, sides)


def _mixed_loss(promise: Promise, failure: ArrayLike, neighbours: Neighbours | None, sides: int) -> Finding:
    bound = require_promise(promise).mixed(neighbours)
    return _least_loss(promise, bound, failure, neighbours, sides, Randomness.BELIEF)


def ever_loss(promise: Promise, failure: ArrayLike, neighbours: Neighbours | None = None, *, sides: int = 1) -> Finding:
    r"""The loss that is exceeded at some moment, while the releases come out, with at most the probability of failure.

    >>> from whit.mechanisms import Gaussian
    >>> print(largest_loss(Gaussian(1.0), 0.01), ever_loss(Gaussian(1.0), 0.01), sep="\n")
    privacy loss is at most 2.83, except with probability 1 %
    privacy loss is at most 3.04, except with probability 1 %
    """
    bound = promise.ever(neighbours)
    found = _least_loss(promise, bound, failure, neighbours, sides, Randomness.MECHANISM)
    # What always holds, and a law of the loss at any time, need no argument about stopping.
    own = not found.basis.failures or (isinstance(bound, Curve) and bound.face.is_of_any_time)
    return found if own else replace(found, basis=found.basis | Basis.of("at-every-moment"))


def _least_loss(
    promise: Promise,
    bound: Promise,
    failure: ArrayLike,
    neighbours: Neighbours | None,
    sides: int,
    over: Randomness,
) -> Finding:
    """The loss by a bound on the tail, or the sure loss of the promise if that is no larger."""
    chances, sure = failures(failure), sure_loss(promise, neighbours)
    always = replace(sure, value=np.broadcast_to(np.asarray(sure.value), chances.shape))
    if not np.any(chances > 0.0):
        return always
    found = largest_loss(bound, failure, sides=sides, over=over)
    least = np.minimum(found.value, sure.value)
    if not np.any(least < sure.value):
        return always
    return replace(found, value=least, basis=promise.step_to(neighbours) | found.basis)


_mixed_at = lru_cache(maxsize=64)(_mixed_loss)


@lru_cache(maxsize=64)
def sure_loss_of(curve: Curve) -> Finding:
    """The loss that a curve never exceeds, in either order of its pair; infinite if there is none in reach."""
    side = Direction.combine(_upper_bound(curve).direction, Direction.AT_MOST)
    if isinstance(curve.face, FinitePair):
        return Finding(LARGEST_LOSS, _largest_atom(curve.face), side, {"promise": curve}, curve.basis)
    if curve.face.is_dear:
        return Finding(LARGEST_LOSS, sum_of_largest(curve.face), side, {"promise": curve}, curve.basis)
    if curve.face.is_endless:
        return Finding(LARGEST_LOSS, math.inf, side, {"promise": curve}, curve.basis | Basis.of("hockey-stick"))
    beyond = curve.log_delta(FAR)
    if not np.isneginf(beyond.value):
        return Finding(LARGEST_LOSS, math.inf, side, {"promise": curve}, beyond.basis)
    found = curve.epsilon(0.0)
    return Finding(LARGEST_LOSS, found.value, side, {"promise": curve}, found.basis)


def sum_of_largest(loss: Face) -> float:
    """The loss that a composition never exceeds, in either order: the sum of the largest losses of its parts.

    Infinite where one of them has no bound, and where the parts are not known.
    """
    orders = (loss, loss.reverse())
    surely = all(isinstance(each, LossDistribution) and np.isneginf(each.log_infinity) for each in orders)
    return max(each.largest_loss for each in orders) * (1 + SUMMED) if surely else np.inf


def _upper_bound(curve: Curve) -> Curve:
    if curve.direction is Direction.AT_LEAST:
        rule = "cannot be bounded by a curve that is a lower bound"
        raise NotImplied("the privacy loss", rule, curve.face, "Use a curve that is an upper bound.")
    return curve


def _largest_atom(pair: FinitePair) -> float:
    """The largest of finitely many losses, in either order; infinite where an infinite loss has a probability."""
    surely = np.isneginf(pair.log_infinity) and np.isneginf(pair.log_missing)
    return float(add_up(np.max(np.abs(pair.losses)), pair.loss_error)) if surely else math.inf


def _by_tail(
    promise: Promise, curve: Curve, chances: Array, sides: int, neighbours: Neighbours | None
) -> tuple[Array, Basis]:
    """The smallest t at which the bound on the tail is at most the chance, to the last double."""

    def excess(t: Array) -> Array:
        """How far the log of the tail lies above that of the chance; its sign is that of the numbers themselves."""
        tails = tail(t)
        with np.errstate(divide="ignore"):
            logs = np.log(tails) - np.log(np.where(possible, chances, 1.0))
        return np.asarray(np.where((tails <= chances) | ~possible, np.minimum(logs, 0.0), np.maximum(logs, 5e-324)))

    possible, tail = chances > 0.0, _tail_of_one(promise, sides, neighbours)
    tolerance, end = _worth_looking(curve)
    near = _expected(promise, curve, np.where(possible, chances, 1.0), neighbours) if sides == 1 else None
    if near is None and curve.order is Order.PROFILE:
        # Where nothing is exceeded the tail jumps to 0, and a jump is looked for to the last double.
        end = float(promise.sure_loss(neighbours))
    found = smallest_crossing(excess, chances.shape, tolerance=tolerance, end=end, near=near)
    if not possible.all():
        # Not to be exceeded at all is a matter of the largest losses, which need no search in a profile.
        found = np.where(possible, found, promise.sure_loss(neighbours).value)
    if _is_of_curve(promise, curve):
        # A law of the loss at any time is a theorem about tails itself.
        return found, curve.basis if curve.face.is_of_any_time else curve.basis | _tail_question(sides).theorem
    # What a bound on the tail rests on does not depend on the loss, and infinity is quickly answered.
    return found, promise.beyond(np.inf, sides=sides, neighbours=neighbours).basis


def _expected(promise: Promise, curve: Curve, chances: Array, neighbours: Neighbours | None) -> Array | None:
    """About where the tail comes down to each chance, in closed form: the search begins there, and proves the rest."""
    known = promise.likely_loss(chances, neighbours=neighbours)
    if known is not None:
        return known
    face = curve.face
    quantile = face.quantile(chances)
    if quantile is not None:
        return quantile if curve.order is Order.LOSS else _at_quantile(quantile, curve, chances)
    if isinstance(face, FinitePair) and len(face.losses) == 2 and curve.order is Order.PROFILE:
        corner = np.full(chances.shape, face.losses.max())
        deltas = np.exp(face.log_delta(corner).upper)
        bounds = at_points(corner, deltas, chances, 1)
        return np.where(deltas == 0.0, np.minimum(bounds, corner), bounds)
    return None


def _at_quantile(quantile: Array, curve: Curve, chances: Array) -> Array:
    """The smallest bound that a point of the profile gives, where the law of the loss is known by its quantiles.

    The slope of e - log(1 - D(e)/chance) is 0 where the chance is D(e) - D'(e), which is P[Z > e]. An e below 0 gives
    the bound that the complement of an event gives at -e.
    """
    epsilons = np.minimum(np.abs(quantile), _FARTHEST)
    return at_points(epsilons, np.asarray(curve.delta(epsilons).value), chances, 1)


def _is_of_curve(promise: Promise, curve: Curve) -> bool:
    """Whether the tail of a promise is the one that its curve has, between proved ends."""
    return not promise.is_stated and curve.order is Order.LOSS and curve.direction is not Direction.ABOUT


def _tail_question(sides: int) -> ReportingOnCurve:
    return questions.tail if sides == 1 else questions.two_sided_tail


def _worth_looking(curve: Curve) -> tuple[float, float]:
    """How closely a threshold is looked for, and up to where: a tail by its transform is dear, its last atom most."""
    if curve.order is Order.PROFILE:
        return Face.tail_tolerance, np.inf
    return curve.face.tail_tolerance, max(curve.face.largest_loss, curve.face.reverse().largest_loss)


def _by_profile(curve: Curve, chances: Array, sides: int) -> Array:
    """The smallest bound that a point of the profile gives, over many points: each of them alone would do.

    None where nothing may fail: that is a matter of the largest loss, which needs no search in a profile.
    """
    positive = chances > 0.0
    if not positive.all():
        losses = np.full(chances.shape, np.inf)
        if positive.any():
            losses[positive] = _by_profile(curve, chances[positive], sides)
        return losses
    quantile = curve.face.quantile(chances) if sides == 1 else None
    if quantile is not None:
        return _at_quantile(quantile, curve, chances)
    looks_first = curve.face.rough is not curve.face and curve.direction is not Direction.ABOUT
    rough = replace(curve, face=curve.face.rough) if looks_first else curve
    start = np.asarray(rough.epsilon(chances).value)
    if curve.face.is_dear and np.all(start >= sum_of_largest(curve.face) * (1 - ALIKE)):
        # What a dear profile could say lies between the two.
        return np.full(chances.shape, sum_of_largest(curve.face))
    proved = np.isfinite(start)
    search = Search(np.where(proved, start, 0.0), chances, sides)
    # At most of the first points delta is too small to matter.
    read = replace(curve, face=curve.face.thrifty) if np.all(chances > _SMALLEST_CHANCE) else curve
    if not looks_first:
        return np.where(proved, search.widely(read)[1], np.inf)
    least, most, place = search.widely(rough)
    if not _nearly(least, most, NEGLIGIBLE, proved):
        near = _nearly(least, most, NEAR, proved)
        most = np.minimum(most, search.closely(curve, place) if near else search.widely(read)[1])
    return np.where(proved, most, np.inf)


def _nearly(least: Array, most: Array, share: float, proved: NDArray[np.bool_]) -> bool:
    """Whether what is proved could be lowered by no more than this share of it."""
    return bool(np.all((most * (1 - share) <= least) | ~proved))
