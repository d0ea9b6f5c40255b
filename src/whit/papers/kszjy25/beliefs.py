"""From a promise to beliefs: Section 3, Examples 1.1, 4.1 and 4.3, Figures 1 and 3 to 7.

All bounds are two-sided, as in the paper: the belief neither rises nor falls further, but for the failure delta'.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from whit.guarantees import ApproxDP, Guarantee, ProbabilisticDP, PureDP, ZeroConcentratedDP
from whit.guarantees.conversions import along, edge
from whit.papers.case import Case, Way
from whit.papers.kszjy25.releases import after_days, total_epsilon
from whit.semantics.membership import difference, largest_difference, largest_ratio, posterior, ratio, worst_prior
from whit.theory import Finding

_BOTH = 2
_THEOREM_3_9 = (edge(ApproxDP, ProbabilisticDP, "approximate-to-probabilistic"),)


@dataclass(frozen=True)
class Asked:
    """What a case is about: a promise, a prior and the chance of failure."""

    promise: Guarantee
    prior: float
    failure: float

    @classmethod
    def by(cls, case: Case) -> Asked:
        """What is stated in the inputs of a case."""
        prior, failure = (float(case.inputs.get(name, other)) for name, other in (("p", "0.5"), ("delta_prime", "0")))
        return cls(_promised(case), prior, failure)

    @property
    def worst(self) -> float:
        """The prior of one who is present from which the probability can rise most."""
        return float(worst_prior(self.promise, failure=self.failure, sides=_BOTH).difference.when_true)

    @property
    def of_both(self) -> list[float]:
        """The prior that the person is present, and that they are absent."""
        return [self.prior, 1 - self.prior]


def lowest(finding: Finding) -> float:
    """The lower end of a two-sided bound."""
    assert finding.lower is not None
    return float(finding.lower)


def _promised(case: Case) -> Guarantee:
    failure = float(case.inputs.get("delta_prime", "0"))
    if "rho_daily" in case.inputs:
        return after_days(ZeroConcentratedDP(case.given("rho_daily")), int(case.given("k")), failure)
    delta = float(case.inputs.get("delta", "0"))
    if delta == 0.0:
        return PureDP(case.given("eps"))
    # Figure 3 takes delta for that of the whole, whichever rule gives the epsilon.
    return along(ApproxDP(_epsilon(case, delta), delta), _THEOREM_3_9, delta=failure).result


def _epsilon(case: Case, delta: float) -> float:
    if "eps_j" not in case.inputs:
        return case.given("eps")
    return total_epsilon(case.inputs["method"], case.given("eps_j"), int(case.given("k")), delta)


def _loss(asked: Asked) -> float:
    """As the promise states it: at a failure of 1 nothing need be promised, and yet the theorem states a number."""
    assert isinstance(asked.promise, ProbabilisticDP)
    return asked.promise.stated_epsilon


def _ratio(asked: Asked) -> float:
    return float(ratio(asked.promise, asked.prior, failure=asked.failure, sides=_BOTH))


def _difference(asked: Asked) -> float:
    return float(difference(asked.promise, asked.prior, failure=asked.failure, sides=_BOTH))


def _way(of: Callable[[Asked], float]) -> Way:
    """The way by what the case asks."""
    return Way(lambda case: of(Asked.by(case)))


WAYS: Mapping[str, Way] = {
    "bound on the loss": _way(_loss),
    "largest posterior": _way(
        lambda asked: float(posterior(asked.promise, asked.prior, failure=asked.failure, sides=_BOTH))
    ),
    "smallest posterior": _way(
        lambda asked: lowest(posterior(asked.promise, asked.prior, failure=asked.failure, sides=_BOTH))
    ),
    "largest ratio from the prior": _way(_ratio),
    "largest difference from the prior": _way(_difference),
    "largest ratio over all priors": _way(
        lambda asked: float(largest_ratio(asked.promise, failure=asked.failure, sides=_BOTH))
    ),
    "smallest ratio over all priors": _way(
        lambda asked: lowest(largest_ratio(asked.promise, failure=asked.failure, sides=_BOTH))
    ),
    "largest difference over all priors": _way(
        lambda asked: float(largest_difference(asked.promise, failure=asked.failure, sides=_BOTH))
    ),
    "worst prior of one who is present": _way(lambda asked: asked.worst),
    "worst prior of one who is absent": _way(
        lambda asked: float(worst_prior(asked.promise, failure=asked.failure, sides=_BOTH).difference.when_false)
    ),
    "posterior at the worst prior": _way(
        lambda asked: float(posterior(asked.promise, asked.worst, failure=asked.failure, sides=_BOTH))
    ),
    "ratio at the worst prior": _way(
        lambda asked: float(ratio(asked.promise, asked.worst, failure=asked.failure, sides=_BOTH))
    ),
    "larger ratio of presence and absence": _way(
        lambda asked: float(np.max(ratio(asked.promise, asked.of_both, failure=asked.failure, sides=_BOTH).value))
    ),
    "larger difference of presence and absence": _way(
        lambda asked: float(np.max(difference(asked.promise, asked.of_both, failure=asked.failure, sides=_BOTH).value))
    ),
}
"""What recomputes each quantity about beliefs."""
