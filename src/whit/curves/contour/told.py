"""One of several samples, drawn with known chances, where the release says which: the transform is the mean of theirs.

With the chances w_i and the transforms M_i, M = sum of w_i M_i: a rule for it has the points of all rules, with the
masses w_i times theirs. At a tilt c the i-th case has the share w_i M_i(c) / M(c). So an error that is known relative
to M_i(c) counts by this share, and so does the decay of each: |phi(t)| is at most the sum of share_i decay_i / |t|.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from whit.curves.contour.floating import UNIT, Real
from whit.curves.contour.rules import Rule
from whit.curves.contour.subsampled import NEAR, WIDE, RandomChangeKind, SampledKind, log_by_decay


@dataclass(frozen=True)
class ToldKind(SampledKind):
    """One of several kinds of Gaussian noise on a sample.

    cases     the kinds, all of them symmetric or none
    chances   of each; they are taken as parts of their sum
    """

    cases: tuple[RandomChangeKind, ...]
    chances: tuple[float, ...]

    @property
    def symmetric(self) -> bool:  # type: ignore[override]  # of a kind whose cases are
        """Whether the reversed pair has the same loss."""
        return all(case.symmetric for case in self.cases)

    @property
    def log_chances(self) -> Real:
        """Log of each chance, with sum 1."""
        return np.asarray(np.log(self.chances) - math.log(math.fsum(self.chances)))

    def log_mgf_real(self, c: Real) -> Real:
        """Log of the mean of the transforms, by their distance from 1 where that is small."""
        logs = np.stack([case.log_mgf_real(c) for case in self.cases])
        with np.errstate(over="ignore", invalid="ignore"):
            near = np.log1p(np.exp(self.log_chances) @ np.expm1(logs))
            far = np.logaddexp.reduce(logs + self.log_chances[:, None])
        return np.asarray(np.where(np.max(np.abs(logs), axis=0) < 1.0, near, far))

    def rule(self, c: float, reach: float) -> Rule:
        """The points of all rules."""
        rules, logs = [case.rule(c, reach) for case in self.cases], self.log_chances
        masses = [rule.log_masses + log for rule, log in zip(rules, logs, strict=True)]
        # Each chance is known to some units, by its log and by the log of the sum.
        errors = [rule.mass_error + 8 * UNIT * (2 - log) for rule, log in zip(rules, logs, strict=True)]
        losses, loss_errors = ([getattr(rule, name) for rule in rules] for name in ("losses", "loss_error"))
        parts = (np.concatenate(each) for each in (losses, masses, loss_errors, errors))
        points, log_masses, loss_error, mass_error = parts
        shares = self._shares(c)

        def quadrature_error(t: Real) -> Real:
            errors = [share * rule.quadrature_error(t) for share, rule in zip(shares, rules, strict=True)]
            return np.asarray(np.sum(errors, axis=0))

        return Rule(points, log_masses, 0.0, loss_error, mass_error, quadrature_error)

    def _shares(self, c: float) -> Real:
        """A bound on the share of each case at the tilt c."""
        logs = self.log_chances + [case.tilted(c, 0.0).log_scale for case in self.cases]
        return np.asarray(np.exp(logs - np.logaddexp.reduce(logs)) * (1 + 1e-9))

    def decay(self, c: float) -> float:
        """As derived above."""
        return _decay(self, c)

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """By the decay, and by the modulus amid each interval."""
        decay = self.decay(c)
        return self._log_sharpened(log_by_decay(decay, start), decay, c, start, stop, copies)

    def cost(self, reach: float) -> float:
        """That of all cases."""
        return math.fsum(case.cost(reach) for case in self.cases)

    def dear_until(self, c: float) -> float:
        """As far as a modulus is looked at."""
        return (NEAR + WIDE) * self.decay(c)

    @property
    def loss_range(self) -> tuple[float, float]:
        """That of all cases."""
        lows, highs = zip(*(case.loss_range for case in self.cases), strict=True)
        return min(lows), max(highs)


@lru_cache(maxsize=1024)
def _decay(kind: ToldKind, c: float) -> float:
    decays = [case.decay(c) for case in kind.cases]
    return float(kind._shares(c) @ decays) * (1 + 1e-9)
