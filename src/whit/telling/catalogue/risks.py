"""What an adversary may learn from a deployment, worked out anew from the parameters that its source states."""

from __future__ import annotations

from dataclasses import dataclass

from whit.curves import Promise
from whit.mechanisms import Gaussian
from whit.numerics import down
from whit.plans import Rho
from whit.semantics.membership import posterior
from whit.semantics.testing import power
from whit.setting import Neighbours
from whit.telling.catalogue.deployment import Deployment, Noise
from whit.theory import Finding

PRIOR = 0.5
"""The adversary thinks the fact as likely as not."""

LEVEL = 0.05
"""The adversary accepts five false alarms in a hundred."""

FAILURE = 0.01
"""The bound on the posterior may fail for one output in a hundred; that of a pure promise never does."""


@dataclass(frozen=True)
class Risks:
    """The questions that are put to every deployment, each per unit of privacy.

    Attributes:
        posterior: the belief in the truth after the release, from even odds.
        power: the power of the best test with five false alarms in a hundred.
        if_gaussian: the same power with Gaussian noise of the stated rho. The noise of these releases is documented as
            Gaussian, or as discrete Gaussian, to which this is close; it is no bound for other noise of that rho.
            Nothing where the noise is not known.
    """

    posterior: Finding
    power: Finding
    if_gaussian: tuple[Finding, ...]


def risks(deployment: Deployment) -> Risks:
    """The risks of a deployment.

    >>> from whit.telling.catalogue import deployments
    >>> census = risks(deployments()[0])
    >>> print(census.power)
    power of the best test is at most 93.5 %
    >>> print(census.if_gaussian[0])
    power of the best test is 73.2 % (rounded up)
    """
    promise = deployment.promise
    return Risks(
        posterior=belief(promise),
        power=power(promise, LEVEL),
        if_gaussian=() if deployment.noise is Noise.NOT_USED else (power(_gaussian(deployment), LEVEL),),
    )


def belief(promised: Promise, *, neighbours: Neighbours | None = None) -> Finding:
    """The posterior from even odds that the catalogue compares, but for a small chance over the noise.

    >>> from whit.guarantees import ZeroConcentratedDP
    >>> print(belief(ZeroConcentratedDP(0.07)))
    posterior probability of the truth is at most 77 %
    """
    return posterior(promised, PRIOR, failure=FAILURE, neighbours=neighbours)


def _gaussian(deployment: Deployment) -> Gaussian:
    """One count with Gaussian noise of the stated rho; its deviation is rounded down, which is the safe side."""
    variance = Rho(dict(deployment.parameters)["rho"]).spread(1, 1, 1)  # type: ignore[arg-type]
    return Gaussian(float(down(float(variance) ** 0.5, 4)))
