"""The best of several runs of a release, where how many there are is drawn at random beforehand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import ClassVar

import numpy as np

from whit.curves import Array, Promise, require_promise
from whit.errors import NotImplied, Unreachable, require
from whit.guarantees import RenyiDP, convert
from whit.mechanisms.details import Around, Detail, Written
from whit.mechanisms.kept import KeepsGuarantee
from whit.numerics import ULP, finite, number, smallest_true, up
from whit.setting import Neighbours
from whit.theory import Basis

# The orders at which a bound is kept, and those among which the best second order is looked for. Other accountants keep
# bounds at steps of 0.1 and then at whole numbers: with these among them none is below.
COMMON = (*(order / 10 for order in range(11, 110)), *map(float, range(11, 64)), 128.0, 256.0, 512.0, 1024.0)
SPREAD = tuple(float(order) for order in 1.0 + np.exp(np.linspace(math.log(0.1), math.log(1e3), 41)))
TOLD = tuple(sorted({*COMMON, *SPREAD}))
SECOND = tuple(float(order) for order in 1.0 + np.exp(np.linspace(math.log(1e-2), math.log(1e6), 161)))
ORDERS = (*sorted({*TOLD, *SECOND}), math.inf)
# How much more runs are allowed for than are expected: far more than the rounding of their mean, and of no account.
MARGIN = 1e-12
# Log of 1/gamma is not looked for beyond this, where the mean overflows.
FARTHEST = 700.0

_MEAN = "Use the number of runs that is expected, such as 10."
_SHAPE = "Use 1 for a geometric number of runs, 0 for a logarithmic one, inf for a Poisson number."


@dataclass(frozen=True, init=False, repr=False)
class BestOfRuns(KeepsGuarantee):
    """The best output of a random number of runs of a release, as in private tuning of parameters.

    promise   what each run promises: a guarantee, or a mechanism
    mean      how many runs are expected
    shape     of the law of the number of runs: 1 geometric, 0 logarithmic, otherwise negative binomial that is at least
              1; infinite for a Poisson number, which may be 0, and then nothing is released

    Only the best output is released, and not how many runs there were. The order in which outputs are better than
    others is fixed beforehand and may be any.

    >>> from whit.guarantees import PureDP
    >>> print(BestOfRuns(PureDP(0.1), mean=10.0).epsilon(0.0))
    epsilon is at most 0.301
    """

    around: ClassVar[Around] = Around(
        inner="promise",
        takes=lambda promise: isinstance(promise, Promise),
        goes_with="any promise",
        way_out="Use {epsilon} or {gaussian}.",
        phrase="the best of {mean} runs on average, shape = {shape}",
        details=(
            Detail("mean", "MEAN", "The best of a random number of runs, so many on average.", Written.NUMBER, "runs"),
            Detail(
                "shape",
                "SHAPE",
                "The number of runs is geometric if not given, logarithmic, poisson, or a number.",
                Written.NUMBER,
                "runs_shape",
                words={"geometric": 1.0, "logarithmic": 0.0, "poisson": math.inf},
            ),
        ),
    )

    promise: Promise
    mean: float
    shape: float

    def __init__(self, promise: Promise, *, mean: float, shape: float = 1.0) -> None:
        self._keep(
            promise=require_promise(promise),
            mean=finite("mean", mean, _MEAN),
            shape=number("shape", shape, _SHAPE),
        )
        require(self.mean >= 1.0, name="mean", rule="must be at least 1", value=mean, way_out=_MEAN)
        require(self.shape > -1.0, name="shape", rule="must be above -1", value=shape, way_out=_SHAPE)
        assert self.kept.orders  # refuses a promise without divergences

    @property
    def is_poisson(self) -> bool:
        """Whether the number of runs is Poisson."""
        return math.isinf(self.shape)

    basis = Basis.of("best-of-random-runs")
    """The divergences of the best output."""

    @cached_property
    def kept(self) -> RenyiDP:
        """Bounds on the divergences at many orders."""
        known, relation = self._known(), self.promise.relation() or Neighbours.ADD_REMOVE
        choice = 0.0 if self.is_poisson else self._choice(known)
        bounds = {order: self._bound(order, known[order], choice) for order in TOLD if order in known}
        if math.inf in known and not self.is_poisson:
            bounds[math.inf] = float(up((2 + self.shape) * known[math.inf], 4))
        return RenyiDP(_no_more_than_above(bounds), neighbours=relation)

    def _known(self) -> dict[float, float]:
        """The divergences of one run, of infinite order too where its loss is bounded."""
        for orders in (ORDERS, ORDERS[:-1]):
            try:
                found = convert(self.promise, to=RenyiDP, orders=orders).result
            except (NotImplied, Unreachable):
                continue
            assert isinstance(found, RenyiDP)
            return dict(found.orders)
        way_out = "Use a promise such as PureDP, ZeroConcentratedDP or RenyiDP, or Gaussian noise."
        raise NotImplied("the best of several runs", "needs Rényi divergences of each run", self.promise, way_out)

    def _bound(self, order: float, own: float, choice: float) -> float:
        """The bound at an order: what one run has, what the choice adds, and what the number of runs adds."""
        more = math.log(self.mean) / (order - 1)
        rounding = 32 * ULP * (1 + own + abs(more))
        if self.is_poisson:
            loss = math.log1p(1 / (order - 1)) * (1 - 8 * ULP)
            given_away = float(np.asarray(self.promise.delta(loss).value))
            return max(0.0, own + float(up(self.mean * given_away, 4)) + more + rounding)
        return max(0.0, own + (1 + self.shape) * choice + more + rounding)

    def _choice(self, known: dict[float, float]) -> float:
        """The smallest (1 - 1/b) D_b + log(1/gamma)/b over the orders b; at order infinity it is the largest loss."""
        log_stops = self.log_stops
        found = [
            bound if math.isinf(order) else (1 - 1 / order) * bound + log_stops / order
            for order, bound in known.items()
        ]
        return min(log_stops, *found) * (1 + 32 * ULP)

    @property
    def log_stops(self) -> float:
        """Log of 1/gamma, the parameter of the law of the number of runs, rounded up: the larger, the more runs."""
        aim = self.mean * (1 + MARGIN)
        found = smallest_true(lambda x: np.asarray(_mean(x, self.shape) >= aim), 0.0, FARTHEST, name="mean")
        return float(found) * (1 + MARGIN)

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        shape = "inf" if self.is_poisson else repr(self.shape)
        return f"BestOfRuns({self.promise!r}, mean={self.mean!r}, shape={shape})"


def _no_more_than_above(bounds: dict[float, float]) -> dict[float, float]:
    """The bounds, none above that of a higher order: divergences rise with their order."""
    falling = sorted(bounds, reverse=True)
    return dict(zip(falling, accumulate((bounds[order] for order in falling), min), strict=True))


def _mean(log_stops: Array, shape: float) -> Array:
    """The mean of the truncated negative binomial law: shape (1/g - 1)/(1 - g^shape), and (1/g - 1)/log(1/g) at 0."""
    x = np.maximum(log_stops, 1e-300)
    return np.asarray(np.expm1(x) / x if shape == 0.0 else shape * np.expm1(x) / -np.expm1(-shape * x))
