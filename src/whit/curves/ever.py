"""The loss at every moment: whether it ever exceeds a threshold while releases come out, and not only after the last.

A bound that every release with a promise keeps does not change: whoever stops at the first passage has processed what
came out. The tail of a mechanism's own loss does change, and is known here for Gaussian noise and for equal coins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import Array
from whit.curves.finite import FinitePair, self_composed
from whit.curves.gaussian import FAR_LEFT, GaussianLoss
from whit.errors import require
from whit.numerics import ULP, Bracket, add_down, add_up, count, logsumexp, normal


@dataclass(frozen=True)
class EverGaussianLoss(GaussianLoss):
    """Gaussian releases whose mus square up to at most mu^2: the profile of all, and tails at any time on the way.

    >>> float(EverGaussianLoss(1.0).log_tail(2.0).exp().mid.round(6))
    0.112691
    """

    theorems: ClassVar[tuple[str, ...]] = ("gaussian-at-every-moment",)
    is_of_any_time: ClassVar[bool] = True

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of a bound on P[some Z_n > t]: sf(a) + e^t sf(a + mu) with a = t/mu - mu/2; 1 up to t = 0."""
        t = np.asarray(losses, dtype=np.float64)
        positive = np.maximum(t, 0.0)
        a = self._standardised(positive)
        near = np.maximum(a, FAR_LEFT)
        # e^t sf(a + mu) is the density at a times Mills's ratio at a + mu, where nothing cancels.
        back = np.where(a < FAR_LEFT, -np.inf, normal.log_pdf(near) + np.log(normal.mills(near + self.mu)))
        middle = np.minimum(np.logaddexp(normal.log_sf(a), back), 0.0)
        # As a function of a, the log of the sum has at most twice the slope that is allowed for its first part.
        error = 2 * self._argument_error(positive)
        ends = (middle - error, middle, np.minimum(middle + error, 0.0))
        reached, never = t <= 0.0, np.isposinf(t)
        return Bracket(*(np.where(reached, 0.0, np.where(never, -np.inf, end)) for end in ends))

    def log_below(self, losses: ArrayLike) -> Bracket:
        """Log of a bound on P[some Z_n < -t]: that of the other order beyond t, times e^-t."""
        return _far_side(self.log_tail(losses), np.asarray(losses, dtype=np.float64))


@dataclass(frozen=True, eq=False)
class EverCoins(FinitePair):
    """So many equal releases with the losses -step and step: the profile of all, and tails at any time on the way.

    The loss walks up and down by one step. Whoever has reached a step stands, at the end, beyond it or on a path that
    is the mirror image of one that does.
    """

    theorems: ClassVar[tuple[str, ...]] = ("coins-at-every-moment",)
    is_of_any_time: ClassVar[bool] = True

    step: float = 1.0

    @classmethod
    def of_coin(cls, coin: FinitePair, releases: int) -> EverCoins:
        """So many releases of one coin."""
        way_out = "Use the loss of randomized response."
        two = len(coin.losses) == 2 and coin.losses[0] == -coin.losses[1]
        require(two, name="coin", rule="must have two losses of one size", value=coin, way_out=way_out)
        many = count("releases", releases, "Use a number such as 12.")
        of_all = coin if many == 1 else self_composed(coin, many)
        errors = (of_all.loss_error, of_all.mass_error)
        return cls(of_all.losses, of_all.log_masses, mass_error=errors[1], loss_error=errors[0], step=coin.losses[1])

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[some Z_n > t] = P[Z >= z] + e^z Q[Z > z], where z is the next multiple of the step above t."""
        t = np.asarray(losses, dtype=np.float64)
        near = np.clip(t, -self.step, self.losses.max() + 2 * self.step)
        hair = 8 * ULP * (np.abs(near) + self.step) + self.loss_error
        ends = [self._ever(near + shift) for shift in (hair, 0.0, -hair)]
        error = self.mass_error + ULP * (64 + 8 * len(self.losses))
        found = (ends[0] - error, ends[1], np.minimum(ends[2] + error, 0.0))
        return Bracket(*(np.where(t < 0.0, 0.0, end) for end in found))

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[some Z_n >= t]: the same, whose ends lie on both sides of a multiple of the step."""
        return self.log_tail(losses)

    def _ever(self, t: Array) -> Array:
        z = (np.floor(t / self.step) + 1) * self.step
        place = np.rint((self.losses + self.losses.max()) / self.step)
        reached = np.rint((z + self.losses.max()) / self.step)
        beyond = place - reached[..., None]
        # A path that ends beyond z counts twice over but for its weight; one that ends at z counts once.
        weights = np.where(beyond > 0, np.log1p(np.exp(-np.maximum(beyond, 0) * self.step)), 0.0)
        return np.minimum(logsumexp(np.where(beyond >= 0, self.log_masses + weights, -np.inf), axis=-1), 0.0)

    def log_below(self, losses: ArrayLike) -> Bracket:
        """Log of a bound on P[some Z_n < -t]."""
        return _far_side(self.log_tail(losses), np.asarray(losses, dtype=np.float64))

    def reverse(self) -> EverCoins:
        """The same: the mirror image of its losses tells a coin from its opposite."""
        return self


def _far_side(near: Bracket, t: Array) -> Bracket:
    shift = np.where(np.isposinf(t), 0.0, -t)
    ends = (add_down(near.lower, shift), near.mid + shift, add_up(near.upper, shift))
    return Bracket(*(np.minimum(end, 0.0) for end in ends))
