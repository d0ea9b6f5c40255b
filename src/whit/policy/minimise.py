"""Whether a release meets a risk profile everywhere, and the largest loss that does: a proof by boxes.

A release bounds what an adversary learns by two losses, that of being in the data and that of having one's record
replaced. They bound the relative risk of every adversary (p, q) by 1/(pq + p (1-q) e^-replaced + (1-p) e^-included),
whose denominator is linear in each belief: on a box of beliefs it is smallest at a corner. The domain of a profile is
covered by boxes; a box is settled if the largest risk on it is at most a lower bound of the limit on it, and split if
not. What cannot be settled counts as broken, so the answer is on the safe side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.numerics import ULP, down, largest_true, up
from whit.policy.profiles import AbsoluteCap, ByPrior, Capped, Difference, Domain, Flat, RiskProfile, Strictest
from whit.policy.profiles.profile import SMALLEST
from whit.semantics import disclosure

Array = NDArray[np.float64]

TOLERANCE = 5e-10
"""An answer is at most this share below the best possible one, as long as boxes are left to split."""

MOST_BOXES = 150_000
"""How many boxes a cover may have; with more the search would take seconds."""

LARGEST_EXPONENT = 700.0
"""Beyond it e^-loss has no full precision left; it is taken as 0, which is the safe side."""

ROUNDING = 64 * ULP
"""Relative error of the denominator, and reserve: no risk that is reported within a box exceeds that of its corner."""

PRIOR_ALONE = (AbsoluteCap, ByPrior, Capped, Difference, Flat)
"""Profiles whose limit depends on the prior pq alone, within their domain."""

NEARLY = 1e-4
"""The adversary who decides has at most this share more room than the one with the least."""

NEXT_TO_ONE = 1 + 1e-12
"""A limit below it is compared with the risk as the school rounds it, since the reserve for rounding would cost it."""

_FAR = 1e290
_SHORTEST = 4 * ULP
_NEAREST = 1e-30
_START = np.array([0.0, 1e-3, 1e-2, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])


@dataclass(frozen=True)
class Losses:
    """How much a release can tell: whether a person is in the data, and which of two records theirs is."""

    included: float
    replaced: float

    def within(self, other: Losses) -> bool:
        """Whether neither loss is larger than in the other."""
        return self.included <= other.included and self.replaced <= other.replaced

    def scaled(self, factor: float) -> Losses:
        """Both losses times a number."""
        return Losses(self.included * factor, self.replaced * factor)


@dataclass(frozen=True)
class Boxes:
    """Boxes of beliefs, by the ends of their ranges: four arrays of one length."""

    p_low: Array
    p_high: Array
    q_low: Array
    q_high: Array

    def __getitem__(self, chosen: NDArray[np.bool_]) -> Boxes:
        return Boxes(self.p_low[chosen], self.p_high[chosen], self.q_low[chosen], self.q_high[chosen])

    def __len__(self) -> int:
        return len(self.p_low)

    def joined(self, other: Boxes) -> Boxes:
        """These boxes and the others."""
        mine, theirs = ((each.p_low, each.p_high, each.q_low, each.q_high) for each in (self, other))
        return Boxes(*(np.concatenate(pair) for pair in zip(mine, theirs, strict=True)))


class Cover:
    """Boxes over a domain, each with the limit on it from below; they get smaller where questions need it.

    A box that is settled for some losses is settled for smaller ones. So where an answer was no, the boxes that were
    settled are put aside until somebody asks about larger losses.
    """

    def __init__(self, profile: RiskProfile, domain: Domain) -> None:
        self._profile = profile
        self._boxes = _first(domain)
        self._least = limits_on(profile, self._boxes)
        self._aside: list[tuple[Losses, Boxes, Array]] = []

    def keeps(self, losses: Losses) -> bool:
        """Whether no adversary learns more than the limit, by a proof; False also where a proof would take too long."""
        self._bring_back(losses)
        while True:
            risk, _, _ = largest_risk(self._boxes, losses)
            unsettled = np.asarray(risk > self._least)
            if not unsettled.any():
                return True
            if self._broken(unsettled, losses.scaled(1 + TOLERANCE)) or not self._split(unsettled):
                self._put_aside(~unsettled, losses)
                return False

    def _bring_back(self, losses: Losses | None = None) -> None:
        """Look again at the boxes that were settled for other losses than these or smaller ones; or at all of them."""
        again = [each for each in self._aside if losses is None or not losses.within(each[0])]
        self._aside = [each for each in self._aside if losses is not None and losses.within(each[0])]
        for _, boxes, least in again:
            self._boxes, self._least = self._boxes.joined(boxes), np.concatenate([self._least, least])

    def _put_aside(self, settled: NDArray[np.bool_], losses: Losses) -> None:
        """Do not look at these boxes again until larger losses are asked about."""
        self._aside.append((losses, self._boxes[settled], self._least[settled]))
        self._boxes, self._least = self._boxes[~settled], self._least[~settled]

    def tightest(self, losses: Losses) -> tuple[float, float]:
        """The adversary with the least room between risk and limit, up to a share that does not matter."""
        self._bring_back()
        while True:
            risk, p, q = largest_risk(self._boxes, losses)
            ends = zip((p, q), (self._boxes.p_high, self._boxes.q_high), strict=True)
            corners = [np.where(low > 0.0, low, np.minimum(high, SMALLEST)) for low, high in ends]
            p, q = (np.concatenate(pair) for pair in zip(corners, _inner(self._boxes), strict=True))
            with np.errstate(invalid="ignore"):
                used = risk_up(p, q, losses) / self._profile.limit(p, q)
                unsettled = np.asarray(risk / self._least > np.max(used) * (1 + NEARLY))
            if not unsettled.any() or not self._split(unsettled):
                place = int(np.argmax(used))
                return float(p[place]), float(q[place])

    def smallest(self) -> tuple[float, float, float]:
        """A lower bound of all limits, and a belief in the box with the smallest one."""
        self._bring_back()
        place = int(np.argmin(self._least))
        p, q = _inner(self._boxes)
        return float(self._least[place]), float(p[place]), float(q[place])

    def _broken(self, chosen: NDArray[np.bool_], losses: Losses) -> bool:
        """Whether one of the boxes holds an adversary who learns more than the limit."""
        boxes = self._boxes[chosen]
        _, p, q = largest_risk(boxes, losses)
        inner_p, inner_q = _inner(boxes)
        p, q = np.where(p > 0.0, p, inner_p), np.where(q > 0.0, q, inner_q)
        return bool(np.any(risk_up(p, q, losses) > self._profile.limit(p, q)))

    def _split(self, chosen: NDArray[np.bool_]) -> bool:
        """Split the boxes in the middle of each range; False where one is too small, or there would be too many."""
        boxes = self._boxes[chosen]
        long_p, long_q = _long(boxes.p_low, boxes.p_high), _long(boxes.q_low, boxes.q_high)
        if not np.all(long_p | long_q) or len(self._boxes) > MOST_BOXES:
            return False
        halves = _halves(boxes, long_p, long_q)
        self._boxes = self._boxes[~chosen].joined(halves)
        self._least = np.concatenate([self._least[~chosen], limits_on(self._profile, halves)])
        return True


def risk_up(p: Array, q: Array, losses: Losses) -> Array:
    """The bound on the relative risk of each adversary, with a reserve for rounding; in a tenth of the school's time.

    >>> float(risk_up(np.array(0.3), np.array(0.2), Losses(0.5, 1.0)).round(6))
    1.74562
    """
    included, replaced = _exp_minus(losses.included), _exp_minus(losses.replaced)
    parts = p * q + p * (1 - q) * replaced + (1 - p) * included
    # The same as what is missing from 1, which is the sharper form where the losses are small.
    missing = p * (1 - q) * _one_minus_exp(losses.replaced) + (1 - p) * _one_minus_exp(losses.included)
    least = np.maximum(parts * (1 - ROUNDING), down(1 - missing * (1 + ROUNDING)))
    with np.errstate(divide="ignore", over="ignore"):
        risk = up(1.0 / np.maximum(least, 0.0))
    return np.where(missing == 0.0, 1.0, risk)


def largest_risk(boxes: Boxes, losses: Losses) -> tuple[Array, Array, Array]:
    """The largest risk on each box, and the corner at which it is: value low, inclusion at one of its ends."""
    included, replaced = _exp_minus(losses.included), _exp_minus(losses.replaced)
    rising = (replaced - included) + boxes.q_low * (1 - replaced) > 0.0
    p = np.where(rising, boxes.p_low, boxes.p_high)
    # Where rising is nearly level its sign may be wrong: the other end is no better than rounding then, but counts.
    other = np.where(rising, boxes.p_high, boxes.p_low)
    risk = np.maximum(risk_up(p, boxes.q_low, losses), risk_up(other, boxes.q_low, losses))
    return risk, p, boxes.q_low


class Part:
    """One profile with its covers, over fewer adversaries where others cannot be the worst."""

    def __init__(self, profile: RiskProfile) -> None:
        self.profile = profile
        self._closed = closed = profile.closed_form()
        ends = (profile.domain.inclusion[1], profile.domain.value[1])
        p, q = (
            ends
            if closed is None
            else (min(belief or SMALLEST, end) for belief, end in zip(closed.binding, ends, strict=True))
        )
        self._decider = (p, q)
        self._covers: dict[Domain, Cover] = {}

    def keeps(self, losses: Losses) -> bool:
        """Whether no adversary learns more than the profile allows."""
        closed = self._closed
        if closed is not None:
            within = max(losses.included, losses.replaced / 2) <= closed.epsilon
            if within and (closed.epsilon == math.inf or self._fits(losses)):
                return True
            if losses.replaced == 2 * losses.included:
                return False
        return self.cover(losses).keeps(losses)

    def _fits(self, losses: Losses) -> bool:
        """Whether the risk of the adversary who decides by the formula is at most their limit also as computed."""
        p, q = (np.asarray(belief) for belief in self._decider)
        limit = self.profile.limit(p, q)
        if risk_up(p, q, losses) <= limit:
            return True
        school = disclosure.risk_up(np.asarray(losses.included), np.asarray(losses.replaced), p, q)
        return bool(limit < NEXT_TO_ONE and school <= limit)

    def cover(self, losses: Losses) -> Cover:
        """Boxes over the part of the domain that must contain the worst adversary."""
        domain = _worst(self.profile, losses)
        if domain not in self._covers:
            self._covers[domain] = Cover(self.profile, domain)
        return self._covers[domain]

    def tightest(self, losses: Losses) -> tuple[float, float]:
        """The adversary with the least room between risk and limit."""
        if self._closed is not None and losses.replaced == 2 * losses.included:
            return self._decider
        return self.cover(losses).tightest(losses)


class Keeping:
    """Whether losses meet a profile; if there are several profiles, each of them."""

    def __init__(self, profile: RiskProfile) -> None:
        self.parts = [Part(each) for each in _members(profile)]
        self._largest: dict[Losses, float] = {}

    def __call__(self, losses: Losses) -> bool:
        """Whether no adversary learns more than the profile allows."""
        return all(part.keeps(losses) for part in self.parts)

    def tightest(self, losses: Losses) -> tuple[float, float]:
        """The adversary with the least room between risk and limit."""
        found = [(part.profile, *part.tightest(losses)) for part in self.parts]
        room = [profile.limit(p, q) / risk_up(np.asarray(p), np.asarray(q), losses) for profile, p, q in found]
        return found[int(np.argmin(room))][1:]

    def smallest_limit(self) -> tuple[float, float, float]:
        """A lower bound of all limits, and where about it is."""
        nothing = Losses(0.0, 0.0)
        return min(part.cover(nothing).smallest() for part in self.parts)

    def largest(self, included: float, replaced: float) -> float:
        """The largest t for which losses of t times these two numbers are kept; infinite where all are.

        >>> from whit.policy.profiles import constant
        >>> round(Keeping(constant(3.0)).largest(1.0, 1.0), 6)
        1.098612
        """
        ray = Losses(included, replaced)
        if ray not in self._largest:
            free = self(ray.scaled(_FAR))
            found = math.inf if free else largest_true(lambda t: np.asarray(self(ray.scaled(float(t)))), 0.0, _FAR)
            self._largest[ray] = float(found)
        return self._largest[ray]


def _members(profile: RiskProfile) -> list[RiskProfile]:
    """The profiles, if the strictest of several counts; else the profile itself."""
    if not isinstance(profile, Strictest):
        return [profile]
    return [each for _, member in profile.members for each in _members(member)]


def limits_on(profile: RiskProfile, boxes: Boxes) -> Array:
    """The limit on each box, from below; of an arbitrary function it is an estimate from points, and no proof.

    The logarithm of such a limit is taken to change between the points no faster than from the centre to the corners.
    """
    if profile.proved:
        return profile.lower_bound(boxes.p_low, boxes.p_high, boxes.q_low, boxes.q_high)
    centre, p, q = (
        profile.limit(*_inner(boxes)),
        _sampled(boxes.p_low, boxes.p_high),
        _sampled(boxes.q_low, boxes.q_high),
    )
    corners = np.stack([profile.limit(a, b) for a in p for b in q])
    smallest: Array = np.minimum(corners.min(axis=0), centre)
    known = np.isfinite(corners) & np.isfinite(centre) & (corners > 0.0) & (centre > 0.0)
    change = np.abs(np.log(np.where(known, corners, 1.0) / np.where(known, centre, 1.0))).max(axis=0)
    # A limit of 1 and above that seems to fall below 1 in between is taken to stop there.
    return np.asarray(np.maximum(smallest * np.exp(-change / 2), np.minimum(smallest, 1.0)))


def split_point(low: ArrayLike, high: ArrayLike) -> Array:
    """Where a range is split: in the middle, of the logarithms where its ends are far apart."""
    a, b = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    middle = np.where(b > 4 * a, np.sqrt(np.maximum(a, b / 256) * b), a + (b - a) / 2)
    return np.where(a == b, a, middle)


def _worst(profile: RiskProfile, losses: Losses) -> Domain:
    """The adversaries among whom the worst one is: for limits of the prior alone, those with the most of a belief."""
    (p_low, p_high), (q_low, q_high) = profile.domain.inclusion, profile.domain.value
    if not isinstance(profile, PRIOR_ALONE) or p_low > 0.0 or q_low > 0.0:
        return profile.domain
    if losses.replaced >= losses.included:
        return Domain(inclusion=(p_high, p_high), value=(q_low, q_high))
    return Domain(inclusion=(p_low, p_high), value=(q_high, q_high))


def _first(domain: Domain) -> Boxes:
    """Boxes over the whole domain."""
    p, q = _ends(domain.inclusion), _ends(domain.value)
    low = np.meshgrid(p[0], q[0], indexing="ij")
    high = np.meshgrid(p[1], q[1], indexing="ij")
    return Boxes(low[0].ravel(), high[0].ravel(), low[1].ravel(), high[1].ravel())


def _ends(belief: tuple[float, float]) -> tuple[Array, Array]:
    """The low and the high ends of the first ranges of a belief."""
    low, high = belief
    if low == high:
        return np.array([low]), np.array([high])
    steps = np.concatenate([[low], _START[(low < _START) & (high > _START)], [high]])
    return steps[:-1], steps[1:]


def _halves(boxes: Boxes, long_p: NDArray[np.bool_], long_q: NDArray[np.bool_]) -> Boxes:
    """Each box in two where one of its ranges is long enough to split, in four where both are."""
    middle = split_point(boxes.p_low, boxes.p_high)
    left = Boxes(boxes.p_low, np.where(long_p, middle, boxes.p_high), boxes.q_low, boxes.q_high)
    right = Boxes(middle, boxes.p_high, boxes.q_low, boxes.q_high)[long_p]
    both, long = left.joined(right), np.concatenate([long_q, long_q[long_p]])
    middle = split_point(both.q_low, both.q_high)
    lower = Boxes(both.p_low, both.p_high, both.q_low, np.where(long, middle, both.q_high))
    return lower.joined(Boxes(both.p_low, both.p_high, middle, both.q_high)[long])


def _sampled(low: Array, high: Array) -> list[Array]:
    """The ends of each range, a little above 0 where it begins there; one where the belief is fixed."""
    return [high] if np.array_equal(low, high) else [np.where(low > 0.0, low, high * 1e-3), high]


def _long(low: Array, high: Array) -> NDArray[np.bool_]:
    return np.asarray((high - low > _SHORTEST * high) & (high > _NEAREST))


def _inner(boxes: Boxes) -> tuple[Array, Array]:
    """A point of each box at which both beliefs are above 0."""
    return split_point(boxes.p_low, boxes.p_high), split_point(boxes.q_low, boxes.q_high)


def _exp_minus(loss: float) -> float:
    """e^-loss; 0 where it would have lost its digits."""
    return float(np.exp(-loss)) if loss <= LARGEST_EXPONENT else 0.0


def _one_minus_exp(loss: float) -> float:
    """1 - e^-loss."""
    return float(-np.expm1(-loss))
