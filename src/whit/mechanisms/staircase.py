"""Staircase noise: a density of plateaus, one step wide each, that fall by the factor e^{-epsilon}."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array, FinitePair
from whit.errors import Unreachable, require
from whit.mechanisms.details import Detail, Written
from whit.mechanisms.mechanism import NOISE_DEVIATION
from whit.mechanisms.noise import CellwiseNoise, drawn, require_affordable
from whit.numerics import ULP, finite_positive, log1mexp, probability, real_array
from whit.setting import Parameter, Sensitivity
from whit.theory import Basis, Direction, Finding

SLACK = 32 * ULP
MOST = 1e300
"""The largest epsilon: that of some steps together is then a double still."""

_LARGER = "Use a larger epsilon, such as 0.01, or a smaller confidence."
_MOST = "Use a number such as 1; beyond 700 or so the noise next to never moves an answer by a step."
_COUNT = Sensitivity.count()


@dataclass(frozen=True, init=False, repr=False)
class Staircase(CellwiseNoise):
    """Staircase noise, added to each cell; epsilon is the loss for each step by which a cell changes.

    The density is a e^{-epsilon m} at the distances from m - 1 + gamma to m + gamma steps, and a below gamma steps. It
    is not log-concave, but symmetric and falling, which is all that a larger change needs to be easier to tell.

    >>> print(Staircase(1.0).standard_deviation())
    standard deviation of the noise is 1.39 (rounded up)
    """

    whole: ClassVar[bool] = True
    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "staircase",
        "EPSILON",
        "Staircase noise that has this epsilon for a count.",
        rising=True,
        bounded=True,
        keeps=(("epsilon", lambda epsilon: epsilon),),
    )

    details = (
        Detail("gamma", "SHARE", "Half the width of the highest plateau, in steps.", Written.NUMBER),
        Detail("step", "NUMBER", "The change that the noise is made for. 1 if not given.", Written.NUMBER),
    )

    stated_epsilon: float
    gamma: float
    step: float

    def __init__(
        self, epsilon: float, *, gamma: float | None = None, step: float = 1.0, sensitivity: Sensitivity = _COUNT
    ) -> None:
        """Keep the parameters.

        Args:
            epsilon: the loss for each step by which a cell changes.
            gamma: half the width of the highest plateau, in steps; if it is not given, the one with the least expected
                absolute error, 1/(1 + e^{epsilon/2}).
            step: the width of the other plateaus.
            sensitivity: by how much one record can change the cells.
        """
        loss = finite_positive("epsilon", epsilon, "It is the loss for each step of change, a number such as 0.5.")
        require(loss <= MOST, name="epsilon", rule=f"must be at most {MOST:.0e}", value=epsilon, way_out=_MOST)
        width = math.exp(-loss / 2) / (1 + math.exp(-loss / 2)) if gamma is None else gamma
        self._keep(
            stated_epsilon=loss,
            gamma=probability("gamma", width, "Use a share of a step, such as 0.5, or leave it out."),
            step=finite_positive("step", step, "Use the change of one count, such as 1."),
            sensitivity=sensitivity,
        )
        super().__post_init__()

    noise_theorem: ClassVar[str] = "staircase-noise"
    basis = Basis.of("staircase-loss")
    """The finitely many losses between two staircases."""

    def _cell_loss(self, change: float) -> FinitePair:
        """Losses epsilon j, where j steps lie between the plateaus of an output in the one staircase and in the other.

        Outside of the two centres the plateaus of both alternate; between the centres those of one fall while those of
        the other rise. The widths where both overlap are worked out without rounding.
        """
        moved, half = Fraction(change) / Fraction(self.step), Fraction(self.gamma)
        require_affordable(float(min(moved, Fraction(MOST))))
        whole = math.floor(moved)
        part = moved - whole
        outer = ((whole + 1, min(half, part), part), (whole, half - min(half, part), 1 - part))
        logs = np.full(2 * whole + 3, -np.inf)  # for each number of steps, from the lowest one on
        for j, centre, share in outer:
            mass = float(np.logaddexp(_log(centre), _log(share) + self._log_beyond))
            for place, log in ((j, mass), (-j, mass - j * self.stated_epsilon)):
                logs[place + whole + 1] = np.logaddexp(logs[place + whole + 1], log)
        differences, plateaus, log_widths = _between(moved, half)
        np.logaddexp.at(logs, differences + whole + 1, log_widths - plateaus * self.stated_epsilon)
        height = self._log_height
        happens = logs > -np.inf
        steps, log_masses = np.arange(-whole - 1.0, whole + 2.0)[happens], logs[happens] + height
        size = float(np.max(np.abs(log_masses))) + abs(height)
        far = float(np.max(steps))
        # A product with a power of two, 1 above all, is exact.
        loss_error = 0.0 if far <= 2 else ULP * far * self.stated_epsilon
        return FinitePair(
            steps * self.stated_epsilon, log_masses, mass_error=ULP * (32 + 8 * size), loss_error=loss_error
        )

    @property
    def _log_height(self) -> float:
        """Log of the density at 0, per step: (1 - b)/(2 (gamma + b (1 - gamma))) with b = e^{-epsilon}."""
        width = np.logaddexp(_log(self.gamma), _log(1 - self.gamma) - self.stated_epsilon)
        return float(log1mexp(-self.stated_epsilon) - math.log(2.0) - width)

    @property
    def _log_beyond(self) -> float:
        """Log of b/(1 - b): all plateaus beyond one, over that one."""
        return float(-self.stated_epsilon - log1mexp(-self.stated_epsilon))

    def standard_deviation(self) -> Finding:
        """The root of the mean square, a sum of positive terms over all plateaus."""
        b, rest, g = math.exp(-self.stated_epsilon), -math.expm1(-self.stated_epsilon), self.gamma
        inside, outside = (g * rest) ** 3 / 3, b * (1 + 4 * b + b * b) / 3
        squares = inside + outside + g * b * (1 + b) * rest + b * (g * rest) ** 2
        mean = (1 + 4 * b + b * b) / 3 if g == 0.0 else squares / (g + b * (1 - g))  # where g is 0, b cancels
        deviation = self.step * math.sqrt(mean) / rest
        return self._about_noise(NOISE_DEVIATION, deviation, slack=SLACK)

    def _errors(self, chances: Array) -> tuple[Array, float, Direction]:
        """On the plateau where the rest is used up."""
        with np.errstate(divide="ignore"):
            logs = np.log1p(-np.ravel(chances))
        found = [self.error(float(chance), float(log)) for chance, log in zip(np.ravel(chances), logs, strict=True)]
        errors = np.reshape([error for error, _ in found], chances.shape)
        return errors, SLACK + max((slack for _, slack in found), default=0.0), Direction.EXACTLY

    def error(self, chance: float, log_rest: float) -> tuple[float, float]:
        """The largest error of the noise with a chance, and a bound on its relative rounding.

        The log of what is left of 1 is given as well, as a chance next to 1 has lost it.
        """
        log_height = self._log_height + math.log(2.0)
        if math.isinf(log_rest):
            return math.inf, 0.0
        if _log(chance) <= log_height + _log(self.gamma):  # in logs: the height itself may overflow
            return self.step * math.exp(_log(chance) - log_height), ULP * (16 + 8 * abs(log_height))
        log_first = self._log_height + math.log(2.0) + self._log_beyond
        beyond = (log_first - log_rest) / self.stated_epsilon
        if math.isinf(beyond):
            raise Unreachable(
                "the error of the noise",
                "must be below the largest double",
                f"epsilon = {self.stated_epsilon}",
                _LARGER,
            )
        plateau = max(1, 1 + math.floor(beyond))
        used = log_rest - (log_first - (plateau - 1) * self.stated_epsilon)
        into = min(1.0, max(0.0, math.expm1(used) / math.expm1(-self.stated_epsilon)))
        error = self.gamma + (plateau - 1) + into
        terms = 16 + 8 * abs(log_rest) + 8 * plateau * self.stated_epsilon
        rounding = ULP * terms / -math.expm1(-self.stated_epsilon)
        return self.step * error, rounding / error if error > 0.0 else 0.0

    def noise_tail(self, thresholds: ArrayLike) -> Finding:
        """P[noise >= x]: what is left of the plateau of x, and all plateaus beyond it."""
        x = real_array("thresholds", thresholds, "Use a number such as 1.")
        logs = np.reshape([self.log_tail(float(each)) for each in np.ravel(np.abs(x))], x.shape)
        tail = np.exp(logs)
        slack = SLACK + 8 * ULP * float(np.max(np.abs(logs[np.isfinite(logs)]), initial=0.0))
        return self._about_tail(np.where(x >= 0, tail, 1 - tail), x, slack)

    def log_tail(self, x: float) -> float:
        """Log of the probability that the noise is at least x, for x of at least 0."""
        if math.isinf(x):
            return -math.inf
        at = Fraction(x) / Fraction(self.step) - Fraction(self.gamma)
        plateau = math.floor(at + 1)
        left = float(np.logaddexp(_log(plateau - at), self._log_beyond))
        return self._log_height - _fall(plateau, self.stated_epsilon) + left

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> Array:
        """Noise for simulation. Not for release: noise made of floating-point numbers gives the data away."""
        shape, b, g = drawn(size), math.exp(-self.stated_epsilon), self.gamma
        steps = rng.geometric(-math.expm1(-self.stated_epsilon), size=shape) - 1
        inner = rng.random(shape) < g / (g + (1 - g) * b)
        within = rng.random(shape)
        size_of_noise = steps + np.where(inner, g * within, g + (1 - g) * within)
        return np.asarray(self.step * size_of_noise * rng.choice([-1.0, 1.0], size=shape))


def _between(moved: Fraction, half: Fraction) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """Between the centres: the differences of the plateaus, the plateaus of the noise itself, logs of the widths."""
    most = math.floor(moved + 1 - half)
    if most == 0:
        return np.array([0]), np.array([0]), np.array([_log(moved)])
    first = moved + 1 - half - most  # where the plateaus of the other staircase begin to fall
    end, between, later = min(half, first), abs(first - half), int(half <= first)
    all_of_them = np.arange(most)
    even, logs = all_of_them[1:], (_log(end), _log(1 - between), _log(between))
    differences = np.concatenate([[most, -most], most - 2 * even, most - 2 * all_of_them - 1])
    plateaus = np.concatenate([[0, most], even, all_of_them + later])
    return differences, plateaus, np.repeat(logs, (2, most - 1, most))


def _fall(plateaus: int, epsilon: float) -> float:
    """By how much the log of the density falls over so many plateaus; infinite where no double holds it."""
    whole = plateaus * Fraction(epsilon)
    return float(whole) if whole < MOST else math.inf


def _log(share: Fraction | float) -> float:
    if share <= 0:
        return -math.inf
    if isinstance(share, Fraction) and not float(share):  # below all doubles: its parts are whole numbers of any size
        return math.log(share.numerator) - math.log(share.denominator)
    return math.log(share)
