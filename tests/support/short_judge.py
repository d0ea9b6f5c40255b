"""Whether whit's bounds on a short composition hold the truth, and how wide they are."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field

import numpy as np
from flint import arb
from listed_laws import Listed, Undecided
from short_draws import Draw
from short_releases import Composition
from summed_laws import Mixed, Together, with_bits

from whit.curves import Face, LossDistribution
from whit.numerics import Bracket

BITS, MORE_BITS = 384, 2048
# A truth must be known to this part of itself to judge by it.
KNOWN = arb("1e-20")
# Deltas, and levels, down to this are asked for; the widths of those below the second are counted apart.
SMALLEST, TINY = 1e-30, 1e-12
# Losses this near to each other may be one and the same.
NEAR = 1e-9
THRESHOLDS = 2
TRIES = 8


@dataclass(frozen=True)
class Point:
    """What is true at a threshold: log masses above it under P and Q, and the log of the profile."""

    t: float
    tail: arb
    level: arb
    delta: arb


@dataclass
class Verdict:
    """The questions that were asked, those whose bounds miss the truth, and the largest width of each kind."""

    questions: int = 0
    outside: list[str] = field(default_factory=list)
    widths: dict[str, float] = field(default_factory=dict)
    engine: str = ""
    seconds: dict[str, float] = field(default_factory=lambda: {"whit": 0.0, "truth": 0.0})

    @contextmanager
    def timed(self, whose: str) -> Iterator[None]:
        """Add the processor time of what is done to that of whit, or of the truth."""
        start = time.process_time()
        try:
            yield
        finally:
            self.seconds[whose] += time.process_time() - start

    def ask(self, what: str, found: Bracket, *, low: arb | None, high: arb | None, width: str) -> None:
        """Judge a bracket: its lower end by what the truth is at most, its upper end by what it is at least."""
        lower, upper = float(found.lower), float(found.upper)
        self.questions += 1
        if high is not None and lower > -math.inf and arb(lower) > high:
            self.outside.append(f"{what}: lower {lower!r} is above {high.str(25)}")
        if low is not None and upper < math.inf and arb(upper) < low:
            self.outside.append(f"{what}: upper {upper!r} is below {low.str(25)}")
        wide = upper - lower if math.isfinite(lower) and math.isfinite(upper) else math.inf
        self.widths[width] = max(self.widths.get(width, 0.0), wide)


class TooSlow(BaseException):
    """An answer takes longer than is allowed."""


def judged(composition: Composition, rng: np.random.Generator, verdict: Verdict) -> None:
    """A composition at random thresholds: in both orders where its losses are listed, else in one of the two.

    An integral takes the referee as long as a hundred lists, so the other order is that of other compositions.
    """
    with verdict.timed("whit"):
        face = composition.face()
    verdict.engine = type(face).__name__
    for reverse in (False, True) if composition.is_listed else (bool(rng.random() < 0.5),):
        with verdict.timed("truth"):
            points, corners = _truths(composition, rng, reverse=reverse)
        with verdict.timed("whit"):
            asked = face.reverse() if reverse else face
            _judge(verdict, asked, points, corners, "backward" if reverse else "forward")


def _judge(verdict: Verdict, face: Face, points: list[Point], corners: list[tuple[arb, arb]], order: str) -> None:
    assert isinstance(face, LossDistribution)
    if not points:
        return
    t = np.array([point.t for point in points])
    delta, tail = face.log_delta(t), face.log_tail(t)
    for number, point in enumerate(points):
        size = "" if float(point.delta) > math.log(TINY) else " below 1e-12"
        label = f"{order} at {point.t!r}"
        verdict.ask(f"log delta {label}", delta[number], low=point.delta, high=point.delta, width=f"delta{size}")
        verdict.ask(f"log tail {label}", tail[number], low=point.tail, high=point.tail, width=f"tail{size}")
    _judge_powers(verdict, face, [(p.level, p.tail) for p in points] + corners, order)
    # One is enough: a search takes longer than all the others together.
    _judge_epsilons(verdict, face, [point for point in points if point.t > 0][:1], order)


def _judge_powers(verdict: Verdict, face: Face, known: list[tuple[arb, arb]], order: str) -> None:
    """A power rises with its level, and is concave: at a level just below it falls by no more than the level does."""
    levels = [_below(level) for level, _ in known]
    found = face.log_power(np.array(levels))
    for number, ((exact, power), level) in enumerate(zip(known, levels, strict=True)):
        size = "" if level > math.log(TINY) else " below 1e-12"
        least = power - (exact - level)
        verdict.ask(f"log power {order} at level {level!r}", found[number], low=least, high=power, width=f"power{size}")


def _judge_epsilons(verdict: Verdict, face: Face, points: list[Point], order: str) -> None:
    """Epsilon is at most the threshold where delta is no smaller than there; and hardly less, since D is convex in e^t.

    D(s) >= D(t) + (e^t - e^s) Q[Z > t], which is above delta for every s < t + log(1 - (delta - D(t)) / (e^t Q)).
    """
    if not points:
        return
    deltas = [min(_above(point.delta), 0.0) for point in points]
    found = face.epsilon(np.array(deltas))
    for number, (point, delta) in enumerate(zip(points, deltas, strict=True)):
        size, t = "" if delta > math.log(TINY) else " below 1e-12", arb(point.t)
        share = 1 - (arb(delta).exp() - point.delta.exp()) / (t + point.level).exp()
        least = t + share.log() if share > 0 else arb(0)
        verdict.ask(f"epsilon {order} at {delta!r}", found[number], low=least, high=t, width=f"epsilon{size}")


def _below(number: arb) -> float:
    """A double that is not above a number, and next to it."""
    end = number.lower()
    found = float(end)
    return found if arb(found) <= end else math.nextafter(found, -math.inf)


def _above(number: arb) -> float:
    return -_below(-number)


def _truths(
    composition: Composition, rng: np.random.Generator, *, reverse: bool
) -> tuple[list[Point], list[tuple[arb, arb]]]:
    """Truths at random thresholds whose deltas are not too small; and powers between two corners of a listed law."""
    with_bits(BITS)
    law = composition.law(reverse=reverse)
    points: list[Point] = []
    for _ in range(THRESHOLDS):
        reach = rng.uniform(-0.5, 1.0) if rng.random() < 0.3 else rng.uniform(0.0, 9.0)
        for _ in range(TRIES):
            point = _truth(composition, law, composition.scale * reach, reverse=reverse)
            if point is not None and float(point.delta) > math.log(SMALLEST):
                points.append(point)
                break
            reach *= rng.uniform(0.4, 0.9)
    return points, _corners(law.listed, rng) if law.rest is None else []


def _truth(composition: Composition, law: Mixed, t: float, *, reverse: bool) -> Point | None:
    """The truth at a threshold, with more digits where it cancels; None where it is not found or there is none."""
    # An integral is enclosed to a width of its own, whatever the digits.
    for bits in (BITS,) if isinstance(law.rest, Together) else (BITS, MORE_BITS):
        with_bits(bits)
        try:
            p, q = (law if bits == BITS else composition.law(reverse=reverse)).above(arb(t))
        except Undecided:
            continue
        delta = law.listed.infinity + p - arb(t).exp() * q
        known = (law.listed.infinity + p, q, delta)
        if all(bool(each > 0) and bool(each.rad() < KNOWN * each) for each in known):
            return Point(t, *(each.log() for each in known))
        if law.rest is None or bool(delta < arb("1e-40")):
            return None
    return None


def _corners(law: Listed, rng: np.random.Generator) -> list[tuple[arb, arb]]:
    """A test that rejects some losses always and the next one half of the time: log level and log power."""
    place = int(rng.integers(len(law.losses)))
    near = [law.losses[other] for other in (place - 1, place + 1) if 0 <= other < len(law.losses)]
    if any(bool(abs(loss - law.losses[place]) < NEAR) for loss in near):
        return []
    p, q = law.masses_from(place + 1)
    level, power = q + law.q[place] / 2, law.infinity + p + law.p[place] / 2
    # A level next to 1 differs from it by what the list leaves out.
    fine = bool(level > arb("1e-35")) and bool(level < 0.999)
    return [(level.log(), power.log())] if fine else []


def line(seed: int, *, listed: bool) -> dict[str, object]:
    """The verdict on the composition of a number, as a plain tree; as far as it got if it is stopped."""
    draw, verdict = Draw(seed), Verdict()
    drawn = draw.composition(listed=listed)
    found = {"seed": seed, "listed": listed, "kinds": drawn.kinds, "releases": drawn.releases}
    try:
        judged(drawn, draw.rng, verdict)
    except (Exception, TooSlow) as error:  # noqa: BLE001 - a run of thousands goes on, and counts it
        found["failed"] = repr(error)
    return {**found, "composition": repr(drawn.counts), **asdict(verdict)}
